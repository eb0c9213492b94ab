package legalmemo

import "github.com/stategate/stategate/sdk"

// orchestratorRules check the orchestrator's state.
var orchestratorRules = []rule{
	{group: "orchestrator", name: "unreadable-orchestrator-block", severity: sdk.Error, orch: unreadableBlock,
		doc: "A block in the orchestrator's state is not JSON.",
		fix: "Fix the block: Complete the JSON, restore it from git, or rebuild it with stategate recover.",
		why: "A fenced block with phases_completed or gate_attempts does not parse, so the phase is unknown. " +
			"stategate recover rebuilds the block from the agents' states and outputs."},
	{name: "phase-complete-without-work", severity: sdk.Error, orch: completeWithoutWork,
		replaces: "validators-missing",
		doc:      "A phase is complete, but its agents' work is missing.",
		fix: "Restore the work: Restore the agents' files, run the missing agents, or correct the phase's " +
			"status.",
		why: "Neither a state file nor an output of the phase's agents exists, so the work was never done " +
			"or is lost. Generation also needs its summary and its citations.",
		severityIf: "Warning if no agent in the session keeps a state, if only validation is affected, or if " +
			"validators_passed is below four."},
	{name: "orchestrator-ahead-of-agent", severity: sdk.Error, orch: orchestratorAhead, needs: onAll,
		doc: "The orchestrator marks a phase complete, but its agent is unfinished.",
		fix: "Check the agent: Let the agent finish, or set the phase to IN_PROGRESS.",
		why: "The orchestrator would continue without the agent. Blocked agents are not reported here, nor are " +
			"agents whose own status is wrong."},
	{name: "orchestrator-behind-agents", severity: sdk.Error, orch: orchestratorBehind,
		doc:        "The orchestrator is at an earlier phase than its agents.",
		fix:        "Correct the phase: Write the agents' current phase. Do not restart from P1.",
		why:        "The orchestrator would repeat work. Going back to A1 is right while quality asks for remediation.",
		severityIf: "Warning if the phase is only in prose, or if a later agent is only in progress."},
}
