package iterativework

import (
	"github.com/stategate/stategate/sdk"
)

// observe works out what is known of one phase by itself.
func (m *model) observe(ph *phase) {
	t := ph.trail
	anchor := t.lastVerified
	if anchor < 0 {
		anchor = t.firstDone
	}
	ph.reopened = anchor >= 0 && m.log.reopens(anchor)
	ph.observed = ph.status
	if m.log.seen {
		ph.observed = ph.proves(t.entries)
	} else if ph.observed == 0 {
		ph.observed = pending
	}
	ph.fit = m.fitOf(ph)
	reopened := ph.reopened && ph.status.working()
	ph.done = ph.status == done || ph.observed == done && !reopened
	ph.settled = ph.done && (ph.status != done || ph.fit == sdk.Fits || ph.fit == sdk.Lags)
	ph.met = ph.done || t.lastVerified >= 0 || t.firstDone >= 0 && m.log.lastReview > t.firstDone
}

// proves is the status that entries of the phase prove.
func (ph *phase) proves(entries []*entry) status {
	var last, before *entry // of its work
	works, dones, lastGaps := 0, 0, -1
	verified := false
	for _, e := range entries {
		if e.kind == work {
			before, last = last, e
			works++
			verified = verified && e.done
		}
		if e.done {
			dones++
		}
		if e.verdict > 0 {
			verified = e.verdict == passed
		}
		if e.verdict == failed {
			lastGaps = e.index
		}
	}
	switch {
	case verified:
		return done
	case len(entries) > 0 && ph.halts(entries[len(entries)-1]):
		return blocked
	case last != nil && last.done && before != nil && before.done && lastGaps < before.index && !ph.parallel():
		return verifying
	case last != nil && last.done && lastGaps < last.index:
		return confirming
	case ph.status == timeout || ph.max > 0 && works >= ph.max && dones == 0:
		return timeout
	case len(entries) > 0:
		return inProgress
	}
	return pending
}

// halts reports whether an entry blocks its phase: a note about a difficulty
// does only if the state says so, too.
func (ph *phase) halts(e *entry) bool {
	return e.halted || ph.status == blocked && e.field("Blockers").real()
}

func (m *model) fitOf(ph *phase) sdk.Fit {
	claim, seen := ph.status, ph.observed
	switch {
	case claim == 0:
		return sdk.FitUnknown
	case m.goesWith(ph, seen), claim == done && ph.trail.gaps >= 3, claim.working() && seen == done && ph.reopened:
		return sdk.Fits
	case m.lags(ph):
		return sdk.Lags
	case claim.gate() < seen.gate():
		return sdk.Behind
	}
	return sdk.Ahead
}

// lags reports whether the claim goes with what was proved before the last
// entry was written.
func (m *model) lags(ph *phase) bool {
	list := ph.trail.entries
	if len(list) == 0 {
		return false
	}
	before := ph.proves(list[:len(list)-1])
	if ph.status == done {
		return before == done
	}
	return m.goesWith(ph, before)
}

// goesWith reports whether the claim on a phase goes with an observation: the
// entry and the state are written one after the other, in either order. It is one switch
// over the claims.
func (m *model) goesWith(ph *phase, seen status) bool {
	t, claim := ph.trail, ph.status
	if claim == seen {
		return true
	}
	toMend := t.lastGaps >= 0 && t.lastDone < t.lastGaps
	switch claim {
	case pending:
		return seen == blocked
	case inProgress:
		return seen == pending || seen == blocked || seen == timeout || seen == confirming && ph.parallel()
	case confirming:
		return seen == inProgress || seen == blocked
	case verifying:
		return seen == confirming || seen == blocked || seen == inProgress && toMend
	case done:
		if ph.rec.passed != 1 || t.done < 2 {
			return false
		}
		return seen == confirming || seen == verifying || seen == inProgress && toMend && m.log.lastRevise > t.lastGaps
	case blocked:
		return seen != done
	}
	return seen == pending || seen == inProgress || seen == blocked
}

// observeTask works out where the task is and whether the claim fits.
func (m *model) observeTask() {
	m.observed = m.proves()
	claim, seen := m.state.phase, m.observed
	ahead := claim == plan || claim == deliver || claim == complete || claim == verify && m.overtaken() == nil
	switch {
	case claim == 0:
		m.fit = sdk.FitUnknown
	case claim == seen, claim == seen+1 && ahead, claim == verify && claim > seen && ahead:
		m.fit = sdk.Fits
	case claim+1 == seen:
		m.fit = sdk.Lags
	case claim < seen:
		m.fit = sdk.Behind
	default:
		m.fit = sdk.Ahead
	}
}

func (m *model) proves() step {
	settled, begun := len(m.plan.items) > 0, len(m.log.entries) > 0 || m.state.phase == execute
	for _, ph := range m.phases {
		settled = settled && (ph.item == nil || ph.settled)
		begun = begun || ph.observed > pending
	}
	switch {
	case m.archived:
		return complete
	case settled && m.log.review == passed:
		return deliver
	case settled:
		return verify
	case len(m.plan.items) > 0 && begun:
		return execute
	case m.docs.Get(briefPath) != nil:
		return plan
	}
	return discover
}

// overtaken lists the planned phases that are not done although the task is
// claimed to be beyond execute.
func (m *model) overtaken() []string {
	if m.state.phase < verify || m.state.phase == verify && m.log.review == failed {
		return nil
	}
	var open []string
	for _, ph := range m.phases {
		if ph.item == nil || ph.done || ph.status == 0 && (ph.observed == verifying || ph.observed == done) {
			continue
		}
		name := ph.observed
		if ph.status > 0 {
			name = ph.status
		}
		push(&open, ph.id+" is "+name.String())
	}
	return open
}
