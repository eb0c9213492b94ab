package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// unchanged reports whether a state file equals the one in the base.
func (a *agent) unchanged(was *agent) bool { return a.read && was.read && same(a.root, was.root) }

// restarted reports whether the agent started over since the base.
func (a *agent) restarted() bool { return a.was.started.Before(a.started, 0) }

// mayReopen reports whether an agent is rightly working again: it was marked finished but its output is missing,
// short or truncated, or a section's text was lost while it was written, or the memorandum lacks appended text.
func (m *model) mayReopen(a *agent) bool {
	missing := func(l string) bool { return !m.starts(l) }
	gone := a.kind == kinds[writer] && m.tracked && m.complete && len(m.outputs(a)) == 0 ||
		a.kind == kinds[synthesis] && m.tracked && m.seesMemo() && slices.ContainsFunc(a.was.recorded(), missing)
	return gone || a.was.claims && !a.claims && (a.proof == absent || a.proof == partial)
}

// continued returns the base's state that this one continues. It returns nil for a new run, for a diagnostic's next
// cycle, and if the output must be rewritten.
func (a *agent) continued() *agent {
	if a.redoes || a.restarted() || a.kind == kinds[qa] && a.cycle > a.was.cycle {
		return nil
	}
	return a.was
}

// was returns a message with the current value, the value in the base and its line there.
func (l *look) was(a *agent, what string, now, before value) string {
	return say.Was(what, plain(now), plain(before), say.Line(a.was.doc, before.Start()))
}

// back adds a finding about a value that returned to an earlier state, and offers to restore the value in the base.
func (l *look) back(a *agent, pointer, message string, edits []sdk.Edit) {
	if message != "" {
		f := l.say(a, pointer, message)
		l.offerWithOutput(f, a)
		l.offerBase(f.Offer(sdk.Review, "Restore the values from the base", edits...), a)
	}
}

// offerWithOutput offers to restore a state file together with outputs that lost their end.
func (l *look) offerWithOutput(f *check.Finding, a *agent) {
	title, edits := "Restore "+a.path(), []sdk.Edit{sdk.Restore(a.path())}
	for _, was := range l.base.outputs(a) {
		if now := l.docs.Get(was.Path); now.Readable() && len(now.Text) < len(was.Text) &&
			strings.HasPrefix(was.Text, strings.TrimSpace(now.Text)) {
			title, edits = title+" and "+was.Path, append(edits, sdk.Restore(was.Path))
		}
	}
	if len(edits) > 1 && l.base.agentAt(a.path()) != nil {
		f.Offer(sdk.Review, title+" from the base", edits...)
	}
}

// foremost returns the first location of the edits, regardless of the order in the base, or "" if there is none.
func foremost(edits []sdk.Edit) (at string) {
	for _, e := range edits {
		if at == "" || e.Range.Pointer < at {
			at = e.Range.Pointer
		}
	}
	return at
}

// stateFileRemoved reports deleted state files. If a file was unreadable in the base, the finding has no location: at
// the file's path, the host would treat the deletion as a correction.
func stateFileRemoved(l *look) {
	removed := func(subject string, was *sdk.Document, claim string) {
		gone := was.Path + " does not exist; "
		if !whole(was) {
			l.about(subject, "", gone+"the base has it, but it is unreadable there")
			return
		}
		l.about(subject, was.Path, gone+"it recorded "+say.Quote(claim)+" in the base").Offer(sdk.Safe,
			"Restore "+was.Path+" from the base", sdk.Restore(was.Path))
	}
	for _, was := range l.base.agents {
		if was.doc == nil || l.base.chosen(was) != was || l.base.copyOf(was) != nil {
			continue
		}
		if now := l.find(was.subject); now == nil || now.doc == nil {
			removed(was.subject, was.doc, was.claimed())
		}
	}
	if l.base.orch.doc != nil && l.orch.doc == nil {
		removed("orchestrator", l.base.orch.doc, l.base.orch.current)
	}
}

func runRestarted(l *look, a *agent) {
	earlier := a.started.Precision > 0 && a.started.Before(a.was.started, 0)
	again := a.kind == kinds[qa] && a.cycle > a.was.cycle || a.kind.stage >= 4 && a.kind.stage <= 7 && l.remediating()
	if earlier || a.restarted() && !again {
		l.offerBase(l.say(a, "/started_at", l.was(a, "started_at", a.root.Get("started_at"),
			a.was.root.Get("started_at"))), a)
	}
}

// workReopened reports a status, phases and items that are done in the base but not now, in one finding.
func workReopened(l *look, a *agent) {
	was := a.continued()
	if was == nil {
		return
	}
	var what, phases, items []string
	var edits []sdk.Edit
	add := func(pointer, json string) { edits = append(edits, a.set(pointer, json)...) }
	if w := was.status; w == complete && (a.status == inProgress || a.status == pending) ||
		(w == inProgress || w == blocked) && a.status == pending {
		old := was.root.Get("status")
		what = append(what, l.was(a, "status", a.root.Get("status"), old))
		add("/status", old.Raw())
	}
	for i := range was.phases {
		if was.phases[i].word == complete && a.phases[i].word.open() {
			phases = append(phases, was.phases[i].name)
			add(a.phasePointer(i), a.setPhase(i, true)[0].New)
		}
	}
	first, lost := len(edits), a.lostItems()
	for _, old := range was.items {
		now := a.itemLike(old)
		if old.word != complete || now != nil && now.word == complete {
			continue
		}
		items = append(items, old.key)
		if was.itemsKey == "" || slices.Contains(lost, old) {
			continue
		}
		p := jsondoc.Pointer(was.itemsKey, old.key)
		if now != nil {
			p = jsondoc.Pointer(a.itemsKey, now.key)
		}
		add(p, old.body.Raw())
	}
	switch {
	case len(items) == 0:
	case len(edits) == first:
		edits = append(edits, a.itemsBack(lost)...)
	default: // the edits do not overlap
		for _, old := range lost {
			add(jsondoc.Pointer(was.itemsKey, old.key), old.body.Raw())
		}
	}
	if len(phases) > 0 {
		what = append(what, "these phases are open, but done in the base: "+list(phases))
	}
	if len(items) > 0 {
		what = append(what, "these items are open, but complete in the base: "+list(items))
	}
	at := foremost(edits)
	if first > 0 { // the status, or the first phase
		at = edits[0].Range.Pointer
	}
	if _, guards := a.lostGuards(was); len(edits) > 0 {
		_, counters := l.fallen(a)
		edits = append(append(edits, guards...), counters...)
	}
	if !a.ahead() && l.base.agentAt(a.path()) != nil {
		edits = nil // the whole file also has the totals and the next action
	}
	l.back(a, at, strings.Join(what, "; "), edits)
}

// itemLike returns the item with the same key, or else with the same section.
func (a *agent) itemLike(old *item) *item {
	var second *item
	for _, it := range a.items {
		if it.key == old.key {
			return it
		}
		if it.norm == old.norm || old.letter != "" && it.letter == old.letter {
			second = it
		}
	}
	return second
}

// lostGuards returns the removed guards against repeated work, and the edits that restore them. Lists of inputs and
// items may be removed once the phase that processes them is done. do_not_recalculate may name other figures.
func (a *agent) lostGuards(was *agent) (what []string, back []sdk.Edit) {
	if a.claims && a.covered || a.tooMany() || was.tooMany() {
		return nil, nil
	}
	at := a.kind.worked
	if a.kind == kinds[research] {
		at = 4
	}
	for _, m := range was.rescue.Members() {
		field, lost := m.Key, []string(nil)
		if field != "do_not_repeat" && (a.claims || field == "do_not_recalculate" || at < 0 ||
			!a.phases[at].word.open()) {
			continue
		}
		for _, old := range was.guards {
			stays := func(now *guard) bool {
				return now.field == field && (now.text == old.text || now.names(old.norm, old.letter) ||
					old.names(now.norm, now.letter))
			}
			if old.field == field && !slices.ContainsFunc(a.guards, stays) {
				lost = append(lost, old.text)
			}
		}
		if len(lost) > 0 {
			what = append(what, say.Clip(field)+" lacks "+list(lost)+", which the base has"+say.Line(was.doc,
				m.Value.Start()))
			back = append(back, a.set(jsondoc.Pointer("recovery_instructions", field),
				texts(append(a.listed(field), lost...)))...)
		}
	}
	return what, back
}

func repeatGuardShrunk(l *look, a *agent) {
	if was := a.continued(); was != nil {
		if what, back := a.lostGuards(was); len(what) > 0 {
			l.say(a, foremost(back), say.List(what)).Offer(sdk.Safe, "Restore the entries", back...)
		}
	}
}

// rising holds the counters that never fall. Those in metrics restart with each run.
var rising = [...]string{"/metrics/*", "/" + tracking + "/*/iteration_count", "/gate_attempts/*/attempts",
	"/gate_attempts/*/cycles", cyclePointer}

// risingMetrics holds the metrics that count work, or prefixes of their names.
const risingMetrics = "facts_ critical_issues_checked critical_issues_total exposures_ sections_ total_ dimensions_ " +
	"footnotes_c high_findings_count tasks_"

// fell reports whether a counter is lower than in the base, or missing although it must exist.
func (l *look) fell(a *agent, pointer string, now, was value) bool {
	o, ok := num(was)
	n, has := num(now)
	name, mayGo := pointer[strings.LastIndexByte(pointer, '/')+1:], !strings.HasPrefix(pointer, "/gate_attempts") &&
		pointer != cyclePointer
	if strings.HasPrefix(pointer, "/metrics/") {
		if name == "word_count" {
			o *= l.opt.short
		} else if !slices.ContainsFunc(strings.Fields(risingMetrics),
			func(p string) bool { return strings.HasPrefix(name, p) }) {
			return false
		}
		ok = ok && a.continued() != nil
	}
	return ok && o > 0 && (has && n < o || !has && !mayGo)
}

func counterWentBack(l *look, a *agent) {
	what, edits := l.fallen(a)
	l.back(a, foremost(edits), say.List(what), edits)
}

// fallen returns messages about the counters that are lower than in the base, and the edits that restore them.
func (l *look) fallen(a *agent) (what []string, edits []sdk.Edit) {
	for _, pattern := range rising {
		eachAt(a.was.root, pattern, func(pointer string, was value) {
			now := a.at(pointer)
			if !l.fell(a, pointer, now, was) {
				return
			}
			what = append(what, l.was(a, say.Clip(pointer[1:]), now, was))
			if pointer == cyclePointer { // the history is restored with it
				pointer, was = "/qa_cycle", a.was.root.Get("qa_cycle")
			}
			edits = append(edits, a.set(pointer, was.Raw())...)
		})
	}
	return what, edits
}

// resultRewritten finds results of complete items, aggregations, phases and cycles that differ from the base.
// Dimensions may be scored again unless do_not_rescore is true.
func resultRewritten(l *look, a *agent) {
	var what []string
	var edits []sdk.Edit
	compare := func(name, pointer string, now, was value) {
		if !empty(was) && !empty(now) && !same(was, now) {
			what = append(what, l.was(a, name, now, was))
			edits = append(edits, a.set(pointer, was.Raw())...)
		}
	}
	was, fields := a.continued(), strings.Fields(a.kind.fixed)
	if keep, _ := a.rescue.Get("do_not_rescore").Bool(); a.kind == kinds[qa] && !keep {
		fields = nil
	}
	if was != nil {
		for _, old := range was.items {
			now := a.itemLike(old)
			for _, f := range fields {
				if now != nil && old.word == complete && now.word == complete {
					compare(f+" of "+say.Clip(now.key), jsondoc.Pointer(a.itemsKey, now.key, f), now.body.Get(f),
						old.body.Get(f))
				}
			}
		}
		for i, old := range was.phases {
			if p := a.phasePointer(i); old.word == complete && a.phases[i].word == complete {
				compare("completed_at of "+old.name, strings.TrimSuffix(p, "/status")+"/completed_at",
					a.phases[i].body.Get("completed_at"), old.body.Get("completed_at"))
			}
		}
		eachAt(was.root, "/aggregations_complete/*",
			func(pointer string, old value) { compare(pointer[1:], pointer, a.at(pointer), old) })
	}
	if changed := a.rewrittenCycles(); len(changed) > 0 {
		what = append(what, changed...)
		edits = append(edits, a.set("/qa_cycle/cycle_history",
			a.was.root.Get("qa_cycle").Get("cycle_history").Raw())...)
	}
	l.back(a, foremost(edits), say.List(what), edits)
}

// phaseTimeRewritten finds a changed time of an orchestrator phase that is complete both in the base and now. It skips
// phases that remediation repeats, because they are completed again.
func phaseTimeRewritten(l *look) {
	complete := func(o *orchestrator, group int) bool { return group >= 0 && group < 3 && o.groupComplete(group) }
	for _, s := range l.orch.stamps {
		was := first(l.base.orch.stamps, func(o stamp) bool { return o.name == s.name })
		if was.name != "" && complete(l.orch, s.group) && complete(l.base.orch, was.group) && s.at.Precision > 0 &&
			was.at.Precision > 0 && !sameTime(s.raw, was.raw) {
			l.restoreOrchestrator(l.orchestrator(s.place, say.Was(s.name, s.raw, was.raw, "")).Keyed(s.name).
				As(sdk.Warning), (*orchestrator).readable)
		}
	}
}
