package legalmemo

import "github.com/stategate/stategate/sdk"

// orchestratorRules are about the orchestrator's own state.
var orchestratorRules = []rule{
	{group: "orchestrator", name: "expected-sections-differ", severity: sdk.Warning, orch: expectedSectionsDiffer,
		needs: onOutputs | onAll,
		doc:   "The expected sections are not those with reports.",
		fix:   "Compare the sections: Write the missing section, or correct the list.",
		why: "EXPECTED_SECTION_IDS and the sections with reports differ although generation is over: a section was " +
			"not written, or is not expected."},
	{name: "unreadable-orchestrator-block", severity: sdk.Error, orch: unreadableBlock,
		doc: "A block of the orchestrator is not JSON.",
		fix: "Repair the block: Complete the JSON, restore it from the repository, or choose the recovery that " +
			"rebuilds it.",
		why: "A fenced block with phases_completed or gate_attempts does not parse, so that the phase is not known. " +
			"stategate recover rebuilds it from what the agents show."},
	{name: "phase-complete-without-work", severity: sdk.Error, orch: completeWithoutWork,
		replaces: "validators-missing",
		doc:      "A phase is complete, but not all of its agents left work that passed.",
		fix: "Look for the work: Restore what the agents wrote, run those that did not run, or set the phase " +
			"to what it is.",
		why: "No state file and no output of the agents of the phase exists, so that the work was never done " +
			"or is lost. Generation also needs its summary and its citations.",
		severityIf: "Warning if no agent of the session keeps a state, of validation alone, and if " +
			"validators_passed is below four."},
	{name: "orchestrator-blocks-differ", severity: sdk.Warning, orch: blocksDiffer, hides: "counted-differently",
		doc: "Two blocks of the orchestrator disagree.", fix: "Keep one: Keep the block that is right.",
		why: "Blocks are merged, and the last one counts. Here an id, a gate or current_phase has two values."},
	{name: "orchestrator-ahead-of-agent", severity: sdk.Error, orch: orchestratorAhead, needs: onAll,
		doc: "The orchestrator calls a phase complete whose agent is not finished.",
		fix: "Check the agent: Let it finish, or set the phase IN_PROGRESS.",
		why: "The orchestrator would continue without the agent. Blocked agents do not count, and neither do those " +
			"whose own claim is the fault."},
	{name: "orchestrator-behind-agents", severity: sdk.Error, orch: orchestratorBehind,
		doc:        "The orchestrator is at an earlier phase than its agents.",
		fix:        "Set the phase: Write the phase that the agents are in; do not restart from P1.",
		why:        "It would start things again. Back at A1 is right while quality asks for remediation.",
		severityIf: "Warning if it claims so in prose, and if a later agent is only at work."},
}
