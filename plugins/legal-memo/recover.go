package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/wire"
)

// recoveries offers ways back for every subject that has outputs or a base
// revision, and no readable state.
func recoveries(p *sdk.Pass) ([]sdk.Remedy, error) {
	m := p.Model.(*model)
	if !m.complete {
		return nil, nil // what is at the places to write to is not known
	}
	orchestrator := m.recoverOrchestrator()
	var found []sdk.Remedy
	if m.orch != nil {
		found, orchestrator = orchestrator, nil // it is damaged or wrong; only missing, it ends no finding and comes last
	}
	for _, a := range append(m.agents[:len(m.agents):len(m.agents)], m.unrecorded()...) {
		if !a.read && len(found) < 100 {
			found = append(found, m.recoverAgent(a)...)
		}
	}
	return append(found, orchestrator...), nil
}

// unrecorded are the agents whose output is there and whose state file is not; sections are among the agents.
func (m *model) unrecorded() []*agent {
	var list []*agent
	for i, k := range kinds {
		a := &agent{kind: k, subject: k.name}
		there, _ := m.outputs(a)
		if i == writer || i == assembly || len(there) == 0 || m.find(k.name) != nil || i == synthesis && m.anyStage7() {
			continue
		}
		a.proof = m.prove(a)
		list = append(list, a)
	}
	return list
}

// recoverAgent offers to restore a state file from the base, or to rebuild it from the outputs and from what can be
// read of it.
func (m *model) recoverAgent(a *agent) []sdk.Remedy {
	var list []sdk.Remedy
	rule, subject := "output-without-state", a.subject
	offer := func(title string, edits ...sdk.Edit) {
		list = append(list, sdk.Remedy{Title: title, Safety: sdk.Review, Subject: subject, Heals: []string{rule}, Edits: edits})
	}
	var aside []sdk.Edit
	if a.doc != nil {
		rule, subject = wire.RuleUnreadable, ""
		if whole(a.doc) {
			rule = wire.RuleSchema
		}
		aside = append(aside, sdk.Move(a.path(), a.path()+".unreadable"))
		if m.base != nil {
			if was := m.base.docs.Get(a.path()); whole(was) && was.Text != a.doc.Text {
				offer("Restore "+a.path()+" from the base revision", sdk.Restore(a.path()))
			}
		}
	}
	if text := m.rebuilt(a); text != "" && m.alike(a.path()) == a.doc {
		offer("Rebuild "+a.path()+" from the outputs", append(aside, sdk.Create(a.path(), text))...)
	}
	return list
}

// What a state file says of itself that was made from outputs, or reopened while later agents are finished.
const (
	rebuiltMark  = "rebuilt from outputs by stategate"
	reopenedMark = "reopened by stategate"
)

// A draft is a state file that is made from outputs.
type draft struct {
	done     int // phases before this one are done
	status   string
	next     string
	guards   []string
	notes    string // do_not_repeat_footnotes
	figures  []figureOf
	kept     []jsondoc.Member // of metrics, as they can be read
	items    *jsondoc.Builder
	itemsKey string
	grows    bool     // more phases may be done than the outputs prove
	reports  []string // the inventory of a review
	cycle    int      // of a diagnostic
}

// A figure is a counter of metrics.
type figureOf struct {
	key   string
	value int
}

// figure sets a counter of metrics.
func (d *draft) figure(key string, n int) {
	for i := range d.figures {
		if d.figures[i].key == key {
			d.figures[i].value = n
			return
		}
	}
	d.figures = append(d.figures, figureOf{key, n})
}

// rebuilt is the text of a state file that records what the outputs prove and
// no more, "" if they prove nothing.
func (m *model) rebuilt(a *agent) string {
	d := &draft{status: "in_progress"}
	there, _ := m.outputs(a)
	words := 0
	if len(there) > 0 {
		words = there[0].Summary.Words
	} else if soft := m.softOutput(a); soft != nil {
		words = soft.Summary.Words
	} else {
		return ""
	}
	switch a.kind {
	case kinds[writer]:
		m.draftSection(a, d, there[0])
	case kinds[facts], kinds[coverage], kinds[risk]:
		d.done = a.kind.output + 1
		d.guards = append(d.guards, a.kind.names()[:d.done]...)
		d.next = "return the status"
	case kinds[execSummary]:
		m.draftSummary(a, d)
	case kinds[citation]:
		m.draftNotes(d)
	case kinds[synthesis]:
		m.draftSynthesis(a, d)
	case kinds[assembly]:
		d.done, d.next = 1, "run PHASE_3_BASH_ASSEMBLY again from the start"
	case kinds[qa]:
		d.done, d.next, d.grows = 1, "score the dimensions", true
		m.draftQA(d)
	case kinds[research]:
		d.grows = true
		d.done, d.next = 2, "review the completeness of the reports"
		d.guards = []string{"PHASE_0", "PHASE_1"}
		for _, o := range m.specialists() {
			d.reports = append(d.reports, baseName(o.Path))
		}
	default:
		return ""
	}
	d.keep(readable(a), &m.notes)
	return m.write(a, d, words)
}

func (m *model) draftSection(a *agent, d *draft, report *sdk.Document) {
	d.items = jsondoc.NewObject()
	d.figure("word_count", report.Summary.Words)
	last := lastSubsection(report)
	if a.proof == proven {
		d.done, d.status, last, d.next = 6, "complete", len(subsections), "return the status"
	} else {
		d.done, d.next = 3, "continue subsection "+subsections[max(last, 0)]
	}
	for i, key := range subsections {
		if i < last {
			d.items.String(key, "complete")
			d.guards = append(d.guards, key)
		} else {
			d.items.String(key, "pending")
		}
	}
}

func (m *model) draftSummary(a *agent, d *draft) {
	if a.proof == proven {
		d.done = 5
		d.next = "confirm the summary and return the status"
	} else {
		d.done, d.next = 1, "read the sections"
	}
	d.items = jsondoc.NewObject()
	doc, read := m.docs.Get(summaryPath), 0
	for _, l := range m.letters {
		status := "pending"
		for i := range doc.Summary.Headings {
			if sectionLetter(doc.Summary.Headings[i].Text) == l {
				status = "complete"
			}
		}
		if status == "complete" {
			read++
			d.guards = append(d.guards, "IV-"+l)
		} else {
			// The phase that reads the sections cannot be done with one pending.
			d.done, d.next = 1, "read the sections that the summary does not name, then confirm it"
		}
		d.items.Object("IV-"+l, jsondoc.NewObject().String("status", status))
	}
	d.figure("sections_total", len(m.letters))
	d.figure("sections_read", read)
	d.figure("word_count", doc.Summary.Words)
}

func (m *model) draftNotes(d *draft) {
	n := 0
	if m.notes.strict {
		n = m.notes.count
		d.notes = "1-" + say.Int(n)
	}
	d.done, d.next = 1, "assign the footnotes to their sections"
	if n > 0 {
		d.next = "assign notes 1-" + say.Int(n) + " to sections"
	}
	d.items = jsondoc.NewObject()
	for _, l := range m.letters {
		d.items.Object("section_IV_"+l, jsondoc.NewObject().String("status", "pending"))
	}
	d.figure("total_sections", len(m.letters))
	d.figure("sections_processed", 0)
	d.figure("footnotes_collected", n)
}

func (m *model) draftSynthesis(a *agent, d *draft) {
	d.done = 3
	for _, l := range m.started {
		d.guards = append(d.guards, "IV-"+l)
	}
	d.figure("word_count", m.memo.Summary.Words)
	d.figure("sections_integrated", len(m.started))
	if left := m.unstarted(m.letters); len(left) > 0 {
		d.next = "append section IV-" + left[0]
	} else if a.proof == proven {
		d.done, d.next = 4, "check the quality"
	} else {
		d.next = "complete the sections"
	}
}

func (m *model) draftQA(d *draft) {
	cycle := 1
	for _, o := range m.docs.All() {
		if at := strings.Index(o.Path, "cycle"); at >= 0 && strings.HasPrefix(o.Path, "qa-outputs/") {
			if n, _ := leading(strings.TrimLeft(o.Path[at+len("cycle"):], "-_")); n < 100 {
				cycle = max(cycle, n+1)
			}
		}
	}
	d.items = jsondoc.NewObject()
	for i := range 12 {
		d.items.Object("dim_"+say.Int(i), jsondoc.NewObject().String("status", "pending").Null("score"))
	}
	d.cycle = cycle
	d.figure("dimensions_total", 12)
	d.figure("dimensions_scored", 0)
}

// write makes the text of a draft.
func (m *model) write(a *agent, d *draft, words int) string {
	o := jsondoc.NewObject()
	if a.kind.agent != "" {
		o.String("agent", a.kind.agent)
	}
	if a.kind.format != "" {
		o.String(a.kind.format, say.Int(a.kind.major)+".0").String("session_directory", m.name)
		o.String("started_at", sdk.NowInEdit).String("last_updated", sdk.NowInEdit)
	}
	if a.kind == kinds[writer] {
		o.String("section_id", a.letter)
	}
	phases, names := jsondoc.NewObject(), a.kind.names()
	for i, name := range names {
		if a.kind.style == 'B' {
			phases.Bool(name, i < d.done)
			continue
		}
		status := "pending"
		if i < d.done {
			status = "complete"
		} else if i == d.done && a.kind != kinds[assembly] { // that one begins again
			status = "in_progress"
		}
		phase := jsondoc.NewObject().String("status", status)
		if a.kind == kinds[research] && i == 1 {
			phase.Int("reports_found", int64(len(d.reports))).Strings("reports_list", d.reports...)
		}
		phases.Object(name, phase)
	}
	if a.kind.style == 'B' {
		o.String("status", d.status).Object("phases_complete", phases)
	} else {
		o.String("current_phase", names[min(d.done, len(names)-1)]).Object("phases", phases)
	}
	if d.items != nil {
		key, _, _ := strings.Cut(a.kind.items, " ")
		if d.itemsKey != "" {
			key = d.itemsKey
		}
		o.Object(key, d.items)
	}
	if a.kind == kinds[qa] {
		o.Object("qa_cycle", jsondoc.NewObject().Int("current_cycle", int64(d.cycle)).Int("max_cycles", 3))
	}
	progress := "rebuilt from the outputs"
	if words > 0 {
		progress = say.Int(words) + " words measured"
	}
	o.Object("compaction_summary", jsondoc.NewObject().String("task", "unknown").String("progress", progress).
		String("next_action", d.next).Strings("critical_context", rebuiltMark))
	if a.kind != kinds[assembly] {
		rescue := jsondoc.NewObject().String("on_compaction", "Read this file first").Strings("do_not_repeat", d.guards...)
		if d.notes != "" {
			rescue.String("do_not_repeat_footnotes", d.notes)
		}
		o.Object("recovery_instructions", rescue)
	}
	metrics := jsondoc.NewObject()
	for _, f := range d.figures {
		metrics.Int(f.key, int64(f.value))
	}
	for _, m := range d.kept {
		metrics.Value(m.Key, m.Value)
	}
	return o.Object("metrics", metrics.String("last_checkpoint", sdk.NowInEdit)).Text()
}
