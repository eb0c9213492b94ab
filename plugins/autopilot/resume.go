package autopilot

import (
	"github.com/stategate/stategate/sdk"
)

// most lines are listed of what is skipped and of what remains.
const most = 50

// resume writes the brief. The next agent is a fresh one: the brief stands alone.
func resume(p *sdk.Pass, d *sdk.Detection, found []sdk.Diagnostic) {
	m := p.Model.(*model)
	d.Resume.ReadFirst = m.readFirst()
	d.Resume.Skip = m.skip()
	d.Resume.Remaining = m.remaining()
	d.Resume.Context = m.context()
	next := m.nextStep(d.State, denied(found))
	for k := range kinds {
		if m.pausing(k) && !m.s.closed() {
			next += "; expect a pause: " + kindNames[k] + " is at alert"
			if v := m.th.value(k); v.ok {
				next += " (" + clip(v.raw, 40) + ")"
			}
			next += " and not acknowledged"
		}
	}
	d.Resume.Next = next
}

// denied reports whether the phase documents contradict the status.
func denied(found []sdk.Diagnostic) bool {
	for i := range found {
		switch found[i].Rule {
		case "briefing-already-written", "briefing-missing", "route-missing":
			return true
		}
	}
	return false
}

func (m *model) readFirst() []string {
	var list []string
	if m.cdoc != nil {
		list = append(list, m.cdoc.Path)
	}
	if m.holds() {
		list = append(list, m.hand.doc.Path)
	}
	if f := m.phases.at(m.focus); f != nil {
		if f.briefing != nil {
			list = append(list, f.briefing.Path)
		}
		if f.route != nil {
			list = append(list, f.route.Path)
		} else if f.document != nil {
			list = append(list, f.document.Path)
		}
	}
	for _, e := range m.ak.entries {
		if e.valid() {
			list = append(list, acksPath)
			break
		}
	}
	if m.docs.Get("learnings.md") != nil {
		list = append(list, "learnings.md")
	}
	return list
}

func named(line, name string) string {
	if name == "" || none(name) {
		return line
	}
	return line + " — " + clip(oneLine(name), 120)
}

func (m *model) skip() []string {
	var list []string
	if h := m.hand; m.verdict == handLive && len(h.rows) > 0 {
		for i := range h.rows {
			if r := &h.rows[i]; r.state == taskDone && len(list) < most {
				line := named("task "+itoa(r.n), r.name)
				if isCommit(r.commit) {
					line += " (" + r.commit + ")"
				}
				list = append(list, line)
			}
		}
	} else if f := m.phases.at(m.focus); f != nil {
		for i := range f.tasks {
			if t := &f.tasks[i]; t.state == taskDone && len(list) < most {
				list = append(list, named("task "+t.id.String(), t.name))
			}
		}
	}
	from, to := 0, -1
	flush := func() {
		if to > from {
			list = append(list, "phases "+itoa(from)+"–"+itoa(to)+" (done)")
		} else if to == from {
			list = append(list, "phase "+itoa(from)+" (done)")
		}
	}
	for _, p := range m.phases.list {
		if !m.done(p.n) || len(list) >= 2*most {
			continue
		}
		if p.n != to+1 || to < 0 {
			flush()
			from = p.n
		}
		to = p.n
	}
	flush()
	if h := m.hand; m.verdict == handStale {
		why := "phase " + itoa(h.phase)
		if h.plan > 0 {
			why += " plan " + itoa(h.plan)
		}
		list = append(list, h.doc.Path+" (stale: "+why+" is over)")
	}
	return list
}

func (m *model) remaining() []string {
	var list []string
	more := 0
	add := func(line string) {
		if len(list) < most {
			list = append(list, line)
		} else {
			more++
		}
	}
	if m.s == abandoned || m.state() == sdk.Finished {
		return nil
	}
	if m.holds() && len(m.hand.remaining) > 0 {
		for i := range m.hand.remaining {
			add(clip(oneLine(m.hand.remaining[i].text), 300))
		}
	} else {
		if f := m.phases.at(m.focus); f != nil {
			for i := range f.tasks {
				if t := &f.tasks[i]; t.state != taskDone {
					add(named("task "+t.id.String(), t.name))
				}
			}
		}
		if len(list) == 0 && m.p >= 0 && m.focus == m.n && m.s != phaseComplete {
			first := max(m.p, 1)
			for plan := first; plan <= m.t && plan < first+most; plan++ {
				add("plan " + count{plan, m.t}.String())
			}
			more += max(0, m.t-first-most+1)
		}
	}
	if m.focus > 0 {
		for n := m.focus + 1; n <= m.m && n <= m.focus+most; n++ {
			add(named("phase "+count{n, m.m}.String(), m.phases.names[n]))
		}
		more += max(0, m.m-m.focus-most)
	}
	if more > 0 {
		list = append(list, "… and "+itoa(more)+" more")
	}
	return list
}

// objective is what a fresh agent is to do with the hand-off.
func (m *model) objective() string {
	h := m.hand
	s := "Continue"
	if h.phase > 0 {
		s += " phase " + itoa(h.phase)
		if h.plan > 0 {
			s += ", plan " + itoa(h.plan)
		}
	}
	if h.task > 0 {
		s += " from task " + itoa(h.task)
		if h.total > 0 {
			s += " of " + itoa(h.total)
		}
	}
	return s
}

// context lists what the next agent has to know.
func (m *model) context() []string {
	var list []string
	add := func(title, text string) {
		if text != "" && !none(text) && !placeholder(text) {
			list = append(list, title+": "+clip(text, 300))
		}
	}
	if h := m.hand; h != nil && m.holds() {
		if r := h.row(h.task); r != nil {
			add("Current task", named("task "+itoa(r.n), r.name))
		}
		for i, title := range [...]string{"Current state", "Decisions made", "Blockers", "Context"} {
			add(title, h.texts[i])
		}
	}
	if m.pos != nil {
		for i := range m.pos.decisions {
			if i < 10 {
				add("Decision", oneLine(m.pos.decisions[i].text))
			}
		}
	}
	return list
}

// nextStep is the first that fits.
func (m *model) nextStep(state sdk.State, denied bool) string {
	given := ""
	if m.pos != nil {
		given = clip(m.pos.get("nextaction").given(), 300)
	}
	stop := m.stopped()
	switch {
	case m.s == abandoned:
		return "Nothing: the run is marked abandoned"
	case state == sdk.Finished && given != "":
		return given
	case state == sdk.Finished:
		return "Archive or ship; new work starts with /autopilot:flightplan"
	case m.verdict == handAhead:
		return "Decide which position holds: " + m.cdoc.Path + " says " + m.position() + ", " + m.hand.doc.Path + " says phase " +
			itoa(m.hand.phase) + " plan " + itoa(max(m.hand.plan, 0))
	case stop >= 0 && m.s != projectComplete:
		return m.stopStep(stop)
	case m.s == blocked:
		return m.blockedStep(given)
	case m.verdict == handLive, m.verdict == handUnplaced:
		return m.freshStep()
	case denied, m.s == unknown:
		return m.observedStep()
	case m.pos.layoutB && m.pos.hasNext:
		return "/autopilot:cockpit --task=" + m.pos.next.String()
	case given != "" && !contradicts(given, m.s):
		return given
	case m.s == phaseComplete:
		return m.followingStep()
	}
	if m.s == projectComplete {
		return m.observedStep()
	}
	return m.next(m.s, m.n)
}

func (m *model) stopStep(k int) string {
	s := kindNames[k] + " is at the stop level"
	if v := m.th.value(k); v.ok {
		s += " (" + clip(v.raw, 40)
		if m.ordered[k] && v.v >= m.limits[k][2] {
			s += " ≥ " + trimFloat(m.limits[k][2])
		}
		s += ")"
	}
	return s + ": raise the limit or shrink the remaining work, then /autopilot:cockpit --reset-alerts"
}

func (m *model) blockedStep(given string) string {
	s := "Resolve: "
	switch {
	case len(m.pos.blockers) > 0:
		s += clip(oneLine(m.pos.blockers[0].text), 300)
	case m.pos.reason != "":
		s += clip(m.pos.reason, 300)
	case m.hand != nil && !none(m.hand.texts[textBlockers]):
		s += clip(m.hand.texts[textBlockers], 300)
	default:
		s += "what blocks, which nothing says"
	}
	if given != "" {
		s += "; then " + given
	}
	return s
}

// freshStep hands the hand-off to a fresh agent.
func (m *model) freshStep() string {
	h := m.hand
	s := "Spawn a fresh agent with " + h.doc.Path + " inlined: " + m.objective()
	start := h.texts[textNext]
	if none(start) || placeholder(start) {
		start = ""
		for i := range h.remaining {
			if it := &h.remaining[i]; h.task >= it.from && h.task <= it.to && it.from > 0 {
				start = oneLine(it.text)
			}
		}
	}
	if start != "" {
		s += "; start with: " + clip(start, 300)
	}
	return s
}

// observedStep goes by what the documents prove.
func (m *model) observedStep() string {
	switch m.observed {
	case unknown:
		return "/autopilot:flightplan"
	case inProgress:
		return m.next(readyToExecute, m.focus)
	case phaseComplete:
		return m.followingStep()
	case projectComplete:
		return "Every phase is done: set the status to Project complete"
	}
	return m.next(m.observed, m.focus)
}

// followingStep is what comes after a complete phase.
func (m *model) followingStep() string {
	n := max(m.n, m.focus) + 1
	if m.n >= 1 && m.s == phaseComplete && !m.done(m.n) && m.done(m.n-1) && m.p <= 1 {
		n = m.n // the counter was already advanced
	}
	if m.m >= 0 && n > m.m {
		return "Every phase is done: set the status to Project complete"
	}
	p := m.phases.at(n)
	switch {
	case p != nil && p.route != nil:
		return m.next(readyToExecute, n)
	case p != nil && p.briefing != nil:
		return m.next(readyToPlan, n)
	}
	return m.next(readyToDiscuss, n)
}
