package autopilot

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/words"
)

// A verdict relates the hand-off to the position.
type verdict uint8

const (
	handNone verdict = iota
	handEmpty
	handUnplaced
	handStale
	handElse // ahead of the position, or earlier although Stopped at names the same plan and task
	handLive
)

var verdictNames = [...]string{"none", "empty", "unplaced", "stale", "elsewhere", "live"}

// judgeHand compares the hand-off with the position.
func (m *model) judgeHand() verdict {
	h := m.hand
	switch {
	case h.doc == nil:
		return handNone
	case h.doc.Summary.Words == 0, h.hollow:
		return handEmpty
	case h.phase < 1:
		return handUnplaced
	case m.names() && !m.leftBehind() && (h.phase < m.n || h.phase == m.n && h.plan < m.p):
		return handElse
	case h.over && !m.openYetOver():
		return handStale
	case m.s.complete() && !m.disputed() && (m.s == projectComplete || h.phase == m.n), h.phase < m.n,
		h.phase == m.n && h.plan > 0 && h.plan <= m.flown():
		if m.newer() {
			return handElse
		}
		return handStale
	case m.n >= 1 && h.phase > m.n,
		h.phase == m.n && m.p >= 1 && h.plan > m.p && (h.plan > m.p+1 || m.pos.stopPlan != (count{h.phase, h.plan})):
		return handElse
	}
	return handLive
}

// flown returns the number of the phase's plans that the position records as finished. The Plan row may not change
// until the next plan begins, so Stopped at may already show the current plan as complete.
func (m *model) flown() int {
	if m.pos.planOver && m.pos.stopPlan == (count{m.n, m.p}) {
		return m.p
	}
	return m.p - 1
}

// unproved returns the number of the phase's first plan that the position passed since the base although the number of
// completed plans did not grow with it. If there is none, it returns the one after the last finished plan.
func (m *model) unproved() int {
	b, plans, was := m.base, m.pos.completed(), m.base.pos.completed()
	if m.n == b.n && b.p >= 1 && b.s == inProgress && m.s == inProgress && was >= 0 && plans >= was {
		return min(m.flown(), b.flown()+plans-was) + 1
	}
	return m.flown() + 1
}

// names reports whether Resume file names the hand-off, and Stopped at names its plan and task.
func (m *model) names() bool {
	return m.pos.stopPlan == count{m.hand.phase, m.hand.plan} && m.namesTask()
}

func (m *model) namesTask() bool {
	h := m.hand
	return m.s.flying() && h.plan > 0 && h.task > 0 && m.pos.stopTask == count{h.task, h.total} &&
		m.resumePath != "" && m.named(m.resumePath) == h.doc
}

// leftBehind reports whether a session has updated the position since the base without touching the hand-off.
func (m *model) leftBehind() bool {
	b := m.base
	return b != nil && b.hand.doc != nil && b.hand.doc.Digest == m.hand.doc.Digest && b.pos.there() &&
		!stays(m.pos.stamp, b.pos.stamp)
}

// newer reports whether the hand-off was written after the position, which therefore may be the outdated one. It is not
// if the position was updated since, or if only the hand-off's plan number is wrong (see misnumbered).
func (m *model) newer() bool {
	return m.pos.stamp.Before(m.hand.created, 0) && !m.leftBehind() &&
		!(m.pos.stopPlan == count{m.n, m.p} && m.namesTask())
}

// openYetOver reports whether the hand-off is marked complete although it has open work and the position continues
// from it.
func (m *model) openYetOver() bool { return m.hand.over && len(m.hand.remaining) > 0 && m.names() }

// misnumbered reports whether the hand-off looks stale only because its plan number is wrong. The position must name
// this hand-off and its task, and the hand-off must be new, or have had the position's plan in the base.
func (m *model) misnumbered() bool {
	h, was := m.hand, m.base.hand
	return m.verdict == handStale && h.phase == m.n && h.plan < m.p && !h.over &&
		(was.doc == nil || was.phase == h.phase && was.plan == m.p) &&
		m.pos.stopPlan == count{m.n, m.p} && m.namesTask()
}

// namesItself reports whether the text of the hand-off names the plan in its front matter, so that the number is no
// slip.
func (m *model) namesItself() bool {
	return strings.Contains(m.hand.texts[textState], itoa(m.hand.phase)+"."+itoa(m.hand.plan))
}

// holds reports whether work can continue from the hand-off.
func (m *model) holds() bool { return m.verdict >= handElse || m.verdict == handUnplaced }

// done reports whether a phase is done.
func (m *model) done(n int) bool {
	over, p := n != m.n || m.s.complete(), m.phases.at(n)
	return m.phases.ticked[n] && over && !m.early(n) || p.state == taskDone || p.logbook != nil && (over || m.t <= 1)
}

// early reports whether the flight plan marks a phase as done although the position has not reached it and, unlike
// other phases, it has no documents.
func (m *model) early(n int) bool {
	return m.phases.ticked[n] && m.n >= 1 && n > m.n && m.s != projectComplete && m.phases.at(n) == nothing &&
		len(m.phases.numbered) > 0 && m.docs.CompleteBelow("phases") && !m.filed()
}

// logged reports whether a phase's own documents say that it is done.
func (m *model) logged(n int) bool {
	p := m.phases.at(n)
	return p.logbook != nil || p.state == taskDone
}

// trace returns the locations that show work in progress in a phase, or nil if there are none.
func (m *model) trace(n int) []sdk.Range {
	p := m.phases.at(n)
	if t := p.first(true); t != nil {
		return []sdk.Range{t.at}
	} else if p.state == taskProgress {
		return because(p.document)
	}
	return nil
}

// flyable reports whether a phase has a route or a description.
func (m *model) flyable(n int) bool {
	p := m.phases.at(n)
	return p.route != nil || p.document != nil
}

// findFocus returns the phase where work continues, or 0 if it is unknown.
func (m *model) findFocus() int {
	switch h := m.hand; {
	case m.verdict >= handElse:
		return h.phase
	case m.s == projectComplete && m.n < 0 && m.m >= 0:
		return m.m
	case m.n >= 1 && (m.m < 0 || m.n <= max(m.m, m.highest())):
		return m.n
	case m.pos.hasNext && m.pos.next.phase > 0:
		return m.pos.next.phase
	}
	for _, p := range slices.Backward(m.phases.list) { // the phase that was discussed last
		if p.n > 0 && (m.trace(p.n) != nil || p.briefing != nil || p.ticked > 0) {
			if m.done(p.n) && p.n < m.phases.total {
				return p.n + 1
			}
			return p.n
		}
	}
	last := max(m.phases.total, m.phases.last())
	return cmp.Or(firstNot(m.done, 1, last), last)
}

// firstNot returns the first phase in a range for which holds is false, or 0 if there is none.
func firstNot(holds func(n int) bool, first, last int) int {
	for n := first; n <= last; n++ {
		if !holds(n) {
			return n
		}
	}
	return 0
}

// allDone reports whether every existing phase is done.
func (m *model) allDone() bool {
	last := cmp.Or(max(m.m, 0), m.phases.total, m.phases.last())
	return last >= 1 && last <= len(m.phases.list) && len(m.phases.numbered) > 0 && firstNot(m.done, 1, last) == 0
}

// because returns the range of a document, as evidence for the observed phase.
func because(d *sdk.Document) []sdk.Range {
	if d == nil {
		return nil
	}
	return []sdk.Range{sdk.At(d.Path)}
}

// idle reports whether the last activity mentions no work on tasks, and the flight is blocked or only its activity is
// new, such as reset alerts. The hand-off then stays valid.
func (m *model) idle() bool {
	is, was := m.pos, m.base.pos
	same := m.moved() == "" && is.get("stoppedat").value == was.get("stoppedat").value &&
		is.completed() == was.completed()
	return !words.Mentions(is.activityText, "completed", "finished", "done", "resumed") && (m.s == blocked ||
		same && !words.Mentions(is.activityText, "continued", "worked", "working", "wrote", "built", "created", "added",
			"implement", "fixed", "changed", "refactor", "tested", "merged", "committed", "started", "task", "plan"))
}

// sameActivity reports whether two positions record the same activity.
func sameActivity(p, q *position) bool {
	return p.activityText == q.activityText && p.activity.At == q.activity.At
}

// midPlan reports whether the session stopped within a plan that is not before the position.
func (m *model) midPlan() bool {
	plan := m.pos.stopPlan
	return m.s == inProgress && m.pos.midPlan && (plan.n < 0 || m.n < 0 || plan.n > m.n || plan.n == m.n &&
		plan.of >= m.p)
}

// bare reports whether the session stopped within a plan and left no hand-off.
func (m *model) bare() bool {
	return m.midPlan() && m.pos.get("resumefile").given() == "" && m.hand.doc == nil && m.absent(handPath)
}

// observe returns the flight's phase according to the documents, and the ranges that show it.
func (m *model) observe() (status, []sdk.Range) {
	f, trace := m.phases.at(m.focus), m.trace(m.focus)
	switch {
	case m.holds():
		return inProgress, []sdk.Range{m.hand.at[keyPhase]}
	case m.allDone():
		var logbooks []sdk.Range
		for _, p := range m.phases.list {
			logbooks = append(logbooks, because(p.logbook)...)
		}
		return projectComplete, logbooks[:min(len(logbooks), 20)]
	case f == nothing && m.focus > 0 && m.focus <= m.phases.total:
		return readyToDiscuss, because(m.phases.plan)
	case f == nothing:
		return unknown, nil
	case m.done(m.focus) && f.logbook != nil:
		return phaseComplete, because(f.logbook)
	case m.done(m.focus), m.closes(f):
		return phaseComplete, because(cmp.Or(f.document, f.route))
	case trace != nil:
		return inProgress, trace
	case f.route != nil:
		return readyToExecute, because(f.route)
	case f.briefing != nil:
		return readyToPlan, because(f.briefing)
	}
	return readyToDiscuss, because(f.document)
}

// closes reports whether the position marks every plan of a phase as done and the phase's documents do not contradict
// it. Flights without logbooks record completion only in the position.
func (m *model) closes(f *phase) bool {
	return m.s == phaseComplete && f.n == m.n && m.t > 0 && m.p == m.t && f.route != nil && !m.phases.logbooks &&
		f.open == 0 && f.first(false) == nil && m.trace(f.n) == nil
}

// fit returns how the recorded phase relates to the actual one.
func (m *model) fit() sdk.Fit {
	switch {
	case m.s == unknown:
		return sdk.FitUnknown
	case m.s > projectComplete, m.s == m.observed, m.s == inProgress && m.observed == readyToExecute,
		m.s == readyToDiscuss && m.observed == readyToExecute && m.phases.at(m.n).briefing == nil:
		return sdk.Consistent
	case m.observed == unknown, m.s.complete() && !m.phases.logbooks && m.observed < phaseComplete:
		return sdk.FitUnknown
	case m.s > m.observed:
		return sdk.Ahead
	case m.observed == m.s+1:
		return sdk.JustBehind
	}
	return sdk.Behind
}

// unflown reports whether the status marks a phase as complete that was certainly not flown, because, unlike other
// phases, it has no document of its own.
func (m *model) unflown() bool {
	n := m.finishing()
	p := m.phases.at(n)
	return m.s.complete() && n >= 1 && len(m.phases.numbered) > 0 && m.docs.CompleteBelow("phases") && p.route == nil &&
		p.logbook == nil && len(p.tasks) == 0 && p.state == taskUnknown
}

// state returns the run's state.
func (m *model) state() sdk.State {
	switch {
	case m.s == abandoned:
		return sdk.Abandoned
	case m.s == projectComplete && (m.n < 0 || m.n >= m.m) && !m.unflown() && len(m.passed()) == 0 &&
		m.verdict != handElse && m.doubted() == 0:
		return sdk.Finished
	case m.s == blocked, m.s != projectComplete && m.stopped() >= 0:
		return sdk.Blocked
	}
	return sdk.Active
}

// progress counts the tasks in a live hand-off, or else the phases.
func (m *model) progress() sdk.Progress {
	if h := m.hand; m.verdict == handLive && h.task > 0 && len(h.rows) > 0 && len(h.finished()) <= h.total {
		return sdk.Progress{Done: len(h.finished()), Total: h.total, Unit: "tasks"}
	}
	if m.m < 1 || m.n > m.m {
		return sdk.Progress{}
	}
	done := m.n - 1
	if m.s == projectComplete && m.n < 0 {
		done = m.m
	} else if m.s.complete() && !m.disputed() && !m.movedOn() || m.n >= 1 && m.done(m.n) {
		done++
	}
	if m.s != projectComplete {
		done -= len(m.passed())
	}
	return sdk.Progress{Done: min(max(done, 0), m.m), Total: m.m, Unit: "phases"}
}
