package autopilot

import (
	"github.com/stategate/stategate/sdk"
)

// A verdict is what the hand-off is worth at the position.
type verdict uint8

const (
	handNone verdict = iota
	handEmpty
	handUnplaced
	handStale
	handAhead
	handLive
)

var verdictNames = [...]string{"none", "empty", "unplaced", "stale", "ahead", "live"}

// judgeHand holds the hand-off against the position.
func (m *model) judgeHand() verdict {
	h := m.hand
	switch {
	case h == nil:
		return handNone
	case h.doc.Summary.Words == 0 || len(h.fields) == 0 && !h.headings:
		return handEmpty
	case h.phase < 1:
		return handUnplaced
	case m.s == projectComplete, h.over, h.phase < m.n, h.phase == m.n && m.s == phaseComplete,
		h.phase == m.n && h.plan > 0 && h.plan < m.p:
		return handStale
	case m.n >= 1 && h.phase > m.n:
		return handAhead
	case h.phase == m.n && m.p >= 1 && h.plan > m.p+1:
		return handAhead
	case h.phase == m.n && m.p >= 1 && h.plan == m.p+1 && m.pos.stopPlan != (count{h.phase, h.plan}):
		return handAhead
	}
	return handLive
}

// holds reports whether the hand-off is one to go on from.
//
//go:noinline
func (m *model) holds() bool { return m.verdict >= handAhead || m.verdict == handUnplaced }

// done reports whether a phase is done.
func (m *model) done(n int) bool {
	over := n != m.n || m.s == phaseComplete || m.s == projectComplete
	if m.phases.ticked[n] && over {
		return true
	}
	p := m.phases.at(n)
	return p != nil && (p.state == taskDone || p.logbook != nil && (over || m.t <= 1))
}

// trace returns where a phase shows work under way; the range is empty if nowhere.
func (m *model) trace(n int) (at sdk.Range, found bool) {
	p := m.phases.at(n)
	if p == nil {
		return at, false
	}
	for i := range p.tasks {
		if p.tasks[i].state == taskDone {
			return p.tasks[i].at, true
		}
	}
	if p.state == taskProgress {
		return sdk.At(p.document.Path), true
	}
	return at, false
}

// flyable reports whether a phase has a route or is described.
//
//go:noinline
func (m *model) flyable(n int) bool {
	p := m.phases.at(n)
	return p != nil && (p.route != nil || p.document != nil)
}

func (m *model) findFocus() int {
	switch h := m.hand; {
	case m.verdict >= handAhead:
		return h.phase
	case m.s == projectComplete && m.n >= 0:
		return m.n
	case m.s == projectComplete && m.m >= 0:
		return m.m
	case m.n >= 1:
		return m.n
	case m.pos != nil && m.pos.hasNext && m.pos.next.phase > 0:
		return m.pos.next.phase
	}
	for i := len(m.phases.list) - 1; i >= 0 && m.phases.list[i].n > 0; i-- { // what was discussed last
		p := m.phases.list[i]
		if _, traced := m.trace(p.n); traced || p.briefing != nil || p.ticked > 0 {
			if m.done(p.n) && p.n < m.phases.total {
				return p.n + 1
			}
			return p.n
		}
	}
	for _, p := range m.phases.list {
		if !m.done(p.n) {
			return p.n
		}
	}
	if last := m.phases.last(); last > 0 {
		return last
	}
	if m.phases.total > 0 {
		return 1
	}
	return 0
}

// allDone reports whether every phase there is is done.
func (m *model) allDone() bool {
	if len(m.phases.numbered) == 0 {
		return false
	}
	last := m.phases.last()
	if m.m >= 1 {
		last = m.m
	} else if m.phases.total > 0 {
		last = m.phases.total
	}
	if last > len(m.phases.list) || last < 1 {
		return false
	}
	for n := 1; n <= last; n++ {
		if !m.done(n) {
			return false
		}
	}
	return true
}

// observe finds the phase of the flight that the documents prove.
func (m *model) observe() (status, []sdk.Range) {
	f := m.phases.at(m.focus)
	proof := func(s status, d *sdk.Document) (status, []sdk.Range) {
		if d == nil {
			return s, nil
		}
		return s, []sdk.Range{sdk.At(d.Path)}
	}
	if m.holds() {
		return inProgress, []sdk.Range{m.hand.at[keyPhase]}
	}
	if m.allDone() {
		var logbooks []sdk.Range
		for _, p := range m.phases.list {
			if p.logbook != nil && len(logbooks) < 20 {
				logbooks = append(logbooks, sdk.At(p.logbook.Path))
			}
		}
		return projectComplete, logbooks
	}
	if f != nil {
		switch at, found := m.trace(m.focus); {
		case m.done(m.focus) && f.logbook != nil:
			return proof(phaseComplete, f.logbook)
		case m.done(m.focus):
			return proof(phaseComplete, f.document)
		case found:
			return inProgress, []sdk.Range{at}
		case f.route != nil:
			return proof(readyToExecute, f.route)
		case f.briefing != nil:
			return proof(readyToPlan, f.briefing)
		}
		return proof(readyToDiscuss, f.document)
	}
	if m.focus > 0 && m.focus <= m.phases.total {
		return proof(readyToDiscuss, m.phases.plan)
	}
	return unknown, nil
}

// fit says how the claim relates to what is observed.
func (m *model) fit() sdk.Fit {
	switch {
	case m.s == unknown:
		return sdk.FitUnknown
	case m.s > projectComplete, m.s == m.observed, m.s == inProgress && m.observed == readyToExecute,
		m.s == readyToDiscuss && m.observed == readyToExecute && m.parts().briefing == nil:
		return sdk.Fits
	case m.observed == unknown, m.s >= phaseComplete && !m.phases.logbooks && m.observed < phaseComplete:
		return sdk.FitUnknown
	case m.s > m.observed:
		return sdk.Ahead
	case m.observed == m.s+1:
		return sdk.Lags
	}
	return sdk.Behind
}

// state is that of the run.
func (m *model) state() sdk.State {
	switch {
	case m.s == abandoned:
		return sdk.Abandoned
	case m.s == projectComplete && !(m.n >= 0 && m.n < m.m):
		return sdk.Finished
	case m.s == blocked, m.s != projectComplete && m.stopped() >= 0:
		return sdk.Blocked
	}
	return sdk.Active
}

// progress counts tasks of a live hand-off, else phases.
func (m *model) progress() sdk.Progress {
	if h := m.hand; m.verdict == handLive && h.total > 0 && h.task > 0 {
		if done := h.done(); done <= h.total {
			return sdk.Progress{Done: done, Total: h.total, Unit: "tasks"}
		}
	}
	if m.m < 1 {
		return sdk.Progress{}
	}
	done := m.n - 1
	if m.s == phaseComplete || m.s == projectComplete || m.n >= 1 && m.done(m.n) {
		done++
	}
	return sdk.Progress{Done: min(max(done, 0), m.m), Total: m.m, Unit: "phases"}
}
