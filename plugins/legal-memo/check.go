package legalmemo

import (
	"github.com/stategate/stategate/sdk"
)

// check looks for everything that rules speak of.
func (m *model) check() {
	for _, a := range m.agents {
		m.checkAgent(a)
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
	m.checkListed(a)
	if m.tracked {
		m.checkOutput(a)
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
