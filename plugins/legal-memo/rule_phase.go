package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// claimText returns the field that marks an agent as done, with its value.
func (a *agent) claimText() string {
	if a.status != noWord {
		return "status is " + say.Quote(a.statusText)
	}
	return "current_phase is " + say.Quote(a.current)
}

// claimPointer returns the pointer of the field that marks an agent as done.
func (a *agent) claimPointer() string {
	if a.status != noWord || a.kind.style != 'P' {
		return "/status"
	}
	return "/current_phase"
}

func returnPhaseOpen(l *look, a *agent) {
	if open := a.openPhases(); a.claims && a.onlyReturn(open) {
		l.say(a, a.phasePointer(open[0]), a.claimText()+", but "+a.phases[open[0]].name+" is open").Offer(sdk.Safe,
			"Mark "+a.phases[open[0]].name+" done", a.setPhase(open[0], true)...)
	}
}

func finishedWithOpenPhase(l *look, a *agent) {
	open := a.openPhases()
	if !a.claims || len(open) == 0 || a.onlyReturn(open) {
		return
	}
	message := a.claimText() + ", but these phases are open: " + list(a.phaseNames(open))
	if items := a.openItems(); len(items) > 0 {
		message += "; and these items: " + list(items)
	}
	f := l.say(a, a.claimPointer(), message)
	a.offerReopen(f, open[0])
	f.Offer(sdk.Review, "Mark the phases done", a.finish()...)
}

func finishedWithOpenItem(l *look, a *agent) {
	items, at := a.openItems(), a.kind.worked
	if !a.finished || !a.hasPhases() || len(items) == 0 {
		return
	}
	if at < 0 {
		at = len(a.phases) - 1
	}
	a.offerReopen(l.say(a, a.claimPointer(), a.claimText()+", but these items are open: "+list(items)), at)
}

func allPhasesDoneButOpen(l *look, a *agent) {
	if a.claims || !a.hasPhases() || len(a.openPhases()) > 0 || a.status != inProgress && a.status != pending {
		return
	}
	f := l.say(a, "/status", "status is "+say.Quote(a.statusText)+", but all phases are done; expected complete")
	if a.proof == proven || a.proof == proofUnknown {
		f.Offer(sdk.Review, "Set status to complete", a.set("/status", `"complete"`)...)
	}
}

func unknownPhase(l *look, a *agent) {
	if len(a.unknown) > 0 {
		l.say(a, jsondoc.Pointer(a.phaseMap, a.unknown[0]),
			a.kind.name+" has no phase "+list(a.unknown)+"; expected a name such as "+a.phases[0].name)
	}
}

func missingPhase(l *look, a *agent) {
	missing := gather(keep(a.phases, func(p *phase) bool { return !p.in }), func(p *phase) string { return p.name })
	if len(missing) > 0 && a.root.Get(a.phaseMap).Kind() == jsondoc.Object {
		f := l.say(a, "/"+a.phaseMap, a.phaseMap+" has no "+list(missing))
		var edits []sdk.Edit
		for i, p := range a.phases {
			if a.lostPhase(i) {
				edits = append(edits, a.set(jsondoc.Pointer(a.phaseMap, p.name), a.was.phases[i].body.Raw())...)
			}
		}
		f.Offer(sdk.Review, "Restore the phases from the base", edits...)
	}
}

// phaseBeforeItsTurn finds a done phase while an earlier one is open.
func phaseBeforeItsTurn(l *look, a *agent) {
	first := -1
	for i, p := range a.phases {
		switch {
		case !p.in:
		case p.word.open() && first < 0:
			first = i
		case !p.word.open() && first >= 0:
			f := l.say(a, a.phasePointer(i), p.name+" is done, but "+a.phases[first].name+
				", which precedes it, is "+wordNames[a.phases[first].word]).As(graded(a.status == blocked, sdk.Info,
				sdk.Error))
			if a.status == blocked {
				return
			}
			if done, total, _ := l.tally(a); first == a.kind.worked && first == a.observed && len(a.items) > 0 &&
				len(a.openItems()) == 0 && done == total {
				f.Offer(sdk.Review, "Mark "+a.phases[first].name+" done, because its items are complete",
					a.setPhase(first, true)...)
			}
			f.Offer(sdk.Review, "Reopen the later phases", a.openFrom(first, nil)...)
			return
		}
	}
	if n := a.countItems(complete); n > 0 && first >= 0 && first < a.kind.worked && a.itemsKey != "" &&
		a.phases[first].word.left() {
		p := a.phases[first].name
		l.say(a, a.phasePointer(first), say.Count(n, "complete item")+" in "+a.itemsKey+", but "+p+
			", which precedes them, is "+wordNames[a.phases[first].word]).
			Keyed("items").As(graded(a.status == blocked || a.cycle > 1, sdk.Info, sdk.Error))
	}
}

func unknownCurrentPhase(l *look, a *agent) {
	if a.kind.style == 'P' && a.current != "" && a.claimedPhase() < 0 {
		l.say(a, "/current_phase", say.Wrong("current_phase", say.Quote(a.current),
			"the name of one phase, such as "+a.phases[0].name))
	}
}

// moveTo returns the remedy that sets current_phase to the first open phase, or else to the last.
func (a *agent) moveTo() (title string, edits []sdk.Edit) {
	to := len(a.phases) - 1
	if open := a.openPhases(); len(open) > 0 {
		to = open[0]
	}
	edits = a.setCurrent(to)
	if recorded, _ := a.root.Get("compaction_summary").Get("next_action").Text(); a.namesDonePhase(recorded) {
		edits = append(edits, a.goOn(to)...)
	}
	return "Set current_phase to " + a.phases[to].name, edits
}

func currentPhaseAhead(l *look, a *agent) {
	at := a.claimedPhase()
	if a.kind.style != 'P' || a.current == "" || a.claims {
		return
	}
	if earlier := keep(a.openPhases(), func(i int) bool { return i < at }); len(earlier) > 0 {
		title, edits := a.moveTo()
		l.say(a, "/current_phase", "current_phase is "+say.Quote(a.current)+", but these earlier phases are open: "+
			list(a.phaseNames(earlier))).Offer(sdk.Review, title, edits...)
	}
}

func currentPhaseBehind(l *look, a *agent) {
	at, later := a.claimedPhase(), -1
	step, _ := a.root.Get("last_completed_step").Text()
	if n, rest := leading(step); a.kind.style == 'P' && at >= 0 && !a.claims && strings.HasPrefix(rest, ".") &&
		n > numberOf(a.phases[at].name, at) {
		l.say(a, "/last_completed_step", "last_completed_step is "+say.Quote(step)+", but current_phase is "+
			say.Quote(a.current)).Keyed("last_completed_step").As(sdk.Warning)
	}
	if a.kind.style != 'P' || at < 0 || norm(a.current) == "complete" {
		return
	}
	for i := at + 1; i < len(a.phases); i++ {
		if p := a.phases[i]; p.in && (!p.word.open() || p.word == inProgress &&
			(later < 0 || a.phases[later].word.open())) {
			later = i
		}
	}
	if later >= 0 {
		p := a.phases[later]
		title, edits := a.moveTo()
		l.say(a, "/current_phase", "current_phase is "+say.Quote(a.current)+", but "+p.name+
			", which follows it, is "+wordNames[p.word]).
			As(graded(p.word.open(), sdk.Warning, sdk.Error)).Offer(sdk.Review, title, edits...)
	}
}

// phaseDoneWithOpenItem compares the items with the phase that processes them.
func phaseDoneWithOpenItem(l *look, a *agent) {
	i, open := a.kind.worked, a.openItems()
	if i < 0 || a.claims || !a.phases[i].done() || len(open) == 0 {
		return
	}
	l.say(a, a.phasePointer(i), a.phases[i].name+" is done, but these items are open: "+list(open)).
		Offer(sdk.Review, "Reopen the phase", a.openFrom(i, nil)...)
}

var subsections = [...]string{"A_legal_framework", "B_application", "C_risk_assessment", "D_cross_domain",
	"E_recommendations", "F_footnotes"}

func missingItem(l *look, a *agent) {
	if lost := a.lostItems(); len(lost) > 0 && a.kind != kinds[writer] {
		open := keep(lost, func(old *item) bool { return old.word != complete }) // tick-lost reports complete ones
		if len(open) > 0 {
			l.say(a, "/"+a.itemsKey, a.itemsKey+" has no "+
				list(gather(open, func(old *item) string { return old.key }))+
				", which the base has"+say.Line(a.was.doc, open[0].body.Start())).
				Offer(sdk.Review, "Restore the entries from the base", a.itemsBack(lost)...)
		}
		return
	}
	if a.claims || a.kind != kinds[writer] || !a.phases[2].done() {
		return
	}
	there := gather(a.items, func(it *item) string {
		mark, _, _ := strings.Cut(it.norm, "_")
		return upper(mark)
	})
	letters := gather(subsections[:], func(s string) string { return s[:1] })
	missing := keep(letters, func(l string) bool { return !holds(there, l) })
	if len(missing) > 0 && (len(missing) < len(letters) || len(a.items) == 0) {
		l.say(a, "/subsections_status", "subsections_status has no "+list(missing)+"; expected A to F").
			Offer(sdk.Review, "Restore the entries from the base", a.itemsBack(a.lostItems())...)
	}
}

// itemsBack returns the edits that restore items of the base, in the base's order.
func (a *agent) itemsBack(lost []*item) []sdk.Edit {
	if len(lost) == 0 {
		return nil
	}
	return a.set("/"+a.itemsKey, merged(a.root.Get(a.itemsKey), a.was.root.Get(a.itemsKey)))
}

func staleInProgress(l *look, a *agent) {
	if later := l.laterFinished(a); a.stale && !a.exempt { // the reason for an exemption may be in an unseen file
		f := l.say(a, a.claimPointer(), a.claimText()+", but "+later.subject+
			", which follows it, is finished").See(sdk.At(later.path()), later.subject+" is finished")
		f.Offer(sdk.Review, "Mark "+a.subject+" finished", a.finish()...)
		l.offerBase(f, a)
	}
}
