package legalmemo

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

const repeatPointer = "/recovery_instructions/do_not_repeat"

// setPhase returns the edits that set a phase's flag.
func (a *agent) setPhase(i int, done bool) []sdk.Edit {
	json := [...]string{"false", "true", `"pending"`, `"complete"`}
	n, kind := 0, a.phases[i].body.Kind()
	if done {
		n = 1
	}
	if a.kind.style != 'B' && kind != jsondoc.Bool || kind == jsondoc.Object {
		n += 2
	}
	return a.set(a.phasePointer(i), json[n])
}

// phasePointer returns the pointer of a phase's flag.
func (a *agent) phasePointer(i int) string {
	p := jsondoc.Pointer(a.phaseMap, a.phases[i].name)
	if a.phases[i].body.Kind() == jsondoc.Object || !a.phases[i].in && a.kind.style == 'P' {
		p += "/status"
	}
	return p
}

// setCurrent returns the edits that make a phase the current one, if the kind records it.
func (a *agent) setCurrent(i int) []sdk.Edit {
	if a.kind.style != 'P' {
		return nil
	}
	return a.set("/current_phase", jsondoc.Quote(a.phases[i].name))
}

// itemPointer returns the pointer of an item's status.
func (a *agent) itemPointer(it *item) string {
	p := jsondoc.Pointer(a.itemsKey, it.key)
	if it.body.Kind() == jsondoc.Object {
		p += "/status"
	}
	return p
}

// openFrom returns the edits that reopen a phase and all later ones. Guards for repeated work are removed, except
// those that stays, which may be nil, accepts.
func (a *agent) openFrom(at int, stays func(*guard) bool) []sdk.Edit {
	if stays == nil {
		stays = func(g *guard) bool { return !a.guardsPhase(g, at, len(a.phases), true) }
	}
	edits := a.setGuards("do_not_repeat", stays)
	for i := at; i < len(a.phases); i++ {
		if p := a.phases[i]; p.in && (!p.word.open() || i > at && p.word == inProgress) {
			edits = append(edits, a.setPhase(i, false)...)
		}
	}
	return append(append(edits, a.setCurrent(at)...), a.goOn(at)...)
}

// goOn returns the edits that make a phase the next action, unless the recorded action names an open item.
func (a *agent) goOn(at int) []sdk.Edit {
	recorded, _ := a.root.Get("compaction_summary").Get("next_action").Text()
	letters, text := sectionLetters(recorded), "_"+norm("do "+recorded)+"_"
	about := func(it *item) bool { return it.word.left() && (holds(letters, it.letter) || a.namedIn(it, text)) }
	if slices.ContainsFunc(a.items, about) {
		return nil
	}
	next := "continue " + a.phases[at].name
	if left := a.openItems(); at == a.kind.worked && len(left) > 0 {
		next += " with " + say.Clip(left[0])
	}
	return a.nextAction(next)
}

// reopen returns the edits after which an agent is no longer marked done and continues at a phase.
func (a *agent) reopen(at int, stays func(*guard) bool) []sdk.Edit {
	if at < 0 {
		return nil
	}
	edits := a.openFrom(at, stays)
	if a.status != noWord && a.status != inProgress {
		edits = append(edits, a.set("/status", `"in_progress"`)...)
	}
	return append(edits, a.mark()...)
}

// guardsPhase reports whether a guard names a phase in a range, but not an item. If onlyComplete is set, only
// complete items count.
func (a *agent) guardsPhase(g *guard, from, to int, onlyComplete bool) bool {
	item := func(it *item) bool { return (it.word == complete || !onlyComplete) && g.names(it.norm, it.letter) }
	phase := func(p *phase) bool { return g.names(p.norm, "") }
	return !slices.ContainsFunc(a.items, item) && slices.ContainsFunc(a.phases[from:to], phase)
}

// mark returns the edit that notes that a state is open on purpose although later agents are finished.
func (a *agent) mark() []sdk.Edit {
	context := a.root.Get("compaction_summary").Get("critical_context")
	if !a.passed || context.Kind() != jsondoc.Array {
		return nil
	}
	marks := []string{jsondoc.Quote(reopenedMark)}
	for _, e := range context.Elements() {
		marks = append(marks, e.Raw())
	}
	return a.set("/compaction_summary/critical_context", array(marks))
}

// nextAction returns the edits that record the next action, if the file has one.
func (a *agent) nextAction(text string) []sdk.Edit {
	if !a.root.Get("compaction_summary").Get("next_action").Exists() {
		return nil
	}
	return a.set("/compaction_summary/next_action", jsondoc.Quote(text))
}

// again returns the phase where an agent continues if it must rewrite its output, or -1 if there is none.
func (a *agent) again() int {
	switch a.kind {
	case kinds[writer]:
		return a.kind.worked
	case kinds[execSummary]:
		return structure
	}
	return a.kind.output
}

func (a *agent) offerReopen(f *check.Finding, at int) {
	if at >= 0 {
		f.Offer(sdk.Review, "Reopen the state at "+a.phases[at].name, a.reopen(at, nil)...)
	}
}

// rewritten returns the edits after which an agent writes the missing part of an output that does not support what its
// state records.
func (m *model) rewritten(a *agent) []sdk.Edit {
	if !a.claims || a.again() < 0 {
		return nil
	} else if a.kind == kinds[assembly] {
		return m.reassemble(a)
	}
	edits := append(a.reopen(a.again(), nil), a.nextAction("compare the output with what is recorded as done, and "+
		"write what is missing")...)
	if a.kind == kinds[writer] {
		edits = append(edits, m.unwritten(a)...)
	}
	return append(edits, m.reopenGroup(a)...)
}

// unwritten returns the edits that set subsections to pending if the reports do not show that they are complete.
func (m *model) unwritten(a *agent) []sdk.Edit {
	proves := m.provesItem(a)
	var edits []sdk.Edit
	var kept []string
	for _, it := range a.items {
		if proves(it) {
			kept = append(kept, it.key)
		} else if it.word == complete {
			edits = append(edits, a.set(a.itemPointer(it), `"pending"`)...)
		}
	}
	if len(edits) > 0 && a.hasGuards {
		edits = append(edits, a.set(repeatPointer, texts(kept))...)
	}
	return append(edits, a.setProgress(len(kept), len(a.items), "subsections")...)
}

// provesItem returns a function that reports whether the reports of a refuted section show that a subsection is
// complete: a later subsection has a heading, or the base records the subsection as complete and no report is shorter
// than in the base.
func (m *model) provesItem(a *agent) func(*item) bool {
	last, whole := -1, a.was != nil
	for _, r := range m.reportsOf(a.letter) {
		last = max(last, lastSubsection(r))
	}
	if whole {
		for _, was := range m.base.reportsOf(a.letter) {
			now := m.docs.Get(was.Path)
			whole = whole && measured(now) && measured(was) && wordCount(now) >= wordCount(was)
		}
	}
	return func(it *item) bool {
		if n := it.norm; n != "" && int(n[0]-'a') < last {
			return true
		}
		return whole && slices.ContainsFunc(a.was.items, func(old *item) bool {
			return old.word == complete && old.norm == it.norm
		})
	}
}

// unproven returns the items of a half-written section that its reports do not prove, and the sections without a report
// that an unfinished summary marks as read.
func (m *model) unproven(a *agent) []*item {
	if a.kind == kinds[execSummary] && !a.claims && m.tracked && m.complete {
		return m.ghosts(a)
	}
	if !a.halfWritten() {
		return nil
	}
	proves := m.provesItem(a)
	return keep(a.items, func(it *item) bool { return !proves(it) })
}

// halfWritten reports whether a section is marked done, but its report is too short or cut off.
func (a *agent) halfWritten() bool {
	return a.kind == kinds[writer] && a.claims && a.state == sdk.Active && a.proof == partial &&
		len(a.openItems()) == 0
}

// lostOutput returns the edits that reopen a state whose output is missing, so that an agent rewrites it. For a section
// and the memorandum, they also reopen the parts whose text is lost, and remove the guards for them. The results of
// other agents are in their states, which keep them.
func (a *agent) lostOutput() []sdk.Edit {
	at := a.again()
	switch {
	case at < 0:
		return nil
	case a.kind == kinds[execSummary]: // its notes about the sections stay in the state
		return append(a.reopen(structure, nil), a.nextAction("write the summary again: it is lost")...)
	case a.kind != kinds[synthesis] && a.kind != kinds[writer]:
		return a.reopen(at, nil)
	}
	edits := a.reopen(at, func(g *guard) bool { return a.guardsPhase(g, 0, at, false) })
	if a.kind == kinds[synthesis] {
		return append(append(edits, a.recount(0)...), a.setProgress(0, len(a.recorded()), "sections")...)
	}
	for _, it := range a.items {
		if it.word != pending {
			edits = append(edits, a.set(a.itemPointer(it), `"pending"`)...)
		}
	}
	if a.metrics.Get("word_count").Exists() {
		edits = append(edits, a.set("/metrics/word_count", "0")...)
	}
	edits = append(edits, a.setProgress(0, len(a.items), "subsections")...)
	return append(edits, a.nextAction("write the section again: its report is lost")...)
}

// forget returns the edits after which sections are no longer recorded as appended to the memorandum.
func (m *model) forget(a *agent, letters []string) []sdk.Edit {
	stays := func(name string) bool { return !holds(letters, cmp.Or(sectionLetter(name), name)) }
	edits := a.reopen(3, func(g *guard) bool { return stays(g.text) })
	for _, pointer := range [...]string{"/sections_complete", appendedPointer} {
		done := a.at(pointer)
		if kept := keep(textsOf(done), stays); len(kept) < done.Len() {
			edits = append(edits, a.set(pointer, texts(kept))...)
		}
	}
	edits = append(edits, a.nextAction("append section IV-"+letters[0]+" to "+memoPath)...)
	if measured(m.memo) {
		edits = append(edits, a.recordWords(m.memo.Summary.Words)...)
	}
	done := len(keep(a.recorded(), stays))
	edits = append(append(edits, a.recount(done)...), a.setProgress(done, len(m.letters), "sections")...)
	return append(edits, m.reopenGroup(a)...)
}

// finish returns the edits that mark an agent finished if its output is proven and only the output phase and later
// ones are open.
func (a *agent) finish() []sdk.Edit {
	open := a.openPhases()
	if a.proof != proven || len(a.openItems()) > 0 || len(open) > 0 && open[0] < a.kind.output {
		return nil
	}
	var edits []sdk.Edit
	for _, i := range open {
		edits = append(edits, a.setPhase(i, true)...)
	}
	if a.status != noWord && a.status != complete {
		edits = append(edits, a.set("/status", `"complete"`)...)
	}
	return append(edits, a.setCurrent(len(a.phases)-1)...)
}

// setProgress returns the edits that make the figures in compaction_summary.progress agree with the file.
func (a *agent) setProgress(done, total int, unit string) []sdk.Edit {
	const pointer = "/compaction_summary/progress"
	if said, _ := a.at(pointer).Text(); !strings.ContainsAny(said, "0123456789") {
		return nil
	}
	return a.set(pointer, jsondoc.Quote(say.Int(done)+"/"+say.Int(total)+" "+unit))
}

// reopenGroup returns the edits after which the orchestrator records a reopened agent's phase as open, and later
// phases as pending. It returns nil if a later agent is finished, or if the agent works again because of remediation.
func (m *model) reopenGroup(a *agent) []sdk.Edit {
	o, g := m.orch, a.kind.group()
	if o.doc == nil || !o.structured || a.passed || m.remediating() || !o.groupComplete(g) {
		return nil
	}
	var edits []sdk.Edit
	for _, s := range o.ids {
		switch {
		case s.group == g && s.word == complete:
			edits = append(edits, o.setStatus(s, "IN_PROGRESS")...)
		case s.group > g && s.began():
			edits = append(edits, o.setStatus(s, "PENDING")...)
		}
	}
	if o.claimedGroup() > g {
		edits = append(edits, o.setPhase(g)...)
	}
	return edits
}

// free reports whether no document uses a path, in any letter case.
func (m *model) free(path string) bool { return m.alike(path) == nil && m.pass.Docs.Known(path) }

// offerBase offers to restore a state file that differs from the one in the base.
func (l *look) offerBase(f *check.Finding, a *agent) {
	if l.base == nil || a.doc == nil {
		return
	}
	if was := l.base.agentAt(a.doc.Path); was != nil && !a.unchanged(was) {
		f.Offer(sdk.Review, "Restore "+a.doc.Path+" from the base", sdk.Restore(a.doc.Path))
	}
}
