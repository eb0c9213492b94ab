package legalmemo

import (
	"slices"

	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/say"
)

// resumeOrchestrator goes on from the phase that is recorded, as far as the agents do not refute it, and lists
// what its agents have yet to do.
func (m *model) resumeOrchestrator(b *brief.Brief, wrong string) {
	o, at := m.orch, m.goOn()
	b.Read(orchestratorPath)
	open := m.openSteps(at, o.expected)
	next := "go on with " + groupNames[at]
	switch {
	case len(open) > 0:
		next += ": " + open[0]
	case at == o.claimedGroup() && at < len(groupNames)-1 && m.furthest() >= at:
		next += ": all of its agents are finished; record it COMPLETE, then go on with " + groupNames[at+1]
	}
	b.Do(next + "; do not restart from P1")
	switch claim := o.claimedGroup(); {
	case o.current == "" || claim == at && o.inBlock:
	case wrong != "" && claim != at:
		b.Know("recorded, contradicted by " + wrong + ": current phase " + say.Quote(o.current))
	default:
		b.Know("recorded: current phase " + say.Quote(o.current))
	}
	for _, g := range o.gates {
		if t, ok := tries(g.body); t.fault(g.name) != "" {
			b.Know(t.fault(g.name) + "; escalate, ask a person how to go on")
		} else if ok && t.n > 0 {
			b.Know("gate " + g.name + ": " + figure(t.n) + " of " + figure(t.limit) + " " + t.what + " made")
		}
	}
	for _, s := range o.ids {
		if s.word == complete && m.unfinishedOf(s.group) == nil && s.group <= at {
			b.Done(s.id)
		}
	}
	for g := range at {
		m.passedGroup(b, g)
	}
	for _, step := range open[min(1, len(open)):] {
		b.Left(step)
	}
	for _, s := range o.ids {
		switch {
		case s.word == complete && (s.group > at || m.unfinishedOf(s.group) != nil):
			b.Left(s.id + notProven)
		case s.word != complete && s.word != skipped:
			b.Left(s.id)
		}
	}
	for g := at; g < len(groupNames); g++ {
		if !o.has(g) {
			b.Left(groupNames[g])
		}
	}
	b.Closing = "write the state before and after every step"
}

// passedGroup says what is done of a group that no id records and that is over, and what was left out.
func (m *model) passedGroup(b *brief.Brief, g int) {
	open := m.openSteps(g, nil)
	if m.orch.has(g) {
		return
	}
	if len(open) == 0 {
		b.Done(groupNames[g])
		return
	}
	for i, k := range kinds {
		if k.group() == g && i != writer && m.missing(i) == "" {
			b.Done(k.name)
		}
	}
	b.Know(groupNames[g] + " is over without " + say.List(open))
}

// has reports whether an id of a group is recorded.
func (o *orchestrator) has(g int) bool {
	return slices.ContainsFunc(o.ids, func(s *stage) bool { return s.group == g })
}
