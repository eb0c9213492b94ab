package iterativework

import (
	"cmp"
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/ladder"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/state"
	"github.com/stategate/stategate/sdk/words"
)

// A phase is one phase of the task.
type phase struct {
	id            string
	of            *model
	state         *state.Doc
	was           *phase // in the base; nil if there is none
	item          *item  // empty if the plan lacks it
	trail         *trail // never nil
	planned       bool   // the plan has it
	tracked       bool   // the state has it
	status        status // claimed by the state
	used, confirm int    // iterations and confirmations counted by the state; -1 if it does not count them
	max           int    // 0 if there is none
	observed      status
	fit           sdk.Fit
	reopened      bool // a review or revision reopened it
	back          bool // the state says that it moved back from a gate to work
	resumed       bool // the state that shows it in progress is newer than its last entry
	reworked      bool // its last DONE was not confirmed yet, although the state counts an earlier confirmation

	done, settled, met bool
	closed             bool // done, and the log shows no open gate
}

func newPhase(id string, s *state.Doc, log *journal) *phase {
	ph := &phase{id: id, state: s, item: &item{box: -1}, trail: log.trail(id), tracked: s.Has(pointer(id, ""))}
	ph.status = status(ph.get("status").Place + 1)
	ph.used, ph.confirm, ph.max = ph.get("iterations_used").Int, ph.get("confirmations_used").Int,
		max(ph.get("max_iterations").Int, 0)
	return ph
}

// noPhase stands for an unknown phase.
var noPhase = newPhase("", spec.Read(statePath, nil), readJournal(nil, nil))

// pointer returns the pointer to a field of a phase in state.json, or to the phase if key is "".
func pointer(id, key string) string {
	if key != "" {
		key = "/" + key
	}
	return "/phases/" + id + key
}

// get returns a field of the phase in the state.
func (ph *phase) get(key string) *state.Value { return ph.state.Get(pointer(ph.id, key)) }

func (ph *phase) has(key string) bool { return ph.state.Has(pointer(ph.id, key)) }

// passed reports whether the state records that the verification passed; failed reports whether it records a failure.
func (ph *phase) passed() bool { return ph.get("verification_passed").Flag }
func (ph *phase) failed() bool { return ph.get("verification_passed").OK() && !ph.passed() }

// had returns the phase in the base, or noPhase if the base lacks it.
func (m *model) had(ph *phase) *phase {
	if was := m.base.byID[ph.id]; was != nil {
		return was
	}
	return noPhase
}

// holdsFor returns the conditions that hold for a phase.
func (m *model) holdsFor(ph *phase) check.Needs {
	return m.hold | conditions(ofPlan, ph.planned, ph.tracked, ph.tracked && m.had(ph).tracked, ph.status == done)
}

// known reports whether the plan or the state has the phase.
func (ph *phase) known() bool { return ph != nil && (ph.planned || ph.tracked) }

// begun reports whether anything shows that work on the phase began.
func (ph *phase) begun() bool {
	return ph.status > pending || len(ph.trail.entries) > 0 || ph.used > 0
}

// busy reports whether work on the phase is in progress, but not in parallel with other phases.
func (ph *phase) busy() bool { return ph.status.working() && !ph.done && !ph.item.parallel }

// stuck reports whether the phase is blocked or timed out. A phase that declared its work done did not time out.
func (ph *phase) stuck() bool { return ph.status == blocked || ph.observed >= blocked }

func (ph *phase) halted() bool { return ph.status == blocked || ph.observed == blocked }

// says returns the status of the phase in the state, or else the one that the log shows.
func (ph *phase) says() status { return cmp.Or(ph.status, ph.observed) }

// confirmations returns how many confirmations passed, according to the state or the log.
func (ph *phase) confirmations() int { return max(ph.trail.done-1, ph.confirm, 0) }

// extra returns how many of the iterations may be confirmations.
func (ph *phase) extra() int { return max(ph.confirmations(), ph.trail.done) }

// verified reports whether the state or the log records a passed verification.
func (ph *phase) verified() bool { return ph.passed() || ph.trail.lastVerified >= 0 }

// recorded reports whether confirmation and verification are recorded.
func (ph *phase) recorded() bool { return ph.confirmations() > 0 && ph.verified() }

// iteration returns the number of the last iteration, or 0 if there is none. It is the highest number in the log, or
// the state's count if that is higher and either the log has as many entries or cannot be read.
func (ph *phase) iteration() int {
	n := ph.trail.highest
	if ph.used <= ph.trail.works || ph.of.log.doc != nil && !ph.of.log.seen {
		n = max(n, ph.used)
	}
	return min(n, most)
}

// title returns the id with the title in the plan.
func (ph *phase) title() string {
	if ph.item.title == "" {
		return ph.id
	}
	return ph.id + ": " + say.Clip(ph.item.title)
}

// observe determines the actual status of a phase, and how the claimed status relates to it.
func (m *model) observe(ph *phase) {
	t := ph.trail
	ph.reopened = t.anchor() >= 0 && m.log.reopens(t.anchor())
	ph.was = m.base.byID[ph.id]
	was := m.had(ph).status
	ph.back = ph.status == inProgress && (ph.failed() || ph.confirm > 0 || was == confirming || was == verifying)
	if ph.observed = ph.status; t.last != nil && ph.status == inProgress {
		ph.resumed = t.last.when.Before(m.state.Get("/updated").Moment, 0)
	}
	lost := ph.confirm == 0 && m.had(ph).confirm > 0 && m.holds(ofState|surePlan)
	if lost && ph.status >= verifying && ph.status <= done && was >= verifying && was <= done {
		ph.confirm = m.had(ph).confirm // iterations-decreased reports the lost count
	}
	switch {
	case m.log.seen && (m.holds(sureLog) || len(t.entries) > 0):
		if ph.observed = ph.proves(t); ph.status == 0 && ph.observed >= confirming && ph.observed <= verifying &&
			m.passedBy(ph) {
			ph.observed = done
		}
	case ph.observed == 0:
		ph.observed = pending
	}
	if ph.observed == confirming && ph.status == done && ph.confirm > 0 && !m.unproved(ph) {
		ph.observed = verifying // the log need not show the confirmation
	}
	if ph.reworked = ph.observed == verifying && m.reworks(ph); ph.reworked {
		ph.observed = confirming
	}
	ph.fit = m.fitOf(ph)
	reopened := ph.reopened && ph.status.working()
	ph.done = ph.status == done || ph.observed == done && !reopened
	passed := !ph.overstated() && !ph.failed() && ph.confirm != 0 && m.wentOn(ph)
	ph.closed = ph.done && (ph.status != done || ph.fit != sdk.Ahead || passed || m.news(ph) < 0)
	ph.settled = ph.done && (ph.status != done || ph.fit == sdk.Consistent)
	ph.met = ph.done || t.lastVerified >= 0 || t.firstDone >= 0 && m.log.lastReview > t.firstDone ||
		m.undone(ph)
}

// passedBy reports whether a phase that the state does not mention passed its gates: its box is ticked, or work
// continued with a later phase.
func (m *model) passedBy(ph *phase) bool { return ph.item.ticked || m.wentOn(ph) }

// wentOn reports whether work continued with a later phase after this one was declared done.
func (m *model) wentOn(ph *phase) bool {
	return slices.ContainsFunc(m.phases[slices.Index(m.phases, ph)+1:], func(other *phase) bool {
		return other.trail.last != nil && other.trail.last.index > ph.trail.lastDone
	})
}

// proves returns the status that the log shows for the phase.
func (ph *phase) proves(t *trail) status {
	e := t.last
	switch work, before := t.work, t.workBefore; {
	case t.verified:
		return done
	case e != nil && ph.halts(e):
		return blocked
	case work != nil && work.done && t.lastGaps < work.index:
		if before != nil && before.done && t.lastGaps < before.index && !ph.item.parallel && !ph.repeats(work, before) {
			return verifying
		}
		return confirming
	case e != nil && e.stop == timeout, ph.status == timeout, ph.max > 0 && t.works >= ph.max && t.done == 0:
		return timeout
	case e != nil:
		return inProgress
	}
	return pending
}

// repeats reports whether an entry merely repeats the previous one's number, as happens when two sessions write to the
// log, and neither the entry nor the state calls it a confirmation. The number 1 is not a repetition, because
// confirmations may start counting again at 1.
func (ph *phase) repeats(e, before *entry) bool {
	return e.number > 1 && e.number == before.number && ph.status <= confirming && ph.confirm <= 0 &&
		!words.Mentions(e.title, "confirm")
}

// reworks reports whether the last entry with DONE declares new work that was not confirmed: state.json still counts
// one confirmation for each earlier DONE, and confirmations leave no entry in this log. Without the base, only a phase
// that is recorded as confirming is judged.
func (m *model) reworks(ph *phase) bool {
	t, was := ph.trail, m.had(ph)
	if ph.confirm <= 0 || t.done != ph.confirm+1 || t.gaps >= 3 || ph.item.parallel || !t.work.done ||
		words.Mentions(t.work.Raw(), "confirm") {
		return false
	}
	alone := func(o *phase) bool { return o.confirm > 0 && o.trail.done == o.confirm }
	before := alone(was) && (was.status == inProgress || was.status == verifying) && was.confirm == ph.confirm
	if ph.status == confirming {
		return before || m.any(func(o *phase) bool { return o.status == done && alone(o) }) != nil
	}
	return before && ph.used > was.used
}

// halts reports whether an entry blocks its phase. An entry that only mentions a blocker does so only if the state
// says that the phase is blocked, or said so in the base and now calls it pending. A phase that was resumed is no
// longer blocked.
func (ph *phase) halts(e *entry) bool {
	says := ph.status
	if says == pending && ph.was != nil {
		says = ph.was.status
	}
	return e.stop == blocked && !ph.resumed || says == blocked && e.reason != ""
}

func (m *model) fitOf(ph *phase) sdk.Fit {
	claim, seen := ph.status, ph.observed
	switch {
	case claim == 0:
		return sdk.FitUnknown
	case m.goesWith(ph, seen), claim == done && ph.trail.gaps >= 3, claim.working() && seen == done && ph.reopened:
		return sdk.Consistent
	case m.lags(ph):
		return sdk.JustBehind
	case claim.gate() < seen.gate():
		return sdk.Behind
	}
	return sdk.Ahead
}

// lags reports whether the claim fits what the log showed before its last entry was written.
func (m *model) lags(ph *phase) bool {
	entries := ph.trail.entries
	if len(entries) == 0 {
		return false
	}
	before := ph.proves(newTrail(entries[:len(entries)-1]))
	if ph.status.gate() > max(before.gate(), ph.observed.gate()) {
		return false // the claim was written before the entry, which refutes it
	}
	if ph.status == confirming && ph.observed == verifying {
		return true // repeated work may look like a confirmation
	}
	if ph.status == done {
		return before == done
	}
	return m.goesWith(ph, before)
}

// goesWith reports whether the claim about a phase fits an observed status. The entry and the state are written one
// after the other, and only the state may record the gates after the work.
func (m *model) goesWith(ph *phase, seen status) bool {
	t, claim := ph.trail, ph.status
	if claim == seen {
		return true
	}
	toMend := t.lastGaps >= 0 && t.lastDone < t.lastGaps
	switch claim {
	case pending, confirming:
		return seen == blocked
	case inProgress:
		return seen == pending || seen == blocked || seen == timeout || seen == confirming && ph.item.parallel ||
			ph.back && seen <= verifying
	case verifying:
		return seen == confirming && !ph.reworked || seen == blocked || seen == inProgress && toMend
	case done:
		if !ph.recorded() || ph.failed() || ph.reworked {
			return false
		}
		return seen == confirming || seen == verifying || seen == inProgress && toMend && m.log.lastRevise > t.lastGaps
	case blocked:
		return seen != done
	}
	return seen == pending || seen == inProgress || seen == blocked
}

// overstated reports whether the log refutes the claim, because it never declares the work done. Other rules cover
// missing gates.
func (ph *phase) overstated() bool {
	return ph.fit == sdk.Ahead && ph.status >= confirming && ph.status <= done && ph.observed.gate() < confirming.gate()
}

// news returns how many more entries of the phase the log has than the base; it is negative if entries were lost.
func (m *model) news(ph *phase) int {
	if !m.holds(onBase) {
		return 0
	}
	return len(ph.trail.entries) - len(m.had(ph).trail.entries)
}

// climb determines how far along the task is, and whether the claimed step fits.
func (m *model) climb() {
	settled := len(m.plan.items) > 0 && m.any(func(ph *phase) bool { return ph.planned && !ph.settled }) == nil
	begun := len(m.log.entries) > 0 || m.claim == execute ||
		m.any(func(ph *phase) bool { return ph.observed > pending }) != nil
	overtakes := len(m.overtaken()) == 0
	planned := len(m.plan.items) > 0 || len(m.plan.docs) > 0 && !m.holds(surePlan)
	m.ladder = ladder.Ladder{Life: taskLifecycle, Rungs: []ladder.Rung{
		{Proved: true},
		{Proved: m.docs.Get(briefPath) != nil, Early: true},
		{Proved: planned && begun},
		{Proved: settled, Early: overtakes},
		{Proved: settled && (m.log.review == passed || m.reviewed()), Early: true},
		{Proved: m.archived && (m.claim != complete || overtakes), Early: true},
	}}
	m.fit = m.ladder.Fit(int(m.claim) - 1)
	if m.fit == sdk.Ahead && m.claim >= verify && overtakes {
		m.fit = sdk.Consistent
	}
}

// reviewed reports whether the base records that the review is over, while the state went back further than to it.
func (m *model) reviewed() bool {
	return m.base.claim == deliver && m.claim > 0 && m.claim < verify && m.log.review != failed
}

// observed returns the step that the documents show.
func (m *model) observed() step { return step(m.ladder.Top() + 1) }

// overtaken returns the planned phases that are not done although the task claims to be past execute.
func (m *model) overtaken() []*phase {
	if m.claim < verify || m.claim == verify && m.log.review == failed {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(m.phases), func(ph *phase) bool {
		return !ph.planned || ph.done || ph.status == 0 && (ph.observed == verifying || ph.observed == done)
	})
}
