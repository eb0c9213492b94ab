package iterativework

import (
	"cmp"
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/state"
	"github.com/stategate/stategate/sdk/words"
)

// dropped reports whether state.json lost the confirmations of a phase, which were 0 in the base.
func (m *model) dropped(ph *phase) bool { return ph.confirm < 0 && m.had(ph).confirm == 0 }

var gateRules = group{"gates", "A phase is done when its work was declared done, confirmed once more with a fresh " +
	"context, and verified.", []rule{
	{"iterations-over-max", sdk.Error, live | ofState | sureLog, func(r *check.Report, m *model, ph *phase) {
		used := ph.used - ph.extra()
		if !ph.status.working() && ph.status != done || ph.used < 0 || ph.max == 0 || used <= ph.max {
			return
		}
		says := "iterations_used of " + ph.id + " is " + say.Int(ph.used)
		if ph.extra() > 0 {
			says += ", including up to " + say.Count(ph.extra(), "confirmation")
		}
		f := inPhase(r, ph, "iterations_used", says+", but max_iterations is "+say.Int(ph.max))
		if ph.item.max >= used && ph.item.max <= most {
			setCount(f, ph, "max_iterations", ph.item.max)
			return
		}
		if least, top := ph.counted(); m.holds(withLog) && ph.trail.works > 0 && ph.used > top && !ph.item.parallel {
			setCount(f, ph, "iterations_used", min(max(ph.trail.works-max(ph.trail.done-1, 0), least), most))
		}
		if ph.observed == inProgress || ph.observed == timeout { // only then does the workflow ask the user
			setStatus(f, ph, timeout)
		}
		setCount(f, ph, "max_iterations", min(used, most))
	}, "A phase used more iterations than allowed.", "iteration-count-mismatch", "", "", ""},
	{"timeout-below-max", sdk.Warning, live | ofState, func(r *check.Report, m *model, ph *phase) {
		if ph.gaveUp() { // afterwards it has the status that the log shows, but is neither blocked nor timed out
			setStatus(inPhase(r, ph, "status", ph.id+" timed out after "+say.Count(ph.used, "iteration")+
				", but max_iterations is "+say.Int(ph.max)), ph, max(inProgress, ph.observed%blocked))
		}
	}, "A phase timed out before it reached its maximum number of iterations.", "", "", "", ""},
	// The attempts may be in an entry about the timeout, or in one entry for each iteration.
	{"timeout-not-logged", sdk.Warning, live | ofState | withLog, func(r *check.Report, m *model, ph *phase) {
		last := ph.trail.last
		told := last != nil && (ph.max > 0 && ph.trail.works >= ph.max || last.stop != 0 || last.kind == noted ||
			words.Mentions(last.Raw(), "timeout", "timed out", "time out", "attempt", "max iteration", "maximum",
				"limit", "exhausted", "tried", "iterations used"))
		if ph.status == timeout && !told && !ph.gaveUp() {
			seeLast(inPhase(r, ph, "status", ph.id+" timed out, but progress.md does not say what was attempted"), ph)
		}
	}, "A phase timed out, but progress.md does not say what was attempted.", "", "", "Log the timeout",
		"Append an entry for the phase to progress.md that says what was attempted."},
	{"max-reached-still-working", sdk.Warning, live | ofState | withLog, func(r *check.Report, m *model, ph *phase) {
		if ph.status != inProgress || ph.max == 0 || ph.item.max > ph.max || // the maximum in the state is wrong
			ph.used-ph.extra() != ph.max || ph.trail.works < ph.max ||
			ph.trail.lastWork.done {
			return
		}
		f := inPhase(r, ph, "status", ph.is()+", but has used "+say.Int(ph.max)+" of "+say.Count(ph.max, "iteration"))
		setStatus(f, ph, timeout)
		setCount(f, ph, "max_iterations", min(ph.max+cmp.Or(ph.item.max, ph.max), most))
		f.Advise("Simplify the criteria", "Ask the user which criteria of "+ph.id+" can be simplified.")
	}, "A phase has used all its iterations, but is still in progress.", "", "", "", ""},
	{"done-without-confirmation", sdk.Error, live | ofState | sureLog, func(r *check.Report, m *model, ph *phase) {
		switch n := ph.trail.done - 1; {
		case ph.status != done && ph.status != verifying || ph.confirm != 0 && !m.dropped(ph) || ph.trail.gaps >= 3:
		case n > 0:
			f := inPhase(r, ph, "confirmations_used",
				say.Wrong("confirmations_used of "+ph.id, "0", say.Int(n)+": progress.md has "+ph.declarations()))
			setCount(f.As(sdk.Warning), ph, "confirmations_used", min(n, most))
		default:
			is := "0"
			if ph.confirm != 0 {
				is = "missing (0 in the base)"
			}
			f := inPhase(r, ph, "status", ph.is()+" without its N+1 confirmation: confirmations_used is "+is+
				", and progress.md has "+ph.declarations())
			setStatus(f, ph, min(max(ph.observed, inProgress), confirming))
		}
	},
		"A phase is verifying or done without its N+1 confirmation. A warning if the log has the confirmation, " +
			"but the state counts none.", "box-not-ticked", "", "", ""},
	{"done-without-verification", sdk.Error, live | ofState | sureLog | claimsDone,
		func(r *check.Report, m *model, ph *phase) {
			switch t := ph.trail; {
			case !ph.failed():
			case t.lastVerified >= 0:
				f := inPhase(r, ph, "verification_passed",
					say.Wrong("verification_passed of "+ph.id, "false",
						"true: progress.md has "+ph.id+"_VERIFIED")).As(sdk.Warning)
				f.See(m.log.entries[t.lastVerified].at(), "the verification of "+ph.id)
				offer(f, "Set verification_passed of "+ph.id+" to true", pointer(ph.id, "verification_passed"), "true")
			default:
				f := warnIf(t.gaps >= 3, inPhase(r, ph, "status", ph.is()+", but its verification_passed is false"))
				setStatus(f, ph, ph.nextGate())
				setStatus(f, ph, inProgress)
			}
		},
		"A phase is done, but its verification did not pass. A warning after three cycles, when known gaps may " +
			"be accepted, or if the log records that it passed.", "box-not-ticked", "", "", ""},
	{"gate-unrecorded", sdk.Warning, live | ofState | sureLog, func(r *check.Report, m *model, ph *phase) {
		confirmed, verified := ph.confirm >= 0 || ph.trail.done > 1 || m.dropped(ph), ph.status != done ||
			ph.get("verification_passed").OK() || ph.trail.lastVerified >= 0
		if lacks := lacking(part{"confirmation", confirmed}, part{"verification", verified}); lacks != nil &&
			(ph.status == done || ph.status == verifying) {
			f := inPhase(r, ph, "", ph.is()+", but nothing records its "+say.And(lacks...))
			if ph.status > ph.nextGate() && !m.wentOn(ph) {
				setStatus(f, ph, ph.nextGate())
			}
			f.Advise("Record the gates",
				"Set confirmations_used and verification_passed of "+ph.id+" to what happened.")
		}
	}, "A phase is past a gate, but nothing records the gate.", "box-not-ticked", "", "", ""},
	{"done-without-signal", sdk.Warning, live | ofState | withLog | claimsDone,
		func(r *check.Report, m *model, ph *phase) {
			if len(ph.trail.entries) > 0 && ph.trail.done == 0 && !ph.overstated() {
				seeLast(inPhase(r, ph, "status", ph.is()+", but none of its entries has "+ph.id+"_DONE"), ph)
			}
		}, "A phase is done, but none of its entries signals DONE.", "", "", "Record what happened",
		"Append the missing entry to progress.md, or set the status back."},
	// A phase that a review reopened keeps its gates.
	{"gate-recorded-early", sdk.Error, live | ofState | sureLog, func(r *check.Report, m *model, ph *phase) {
		if ph.status == 0 || ph.status == done {
			return
		}
		if ph.has("completed_at") {
			f := inPhase(r, ph, "completed_at", ph.id+" has completed_at, but is "+ph.status.String())
			offer(f.As(sdk.Warning).Keyed("completed_at"), "Remove completed_at from "+ph.id,
				pointer(ph.id, "completed_at"), "")
		}
		if ph.reopened {
			return
		}
		t := ph.trail
		unconfirmed, refuted := ph.confirm == 0 && t.done < 2, t.lastGaps > t.lastVerified
		if ph.passed() && (ph.status != verifying || unconfirmed || refuted) {
			f := warnIf(!refuted, inPhase(r, ph, "verification_passed",
				"verification_passed of "+ph.id+" is true, but the phase is "+ph.status.String()))
			if refuted {
				f.Message += ", and its last verification found gaps"
				f.See(m.log.entries[t.lastGaps].at(), "the last verification of "+ph.id)
			} else if unconfirmed {
				f.Message += " and was not confirmed"
			}
			offer(f, "Remove verification_passed from "+ph.id, pointer(ph.id, "verification_passed"), "")
		}
		if ph.confirm > 0 && (ph.status == pending || ph.status == inProgress && m.log.seen && t.done == 0) {
			f := inPhase(r, ph, "confirmations_used",
				"confirmations_used of "+ph.id+" is "+say.Int(ph.confirm)+", but the phase is "+ph.status.String()+
					" and progress.md has no "+ph.id+"_DONE")
			setCount(f.As(sdk.Warning).Keyed("confirmations_used"), ph, "confirmations_used", 0)
		}
	},
		"A phase is recorded as confirmed, verified or completed before it can be. A warning unless its last " +
			"verification found gaps.", "", "verification-before-confirmation completed-at-without-done", "", ""},
	{"completed-out-of-order", sdk.Warning, live | ofState, func(r *check.Report, m *model, ph *phase) {
		at, created, updated := ph.get("completed_at").Moment, m.created(), m.state.Get("/updated").Moment
		why, stale := "", false
		for _, group := range m.graph.Needs(ph.id) {
			later := func(id string) bool { return !at.Before(m.byID[id].get("completed_at").Moment, instant.Minute) }
			if why == "" && m.log.lastFail < 0 && m.log.lastRevise < 0 && !slices.ContainsFunc(group, later) {
				why = "before " + group[0] + ", which it needs, at " + m.byID[group[0]].get("completed_at").Moment.Text
			}
		}
		first := ph.trail.firstDone
		for _, next := range m.phases {
			needs := slices.ContainsFunc(m.graph.Needs(next.id), func(group []string) bool {
				return len(group) == 1 && group[0] == ph.id
			})
			if t := next.trail; why == "" && needs && !m.plan.implied && len(t.entries) > 0 && !ph.reopened &&
				t.entries[0].when.Before(at, instant.Minute) && !m.misplaced(t.entries[0]) {
				if e := t.entries[0]; e.index < first { // the time is right, but the order is not
					inLog(r, e, next.id+" began before "+ph.id+"_DONE, which it needs").
						See(m.log.entries[first].at(), ph.id+"_DONE").
						Advise("Check the order", "If "+next.id+" used unfinished work, append an entry that says "+
							"what to repeat. If it does not need "+ph.id+", correct the dependencies in the plan.")
					return
				}
				why = "after the first entry for " + next.id + ", which needs it, at " + t.entries[0].when.Text
			}
		}
		switch {
		case why != "":
		case first >= 0 && at.Before(m.log.entries[first].when, instant.Minute):
			why = "before the entry with " + ph.id + "_DONE at " + m.log.entries[first].when.Text
		case at.Before(created, instant.Minute) && !m.predates(created): // progress-out-of-order reports it
			why = "before the task was created at " + created.Text
		case updated.Before(at, instant.Minute) && !updated.Before(created, 0): // updated-before-created reports it
			why, stale = "after state.json was updated at "+updated.Text, true
		default:
			return
		}
		f := inPhase(r, ph, "completed_at", ph.id+" was completed at "+at.Text+", "+why)
		if e := m.log.entries; stale && len(e) > 0 && at.Before(e[len(e)-1].when, 0) && state.NotBefore(r.Pass, at) {
			setUpdated(f) // the log continues after both times
		}
	},
		"The completion time of a phase is impossible.\n\nA phase that it needs was still open, its work was not " +
			"yet declared done, the next phase had begun, or the time is outside the task's created and updated " +
			"times.", "", "", "Correct the time",
		"Find out which of the two times is wrong, and correct it."},
	{"iteration-count-mismatch", sdk.Warning, live | ofState | withLog, func(r *check.Report, m *model, ph *phase) {
		n := ph.trail.works
		if most := ph.trail.done + 1; most > 1 && ph.confirm > most { // each confirmation follows an entry with DONE
			f := inPhase(r, ph, "confirmations_used",
				say.Wrong("confirmations_used of "+ph.id, say.Int(ph.confirm),
					"at most "+say.Int(most)+": progress.md has "+ph.declarations())).Keyed("confirmations_used")
			setCount(f, ph, "confirmations_used", max(ph.trail.done-1, 1))
		}
		least, top := ph.counted()
		// the entry was written, but not yet counted
		lags := ph.used == least && ph.used > 0 && ph.status == inProgress && ph.fit == sdk.Consistent && !ph.back
		if ph.used < 0 || ph.used >= least && ph.used <= top && !lags || ph.item.parallel || ph.overstated() ||
			m.news(ph) < 0 { // progress-rewritten reports lost entries
			return
		}
		expected := say.Int(n) + ", as in progress.md"
		if !lags && least > n {
			expected = "at least " + say.Int(least) + ": progress.md has " + say.Count(n, "iteration")
		}
		f := inPhase(r, ph, "iterations_used", say.Wrong("iterations_used of "+ph.id, say.Int(ph.used), expected))
		if lags {
			f.As(sdk.Info)
			least++
		}
		if ph.used > top && (ph.status == timeout || n == 0 && ph.status != pending) { // the log lacks entries
			seeLast(f, ph)
			return
		}
		setCount(seeLast(f, ph), ph, "iterations_used", min(max(n-max(ph.trail.done-1, 0), least), most))
	}, "state.json and the log disagree on the number of iterations or confirmations. An info if state.json " +
		"counts one iteration too few for a phase in progress.", "", "", "Write the missing entries",
		"If the iterations were done, append their entries to progress.md; otherwise correct iterations_used."},
	// A confirmation may start counting again at 1.
	{"current-iteration-mismatch", sdk.Warning, live | ofState | executing, func(r *check.Report, m *model) {
		v := m.state.Get("/current_iteration")
		id, _ := m.named()
		ph := m.byID[id]
		if !v.OK() || ph == nil || ph.item.parallel || ph.done && m.current != ph {
			return
		}
		last := ph.trail.number
		likely := []int{ph.used, last}
		if ph.status == confirming || ph.status == verifying {
			likely = append(likely, 0, ph.confirmations(), ph.used+ph.confirmations())
		}
		near := func(k int) bool { return k >= 0 && v.Int-k <= 1 && k-v.Int <= 1 }
		if max(ph.used, last) < 0 || slices.ContainsFunc(likely, near) {
			return
		}
		expected := say.Int(ph.used) + ", the iterations that " + id + " used"
		if last >= 0 {
			expected = say.Int(last) + ", as in the last entry for " + id
		}
		f := inState(r, v.Pointer, say.Wrong(v.Name(), say.Int(v.Int), expected))
		if last >= 0 {
			offer(f.See(ph.trail.lastWork.at(), "the last iteration of "+id), "Set "+v.Name()+" to "+say.Int(last),
				v.Pointer, say.Int(min(last, most)))
		}
	}, "The current iteration matches neither the counter nor the log.", "", "", "", ""},
}}

// gaveUp reports whether a phase timed out before it used all its iterations.
func (ph *phase) gaveUp() bool { return ph.status == timeout && ph.used >= 0 && ph.used < ph.max }

// nextGate returns the status at the first gate that neither state nor log records.
func (ph *phase) nextGate() status {
	if ph.confirmations() == 0 || !ph.failed() && ph.of.unproved(ph) {
		return confirming
	}
	return verifying
}

// counted returns the lowest and highest number of iterations that the state may record according to the log.
func (ph *phase) counted() (least, top int) {
	n := ph.trail.works
	least, top = n-ph.trail.after(), n
	if ph.trail.done == 0 { // the log does not say which ones are confirmations
		least -= ph.confirmations()
	}
	if ph.status != done { // an iteration may be counted before or after it is logged
		least--
	}
	if ph.status != done && ph.status != pending {
		top++
	}
	if ph.status >= confirming && ph.status <= done {
		least, top = max(least, 1), max(top, 1)
	}
	return least, top
}
