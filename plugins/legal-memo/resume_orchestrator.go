package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/say"
)

// resumeOrchestrator continues from the recorded phase unless the agents refute it, and lists the open steps of that
// phase's agents.
func (m *model) resumeOrchestrator(b *brief.Brief, wrong string) {
	o, at := m.orch, m.goOn()
	b.Read(orchestratorPath)
	for _, a := range m.agents {
		if m.orch.doc == nil && a.doc != nil && a.kind.group() == m.furthest() {
			b.Read(a.doc.Path)
		}
	}
	for _, d := range m.under("qa-outputs/") {
		if at == 5 && strings.HasSuffix(d.Path, ".md") {
			b.Read(d.Path)
		}
	}
	open := m.openSteps(at, o.expected)
	next := "continue with " + groupNames[at]
	switch {
	case len(open) > 0:
		next += ": " + open[0]
	case at == o.claimedGroup() && at < len(groupNames)-1 && m.furthest() >= at:
		next += ", whose agents are all finished; record it as COMPLETE, then continue with " + groupNames[at+1]
	}
	if at == 5 && m.remediationDue() {
		next += ": fix the issues from cycle " + say.Int(m.live.cycle) + ", then start the next cycle"
	}
	b.Know("do not restart from P1")
	if live := m.live; live != nil && live.atLimit() {
		next = m.nextStep(live)
	}
	spent := m.spentGate(at)
	if spent != "" {
		next = escalate + spent
	}
	b.Do(next)
	switch claim := o.claimedGroup(); {
	case o.current == "" || claim == at && o.inBlock:
	case wrong != "" && claim != at:
		b.Know("recorded in a file with an error: current phase " + say.Quote(o.current))
	default:
		b.Know("recorded: current phase " + say.Quote(o.current))
	}
	for _, g := range o.gates {
		if t, ok := tries(g.body); t.fault(g.name) != "" && t.fault(g.name) == spent {
			continue
		} else if t.fault(g.name) != "" {
			b.Know(t.fault(g.name) + "; escalate and ask a person how to continue")
		} else if ok && t.n > 0 {
			b.Know("gate " + g.name + ": " + figure(t.n) + " of " + figure(t.limit) + " " + t.what + " used")
		}
	}
	proven := func(s *stage) bool {
		return s.group <= at && m.unfinishedOf(s.group) == nil && m.refutedOf(s.group) == nil &&
			!(s.group == 5 && m.uncertified()) &&
			!(s.group == 3 && len(m.unmade()) > 0)
	}
	for _, s := range o.ids {
		if s.word == complete && proven(s) {
			b.Done(s.id)
		}
	}
	for g := range at {
		m.passedGroup(b, g)
	}
	b.Left(open[min(1, len(open)):]...)
	for _, s := range o.ids {
		switch {
		case s.word == complete && !proven(s):
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
	b.Closing = "write the state before and after each step"
}

// escalate begins the text of a next action that only a person can take.
const escalate = "escalate and ask a person how to continue: "

// spentGate returns the message about a gate that has no attempts left, or "" if there is none. In the last group, a
// gate at its limit counts only if it is a gate of A2: an earlier one that was passed at the last attempt still has the
// previous attempt's reason.
func (m *model) spentGate(at int) string {
	gates := m.orch.gates
	if m.live != nil {
		gates = append(gates, m.live.gates()...)
	}
	for _, g := range gates {
		if t, _ := tries(g.body); t.n > t.limit || t.exhausted() && (at < 5 || begins(g.name, "A2")) {
			return t.fault(g.name)
		}
	}
	return ""
}

// passedGroup lists a completed group that no id records, or the work that was left out.
func (m *model) passedGroup(b *brief.Brief, g int) {
	open := m.openSteps(g, nil)
	if m.orch.has(g) {
		return
	}
	if len(open) == 0 {
		b.Done(groupNames[g])
		return
	}
	b.Know(groupNames[g] + " is complete without " + say.List(open))
}

// has reports whether an id in a group is recorded.
func (o *orchestrator) has(g int) bool {
	return slices.ContainsFunc(o.ids, func(s *stage) bool { return s.group == g })
}
