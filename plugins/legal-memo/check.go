package legalmemo

import (
	"github.com/stategate/stategate/sdk"
)

// check looks for everything that rules speak of.
func (m *model) check() {
	for _, a := range m.agents {
		if a.settled(m) {
			for _, d := range m.before.found[a.was.from:a.was.to] {
				same := *d
				m.found = append(m.found, &same)
			}
			continue
		}
		a.from = len(m.found)
		m.checkAgent(a)
		a.to = len(m.found)
	}
	m.checkTwins()
	m.checkOutputs()
	m.checkBetween()
	if m.orch != nil {
		m.checkOrchestrator()
	}
	if m.base != nil {
		m.checkBase()
	}
}

// settled reports whether all that is found of an agent was found before a
// remedy was tried: nothing that it depends on has changed. Synthesis and
// assembly look at other agents, too.
func (a *agent) settled(m *model) bool {
	w := a.was
	return m.before != nil && w != nil && a.kind.stage != 7 && w.state == a.state && w.observed == a.observed && w.proof == a.proof &&
		w.late == a.late && w.exempt == a.exempt
}

// checkAgent looks for what is wrong with one state file and its outputs.
func (m *model) checkAgent(a *agent) {
	if a.doc != nil {
		m.checkFile(a)
	}
	if !a.read {
		return
	}
	m.checkIdentity(a)
	m.checkCommon(a)
	m.checkPhases(a)
	m.checkItems(a)
	m.checkGuards(a)
	m.checkCounters(a)
	m.checkBlocker(a)
	m.checkTimes(a)
	m.checkGates(a)
	m.checkStale(a)
	switch a.kind {
	case kinds[citation]:
		m.checkNotes(a)
	case kinds[assembly], kinds[synthesis]:
		m.checkMemo(a)
	case kinds[qa]:
		m.checkQA(a)
	case kinds[waves]:
		m.checkWaves(a)
	}
	if m.tracked {
		m.checkOutput(a)
		m.checkListed(a)
	}
}

// graded is one severity or another.
//
//go:noinline
func graded(worse bool, yes, no sdk.Severity) sdk.Severity {
	if worse {
		return yes
	}
	return no
}
