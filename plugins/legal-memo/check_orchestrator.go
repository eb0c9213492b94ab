package legalmemo

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// checkOrchestrator compares the orchestrator with the agents.
func (m *model) checkOrchestrator() {
	o := m.orch
	if o.why != "" {
		d := m.tellOrch("unreadable-orchestrator-block", 0, o.whyAt, "", "the block names phases_completed or gate_attempts, and is not JSON: "+o.why)
		if m.base != nil && m.base.orch != nil && m.base.orch.why == "" && m.base.orch.structured {
			offer(d, sdk.Review, "Restore "+orchestratorPath+" from the base revision", sdk.Restore(orchestratorPath))
		}
		advise(d, "Repair the block", "complete the JSON, restore it from the repository, or choose the recovery that rebuilds it")
	}
	if o.differ {
		advise(m.tellOrch("orchestrator-blocks-differ", 0, o.currentAt, "current_phase", "two blocks name another current_phase, the last one "+shown(o.current)), "Keep one", "keep the block that is right")
	}
	m.checkNames()
	m.checkStages()
	m.checkTurns()
	m.checkWork()
	claimed := o.claimedGroup()
	if k := m.furthest(); claimed >= 0 && claimed < k && !o.differ && !(claimed == 4 && m.returning()) {
		d := m.tellOrch("orchestrator-behind-agents", graded(o.structured, sdk.Error, sdk.Warning), o.currentAt, "", "the orchestrator is at "+groups[claimed]+", but an agent of "+groups[k]+" is finished")
		o.offerPhase(d, o.observed)
		advise(d, "Set the phase", "write the phase that the agents are in; do not restart from P1")
	}
	if a := m.startedBeyond(claimed); a != nil && m.furthest() <= claimed && !o.differ && !(claimed == 4 && m.returning()) {
		d := m.tellOrch("orchestrator-behind-agents", sdk.Warning, o.currentAt, "", "the orchestrator is at "+groups[claimed]+", but "+a.subject+" of "+groups[a.kind.group()]+" is at work")
		o.offerPhase(d, a.kind.group())
		advise(d, "Set the phase", "write the phase before its agents begin")
	}
	m.checkExpected()
	for _, g := range o.gates {
		if text, beyond := gateText(g.name, g.body); text != "" {
			rule, step := gateRule(beyond)
			advise(m.tellOrch(rule, 0, g.at, g.name, text), "Escalate", step)
		}
	}
}

// startedBeyond is an agent of a group beyond one that has done something and is not finished, nil for none.
func (m *model) startedBeyond(g int) *agent {
	for _, a := range m.agents {
		if g >= 0 && a.doc != nil && a.read && !a.claims && a.state != sdk.Finished && a.kind.group() > g && m.chosen(a) == a {
			return a
		}
	}
	return nil
}

// checkNames looks at the session and at the phase that the file names. What cannot be read is an error where a
// program writes it, or where the base was readable.
func (m *model) checkNames() {
	o := m.orch
	if o.session != "" && !m.sameSession(o.session) {
		advise(m.tellOrch("state-of-another-session", 0, o.sessionAt, "session", "the session is "+shown(lastElement(o.session))+", but the directory is "+shown(m.name)), "Find the right file", "restore the state of this session, or correct the field")
	}
	was := m.base != nil && m.base.orch != nil && m.base.orch.claimedGroup() >= 0
	switch {
	case !o.doc.Readable() || o.why != "" || o.claimedGroup() >= 0:
	case o.current != "":
		advise(m.tellOrch("unknown-current-phase", graded(o.inBlock || was, sdk.Error, sdk.Warning), o.currentAt, "", say.Wrong("current_phase", shown(o.current), say.Or(groups[:]...))), "Name a phase", "write the phase that the session is in")
	case len(o.ids) == 0:
		d := m.tellOrch("orchestrator-without-phase", graded(was, sdk.Error, sdk.Warning), span2{}, "", orchestratorPath+" names no phase; expected current_phase and phases_completed")
		if was {
			offer(d, sdk.Review, "Restore "+orchestratorPath+" from the base revision", sdk.Restore(orchestratorPath))
		}
		advise(d, "Write the phase", "write current_phase and phases_completed as they are; do not restart from P1")
	}
}

// checkWork looks for phases that are complete although nothing is there that their agents write, and holds the size
// of the memorandum against what A1 records.
func (m *model) checkWork() {
	o := m.orch
	var idle []string
	var at span2
	for _, s := range o.ids {
		if n, ok := num(s.body.Get("word_count")); ok && s.group == 4 && s.word == complete && measured(m.memo) && abs(n-wordCount(m.memo)) > .25*max(n, wordCount(m.memo)) {
			advise(m.tellOrch("memorandum-size-differs", 0, s.at, s.id, s.id+": word_count is "+figure(n)+", but "+memoPath+" has "+say.Count(m.memo.Summary.Words, "word")), "Count again", "look whether the memorandum changed after it was recorded")
		}
		if s.word == complete && s.group >= 2 && m.complete && !m.hasWork(s.group) {
			if idle = append(idle, s.id); at == (span2{}) {
				at = s.at
			}
		}
	}
	if len(idle) == 0 {
		return
	}
	worse := m.tracked || slices.ContainsFunc(m.agents, func(a *agent) bool { return a.doc != nil })
	d := m.tellOrch("phase-complete-without-work", graded(worse && o.structured && !(len(idle) == 1 && idle[0] == "V"), sdk.Error, sdk.Warning), at, "", list(idle)+" is complete, but no state file and no output of its agents is there")
	advise(d, "Look for the work", "restore what the agents wrote, or set the phase to what it is")
}

// hasWork reports whether a state file or an output of a group is there. Of validation a state file has to be there
// where the other agents have theirs.
func (m *model) hasWork(g int) bool {
	for _, a := range m.agents {
		if a.kind.group() == g {
			return true
		}
	}
	for _, k := range kinds {
		ghost := &agent{kind: k}
		there, _ := m.outputs(ghost)
		if k.group() == g && k != kinds[writer] && (g != 2 && len(there) > 0 || m.softOutput(ghost) != nil) {
			return true
		}
	}
	return g == 2 && m.anyStage7() || g == 3 && m.memo != nil
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
			advise(m.tellOrch("unknown-status", graded(s.block != prose, sdk.Error, sdk.Warning), s.at, s.id, say.Wrong("status of "+s.id, shown(s.text), "PENDING, IN_PROGRESS or COMPLETE")), "Set a known status", "write PENDING, IN_PROGRESS or COMPLETE")
		}
		if s.word != complete {
			continue
		}
		if a := m.unfinishedOf(s.group); a != nil && m.complete {
			d := m.tellOrch("orchestrator-ahead-of-agent", graded(s.block != prose, sdk.Error, sdk.Warning), s.at, s.id, s.id+" is complete, but "+a.subject+" is at "+phaseNames[a.kind.place()][a.observed])
			edits := o.setStatus(s, "IN_PROGRESS")
			if len(edits) > 0 && o.inBlock && o.claimedGroup() > s.group {
				edits = append(edits, sdk.Replace(o.at(o.currentAt), jsondoc.Quote(groups[s.group])))
			}
			offer(d, sdk.Review, "Set "+s.id+" IN_PROGRESS", edits...)
			advise(d, "Look at the agent", "let "+a.subject+" finish, or set "+s.id+" IN_PROGRESS")
		}
		if s.group == 2 && s.block != prose && m.complete && !slices.ContainsFunc(m.agents, func(a *agent) bool { return a.kind.group() == 2 }) && m.hasWork(2) {
			advise(m.tellOrch("validators-missing", 0, s.at, s.id, s.id+" is complete, but none of its four agents has a state file"), "Look for the states", "restore the state files of the validators, or run those that did not run")
		} else if n, ok := num(s.body.Get("validators_passed")); ok && s.group == 2 && n < 4 {
			advise(m.tellOrch("validators-missing", 0, s.at, s.id, s.id+" is complete, but validators_passed is "+figure(n)+", expected 4"), "Run the validators", "run those that did not pass")
		}
	}
	for _, s := range o.ids {
		if n, ok := num(s.body.Get("qa_cycles")); ok && s.group == 5 && m.live != nil && m.live.root.Get("qa_cycle").Get("current_cycle").Exists() && n != float64(m.live.cycle) {
			advise(m.tellOrch("cycle-counters-differ", 0, s.at, s.id, s.id+": qa_cycles is "+figure(n)+", but current_cycle of "+m.live.path()+" is "+itoa(int(m.live.cycle))), "Count again", "set the counter that is wrong")
		}
	}
}

// returning reports whether the session may be at assembly again: quality asked
// for it, or the gate between them failed.
//
//go:noinline
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
	m.checkAhead()
}

// checkAhead looks for a claim to be in a phase although an earlier one is not complete.
func (m *model) checkAhead() {
	o := m.orch
	at := o.claimedGroup()
	if !o.inBlock || o.differ || at < 0 {
		return
	}
	for _, s := range o.ids {
		if s.group >= 0 && s.group < at && s.word.open() && !(s.group == 4 && m.returning()) {
			d := m.tellOrch("current-phase-ahead", 0, o.currentAt, "", "current_phase is "+shown(o.current)+", but "+s.id+" before it is "+shown(s.text))
			o.offerPhase(d, s.group)
			advise(d, "Decide where it is", "look at the agents of "+s.id+", and set current_phase or the phase")
			return
		}
	}
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
		if i == 0 || s.block == prose {
			continue
		}
		for g := m.orch.ids[0].group + 1; g < s.group; g++ {
			if !m.orch.has(g) && !(g == 4 && m.returning()) && m.orch.ids[0].group >= 0 {
				d := m.tellOrch("phase-done-before-its-turn", 0, s.at, s.id, s.id+" is "+wordNames[s.word]+", but "+groups[g]+" before it is not recorded")
				advise(d, "Decide where it is", "record "+groups[g]+" as it is, or set "+s.id+" PENDING")
				return
			}
		}
	}
}

func (m *model) sayEarly(s, before *stage) {
	d := m.tellOrch("phase-done-before-its-turn", graded(s.block != prose, sdk.Error, sdk.Warning), s.at, s.id, s.id+" is "+wordNames[s.word]+", but "+before.id+" before it is not complete")
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
	if s.block == prose {
		return []sdk.Edit{sdk.Replace(o.at(s.at), status)}
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
		offer(d, sdk.Review, "Set the current phase to "+id, sdk.Replace(o.at(o.currentAt), id))
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
