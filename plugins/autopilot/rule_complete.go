package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

// disputed reports whether phases or plans remain after the position although the status is complete.
func (m *model) disputed() bool {
	partly := m.p >= 1 && m.p < m.t
	return m.s == projectComplete && (m.n >= 0 && m.n < m.m || partly) ||
		m.s == phaseComplete && partly && (m.p >= 2 || m.finishing() == m.n)
}

func completionContradicted(r *check.Report, m *model) {
	p, open := m.pos, m.s == projectComplete
	if !m.disputed() && !(open && p.hasPercent && p.percent < 100) {
		return
	}
	says := "the position is " + m.where()
	if m.n < 0 {
		says = "work is unfinished"
	}
	if p.hasPercent {
		says += " (" + trimFloat(p.percent) + "%)"
	}
	f := m.but(r, says)
	if m.observed == projectComplete && open {
		edits := m.set("progress", barOf(100)+" 100%")
		if m.m >= 0 {
			edits = append(edits, m.set("phase", count{m.m, m.m}.String())...)
		}
		if m.t >= 0 {
			edits = append(edits, m.set("plan", count{m.t, m.t}.String())...)
		}
		f.Offer(sdk.Review, "Record every phase as done", m.stamped(edits)...)
	}
	if (m.verdict == handNone || m.verdict == handLive) && m.flyable(m.n) {
		m.setStatus(f, inProgress)
	}
}

// finishing returns the phase that "Phase complete" refers to. If the plan is 0 or 1, the position has already moved
// on to the next phase, so it is the previous one. Plan 1 does not show this in the first phase, in a phase with a
// hand-off, in a phase that was in flight in the base, or in a discussed phase. A discussed phase may still be next if
// the base was in the previous one, or if Next action names it.
func (m *model) finishing() int {
	was := m.base
	flew := m.n == 1 || m.hand.phase == m.n || was != nil && was.n == m.n &&
		(was.s.flying() || was.s == readyToExecute) ||
		m.phases.at(m.n).briefing != nil && !(was != nil && was.n == m.n-1) &&
			firstPhase(m.pos.get("nextaction").value) != m.n
	if m.s == phaseComplete && (m.p == 0 || m.p == 1 && m.t > 1 && !flew) {
		return m.n - 1
	}
	return m.n
}

// movedOn reports whether the status belongs to the previous phase, and the position's phase is still to be flown.
func (m *model) movedOn() bool {
	was := m.base
	return m.n > 1 && m.finishing() < m.n && !m.logged(m.n) && !(was != nil && was.n == m.n && was.s != unknown)
}

func completeButOpen(r *check.Report, m *model) {
	first, last := m.finishing(), m.finishing()
	switch {
	case m.n < 1 || m.s == unknown || m.s == abandoned:
		return
	case m.s == projectComplete:
		first, last = 1, min(max(m.n, m.phases.total), mostPhases)
	case m.s <= inProgress && m.p < m.t && m.phases.ticked[m.n]:
		m.but(r, "flightplan.md marks phase "+itoa(m.n)+" done, while the position is "+m.where()).
			Advise("Find out what is done", "Untick phase "+itoa(m.n)+" in flightplan.md, or move the position on.")
		return
	case m.s != phaseComplete: // the phases before the position
		first, last = 1, min(m.n-1, mostPhases)
	}
	behind := ""
	if !m.s.complete() {
		behind = ", while the position is " + m.where()
	}
	if n := firstNot(func(n int) bool { return !m.early(n) }, m.n+1, m.phases.total); n > 0 {
		m.but(r, "flightplan.md marks phase "+itoa(n)+" done although it has no documents and the position is "+
			m.where()).
			Advise("Correct the flight plan", "Mark phase "+itoa(n)+" as not started in flightplan.md. If it is done, "+
				"restore or write its documents.")
		return
	}
	for n := first; n <= last; n++ {
		if says := m.stillOpen(n); says != "" {
			m.but(r, says+behind)
			return
		}
	}
}

// stillOpen returns what shows that a phase is open although it counts as done, or "" if nothing does.
func (m *model) stillOpen(n int) string {
	kept := m.phases.kept && m.unlistedPhases() == nil // whether the flight plan's ticks are maintained
	boxes := false                                     // whether the routes' ticks are maintained
	for _, p := range m.phases.list {
		boxes = boxes || p.ticked > 0
	}
	p, open := m.phases.at(n), ""
	if m.s.complete() {
		open = m.openTasks(n)
	}
	if _, listed := m.phases.names[n]; kept && listed && !m.phases.ticked[n] && (m.s.complete() || !m.logged(n)) {
		says := "flightplan.md lists phase " + itoa(n) + " as open"
		if open != "" {
			says += ", and " + p.route.Path + " has " + open + " open"
		}
		return says
	} else if boxes && p.open > 0 && (p.ticked == 0 && !m.logged(n) || p.ticked > 0 && m.s.complete()) {
		return p.route.Path + " has " + itoa(p.open) + " of " + say.Count(p.open+p.ticked, "task") + " open"
	} else if open != "" {
		return p.first(false).at.Path + " has " + open + " open"
	}
	return ""
}

// doubted returns the first phase that is still open although the status says that it, or the project, is complete,
// or 0 if there is none.
func (m *model) doubted() int {
	n := m.finishing()
	switch {
	case m.n < 1 || !m.s.complete():
		return 0
	case m.s == projectComplete:
		return firstNot(func(n int) bool { return m.stillOpen(n) == "" }, 1, min(max(m.n, m.phases.total), mostPhases))
	case n < 1 || m.stillOpen(n) == "":
		return 0
	}
	return n
}

// openTasks returns the open tasks of a phase, such as "tasks 002.3 and 002.4", or "" if there are none or if the task
// statuses are not maintained.
func (m *model) openTasks(n int) string {
	p := m.phases.at(n)
	var list []string
	for _, t := range p.tasks {
		if t.state != taskUnknown && t.state != taskDone {
			list = append(list, t.id.String())
		}
	}
	if list == nil || p.first(true) == nil {
		return ""
	}
	return tasksOf(list)
}

// tasksOf returns a list of tasks with its noun.
func tasksOf(list []string) string {
	switch {
	case len(list) == 1:
		return "task " + list[0]
	case len(list) > say.Few:
		return "tasks " + say.List(list)
	}
	return "tasks " + say.And(list...)
}
