package autopilot

import (
	"cmp"
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

func statusBehind(r *check.Report, m *model) {
	f, phase := m.phases.at(m.n), "phase "+itoa(m.n)+" has "
	switch {
	case m.s == readyToDiscuss && f.briefing != nil:
		next := readyToPlan
		if f.route != nil {
			next = readyToExecute
		}
		m.setFresh(m.but(r, phase+f.briefing.Path+", so it would be discussed again"), next)
	case m.s == readyToPlan && f.route != nil:
		m.setFresh(m.but(r, phase+f.route.Path), readyToExecute)
	case f.logbook != nil && (m.s == readyToDiscuss || m.s == readyToPlan || m.s == readyToExecute && m.t <= 1):
		found := m.but(r, phase+f.logbook.Path)
		if m.verdict == handNone && !(m.p >= 2 && m.p < m.t) {
			m.setStatus(found, phaseComplete)
		}
	case m.s == readyToExecute && m.verdict == handNone && f.logbook == nil &&
		(m.t <= 1 || m.p == 0 || m.p == 1 && f.open == 0):
		says := ""
		if t := f.first(true); t != nil {
			says = t.at.Path + " has task " + t.id.String() + " done"
		} else if f.ticked > 0 {
			says = f.route.Path + " has " + say.Count(f.ticked, "task") + " ticked"
		}
		if says != "" {
			m.setStatus(m.but(r, says), inProgress)
		}
	}
}

// setFresh offers to set the status that a phase's documents show. If the plan count says that plans were flown, it
// only advises what to check.
func (m *model) setFresh(f *check.Finding, s status) {
	if m.restarts() && s == readyToExecute {
		m.offerCount(f)
		return
	}
	m.setStatus(f, s)
}

func statusAhead(r *check.Report, m *model) {
	gone, others := m.deleted() // document-lost reports these
	if !m.docs.CompleteBelow("phases") || gone != nil {
		return
	}
	f, n := m.phases.at(m.n), m.finishing()
	started := m.s == readyToExecute || m.s == inProgress
	lost := len(m.base.phases.numbered) > 0 && m.s != projectComplete &&
		!m.planned() // the documents were not moved elsewhere
	switch known := len(m.phases.numbered) > 0; {
	case !known && !m.phases.named && m.n >= 1 && (m.s == readyToPlan || started || m.s == phaseComplete ||
		m.s == projectComplete && !m.filed()):
		if lost || others == nil {
			unless(m.but(r, "there are no phase documents"), lost)
		}
	case m.unflown():
		m.but(r, "phase "+itoa(n)+" has no ROUTE.md")
	case m.s.complete() && m.unlogged() > 0:
		m.but(r, "phase "+itoa(m.unlogged())+" has no "+m.phases.logbook).As(sdk.Warning)
	case m.s == readyToPlan && known && m.n >= 1 && !m.done(m.n) && f.briefing == nil && f.route == nil:
		found := m.but(r, "phase "+itoa(m.n)+" has no BRIEFING.md")
		m.offerPhaseText(found)
		m.setStatus(found, readyToDiscuss)
	case started && known && m.n >= 1 && !m.done(m.n) && !m.flyable(m.n):
		found := m.but(r, "phase "+itoa(m.n)+" has no ROUTE.md")
		if m.p > 0 && m.verdict == handNone { // the position shows that work has started
			found.Advise("Restore the route", "Restore ROUTE.md from git, or write it for "+m.where()+".")
		}
		m.offerPhaseText(found)
		switch {
		case m.verdict != handNone:
		case f.briefing != nil:
			m.setStatus(found, readyToPlan)
		default:
			m.setStatus(found, readyToDiscuss)
		}
	case known && others == nil && m.hole() > 0:
		m.but(r, "phase "+itoa(m.hole())+" has no ROUTE.md, unlike other phases").As(sdk.Warning)
	}
}

// hole returns the first phase that the position has passed and that has no route, although at least two other phases
// have one, including a later phase. It returns 0 if there is none.
func (m *model) hole() int {
	to, routes := 0, 0
	for _, p := range m.phases.list {
		if p.route != nil && p.n > 0 {
			to = p.n
			routes++
		}
	}
	if m.filed() || routes < 2 {
		return 0
	}
	bare := func(n int) bool {
		p := m.phases.at(n)
		_, listed := m.phases.names[n]
		return p.route == nil && p.logbook == nil && p.document == nil && (listed || len(m.phases.names) == 0)
	}
	first, holes := 0, 0
	for n := 1; n < min(m.n, to); n++ {
		if bare(n) {
			first = cmp.Or(first, n)
			holes++
		}
	}
	if holes >= routes { // the records start at a later phase
		return 0
	}
	return first
}

// filed reports whether the archive may contain a complete project's phases.
func (m *model) filed() bool {
	return len(m.docs.Match("archive/*/**")) > 0 || !m.docs.CompleteBelow("archive")
}

// unlogged returns a phase that is marked complete but has no logbook although other phases have one. It returns 0 if
// there is none.
func (m *model) unlogged() int {
	first, last := 1, m.m
	if m.s == phaseComplete {
		if last = m.n; m.p != m.t {
			last--
		}
		first = max(last, 1)
	}
	if !m.phases.logbooks || m.s == phaseComplete && m.t <= 0 {
		return 0
	}
	return firstNot(m.logged, first, last)
}

func emptyPhaseDocument(r *check.Report, m *model) {
	for _, d := range m.phases.numbered {
		if d.Summary.Words == 0 && d.Need != sdk.Listed && len(d.Faults) == 0 {
			f := r.Whole(d.Path, d.Path+" is empty")
			m.offerText(f, d.Path)
		}
	}
}

// offerText offers to restore a document that is empty or missing but has words in the base.
func (m *model) offerText(f *check.Finding, path string) {
	is, was := m.docs.Get(path), m.base.docs.Get(path)
	if was != nil && was.Summary.Words > 0 && len(was.Faults) == 0 && (is == nil || is.Summary.Words == 0) {
		f.Offer(sdk.Review, "Restore "+path+" from the base", sdk.Restore(path))
	}
}

// offerPhaseText offers to restore the phase's briefing or route if it was emptied. The status is then right.
func (m *model) offerPhaseText(f *check.Finding) {
	was := m.base.phases.at(m.n)
	for _, d := range m.phases.numbered {
		if d.Summary.Words == 0 && d.Need != sdk.Listed && len(d.Faults) == 0 &&
			slices.Contains([]*sdk.Document{was.briefing, was.route}, m.base.docs.Get(d.Path)) {
			m.offerText(f, d.Path)
		}
	}
}
