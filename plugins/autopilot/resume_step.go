package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// next returns the default command for a status.
func (m *model) next(s status, n int) string {
	if n < 1 {
		n = m.focus
	}
	number, of := "", ""
	if n >= 1 {
		number, of = " "+itoa(n), " --phase="+itoa(n)
	}
	switch s {
	case readyToDiscuss:
		if n >= 1 && n >= m.phases.total && m.done(n) {
			return m.next(projectComplete, n)
		}
		return "/autopilot:preflight" + number
	case readyToPlan:
		return "/autopilot:takeoff --plan-only"
	case readyToExecute:
		return "/autopilot:takeoff" + of
	case inProgress:
		return "/autopilot:cockpit"
	case phaseComplete:
		if n >= 1 && n == m.m {
			return m.next(projectComplete, n)
		}
		return "/autopilot:preflight " + itoa(n+1)
	case projectComplete:
		return "Set the status to Project complete, because every phase is done"
	}
	return "/autopilot:flightplan"
}

// nextStep returns the first step that applies.
func (m *model) nextStep(state sdk.State, denied bool) string {
	given, stop := clip(m.pos.get("nextaction").given(), 300), m.stopped()
	if m.elsewhere(given) > 0 {
		given = ""
	}
	switch {
	case m.s == abandoned:
		return "None, because the run is marked abandoned"
	case state == sdk.Finished && given != "":
		return given
	case state == sdk.Finished:
		return "Archive or ship the project; to start new work, run /autopilot:flightplan"
	case m.verdict == handAhead:
		return "Decide which position is right: " + m.cdoc.Path + " has " + m.where() + ", " + m.hand.doc.Path +
			" has " +
			m.hand.place()
	case stop >= 0 && m.s != projectComplete:
		return m.stopStep(stop)
	case m.s == blocked:
		return m.blockedStep(given)
	case m.verdict == handLive, m.verdict == handUnplaced:
		return m.freshStep()
	case len(m.passed()) > 0:
		return m.returnStep()
	case denied, m.s == unknown:
		return m.observedStep()
	case m.pos.layoutB && m.pos.hasNext:
		return "/autopilot:cockpit --task=" + m.pos.next.String()
	case given != "" && !contradicts(given, m.s):
		return given
	case m.s == phaseComplete:
		return m.followingStep()
	case m.s == projectComplete:
		return m.observedStep()
	}
	return m.next(m.s, m.n)
}

// returnStep returns the step that goes back to the first phase that the position left unfinished.
func (m *model) returnStep() string {
	n := m.passed()[0]
	s := readyToDiscuss
	switch p := m.phases.at(n); {
	case m.flyable(n):
		s = readyToExecute
	case p.briefing != nil:
		s = readyToPlan
	}
	return "Phase " + itoa(n) + " is unfinished: " + m.next(s, n) + ", or record it as finished"
}

func (m *model) stopStep(k int) string {
	s := kindNames[k] + " is at stop"
	if v := &m.th.values[k]; v.ok {
		s += " (" + say.Clip(v.raw)
		if m.ordered(k) && v.v >= m.limits[k][2] {
			s += " ≥ " + trimFloat(m.limits[k][2])
		}
		s += ")"
	}
	return s + ": raise the limit or reduce the work, then run /autopilot:cockpit --reset-alerts"
}

func (m *model) blockedStep(given string) string {
	var list []string
	for _, it := range m.pos.blockers[:min(len(m.pos.blockers), 10)] {
		list = append(list, short(it.text, 300))
	}
	if text := m.hand.texts[textBlockers]; list == nil && m.pos.reason == "" && !none(text) {
		list = append(list, clip(text, 300))
	} else if list == nil {
		list = append(list, clip(m.pos.reason, 300))
	}
	s := "Resolve: " + strings.Join(list, "; ")
	if len(list) == 1 && list[0] == "" {
		s = "Find out what blocks the flight, and resolve it"
	}
	if m.verdict == handLive || m.verdict == handUnplaced {
		s += "; then: " + m.freshStep()
	} else if strings.HasPrefix(strings.Trim(given, "`"), "/") {
		s += "; then " + given
	}
	return s
}

// freshStep returns the step that gives the hand-off to a fresh agent.
func (m *model) freshStep() string {
	h := m.hand
	s := "Start a fresh agent with the contents of " + h.doc.Path
	var at []string
	if h.phase > 0 {
		at = append(at, h.place())
	}
	task, done := h.task, h.finished()
	for done[task] && task < h.total { // the table marks it done
		task++
	}
	if task > 0 {
		at = append(at, "task "+count{task, h.total}.String())
	}
	if at != nil {
		s += ": " + strings.Join(at, ", ")
	}
	start, rest := h.texts[textNext], h.remains(task)
	if none(start) || placeholder(start) || done[h.begins()] || task != h.task {
		if rest == nil {
			return s
		}
		start = rest.text
	}
	return s + "; start with: " + short(start, 300)
}

// observedStep returns the step that follows from the documents.
func (m *model) observedStep() string {
	switch m.observed {
	case unknown:
		if m.s == readyToPlan { // without a briefing
			return m.next(readyToDiscuss, m.focus)
		}
	case inProgress:
		return m.next(readyToExecute, m.focus)
	case phaseComplete:
		return m.followingStep()
	case readyToExecute:
		if m.n == m.focus && m.p > 1 { // some of its plans are done
			return m.next(inProgress, m.focus)
		}
	}
	return m.next(m.observed, m.focus)
}

// following returns the phase after a complete one.
func (m *model) following() int {
	if m.n >= 1 && m.s == phaseComplete && !m.logged(m.n) && m.logged(m.n-1) && m.p <= 1 {
		return m.n // the counter was already advanced
	}
	return max(m.n, m.focus) + 1
}

// followingStep returns the step after a complete phase.
func (m *model) followingStep() string {
	n := m.following()
	p, s := m.phases.at(n), readyToDiscuss
	switch {
	case m.m >= 0 && n > m.m:
		s = projectComplete
	case p.route != nil:
		s = readyToExecute
	case p.briefing != nil:
		s = readyToPlan
	}
	return m.next(s, n)
}
