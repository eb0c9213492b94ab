package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// parts are the documents of the phase of the position.
//
//go:noinline
func (m *model) parts() phase {
	if p := m.phases.at(m.n); p != nil {
		return *p
	}
	return phase{}
}

// but makes a finding at the status, with what contradicts it.
//
//go:noinline
func (l *finder) but(message string) *check.Finding {
	return l.status("Status is " + quote(l.m.pos.statusText) + ", but " + message)
}

// setStatus offers a status with its next action.
//
//go:noinline
func (l *finder) setStatus(f *check.Finding, s status) {
	f.Offer(sdk.Review, "Set the status to "+s.title(), l.m.goOn(s)...)
}

func briefingAlreadyWritten(l *finder) {
	parts := l.m.parts()
	if l.m.s != readyToDiscuss || parts.briefing == nil {
		return
	}
	f := l.but("phase " + itoa(l.m.n) + " has " + parts.briefing.Path + ": it would be discussed again")
	if parts.route != nil {
		l.setStatus(f, readyToExecute)
	} else {
		l.setStatus(f, readyToPlan)
	}
}

func routeAlreadyWritten(l *finder) {
	if parts := l.m.parts(); l.m.s == readyToPlan && parts.route != nil {
		l.setStatus(l.but("phase "+itoa(l.m.n)+" has "+parts.route.Path), readyToExecute)
	}
}

// lacks reports whether the phase of the position is to be flown and what it needs
// may be missing.
func (m *model) lacks() bool {
	return m.n >= 1 && len(m.phases.numbered) > 0 && m.docs.CompleteBelow("phases") && !m.done(m.n)
}

func briefingMissing(l *finder) {
	if parts := l.m.parts(); l.m.s == readyToPlan && l.m.lacks() && parts.briefing == nil && parts.route == nil {
		l.setStatus(l.but("phase "+itoa(l.m.n)+" has no BRIEFING.md"), readyToDiscuss)
	}
}

func routeMissing(l *finder) {
	m := l.m
	if m.s == phaseComplete || m.s == projectComplete {
		n := m.finishing()
		if m.s == projectComplete {
			n = m.n
		}
		p := m.phases.at(n)
		flown := p != nil && (p.route != nil || p.logbook != nil || len(p.tasks) > 0 || p.state != taskUnknown)
		if n >= 1 && len(m.phases.numbered) > 0 && m.docs.CompleteBelow("phases") && !flown {
			l.but("phase "+itoa(n)+" has no ROUTE.md").
				Advise("Find the route", "restore the route of phase "+itoa(n)+" from git, or set the status back")
		}
		return
	}
	if m.s != readyToExecute && m.s != inProgress || !m.lacks() || m.flyable(m.n) {
		return
	}
	f := l.but("phase " + itoa(m.n) + " has no ROUTE.md")
	switch {
	case m.verdict != handNone:
		f.Advise("Find the route", "restore the route of phase "+itoa(m.n)+" from git, or plan it again")
	case m.parts().briefing != nil:
		l.setStatus(f, readyToPlan)
	default:
		l.setStatus(f, readyToDiscuss)
	}
}

func phaseFilesMissing(l *finder) {
	m := l.m
	if (m.s == readyToPlan || m.s == readyToExecute || m.s == inProgress) && m.n >= 1 && len(m.phases.numbered) == 0 && m.docs.CompleteBelow("phases") {
		l.but("there is no document of a phase under phases/").
			Advise("Bring the phases back", "commit phases/, or run /autopilot:flightplan")
	}
}

func emptyPhaseDocument(l *finder) {
	for _, d := range l.m.phases.numbered {
		if d.Summary.Words == 0 && len(d.Faults) == 0 {
			l.Whole(d.Path, d.Path+" is empty").
				Advise("Write it or remove it", "write what belongs into "+d.Path+", or remove it")
		}
	}
}

func phaseForked(l *finder) {
	for _, p := range l.m.phases.list {
		if len(p.places) > 1 {
			first, second := strings.TrimSuffix(p.places[0], "/"), strings.TrimSuffix(p.places[1], "/")
			l.Whole("phases/"+p.places[1], "phase "+itoa(p.n)+" has two places: phases/"+clip(first, 80)+" and phases/"+clip(second, 80)).
				Advise("Merge them", "keep one of them and move what the other holds into it")
		}
	}
}

// logged reports whether the documents of a phase themselves say that it is done.
func (m *model) logged(n int) bool {
	p := m.phases.at(n)
	return p != nil && (p.logbook != nil || p.state == taskDone)
}

func logbookMissing(l *finder) {
	m := l.m
	open := 0
	switch {
	case !m.phases.logbooks || !m.docs.CompleteBelow("phases"):
		return
	case m.s == projectComplete:
		for n := 1; n <= m.m && open == 0; n++ {
			if !m.logged(n) {
				open = n
			}
		}
	case m.s == phaseComplete && m.t > 0:
		if open = m.n; m.p != m.t {
			open--
		}
		if open < 1 || m.logged(open) {
			return
		}
	}
	if open > 0 {
		l.but("phase "+itoa(open)+" has no LOGBOOK.md").
			Advise("Write the logbook", "write LOGBOOK.md of phase "+itoa(open)+", or set the status back")
	}
}

func logbookEarly(l *finder) {
	m := l.m
	early := m.s == readyToDiscuss || m.s == readyToPlan || m.s == readyToExecute && m.t <= 1
	if parts := m.parts(); early && parts.logbook != nil {
		f := l.but("phase " + itoa(m.n) + " has " + parts.logbook.Path)
		if m.verdict == handNone && !(m.p >= 2 && m.p < m.t) {
			l.setStatus(f, phaseComplete)
			return
		}
		f.Advise("Find out what is done", "set the status to Phase complete, or move the logbook away")
	}
}
