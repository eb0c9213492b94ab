package legalmemo

import "github.com/stategate/stategate/sdk"

// phaseRules compare the recorded phases and items with each other.
var phaseRules = []rule{
	{group: "phases", name: "return-phase-open", severity: sdk.Warning, each: returnPhaseOpen,
		doc: "A finished file's return phase is still open.", fix: "Mark the phase done: Set the return phase to done.",
		why: "Agents write their last state before they return, so the return phase may have been open then. It is " +
			"done now."},
	{name: "open-with-done-parts", severity: sdk.Error, each: allPhasesDoneButOpen,
		replaces: "items-done-phase-open all-phases-done-but-open",
		doc:      "All phases are done, but the status is not complete.",
		fix: "Decide whether the work is done: Check the output. Set status to complete, or set the " +
			"unfinished phase to false.",
		why: "The agent was interrupted before its last write, or forgot it. The next session would repeat " +
			"finished work."},
	{name: "phase-done-before-its-turn", severity: sdk.Error, each: phaseBeforeItsTurn, orch: orchestratorTurn,
		hides: "current-phase-ahead current-phase-behind", replaces: "wave-before-its-dependency",
		doc: "A phase is done while an earlier one is open.",
		fix: "Decide which is right: Mark the earlier phase done if it is, or reopen the later ones.",
		why: "Phases and items are done in order. The skipped " +
			"work would never be done. The orchestrator may reopen A1 while quality asks for remediation.",
		severityIf: "Info in a blocked file."},
	{name: "done-with-open-parts", severity: sdk.Error, each: finishedWithOpenPhase,
		hides:    "phase-done-before-its-turn current-phase-ahead counter-below-total",
		replaces: "finished-with-open-phase",
		doc:      "A file is marked done, but phases are open.",
		fix:      "Decide which is right: Check the output. Reopen the state, or mark the phases done.",
		why: "status (or current_phase if there is no status) says that all work is done, so the open phase " +
			"would never be done. A final return phase has its own rule."},
	{name: "current-phase-ahead", severity: sdk.Error, each: currentPhaseAhead, orch: orchestratorPhaseAhead,
		doc: "A phase before current_phase is open.",
		fix: "Decide which is right: Set current_phase to the first open phase, or mark the earlier phases done.",
		why: "An agent that continues from current_phase would never do the earlier phase."},
	{name: "current-phase-behind", severity: sdk.Error, each: currentPhaseBehind, orch: orchestratorPhaseBehind,
		doc: "A phase after current_phase is done or in progress.",
		fix: "Correct current_phase: Set current_phase to the first open phase.",
		why: "An agent that continues from current_phase would repeat finished work. In the orchestrator, " +
			"the current phase is complete and a later one has started.",
		severityIf: "Warning if the later phase is only in progress, or if only last_completed_step names it."},
	{name: "phase-unknown", severity: sdk.Warning, each: unknownPhase,
		replaces: "unknown-phase",
		doc:      "A key is not a known phase of this agent.",
		fix:      "Rename or remove the key: Use the names that stategate explain legal-memo lists.",
		why:      "Agents do not see progress recorded under an unknown key."},
	{name: "missing-phase", severity: sdk.Warning, each: missingPhase,
		doc: "A phase has no flag.", fix: "Add the phases: Add the missing phases with their actual status.",
		why: "A phase without a flag counts as neither open nor done."},
	{name: "current-phase-unknown", severity: sdk.Error, each: unknownCurrentPhase, orch: unknownOrchestratorPhase,
		replaces: "orchestrator-without-phase unknown-current-phase",
		doc:      "The recorded current phase is missing, unknown or ambiguous.",
		fix:      "Write the current phase: Write the current phase. Do not restart from the first.",
		why:      "The next session would start at the first phase. The name may be shortened, such as PHASE_2.",
		severityIf: "Warning for the orchestrator if it lists phases without a current one, or if neither its " +
			"block nor the base names a phase."},
	{name: "finished-with-open-item", severity: sdk.Error, each: finishedWithOpenItem,
		hides: "phase-done-with-open-item counter-below-total",
		doc:   "A file is marked done, but items are open.",
		fix:   "Decide which is right: Check the output. Reopen the state, or mark the items done.",
		why: "The open items would never be done. Items are an agent's subsections, sections, categories, issues " +
			"or dimensions."},
	{name: "phase-done-with-open-item", severity: sdk.Error, each: phaseDoneWithOpenItem,
		replaces: "wave-done-with-open-task",
		doc:      "A phase is done, but one of its items is open.",
		fix:      "Decide which is right: Reopen the phase, or mark the items done.",
		why: "A phase cannot be done before its last item. An agent that continues with the next phase " +
			"would skip the item."},
	{name: "item-without-result", severity: sdk.Error, each: itemWithoutResult, of: 1<<execSummary | 1<<qa,
		replaces: "read-without-finding scored-without-score score-on-pending-dimension",
		doc:      "An item is complete without its result, or pending with one.",
		fix: "Write the result: Process the item again and write its key_finding or score, or correct its " +
			"status.",
		why: "A section without key_finding or a dimension without score would not be processed again, and " +
			"the total lacks it. A pending dimension with a score would be scored again.",
		severityIf: "Warning for a pending dimension with a score."},
	{name: "next-action-done", severity: sdk.Warning, each: nextActionDone,
		doc: "The recorded next action is already done, or skips open work.",
		fix: "Write the next action: Set next_action to the next open step.",
		why: "After context loss the agent starts with next_action. It would repeat complete work, do nothing if " +
			"next_action is None while work is open, or number footnotes wrongly after an open section."},
	{name: "missing-item", severity: sdk.Warning, each: missingItem,
		doc: "A subsection, or an open item of the base, is not recorded.",
		fix: "Add the items: Add each as complete if the output contains it, or else as pending.",
		why: "subsections_status lacks a subsection from A to F, or an item of the base is missing, so it would be " +
			"skipped."},
	{name: "repeat-guard-on-open-item", severity: sdk.Error, each: repeatGuardOnOpenItem,
		doc: "do_not_repeat names unfinished work.",
		fix: "Decide which is right: Remove the guard, or mark its item done.",
		why: "A guard keeps agents from doing the work that it names, so open work would never be done. Guards " +
			"match by name, by prefix and by section letter.",
		severityIf: "Warning if it names an item that does not exist."},
	{name: "done-item-unguarded", severity: sdk.Warning, each: doneItemUnguarded,
		doc: "do_not_repeat lacks a done item.", fix: "Guard the item: Add the item to do_not_repeat.",
		why: "After context loss the item would be done again. Prose such as \"all phases complete\" counts " +
			"as a guard for all items.",
		severityIf: "Info for agents whose items are cheap to repeat."},
	{name: "stale-in-progress", severity: sdk.Error, each: staleInProgress, needs: onAll,
		doc: "An agent is unfinished, but a later one is finished.",
		fix: "Decide which is right: Check the output. Mark the agent finished if it is, or reopen the later one.",
		why: "The agent is neither finished nor blocked, but an agent in a later orchestrator phase is finished. " +
			"Either the last write was lost, or the later agent worked without it. Agents in the same phase have " +
			"no order."},
}
