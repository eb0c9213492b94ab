package legalmemo

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// checkOrchestrator compares the orchestrator with the agents.
func (m *model) checkOrchestrator() {
	o := m.orch
	if o.why != "" {
		d := m.tellOrch("unreadable-orchestrator-block", 0, o.whyAt, "", "the block names phases_completed or gate_attempts and is no JSON: "+o.why)
		if m.base != nil && m.base.orch != nil && m.base.orch.why == "" && m.base.orch.structured {
			offer(d, sdk.Review, "Restore "+orchestratorPath+" from the base revision", sdk.Restore(orchestratorPath))
		}
		advise(d, "Repair the block", "complete the JSON, restore it from the repository, or choose the recovery that rebuilds it")
	}
	if o.differ {
		advise(m.tellOrch("orchestrator-blocks-differ", 0, o.currentAt, "current_phase", "two blocks name another current_phase, the last one "+shown(o.current)), "Keep one", "keep the block that is right")
	}
	m.checkStages()
	m.checkTurns()
	claimed := o.claimedGroup()
	if k := m.furthest(); claimed >= 0 && claimed < k && !o.differ && !(claimed == 4 && m.returning()) {
		d := m.tellOrch("orchestrator-behind-agents", graded(o.structured, sdk.Error, sdk.Warning), o.currentAt, "", "the orchestrator is at "+groups[claimed]+", but an agent of "+groups[k]+" is finished")
		o.offerPhase(d, o.observed)
		advise(d, "Set the phase", "write the phase that the agents are in; do not restart from P1")
	}
	m.checkExpected()
	for _, g := range o.gates {
		if text, beyond := gateText(g.name, g.body); text != "" {
			rule, step := gateRule(beyond)
			advise(m.tellOrch(rule, 0, g.at, g.name, text), "Escalate", step)
		}
	}
}

func (m *model) checkStages() {
	o := m.orch
	for i, g := range o.gates {
		for _, other := range o.gates[:i] {
			if other.name == g.name && !same(other.body, g.body) {
				advise(m.tellOrch("orchestrator-blocks-differ", 0, g.at, g.name, "two blocks say different things of the gate "+g.name), "Keep one", "keep the block that is right")
				break
			}
		}
	}
	for _, s := range o.ids {
		switch {
		case s.differ:
			advise(m.tellOrch("orchestrator-blocks-differ", 0, s.at, s.id, "two blocks say different things of "+s.id), "Keep one", "keep the block that is right")
		case s.word == unknownWord:
			advise(m.tellOrch("unknown-status", 0, s.at, s.id, s.id+": status is "+shown(s.text)+", which is none that is known"), "Set a known status", "write PENDING, IN_PROGRESS or COMPLETE")
		}
		if s.word != complete {
			continue
		}
		if a := m.unfinishedOf(s.group); a != nil && m.complete {
			d := m.tellOrch("orchestrator-ahead-of-agent", 0, s.at, s.id, s.id+" is complete, but "+a.subject+" is at "+phaseNames[a.kind.place()][a.observed])
			offer(d, sdk.Review, "Set "+s.id+" IN_PROGRESS", o.setStatus(s, "IN_PROGRESS")...)
			advise(d, "Look at the agent", "let "+a.subject+" finish, or set "+s.id+" IN_PROGRESS")
		}
		if n, ok := s.body.Get("validators_passed").Float(); ok && s.group == 2 && n < 4 {
			advise(m.tellOrch("validators-missing", 0, s.at, s.id, s.id+" is complete, but validators_passed is "+figure(n)+", expected 4"), "Run the validators", "run those that did not pass")
		}
	}
	for _, s := range o.ids {
		if n, ok := s.body.Get("qa_cycles").Float(); ok && s.group == 5 && m.live != nil && m.live.root.Get("qa_cycle").Get("current_cycle").Exists() && n != float64(m.live.cycle) {
			advise(m.tellOrch("cycle-counters-differ", 0, s.at, s.id, s.id+": qa_cycles is "+figure(n)+", but current_cycle of "+m.live.path()+" is "+itoa(int(m.live.cycle))), "Count again", "set the counter that is wrong")
		}
	}
}

// returning reports whether the session may be at assembly again: quality asked
// for it, or the gate between them failed.
func (m *model) returning() bool {
	if !m.complete || m.remediating() { // what asks for it may be unseen
		return true
	}
	gates := []gateAt(nil)
	if m.orch != nil {
		gates = m.orch.gates
	}
	for _, g := range gates {
		if s, _ := g.body.Get("last_failure_reason").Text(); g.name == "A1_to_A2" && s != "" {
			return true
		}
	}
	if m.live == nil {
		return false
	}
	s, _ := m.live.root.Get("gate_attempts").Get("A1_to_A2").Get("last_failure_reason").Text()
	return s != ""
}

// unfinishedOf is an agent of a group that is neither finished nor blocked. One
// that only its outputs refute has an error of its own, as has one that cannot be
// read.
func (m *model) unfinishedOf(g int) *agent {
	for _, a := range m.agents {
		if a.kind.group() == g && a.read && !a.finished && a.state != sdk.Finished && a.state != sdk.Blocked && m.chosen(a) == a {
			return a
		}
	}
	return nil
}

// checkTurns looks at the order of the orchestrator's phases: at the first id that
// began before an earlier one was complete, and at where it claims to be.
func (m *model) checkTurns() {
	m.checkOrder()
	m.checkStay()
}

func (m *model) checkOrder() {
	for i, s := range m.orch.ids {
		if s.word != complete && s.word != inProgress || s.group < 0 {
			continue
		}
		for _, before := range m.orch.ids[:i] {
			switch {
			case before.group < 0 || before.group >= s.group:
			case before.word == complete || before.word == skipped:
			case before.group == 4 && m.returning():
			default:
				m.sayEarly(s, before)
				return
			}
		}
	}
}

func (m *model) sayEarly(s, before *stage) {
	d := m.tellOrch("phase-done-before-its-turn", 0, s.at, s.id, s.id+" is "+wordNames[s.word]+", but "+before.id+" before it is not complete")
	var edits []sdk.Edit
	for _, later := range m.orch.ids {
		if later.group > before.group && (later.word == complete || later.word == inProgress) {
			edits = append(edits, m.orch.setStatus(later, "PENDING")...)
		}
	}
	offer(d, sdk.Review, "Set what follows "+before.id+" PENDING", edits...)
	advise(d, "Decide where it is", "look at the agents of "+before.id+", and set the phases to what they are")
}

// checkStay looks for a claim to be in a phase that is complete although a later
// one has begun.
func (m *model) checkStay() {
	o := m.orch
	at := o.claimedGroup()
	if !o.structured || o.differ || at < 0 || !o.isComplete(at) {
		return
	}
	for _, s := range o.ids {
		if s.group > at && (s.word == complete || s.word == inProgress) {
			d := m.tellOrch("current-phase-behind", 0, o.currentAt, "", "current_phase is "+shown(o.current)+", which is complete, but "+s.id+" is "+wordNames[s.word])
			o.offerPhase(d, o.observed)
			if g := o.firstOpen(); g != o.observed {
				o.offerPhase(d, g)
			}
			advise(d, "Set the phase", "write the phase that is not complete")
			return
		}
	}
}

// setStatus is the edit that gives an id another status, none where it has no
// text to put it in place of.
func (o *orchestrator) setStatus(s *stage, status string) []sdk.Edit {
	if s.text == "" || s.at.end <= s.at.start {
		return nil
	}
	return []sdk.Edit{sdk.Replace(o.at(s.at), jsondoc.Quote(status))}
}

// offerPhase offers to claim another group, in a block or in Markdown.
func (o *orchestrator) offerPhase(d *sdk.Diagnostic, g int) {
	id := groups[g]
	switch {
	case o.currentAt.end <= o.currentAt.start:
	case o.inBlock:
		offer(d, sdk.Review, "Set current_phase to "+id, sdk.Replace(o.at(o.currentAt), jsondoc.Quote(id)))
	default:
		at := o.currentAt
		if e, ok := o.field.Set(id); ok {
			at, id = span2{e.Start, e.End}, e.New
		}
		offer(d, sdk.Review, "Set the current phase to "+groups[g], sdk.Replace(o.at(at), id))
	}
}

// firstOpen is the first group with an id that is not complete, the last one if
// there is none.
func (o *orchestrator) firstOpen() int {
	for _, s := range o.ids {
		if s.group >= 0 && s.word != complete && s.word != skipped {
			return s.group
		}
	}
	return len(groups) - 1
}

// isComplete reports whether the id that current_phase names is complete.
func (o *orchestrator) isComplete(g int) bool {
	for _, s := range o.ids {
		if s.id == o.current {
			return s.word == complete
		}
	}
	return o.groupComplete(g)
}

func (m *model) checkExpected() {
	o := m.orch
	if len(o.expected) == 0 || !m.tracked || !m.complete || o.observed <= 3 || len(m.reports) == 0 {
		return
	}
	if list(o.expected) != list(m.letters) {
		advise(m.tellOrch("expected-sections-differ", 0, o.expectedAt, "", "EXPECTED_SECTION_IDS are "+list(o.expected)+", but the sections with reports are "+list(m.letters)), "Compare the sections", "write the missing section, or correct the list")
	}
}
