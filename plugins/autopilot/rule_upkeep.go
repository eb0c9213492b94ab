package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

func blockedWithoutBlocker(l *look) {
	m := l.m
	if m.s != blocked || len(m.pos.blockers) > 0 || m.pos.reason != "" || m.hand != nil && !none(m.hand.texts[textBlockers]) {
		return
	}
	l.tell(m.pos.placeOf(m.pos.statusField()), "", "blocked, but by what is not said")
	l.manual("Name the blocker", `add an item under Blockers, such as "Phase 3: waiting for API keys"`)
}

func blockerButFlying(l *look) {
	m := l.m
	if list := m.pos.blockers; len(list) > 0 && m.s != unknown && m.s < blocked && len(m.leftBlockers()) == 0 {
		l.tell(list[0].span(), "", plural(len(list), "blocker")+" listed, status "+quote(m.pos.statusText))
		l.manual("Settle it", "set the status to Blocked, or take out the blocker if it is resolved")
	}
}

// span is where an item's own text stands.
func (it *item) span() sdk.Range {
	if it.stop > it.own {
		return sdk.AtBytes(it.path, it.own, it.stop)
	}
	return sdk.AtBytes(it.path, it.start, it.end)
}

// phase is the number of the phase that a blocker begins with.
func (it *item) phase() (n int, ok bool) {
	text := strings.TrimLeftFunc(it.text, markdown.Symbol)
	bare := after(text, "Phase ")
	if bare == text && len(text) > 1 && (text[0] == 'P' || text[0] == 'p') {
		bare = text[1:]
	}
	n, rest := leading(bare)
	if n < 0 {
		return 0, false
	}
	return n, rest == "" || rest[0] < '0' || rest[0] > '9'
}

// leftBlockers lists the blockers of what is complete.
func (m *model) leftBlockers() []*item {
	var list []*item
	for n := range m.pos.blockers {
		it := &m.pos.blockers[n]
		phase, ok := it.phase()
		if m.s == projectComplete || m.s == phaseComplete && ok && phase == m.n {
			list = append(list, it)
		}
	}
	return list
}

func blockerAfterCompletion(l *look) {
	m := l.m
	list := m.leftBlockers()
	if len(list) == 0 {
		return
	}
	l.tell(list[0].span(), "", "blocker left after completion: "+quote(list[0].text))
	o := l.offer(sdk.Review, "Take out what no longer blocks")
	if o == nil || len(list) > 50 {
		return
	}
	for n, it := range list {
		if n == 0 && len(list) == len(m.pos.blockers) {
			o.replace(it.path, it.start, it.end, "- None")
		} else {
			o.removeItem(m.cdoc.Text, it)
		}
	}
}

func blockerWithoutPhase(l *look) {
	m := l.m
	for n := range m.pos.blockers {
		it := &m.pos.blockers[n]
		if _, ok := it.phase(); ok {
			continue
		}
		l.tell(it.span(), it.text, "blocker names no phase: "+quote(it.text))
		if o := l.offer(sdk.Review, "Name phase "+itoa(m.focus)); m.focus > 0 && it.stop > it.own && o != nil {
			raw := m.cdoc.Text[it.own:it.stop]
			o.replace(it.path, it.own, it.stop, "Phase "+itoa(m.focus)+": "+raw)
		}
	}
}

// parts are the documents of the phase of the position.
func (m *model) parts() phase {
	if p := m.phases.at(m.n); p != nil {
		return *p
	}
	return phase{}
}

func (l *look) statusAt(message string) {
	l.tell(l.m.pos.placeOf(l.m.pos.statusField()), "", quote(l.m.pos.statusText)+" but "+message)
}

// forward offers a status with its next action.
func (l *look) forward(s status) {
	if o := l.offer(sdk.Review, "Set the status to "+s.title()); o != nil {
		o.status(s, l.m.next(s, l.m.n))
	}
}

func briefingAlreadyWritten(l *look) {
	parts := l.m.parts()
	if l.m.s != readyToDiscuss || parts.briefing == nil {
		return
	}
	l.statusAt("phase " + itoa(l.m.n) + " has a briefing: it would be discussed again")
	if parts.route != nil {
		l.forward(readyToExecute)
	} else {
		l.forward(readyToPlan)
	}
}

func routeAlreadyWritten(l *look) {
	if l.m.s == readyToPlan && l.m.parts().route != nil {
		l.statusAt("phase " + itoa(l.m.n) + " has a route")
		l.forward(readyToExecute)
	}
}

// lacks reports whether the phase of the position is to be flown and what it needs
// may be missing.
func (m *model) lacks() bool {
	return m.n >= 1 && len(m.phases.numbered) > 0 && m.docs.CompleteBelow("phases") && !m.done(m.n)
}

func briefingMissing(l *look) {
	if parts := l.m.parts(); l.m.s == readyToPlan && l.m.lacks() && parts.briefing == nil && parts.route == nil {
		l.statusAt("phase " + itoa(l.m.n) + " has no BRIEFING.md")
		l.forward(readyToDiscuss)
	}
}

func routeMissing(l *look) {
	m := l.m
	if m.s != readyToExecute && m.s != inProgress || !m.lacks() || m.flyable(m.n) {
		return
	}
	l.statusAt("phase " + itoa(m.n) + " has no ROUTE.md")
	switch {
	case m.verdict != handNone:
		l.manual("Find the route", "restore the route of phase "+itoa(m.n)+" from git, or plan it again")
	case m.parts().briefing != nil:
		l.forward(readyToPlan)
	default:
		l.forward(readyToDiscuss)
	}
}

func phaseFilesMissing(l *look) {
	m := l.m
	if (m.s == readyToPlan || m.s == readyToExecute || m.s == inProgress) && m.n >= 1 && len(m.phases.numbered) == 0 && m.docs.CompleteBelow("phases") {
		l.tell(m.pos.placeOf(m.pos.statusField()), "", "nothing under phases/ backs the status "+quote(m.pos.statusText))
		l.manual("Bring the phases back", "commit phases/, or run /autopilot:flightplan")
	}
}

func emptyPhaseDocument(l *look) {
	for _, d := range l.m.phases.numbered {
		if d.Summary.Words == 0 && len(d.Faults) == 0 {
			name := strings.TrimPrefix(d.Path, "phases/")
			dir, file, inside := strings.Cut(name, "/")
			number, _ := phaseNumber(strings.TrimSuffix(dir, ".md"))
			if !inside {
				file = name
			}
			l.tell(sdk.At(d.Path), "", clip(file, 80)+" of phase "+itoa(number)+" is empty")
			l.manual("Write it or remove it", "write what belongs into "+d.Path+", or remove it")
		}
	}
}

func phaseForked(l *look) {
	for _, p := range l.m.phases.list {
		if len(p.places) > 1 {
			first, second := p.places[0], p.places[1]
			l.tell(sdk.At("phases/"+second), "", "phase "+itoa(p.n)+" lives in "+clip(strings.TrimSuffix(first, "/"), 80)+" and "+clip(strings.TrimSuffix(second, "/"), 80))
			l.manual("Merge them", "keep one of them and move what the other holds into it")
		}
	}
}

func logbookMissing(l *look) {
	m := l.m
	open := 0
	switch {
	case !m.phases.logbooks || !m.docs.CompleteBelow("phases"):
		return
	case m.s == projectComplete:
		for n := 1; n <= m.m && open == 0; n++ {
			if !m.done(n) {
				open = n
			}
		}
	case m.s == phaseComplete && m.t > 0:
		if open = m.n; m.p != m.t {
			open--
		}
		if open < 1 || m.done(open) {
			return
		}
	}
	if open > 0 {
		l.tell(m.pos.placeOf(m.pos.statusField()), "", "phase "+itoa(open)+" is called complete but has no LOGBOOK.md")
		l.manual("Write the logbook", "write LOGBOOK.md of phase "+itoa(open)+", or set the status back")
	}
}

func logbookEarly(l *look) {
	m := l.m
	early := m.s == readyToDiscuss || m.s == readyToPlan || m.s == readyToExecute && m.t <= 1
	if !early || m.parts().logbook == nil {
		return
	}
	l.tell(m.pos.placeOf(m.pos.statusField()), "", "phase "+itoa(m.n)+" has a logbook but is "+quote(m.pos.statusText))
	if m.verdict == handNone && !(m.p >= 2 && m.p < m.t) {
		l.forward(phaseComplete)
		return
	}
	l.manual("Find out what is done", "set the status to Phase complete, or move the logbook away")
}

// taskOf returns a task of the phase documents, nil if it is not there.
func (m *model) taskOf(id taskID) *task {
	p := m.phases.at(id.phase)
	if p == nil {
		return nil
	}
	for n := range p.tasks {
		if p.tasks[n].id == id {
			return &p.tasks[n]
		}
	}
	return nil
}

func nextTaskDone(l *look) {
	p := l.m.pos
	if !p.layoutB || !p.hasNext {
		return
	}
	if t := l.m.taskOf(p.next); p.hasLast && p.last == p.next || t != nil && t.state == taskDone {
		l.field("nexttask", "next task "+p.next.String()+" is already completed")
		l.manual("Find the next task", "look up in the route which task is open and correct Next Task")
	}
}

func nextTaskElsewhere(l *look) {
	m, p := l.m, l.m.pos
	if !p.layoutB || !p.hasNext {
		return
	}
	next := p.next.phase
	if next > 0 && m.n >= 1 && next != m.n && !(next == m.n+1 && (m.s == phaseComplete || m.done(m.n))) {
		l.field("nexttask", "next task "+p.next.String()+", position is phase "+itoa(m.n))
		l.manual("Settle it", "correct Next Task or Phase")
		return
	}
	for _, id := range p.arguments {
		if id != p.next {
			l.field("nexttask", "next task "+p.next.String()+", the resume instructions say --task="+id.String())
			l.manual("Settle it", "name the same task in Next Task and in the commands")
			return
		}
	}
}
