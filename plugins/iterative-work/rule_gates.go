package iterativework

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
)

func iterationsOverMax(l *look, ph *phase) {
	used := ph.used() - ph.extra()
	if !ph.status.working() || ph.used() < 0 || ph.max == 0 || used <= ph.max {
		return
	}
	l.phaseField(ph, "iterations_used", ph.id+" used "+itoa(used)+" of "+count(ph.max, "iteration"))
	l.fixField(ph, "max_iterations", used)
	if ph.observed == inProgress || ph.observed == timeout {
		l.setStatus(ph, timeout)
	}
}

func timeoutBelowMax(l *look, ph *phase) {
	if ph.status == timeout && ph.used() >= 0 && ph.used() < ph.max {
		l.phaseField(ph, "status", ph.id+" is timeout after "+itoa(ph.used())+" of "+count(ph.max, "iteration"))
		l.setStatus(ph, inProgress)
	}
}

func maxReached(l *look, ph *phase) {
	if ph.status != inProgress || ph.max == 0 || ph.used()-ph.extra() != ph.max || ph.trail.works < ph.max || ph.trail.lastWork().done {
		return
	}
	l.phaseField(ph, "status", ph.id+" is in_progress and has used all of its "+count(ph.max, "iteration"))
	l.setStatus(ph, timeout)
	more := ph.max
	if ph.item != nil && ph.item.max > 0 {
		more = ph.item.max
	}
	l.fixField(ph, "max_iterations", min(ph.max+more, 9999))
	l.manual("Simplify the criteria", "ask the user which criteria of "+ph.id+" can be simplified")
}

func doneWithoutConfirmation(l *look, ph *phase) {
	if ph.status == done && ph.rec.confirmations == 0 && ph.trail.done < 2 {
		l.phaseField(ph, "status", ph.id+" is done without its N+1 confirmation")
		l.setStatus(ph, confirming)
	}
}

func doneWithoutVerification(l *look, ph *phase) {
	if ph.status != done || ph.rec.passed != 0 || ph.trail.lastVerified >= 0 {
		return
	}
	l.phaseField(ph, "status", ph.id+" is done but its verification did not pass")
	if ph.trail.gaps >= 3 {
		l.lower()
	}
	l.setStatus(ph, verifying)
}

func gateUnrecorded(l *look, ph *phase) {
	if ph.status != done {
		return
	}
	var lacks []string
	if ph.rec.confirmations < 0 && ph.trail.done < 2 {
		push(&lacks, "confirmation")
	}
	if ph.rec.passed < 0 && ph.trail.lastVerified < 0 {
		push(&lacks, "verification")
	}
	if lacks != nil {
		l.phaseField(ph, "", ph.id+" is done and nothing records its "+strings.Join(lacks, " and "))
		l.manual("Record the gates", "set confirmations_used and verification_passed of "+ph.id+" to what happened")
	}
}

func doneWithoutSignal(l *look, ph *phase) {
	if ph.status == done && len(ph.trail.entries) > 0 && ph.trail.done == 0 && !ph.overstated() {
		l.phaseField(ph, "status", ph.id+" is done but no entry of it has "+ph.id+"_DONE")
		l.manual("Write what happened", "append the missing entry to progress.md, or set the status back")
	}
}

func verificationFirst(l *look, ph *phase) {
	if ph.rec != nil && ph.status != done && ph.rec.passed == 1 && ph.rec.confirmations == 0 && ph.trail.done < 2 {
		l.phaseField(ph, "verification_passed", ph.id+" is verified but was not confirmed")
		l.manual("Confirm it", "run the N+1 confirmation of "+ph.id+", then verify it again")
	}
}

func completedAtMissing(l *look, ph *phase) {
	if ph.status != done || ph.rec.completed.set {
		return
	}
	l.phaseField(ph, "", ph.id+" is done without completed_at")
	if last := ph.trail.last(); last != nil && last.when.kind > 0 {
		l.fix(sdk.Review, "Set completed_at of "+ph.id+" to the time of its last entry", "/phases/"+ph.id+"/completed_at", quote(last.when.text))
	}
}

func completedAtWithoutDone(l *look, ph *phase) {
	if ph.status == 0 || ph.status == done || !ph.rec.completed.set {
		return
	}
	l.phaseField(ph, "completed_at", ph.id+" has completed_at and is "+ph.status.String())
	if o := l.offer(sdk.Review, "Remove completed_at of "+ph.id); o != nil {
		o.unset("/phases/" + ph.id + "/completed_at")
	}
}

func completedOutOfOrder(l *look, ph *phase) {
	if ph.rec == nil || ph.rec.completed.kind == 0 {
		return
	}
	at, s := &ph.rec.completed, l.m.state
	why := ""
	for _, group := range ph.needs {
		earlier := l.m.log.lastFail < 0 && l.m.log.lastRevise < 0
		for _, need := range group {
			earlier = earlier && need.rec != nil && at.before(&need.rec.completed.stamp, slack)
		}
		if earlier && why == "" {
			why = "before " + group[0].id + ", which it needs, at " + group[0].rec.completed.text
		}
	}
	switch {
	case why != "":
	case at.before(&s.created.stamp, slack):
		why = "before created " + s.created.text
	case s.updated.before(&at.stamp, slack):
		why = "after updated " + s.updated.text
	default:
		return
	}
	l.phaseField(ph, "completed_at", ph.id+" was completed at "+at.text+", "+why)
	l.manual("Correct the time", "correct completed_at of "+ph.id)
}

func iterationCount(l *look, ph *phase) {
	used, n := ph.used(), ph.trail.works
	least, most := n-max(ph.confirmations(), ph.trail.done-1), n
	if ph.status != done {
		least, most = least-1, most+1
	}
	if used < 0 || used >= least && used <= most || ph.parallel() || ph.overstated() {
		return
	}
	l.phaseField(ph, "iterations_used", "state says "+ph.id+" used "+itoa(used)+", progress.md has "+itoa(n))
	l.fixField(ph, "iterations_used", n-max(ph.trail.done-1, 0))
}

func currentIteration(l *look) {
	m := l.m
	n, key := m.state.counted()
	id, _ := m.state.named()
	ph := m.byID[id]
	if m.state.phase != execute || n < 0 || ph == nil || ph.status == confirming || ph.status == verifying || ph.parallel() {
		return
	}
	last, highest := -1, -1
	for _, e := range ph.trail.entries {
		if e.kind == work && e.number >= 0 {
			last = e.number
			highest = max(highest, last)
		}
	}
	near, known := false, false
	for _, k := range [...]int{ph.used(), last, highest} {
		known = known || k >= 0
		near = near || k >= 0 && n-k <= 1 && k-n <= 1
	}
	if near || !known {
		return
	}
	says := "the state counts " + itoa(ph.used())
	if last >= 0 {
		says = "its last entry is iteration " + itoa(last)
	}
	l.state("/"+key, "", "", key+" is "+itoa(n)+" but "+id+" is not there: "+says)
	if last >= 0 {
		l.fix(sdk.Review, "Set "+key+" to "+itoa(last), "/"+key, itoa(last))
	}
}

func verificationCycles(l *look, ph *phase) {
	if ph.trail.gaps > 3 {
		l.entry(l.m.log.entries[ph.trail.lastGaps], ph.id+" failed verification "+itoa(ph.trail.gaps)+" times: ask the user")
		l.manual("Ask the user", "ask whether to go on, to simplify the criteria, or to accept "+ph.id+" with known gaps")
	}
}

func progressMissing(l *look) {
	m := l.m
	if m.log.doc != nil {
		return
	}
	for _, ph := range m.phases {
		if ph.used() <= 0 && ph.status <= pending {
			continue
		}
		says := ph.id + " is " + ph.status.String()
		if ph.status <= pending {
			says = ph.id + " used " + count(ph.used(), "iteration")
		}
		l.whole(logPath, "no progress.md; state.json says "+says)
		if o := l.offer(sdk.Review, "Create an empty progress.md"); o != nil {
			if m.base != nil && m.base.log.seen {
				o.Title, o.log = "Restore progress.md from base", m.base.log.again(m.parallel)
				o.edit(wire.Restore, logPath, "", "")
				return
			}
			o.log = &journal{doc: &sdk.Document{Path: logPath}, seen: true}
			o.log.follow(m.parallel)
			o.edit(wire.Create, logPath, "", "# Progress Log\n")
		}
		return
	}
}

func phaseBehind(l *look, ph *phase) {
	if ph.fit != sdk.Behind {
		return
	}
	proof := map[status]string{
		inProgress: "an iteration of " + ph.id, confirming: ph.id + "_DONE", verifying: ph.id + "_DONE and its confirmation",
		done: ph.id + "_VERIFIED", blocked: "a blocker of " + ph.id, timeout: "all iterations of " + ph.id,
	}[ph.observed]
	l.phaseField(ph, "status", "state says "+ph.id+" "+ph.status.String()+" but progress.md records "+proof)
	l.setStatus(ph, ph.observed)
}

// overstated reports whether phase-ahead-of-progress speaks of the phase.
//
//go:noinline
func (ph *phase) overstated() bool {
	return ph.fit == sdk.Ahead && ph.status.gate()-ph.observed.gate() > 1
}

func phaseAhead(l *look, ph *phase) {
	if !ph.overstated() {
		return
	}
	lacks := "no " + ph.id + "_DONE"
	switch {
	case len(ph.trail.entries) == 0:
		lacks = "no entry of it"
	case ph.trail.lastGaps >= 0 && ph.trail.lastGaps > ph.trail.lastVerified:
		lacks = ph.id + "_GAPS last"
	case ph.observed == confirming:
		lacks = "no second " + ph.id + "_DONE"
	case ph.trail.done > 0:
		lacks = "iterations after its last " + ph.id + "_DONE"
	}
	l.phaseField(ph, "status", "state says "+ph.id+" "+ph.status.String()+" but progress.md has "+lacks)
	l.setStatus(ph, ph.observed)
	l.manual("Write the missing entry", "if the work was done, append its entry to progress.md")
}

func blockerNotTracked(l *look, ph *phase) {
	last := ph.trail.last()
	if last == nil || !last.halted || ph.observed != blocked || ph.status == 0 || ph.status > verifying || ph.used() > ph.trail.works {
		return
	}
	l.phaseField(ph, "status", "progress.md says that "+ph.id+" is BLOCKED, the state says "+ph.status.String())
	l.setStatus(ph, blocked)
}

func blockedWithoutReason(l *look, ph *phase) {
	if ph.status != blocked || l.m.state.explains(ph.id) {
		return
	}
	for _, e := range ph.trail.entries {
		if e.halted || e.field("Blockers").real() {
			return
		}
	}
	l.phaseField(ph, "status", ph.id+" is blocked and nothing says why")
	l.manual("Say what blocks it", "append an entry with the blocker to progress.md, and to guardrails.md if it is a pattern")
}

// before is the phase in base if both states have it, else nil.
//
//go:noinline
func (l *look) before(ph *phase) *phase {
	was := l.m.base.byID[ph.id]
	if ph.rec == nil || was == nil || was.rec == nil {
		return nil
	}
	return was
}

func confirmationSkipped(l *look, ph *phase) {
	was := l.before(ph)
	if was == nil || was.status == 0 || was.status == confirming || was.status == verifying || was.status == done || ph.trail.done >= 2 {
		return
	}
	skipped := ph.status == done && ph.trail.gaps < 3 || ph.status == verifying && ph.rec.confirmations <= 0
	if !skipped {
		return
	}
	l.phaseField(ph, "status", ph.id+" went from "+was.status.String()+" to "+ph.status.String()+"; its N+1 confirmation is missing")
	if ph.trail.done == 0 {
		l.setStatus(ph, ph.observed)
		return
	}
	l.setStatus(ph, confirming)
}

func verificationSkipped(l *look, ph *phase) {
	was := l.before(ph)
	if was == nil || was.status == 0 || was.status == verifying || was.status == done || ph.status != done {
		return
	}
	if ph.rec.passed != 1 && ph.trail.lastVerified < 0 && ph.trail.gaps < 3 {
		l.phaseField(ph, "status", ph.id+" went from "+was.status.String()+" to done; its verification is missing")
		l.setStatus(ph, verifying)
	}
}

func donePhaseReopened(l *look, ph *phase) {
	was := l.before(ph)
	if was == nil || was.status != done || ph.status == done || ph.status == 0 {
		return
	}
	anchor := was.trail.lastVerified
	if anchor < 0 {
		anchor = was.trail.firstDone
	}
	if l.m.log.reopens(anchor) || ph.trail.lastGaps > anchor {
		return
	}
	l.phaseField(ph, "status", ph.id+" was done and is "+ph.status.String()+" without a failed review, a revision or gaps")
	l.fix(sdk.Review, "Set "+ph.id+" back to done", "/phases/"+ph.id, was.rec.raw)
}

func iterationsDecreased(l *look, ph *phase) {
	was := l.before(ph)
	if was == nil {
		return
	}
	if n := ph.rec.used; n >= 0 && n < was.rec.used && ph.status != pending && !ph.parallel() {
		l.decreased(ph, "iterations_used", was.rec.used, n)
	}
	if n := ph.rec.confirmations; n >= 0 && n < was.rec.confirmations && ph.status != pending && ph.status != inProgress {
		l.decreased(ph, "confirmations_used", was.rec.confirmations, n)
	}
}

//go:noinline
func (l *look) decreased(ph *phase, key string, was, is int) {
	l.state("/phases/"+ph.id+"/"+key, ph.id, key, key+" of "+ph.id+" was "+itoa(was)+" and is "+itoa(is))
	l.fixField(ph, key, was)
}

func illegalMove(l *look, ph *phase) {
	was := l.before(ph)
	if was == nil || ph.status != pending || !was.status.working() && was.status != timeout || len(ph.trail.entries) == 0 {
		return
	}
	l.phaseField(ph, "status", ph.id+" went from "+was.status.String()+" to pending although progress.md has an entry of it")
	l.setStatus(ph, was.status)
}

func maxLowered(l *look, ph *phase) {
	was := l.before(ph)
	if was != nil && ph.rec.max > 0 && ph.rec.max < was.rec.max && ph.rec.max < ph.rec.used {
		l.phaseField(ph, "max_iterations", "max_iterations of "+ph.id+" was lowered to "+itoa(ph.rec.max)+", below the "+itoa(ph.rec.used)+" used")
		l.fixField(ph, "max_iterations", was.rec.max)
	}
}
