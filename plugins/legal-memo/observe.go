package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
)

// observe judges every agent, then the orchestrator.
func (m *model) observe() {
	for _, a := range m.agents {
		a.proof = m.prove(a)
		if a.newest.After(m.newest) {
			m.newest = a.newest
		}
	}
	for _, a := range m.agents {
		m.exempt(a)
		m.place(a)
	}
	if o := m.orch; o != nil {
		o.observed, o.state = m.standing(o.expected)
	}
}

// exempt finds the agents that a later stage has overtaken, and whether that is
// allowed: while remediation is open, while the file is being written again, or
// after it was rebuilt, which brings an agent back to where its outputs end.
func (m *model) exempt(a *agent) {
	a.late = a.read && !a.finished && m.laterFinished(a)
	a.stale = a.late && !a.claims && a.status != blocked && !a.unresolved()
	a.exempt = a.kind.stage >= 4 && a.kind.stage <= 7 && m.remediating()
	for _, e := range a.root.Get("compaction_summary").Get("critical_context").Elements() {
		s, _ := e.Text()
		a.exempt = a.exempt || s == rebuiltMark
	}
	if m.base != nil && a.doc != nil {
		was := m.base.docs.Get(a.doc.Path)
		a.exempt = a.exempt || was != nil && !alike(was, a.doc)
	}
}

// laterFinished reports whether an agent of a later stage is finished.
func (m *model) laterFinished(a *agent) bool {
	for _, b := range m.agents {
		if b.finished && b.kind.stage > a.kind.stage {
			return true
		}
	}
	return false
}

// remediating reports whether sections may be written again: the last outcome
// asks for it below the limit of cycles, or a wave is open.
func (m *model) remediating() bool {
	for _, a := range m.agents {
		if a.kind == kinds[waves] && !a.finished {
			return true
		}
	}
	if m.live == nil || !strings.HasPrefix(m.outcome(), "REMEDI") {
		return false
	}
	limit, ok := m.live.root.Get("qa_cycle").Get("max_cycles").Int()
	return !ok || m.live.cycle < limit
}

// place finds the observed phase and the state of an agent.
func (m *model) place(a *agent) {
	a.state = sdk.Active
	if !a.read {
		m.placeUnread(a)
	} else {
		m.placeRead(a)
	}
	switch {
	case a.unresolved():
		a.state = sdk.Blocked
	case a.state == sdk.Active && (a.status == blocked || a.exhausted()):
		a.state = sdk.Blocked
	case a.kind == kinds[qa] && m.live != nil && a != m.live && a.read:
		a.state = sdk.Finished
	case a.state == sdk.Active && m.idleFor(m.opt.days):
		a.state = sdk.Abandoned
	}
}

func (m *model) placeRead(a *agent) {
	last, open := len(a.phases)-1, a.openPhases()
	lost := a.proof == partial || a.proof == absent
	switch {
	case len(open) == 0 || a.claims && a.onlyReturn(open):
		a.observed, a.state = last, sdk.Finished
		if lost {
			a.observed, a.state = a.kind.output, sdk.Active
		}
	case a.proof == proven && a.late && !a.exempt:
		a.observed, a.state = last, sdk.Finished
	default:
		a.observed = open[0]
		if w := a.kind.worked; w >= 0 && w < a.observed && len(a.openItems()) > 0 {
			a.observed = w
		}
		if a.claims && lost && a.kind.output >= 0 && a.kind.output < a.observed {
			a.observed = a.kind.output
		}
	}
	if a.kind == kinds[synthesis] && m.tracked && m.seesMemo() && a.phases[3].in && !a.phases[3].word.open() && len(m.unstarted(a.recorded())) > 0 {
		a.observed, a.state = a.kind.output, sdk.Active
	}
}

// seesMemo reports whether it is known what the memorandum holds, or that it is
// not there.
func (m *model) seesMemo() bool {
	if m.memo == nil {
		return m.complete
	}
	return measured(m.memo)
}

func (m *model) placeUnread(a *agent) {
	switch {
	case a.proof == proven:
		a.observed = a.kind.output
		if a.doc == nil {
			a.state = sdk.Finished
		}
	case a.proof == partial:
		a.observed = max(a.kind.output-1, 0)
	default:
		a.observed = 0
	}
}

// idleFor reports whether nothing in the session is newer than some days.
func (m *model) idleFor(days int) bool {
	return !m.newest.IsZero() && days > 0 && days < 100000 && m.pass.After(m.newest.Add(instant.Duration(days)*instant.Day))
}

// recorded lists the letters that the synthesis says are in the memorandum.
func (a *agent) recorded() []string {
	var letters []string
	add := func(s string) {
		if l := sectionLetter(s); l != "" && !holds(letters, l) {
			letters = append(letters, l)
		}
	}
	for i := range a.guards {
		if a.guards[i].field == "do_not_repeat" {
			add(a.guards[i].text)
		}
	}
	for i := range a.items {
		if a.items[i].word == complete {
			add(a.items[i].key)
		}
	}
	return sorted(letters)
}

// exhausted reports whether the last permitted cycle ended without certificate.
func (a *agent) exhausted() bool {
	if a.kind != kinds[qa] {
		return false
	}
	limit, ok := a.root.Get("qa_cycle").Get("max_cycles").Int()
	if !ok || a.cycle < limit {
		return false
	}
	for _, e := range a.root.Get("qa_cycle").Get("cycle_history").Elements() {
		if n, ok := e.Get("cycle").Int(); ok && n == a.cycle {
			s, _ := e.Get("outcome").Text()
			return !strings.HasPrefix(upperAll(s), "CERTIF")
		}
	}
	return false
}

// standing is the group that the agents show the session to be in. Sections that
// are expected count as agents of generation.
func (m *model) standing(expected []string) (group int, state sdk.State) {
	if m.live != nil && m.live.state == sdk.Finished && strings.HasPrefix(m.outcome(), "CERTIF") {
		return 5, sdk.Finished
	}
	state = sdk.Active
	if m.idleFor(m.opt.days) {
		state = sdk.Abandoned
	}
	k := m.furthest()
	switch {
	case k < 0 && len(m.specialists()) > 0:
		return 1, state
	case k < 0:
		return 0, state
	case k < 5 && m.groupDone(k, expected):
		return k + 1, state
	}
	return k, state
}

// furthest is the last group with a finished agent, -1 for none.
func (m *model) furthest() int {
	k := -1
	for _, a := range m.agents {
		if a.state == sdk.Finished {
			k = max(k, a.kind.group())
		}
	}
	return k
}

// groupDone reports whether every agent of a group is finished, and in
// generation every section that there is or should be.
func (m *model) groupDone(g int, expected []string) bool {
	for _, a := range m.agents {
		if a.kind.group() == g && a.state != sdk.Finished {
			return false
		}
	}
	if g != 3 {
		return true
	}
	for _, l := range expected {
		if a := m.find("section-writer/" + l); a == nil {
			return false
		}
	}
	return true
}
