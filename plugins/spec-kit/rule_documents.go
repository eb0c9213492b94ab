package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

func (m *model) read() []*sdk.Document {
	var list []*sdk.Document
	for _, d := range []*sdk.Document{m.spec, m.plan, m.tasks} {
		if d.Readable() {
			list = append(list, d)
		}
	}
	return list
}

func specMissing(r *check.Report, m *model) {
	if m.total() > 0 && m.spec == nil && m.docs.Known(specPath) {
		f := r.Whole(specPath, "tasks.md has "+say.Count(m.total(), "task")+", but spec.md does not exist")
		if m.base != nil && m.base.spec != nil {
			f.Offer(sdk.Review, "Restore spec.md", sdk.Restore(specPath))
		}
		f.Advise("Write spec.md", m.howToWrite(r.Root, specPath)...)
	}
}

// howToWrite returns the steps that write a feature's spec or plan. Spec Kit's command for a spec begins a new feature,
// and the one for a plan needs the spec and works on the selected feature.
func (m *model) howToWrite(root, path string) (steps []string) {
	if path == specPath {
		return []string{"Write " + root + "/spec.md from .specify/templates/spec-template.md. Do not run " +
			"`/speckit.specify`, which begins a new feature."}
	}
	if m.spec == nil {
		steps = append(steps, "Write spec.md first, because `/speckit.plan` reads it.")
	}
	return append(steps, "Check out the feature's branch, or set feature_directory in .specify/feature.json to "+root+
		".", "Run `/speckit.plan`.")
}

func planMissing(r *check.Report, m *model) {
	if !m.started() || m.plan != nil || !m.docs.Known(planPath) {
		return
	}
	f := r.Whole(planPath, say.Int(m.done)+" of "+say.Count(m.total(), "task")+" "+say.Are(m.done)+
		" ticked, but plan.md does not exist").Advise("Write plan.md", m.howToWrite(r.Root, planPath)...)
	if m.complete() {
		f.As(sdk.Info)
	}
}

// A mark is a question in the spec: [NEEDS CLARIFICATION: …].
type mark struct {
	start, end int
	text       string
}

var needsClarification = words.ListOf("[NEEDS CLARIFICATION:")

// marks lists the spec's questions. Marks in code, such as text about the mark itself, are not questions.
func (m *model) marks() (list []mark) {
	if !m.spec.Readable() || needsClarification.Index(m.spec.Text) < 0 {
		return nil
	}
	o := m.spec.Outline()
	for _, kind := range []markdown.Kind{markdown.KindParagraph, markdown.KindCell, markdown.KindTask} {
		for _, part := range o.Document().Parts(kind) {
			raw := part.Raw()
			i := needsClarification.Index(raw)
			if i < 0 || sampled(raw[i:]) || strings.Count(raw[:i], "`")%2 == 1 || strings.Contains(raw[:i], "~~") {
				continue
			}
			if end := strings.IndexByte(raw[i:], ']'); end >= 0 {
				list = append(list, mark{part.Start() + i, part.Start() + i + end + 1,
					strings.Join(strings.Fields(raw[i:i+end+1]), " ")})
			}
		}
	}
	return list
}

// samples lists the questions in Spec Kit's templates.
var samples = []string{"specific question]", "auth method not specified - email/password, SSO, OAuth?]",
	"retention period not specified]"}

// sampled reports whether a mark is from a template.
func sampled(raw string) bool {
	_, question, _ := strings.Cut(raw, ": ")
	return slices.ContainsFunc(samples, func(s string) bool { return strings.HasPrefix(question, s) })
}

func clarificationOpen(r *check.Report, m *model) {
	if !m.started() {
		return
	}
	for _, q := range m.marks() {
		r.At(sdk.AtBytes(specPath, q.start, q.end),
			say.Int(m.done)+" of "+say.Count(m.total(), "task")+" "+say.Are(m.done)+" ticked, but the spec asks: "+
				say.Quote(q.text)).
			Keyed(say.Clip(q.text)).Advise("Answer the question",
			"Run `/speckit.clarify`, or replace the marker with the answer.")
	}
}

// noMarks is an item in Spec Kit's own checklists.
const noMarks = "No [NEEDS CLARIFICATION] markers remain"

func clarificationDenied(r *check.Report, m *model) {
	marks := m.marks()
	if len(marks) == 0 {
		return
	}
	tell := func(path string, line int) {
		r.At(sdk.AtLine(path, line), "\""+noMarks+"\" is ticked (line "+say.Int(line)+"), but spec.md has "+
			say.Count(len(marks), "such marker")+": "+say.Quote(marks[0].text)+say.Line(m.spec,
			marks[0].start)).Keyed(path).
			Advise("Answer the question", "Run `/speckit.clarify`, or replace the marker with the answer.",
				"If the question stays open, untick the item.")
	}
	for _, t := range m.spec.Outline().Tasks() {
		if t.Checked() && strings.Trim(t.Text(), " .") == noMarks {
			tell(specPath, t.Line())
		}
	}
	for _, d := range m.docs.All() {
		for _, p := range d.Summary.Probes {
			if p.Name == "no-marks" && p.Count > 0 {
				tell(d.Path, p.LastLine)
			}
		}
	}
}

// A checklist counts a file's open and done items.
type checklist struct {
	path       string
	open, done int
}

func (m *model) checklists() []checklist {
	var list []checklist
	for _, d := range m.docs.Match("checklists/*.md") {
		c := checklist{path: d.Path}
		for _, p := range d.Summary.Probes {
			switch p.Name {
			case "open":
				c.open = p.Count
			case "done":
				c.done = p.Count
			}
		}
		list = append(list, c)
	}
	return list
}
