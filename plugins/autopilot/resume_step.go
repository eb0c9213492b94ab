package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/say"
)

// next returns the default command for a status in phase n.
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

// do writes the first step that applies into the brief.
func (m *model) do(b *brief.Brief, state sdk.State, denied bool) {
	goes := m.s != abandoned && state != sdk.Finished && m.verdict != handElse && (m.stopped() < 0 ||
		m.s == projectComplete)
	switch live := m.verdict == handLive || m.verdict == handUnplaced; {
	case goes && m.s == blocked:
		b.DoWith("", m.blockedStep(), m.unblockedStep())
		if live {
			b.Know("Then: " + strings.Join(m.freshStep(), ""))
		}
	case goes && live:
		step := m.freshStep()
		b.DoWith(step[0], step[1], "")
	default:
		b.Do(m.nextStep(state, denied))
	}
}

// nextStep returns the first step that applies, apart from those of [model.do].
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
	case m.doubted() > 0 && !(m.s == phaseComplete && m.openTasks(m.n) != ""):
		return "Find out whether phase " + itoa(m.doubted()) + " is done: " + m.stillOpen(m.doubted())
	case m.misnumbered() && m.namesItself():
		return "Decide which plan is right: Stopped at has " + m.where() + ", " + m.hand.doc.Path + " has " +
			m.hand.place()
	case m.misnumbered():
		return "Set plan to " + itoa(m.p) + " in " + m.hand.doc.Path + ", then continue from it"
	case m.verdict == handElse:
		return "Decide which position is right: " + m.cdoc.Path + " has " + m.where() + ", " + m.hand.doc.Path +
			" has " +
			m.hand.place()
	case stop >= 0 && m.s != projectComplete:
		return m.stopStep(stop)
	case len(m.passed()) > 0:
		return m.returnStep()
	case m.restarts() && m.phases.at(m.n).route != nil:
		return "Find out which plans of phase " + itoa(m.n) + " are done, and correct the position"
	case denied && m.p > 0 && !m.flyable(m.n) && !m.done(m.n) && (m.s == readyToExecute || m.s == inProgress):
		return "Restore the ROUTE.md of phase " + itoa(m.n) + " from git, or write it; then " + m.next(m.s, m.n)
	case m.unrouted:
		return "Restore the documents of phase " + itoa(m.n) + " from git, or set the status back"
	case denied, m.s == unknown:
		return m.observedStep()
	case m.pos.layoutB && m.pos.hasNext:
		return "/autopilot:cockpit --task=" + m.pos.next.String()
	case given != "" && !contradicts(given, m.s) && !(m.s == phaseComplete &&
		(m.openTasks(m.n) != "" || m.isLast() && strings.Contains(given, "preflight"))):
		return given
	case m.s == phaseComplete:
		return m.followingStep()
	case m.s == projectComplete:
		return m.observedStep()
	}
	return m.next(m.s, m.n)
}

// isLast reports whether no phase follows the position's.
func (m *model) isLast() bool { return m.m >= 0 && m.following() > max(m.m, m.phases.total) }

// returnStep returns the step that continues the first phase that the position left unfinished.
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

// blockedStep returns the step that resolves the blockers.
func (m *model) blockedStep() string {
	var list []string
	for _, it := range m.pos.blockers[:min(len(m.pos.blockers), 10)] {
		list = append(list, short(it.text, 300))
	}
	if text := m.hand.texts[textBlockers]; list == nil && m.pos.reason == "" && !none(text) {
		list = append(list, clip(text, 300))
	} else if list == nil {
		list = append(list, clip(m.pos.reason, 300))
	}
	if len(list) == 1 && list[0] == "" {
		return "Find out what blocks the flight, and resolve it"
	}
	return "Resolve: " + strings.Join(list, "; ")
}

// unblockedStep returns what to do once the blockers are resolved: continue from the hand-off, or run the recorded
// command. It returns "" if neither exists.
func (m *model) unblockedStep() string {
	given := clip(m.pos.get("nextaction").given(), 50)
	switch {
	case m.verdict == handLive || m.verdict == handUnplaced:
		return "; then continue from " + m.hand.doc.Path
	case m.elsewhere(given) == 0 && strings.HasPrefix(strings.Trim(given, "`"), "/"):
		return "; then " + given
	}
	return ""
}

// handPlace returns the phase, plan and task where the hand-off continues.
func (m *model) handPlace() (at []string) {
	if m.hand.phase > 0 {
		at = append(at, m.hand.place())
	}
	if task := m.handTask(); task > 0 {
		at = append(at, "task "+count{task, m.hand.total}.String())
	}
	return at
}

// handTask returns the task where the hand-off continues: the current one or, if its table marks that as done, the
// next one that it does not mark. If an earlier task in the table is not done, it is that one.
func (m *model) handTask() int {
	h := m.hand
	task, done := h.task, h.finished()
	for done[task] && task < h.total {
		task++
	}
	for _, row := range h.rows {
		if n := row.id.n; n > 0 && n < task && row.state != taskDone && row.state != taskUnknown {
			task = n
		}
	}
	return task
}

// freshStep returns the step that gives the hand-off to a fresh agent, in two parts: the instruction to start the
// agent, and what the agent does first.
func (m *model) freshStep() []string {
	h, task := m.hand, m.handTask()
	if task > 0 && task == h.total && len(h.finished()) == h.total && len(h.remaining) == 0 {
		return []string{"Every task of " + h.doc.Path + " is done: verify " + h.place() + ", and record it as done", ""}
	}
	s := "Start a fresh agent with " + h.doc.Path
	if task > 0 {
		s += " at task " + count{task, h.total}.String()
	}
	start, rest := h.texts[textNext], h.remains(task)
	if none(start) || placeholder(start) || h.finished()[h.begins()] || task != h.task {
		if rest == nil {
			return []string{s, ""}
		}
		_, start, _ = readTask(rest.text)
		// the item contains only a status
		if start = untitled(start); start == "" || readTaskState(start) != taskUnknown {
			return []string{s, ""}
		}
	}
	return []string{s + ": ", short(start, 300)}
}

// observedStep returns the step that follows from the documents.
func (m *model) observedStep() string {
	switch m.observed {
	case unknown:
		if m.s == readyToPlan { // the phase has no briefing
			return m.next(readyToDiscuss, m.focus)
		}
	case inProgress:
		return m.next(readyToExecute, m.focus)
	case phaseComplete:
		return m.followingStep()
	case readyToExecute:
		if (m.n == m.focus || m.n < 0) && m.p > 1 { // some of its plans are done
			return m.next(inProgress, m.focus)
		}
	}
	return m.next(m.observed, m.focus)
}

// following returns the phase after a complete one.
func (m *model) following() int {
	if m.movedOn() || m.n >= 1 && m.s == phaseComplete && !m.logged(m.n) && m.logged(m.n-1) && m.p <= 1 {
		return m.n // the counter was already advanced
	}
	return max(m.n, m.focus) + 1
}

// followingStep returns the step after a complete phase.
func (m *model) followingStep() string {
	if open := m.openTasks(m.n); m.s == phaseComplete && open != "" && m.finishing() == m.n {
		return "Finish " + open + " of phase " + itoa(m.n) + ", or record each as done; then " + m.next(m.s, m.n)
	}
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
