package legalmemo

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/wire"
)

// recoveries offers recovery options for every unreadable state that has outputs or a base. The rule
// output-without-state offers to rebuild a missing state.
func recoveries(p *sdk.Pass) ([]sdk.Remedy, error) {
	m := p.Model.(*model)
	if !m.complete {
		return nil, nil // the files to overwrite are unknown
	}
	orchestrator := m.recoverOrchestrator()
	var found []sdk.Remedy
	if m.orch.doc != nil {
		// a damaged or wrong file comes first; a missing one fixes no finding and comes last
		found, orchestrator = orchestrator, nil
	}
	for _, a := range m.agents {
		if a.doc != nil && !a.read && len(found) < 100 {
			found = append(found, m.recoverAgent(a)...)
		}
	}
	return append(found, orchestrator...), nil
}

// unrecorded returns the agents that have an output but no state file. Sections are already among the agents.
func (m *model) unrecorded() []*agent {
	var list []*agent
	for i, k := range kinds {
		a, recorded := &agent{kind: k, subject: k.name}, m.find(k.name)
		if i == writer || i == assembly || len(m.outputs(a)) == 0 || recorded != nil && recorded.doc != nil ||
			i == synthesis && m.anyStage7() {
			continue
		}
		a.proof = m.prove(a)
		list = append(list, a)
	}
	return list
}

// recoverAgent offers to restore an unreadable state file from the base, or to rebuild it from the outputs and its
// readable part.
func (m *model) recoverAgent(a *agent) []sdk.Remedy {
	var list []sdk.Remedy
	rule := wire.RuleUnreadable
	if whole(a.doc) {
		rule = wire.RuleSchema
	}
	offer := func(title string, edits ...sdk.Edit) {
		list = append(list, sdk.Remedy{Title: title, Safety: sdk.Review, Fixes: []string{rule}, Edits: edits})
	}
	restore := func() {}
	m.keepOne(a, offer)
	if was := m.wholeBefore(a); was != nil && was.doc.Text != a.doc.Text {
		restore = func() { offer("Restore "+a.path()+" from the base", sdk.Restore(a.path())) }
		if len(list) == 0 && !m.newer(a, was) { // otherwise the base lacks later work
			restore()
			restore = func() {}
		}
	}
	if text := m.rebuilt(a); text != "" && m.alike(a.path()) == a.doc {
		from := " from the outputs"
		if len(m.outputs(a))+len(m.softOutputs(a)) == 0 {
			from = " from its readable part"
		}
		offer("Rebuild "+a.path()+from, sdk.Move(a.path(), a.path()+".unreadable"),
			sdk.Create(a.path(), text))
	}
	restore()
	return list
}

// The notes in a state file that was rebuilt from outputs, or reopened while later agents are finished.
const (
	rebuiltMark  = "rebuilt from outputs by stategate"
	reopenedMark = "reopened by stategate"
)

// rebuilt returns a state file that records only what the outputs and the readable part of the damaged file prove, or
// "" if they prove nothing.
func (m *model) rebuilt(a *agent) string {
	there := append(m.outputs(a), m.softOutputs(a)...)
	p := m.left(a)
	d := &draft{metrics: jsondoc.NewObject()}
	switch {
	case len(there) > 0:
		m.proved(a, d, there[0])
	case p.reached() > 0: // only the readable part proves work
		there = []*sdk.Document{{}}
		d.alone, d.grows, d.finished = true, true, p.claims && a.output() == ""
	default:
		return ""
	}
	m.draftItems(a, d, p, there[0])
	if a.kind == kinds[writer] && d.open != "" {
		d.next = "continue subsection " + d.open
	}
	if next, _ := p.root.Get("compaction_summary").Get("next_action").Text(); next != "" && !p.namesDone(next) &&
		(a.kind != kinds[citation] || m.keepsItems(p)) {
		d.next = next
	}
	d.keepPhases(p)
	if d.alone {
		names := a.kind.names()
		d.guards = append(slices.Clone(names[:d.done]), d.guards...)
		d.next = cmp.Or(d.next, "continue "+names[min(d.done, len(names)-1)])
	}
	for _, f := range p.metrics.Members() {
		if f.Key != "last_checkpoint" && !holds(d.own, f.Key) {
			d.metrics.Value(f.Key, f.Value)
		}
	}
	return m.write(a, d, p, there[0].Summary.Words)
}

// proved sets what an agent's outputs prove: how many phases are done, and the next step.
func (m *model) proved(a *agent, d *draft, output *sdk.Document) {
	words := output.Summary.Words
	switch a.kind {
	case kinds[writer]:
		d.figure("word_count", words)
		if d.finished = a.proof == proven; d.finished {
			d.done, d.next = 6, "return the status"
		} else {
			d.done, d.next = 3, "continue subsection "+subsections[max(lastSubsection(output), 0)]
		}
	case kinds[execSummary]:
		d.figure("word_count", words)
		if d.done, d.next = 1, "read the sections"; a.proof == proven {
			d.done, d.next = 5, "confirm the summary and return the status"
		}
	case kinds[citation]:
		n := 0
		if d.done, d.next = 1, "assign the footnotes to their sections"; m.notes.strict {
			n = m.notes.count
			d.next = "assign notes 1-" + say.Int(n) + " to sections"
		}
		d.figure("footnotes_collected", n)
	case kinds[synthesis]:
		d.figure("word_count", words)
		d.figure("sections_integrated", len(m.started))
		d.guards = sectionNames(m.started)
		if left := m.unstarted(m.letters); len(left) > 0 {
			d.done, d.next = 3, "append section IV-"+left[0]
		} else if d.done, d.next = 3, "complete the sections"; a.proof == proven {
			d.done, d.next = 4, "check the quality"
		}
	case kinds[assembly]:
		d.done, d.next = 1, "run PHASE_3_BASH_ASSEMBLY again from the start"
	case kinds[qa]:
		d.done, d.next, d.grows = 1, "score the dimensions", true
	case kinds[research]:
		d.done, d.next, d.grows = 2, "review the completeness of the reports", true
		d.guards = []string{"PHASE_0", "PHASE_1"}
	default: // the output phase is the last one before the return
		d.done, d.next = a.kind.output+1, "return the status"
		d.guards = a.kind.names()[:d.done]
	}
}

// keepsItems reports whether to keep a damaged file's readable items. Those of a citation validator are kept only if
// they cover the footnotes on disk.
func (m *model) keepsItems(p *agent) bool {
	return p.itemsKey != "" && (p.kind != kinds[citation] || p.extracted() == m.notes.count)
}

// draftItems adds the readable items, then those that the outputs prove. An entry without a status is not an item:
// after a lost bracket, the rest of the file appears among the items.
func (m *model) draftItems(a *agent, d *draft, p *agent, output *sdk.Document) {
	if m.keepsItems(p) {
		d.guards = nil
		for _, it := range p.items {
			if it.word != noWord {
				d.item(it.key, it.body.Raw(), it.word)
			}
		}
	}
	m.provedItems(a, d, output)
	if d.left && a.kind.worked >= 0 {
		d.done = min(d.done, a.kind.worked)
	}
	if a.kind.all != "" {
		d.figure(a.kind.all, len(d.names))
		d.figure(a.kind.counts, d.complete)
	}
}

func (m *model) provedItems(a *agent, d *draft, output *sdk.Document) {
	switch a.kind {
	case kinds[writer]:
		named := func(s string) bool { return headed(output, s) }
		// A complete report without such headings passes the workflow's own checks.
		silent := d.finished && !slices.ContainsFunc(subsections[:5], named)
		for i := len(d.names); i < len(subsections); i++ { // the readable subsections come first
			w := pending
			if silent || named(subsections[i]) && (d.finished && !(i == 5 && d.left) || i < lastSubsection(output)) {
				w = complete
			}
			d.item(subsections[i], jsondoc.Quote(wordNames[w]), w)
		}
	case kinds[execSummary]:
		for _, l := range m.letters {
			w := pending
			if slices.ContainsFunc(output.Summary.Headings,
				func(h wire.HeadingLine) bool { return sectionLetter(h.Text) == l }) {
				w = complete
			}
			d.item("IV-"+l, `{"status": "`+wordNames[w]+`"}`, w)
		}
		if d.left { // the phase that reads the sections cannot be done while one is pending
			d.done, d.next = 1, "read the sections that the summary does not name, then confirm it"
		}
	case kinds[citation]:
		for _, l := range m.letters {
			d.item("section_IV_"+l, `{"status": "pending"}`, pending)
		}
	case kinds[qa]:
		for i := len(d.names); i < 12; i++ {
			d.item("dim_"+say.Int(i), `{"status": "pending", "score": null}`, pending)
		}
	}
}

// writtenKeys holds the members that a rebuilt file sets itself.
var writtenKeys = [...]string{"started_at", "last_updated", "section_id", "section_name",
	"compaction_summary", "recovery_instructions", "metrics"}

// write returns a draft as JSON text.
func (m *model) write(a *agent, d *draft, p *agent, words int) string {
	o := jsondoc.NewObject()
	if a.kind.agent != "" {
		o.String("agent", a.kind.agent)
	}
	if a.kind.format != "" {
		o.String(a.kind.format, say.Int(a.kind.major)+".0").String("session_directory", m.name)
		if began, _ := p.root.Get("started_at").Text(); began != "" {
			o.String("started_at", began) // no other record has the start time
		}
		o.String("last_updated", sdk.NowInEdit)
	}
	if a.kind == kinds[writer] {
		o.String("section_id", a.letter)
		if name, _ := p.root.Get("section_name").Text(); name != "" {
			o.String("section_name", name)
		}
	}
	phases, names := jsondoc.NewObject(), a.kind.names()
	for i, name := range names {
		status := "pending"
		if i < d.done {
			status = "complete"
		} else if i == d.done && a.kind != kinds[assembly] { // the assembly starts again
			status = "in_progress"
		}
		phase := jsondoc.NewObject().String("status", status)
		if d.alone && p.phases[i].body.Kind() == jsondoc.Object {
			for _, e := range p.phases[i].body.Members() {
				if e.Key != "status" {
					phase.Value(e.Key, e.Value)
				}
			}
		} else if a.kind == kinds[research] && i == 1 {
			reports := gather(m.specialists(), func(r *sdk.Document) string { return baseName(r.Path) })
			phase.Int("reports_found", int64(len(reports))).Strings("reports_list", reports...)
		}
		if a.kind.style == 'B' {
			phases.Bool(name, i < d.done)
		} else {
			phases.Object(name, phase)
		}
	}
	field, value, object := "status", "in_progress", "phases_complete"
	if a.kind.style == 'P' {
		field, value, object = "current_phase", names[min(d.done, len(names)-1)], "phases"
	} else if d.finished {
		value = "complete"
	}
	o.String(field, value).Object(object, phases)
	if d.items != nil {
		key, _, _ := strings.Cut(a.kind.items, " ")
		o.Object(cmp.Or(p.itemsKey, key), d.items)
	}
	progress := "rebuilt from the outputs"
	if d.alone {
		progress = "rebuilt from the readable part"
	}
	if words > 0 {
		progress = say.Int(words) + " words measured"
	}
	was := p.root.Get("compaction_summary")
	task, _ := was.Get("task").Text()
	o.Object("compaction_summary", jsondoc.NewObject().String("task", cmp.Or(task, "unknown")).
		String("progress", progress).String("next_action", d.next).
		Strings("critical_context", append([]string{rebuiltMark}, textsOf(was.Get("critical_context"))...)...))
	if a.kind != kinds[assembly] {
		how, _ := p.rescue.Get("on_compaction").Text()
		rescue := jsondoc.NewObject().String("on_compaction", cmp.Or(how, "Read this file first")).
			Strings("do_not_repeat", d.guards...)
		counts := a.kind == kinds[citation] && m.notes.strict
		if counts {
			rescue.String("do_not_repeat_footnotes", "1-"+say.Int(m.notes.count))
		}
		for _, e := range p.rescue.Members() {
			if e.Key != "on_compaction" && e.Key != "do_not_repeat" && (e.Key != "do_not_repeat_footnotes" || !counts) {
				rescue.Value(e.Key, e.Value)
			}
		}
		o.Object("recovery_instructions", rescue)
	}
	for _, e := range p.root.Members() { // the file's other members
		dates := a.kind.format == "" && (e.Key == "started_at" || holds(sessionFields[:], e.Key))
		switch {
		case e.Key == "last_updated" && a.kind.format == "":
			o.String(e.Key, sdk.NowInEdit)
		case dates, !slices.Contains(writtenKeys[:], e.Key) && e.Key != field && e.Key != object &&
			e.Key != p.itemsKey && e.Key != a.kind.format && !holds(sessionFields[:], e.Key) &&
			!holds(agentFields[:], e.Key):
			o.Value(e.Key, e.Value)
		}
	}
	return o.Object("metrics", d.metrics.String("last_checkpoint", sdk.NowInEdit)).Text()
}
