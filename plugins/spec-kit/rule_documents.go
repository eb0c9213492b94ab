package speckit

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
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
		r.Whole(specPath, "tasks.md has "+say.Count(m.total(), "task")+", but there is no spec.md").
			Advise("Write spec.md", "Write spec.md with `/speckit.specify`, or restore it from history.")
	}
}

func planMissing(r *check.Report, m *model) {
	if m.started() && m.plan == nil && m.docs.Known(planPath) {
		r.Whole(planPath, say.Int(m.done)+" of "+say.Count(m.total(), "task")+" "+are(m.done)+" ticked, but there is no plan.md").
			Advise("Write plan.md", "Write plan.md with `/speckit.plan`, or restore it from history.")
	}
}

func are(n int) string { return verb(n, "is", "are") }

// verb is the form of a verb that goes with a number.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func clarificationOpen(r *check.Report, m *model) {
	if !m.started() || !m.spec.Readable() {
		return
	}
	// Marks in code, such as a line about the mark itself, ask nothing.
	o := m.spec.Outline()
	for _, kind := range []markdown.Kind{markdown.KindParagraph, markdown.KindCell, markdown.KindTask} {
		for _, part := range o.Document().Parts(kind) {
			raw := part.Raw()
			i := strings.Index(raw, "[NEEDS CLARIFICATION:")
			if i < 0 || strings.HasPrefix(raw[i:], "[NEEDS CLARIFICATION: specific question]") || strings.Count(raw[:i], "`")%2 == 1 || strings.Contains(raw[:i], "~~") {
				continue
			}
			end := strings.IndexByte(raw[i:], ']')
			if end < 0 {
				continue
			}
			at := part.Start() + i
			r.At(sdk.AtBytes(specPath, at, at+end+1), say.Int(m.done)+" of "+say.Count(m.total(), "task")+" "+are(m.done)+" ticked, but the spec asks: "+say.Quote(raw[i:i+end+1])).
				Keyed(say.Clip(raw[i:i+end+1])).Advise("Answer the question", "Run `/speckit.clarify`, or write the answer in place of the mark.")
		}
	}
}

// placeholders are what the titles, fields and headings of Spec Kit's templates say.
var placeholders = []string{"[feature name]", "[feature]", "[###-feature-name]", "[###-feature]", "[date]", "[brief title]", "[title]", "[short title]", "$arguments", "[language]", "[framework]"}

func templateLeft(r *check.Report, m *model) {
	if !m.started() {
		return
	}
	for _, d := range m.read() {
		var left []string
		first := 0
		note := func(text string, line int) {
			for _, p := range placeholders {
				if i := strings.Index(lower(text), p); i >= 0 {
					left = append(left, say.Quote(text))
					if first == 0 {
						first = line
					}
					return
				}
			}
		}
		o := d.Outline()
		for _, f := range o.Head().Fields() {
			if strings.HasPrefix(strings.Trim(f.Text(), "`\" "), "[") || strings.HasPrefix(f.Text(), "$") {
				note(f.Text(), f.Line())
			}
		}
		for _, h := range o.Headings() {
			note(h.Text(), h.Line())
		}
		if len(left) > 0 {
			r.At(sdk.AtLine(d.Path, first), say.Int(m.done)+" of "+say.Count(m.total(), "task")+" "+are(m.done)+" ticked, but "+d.Path+" has what its template says: "+say.List(left)).
				Advise("Fill in "+d.Path, "Replace what stands in brackets, or take it out.")
		}
	}
}

func checklistOpen(r *check.Report, m *model) {
	if !m.complete() {
		return
	}
	for _, d := range m.docs.All() {
		if !strings.HasPrefix(d.Path, "checklists/") {
			continue
		}
		opened, ticked, line := 0, 0, 0
		for _, p := range d.Summary.Probes {
			if p.Name == "open" {
				opened, line = p.Count, p.LastLine
			} else {
				ticked = p.Count
			}
		}
		if opened > 0 {
			r.At(sdk.AtLine(d.Path, line), "every task is ticked, but "+say.Int(opened)+" of "+say.Count(opened+ticked, "item")+" of "+d.Path+" "+are(opened)+" not; the last one is in line "+say.Int(line)).
				Advise("Review the checklist", "Review what is open in "+d.Path+", and tick it.")
		}
	}
}
