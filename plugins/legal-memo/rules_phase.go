package legalmemo

import "github.com/stategate/stategate/sdk"

// phaseRules are about phases: where a run stands, and what it says of it.
var phaseRules = []rule{
	{group: "phases", name: "return-phase-open", severity: sdk.Warning, each: returnPhaseOpen,
		doc: "A finished file has its return phase open.", fix: "Mark it done: Set the phase to done.",
		why: "Agents write their last state before they return, so the return phase may be open at that moment. It " +
			"is done now."},
	{name: "open-with-done-parts", severity: sdk.Error, each: allPhasesDoneButOpen,
		replaces: "items-done-phase-open all-phases-done-but-open",
		doc:      "No phase is open, but the status is not complete.",
		fix: "Decide whether it is done: Look at the output; set status to complete, or the phase that is not " +
			"done to false.",
		why: "The agent was interrupted before its last write, or forgot it: the next session repeats finished " +
			"work."},
	{name: "phase-done-before-its-turn", severity: sdk.Error, each: phaseBeforeItsTurn, orch: orchestratorTurn,
		hides: "current-phase-ahead current-phase-behind", replaces: "wave-before-its-dependency",
		doc: "A phase is done while an earlier one is open.",
		fix: "Decide which is right: Mark the earlier phase done if it is, or reopen what follows.",
		why: "Phases are done in order, their items in order, and waves after those that they depend on: the " +
			"skipped work would never be done. The orchestrator may reopen A1 while quality asks for it.",
		severityIf: "Info in a blocked file, warning for a wave."},
	{name: "done-with-open-parts", severity: sdk.Error, each: finishedWithOpenPhase,
		hides:    "phase-done-before-its-turn current-phase-ahead counter-below-total",
		replaces: "finished-with-open-phase",
		doc:      "A file claims to be done with open phases.",
		fix:      "Decide where it is: Look at the output; reopen the state, or mark the phases done.",
		why: "status, or current_phase where there is no status, claims that all is done. The open phase would " +
			"never be done. A last phase that only returns has a rule of its own."},
	{name: "current-phase-ahead", severity: sdk.Error, each: currentPhaseAhead, orch: orchestratorPhaseAhead,
		doc: "A phase before current_phase is open.",
		fix: "Decide where it is: Set current_phase to the first open phase, or mark the earlier phases done.",
		why: "An agent that continues from current_phase would never do the earlier phase."},
	{name: "current-phase-behind", severity: sdk.Error, each: currentPhaseBehind, orch: orchestratorPhaseBehind,
		doc: "A phase after current_phase is done or in progress.",
		fix: "Decide where it is: Set current_phase to the first open phase.",
		why: "An agent that continues from current_phase would repeat finished work. For the orchestrator: its " +
			"phase is complete, and a later one has begun.",
		severityIf: "Warning if the later phase is only in progress, or if only last_completed_step names it."},
	{name: "initialized-with-progress", severity: sdk.Warning, each: initializedWithProgress,
		doc: "The status is initialized although a phase beyond the first is done.",
		fix: "Set the status: Write in_progress.",
		why: "The status was not set to in_progress when the first phase was done: the agent seems not to have begun."},
	{name: "several-phases-in-progress", severity: sdk.Warning, each: severalPhasesInProgress,
		doc: "More than one phase is in progress.",
		fix: "Leave one in progress: Set the others to their actual status.",
		why: "An agent works in one phase at a time. The others are done or were never begun."},
	{name: "phase-unknown", severity: sdk.Warning, each: unknownPhase,
		replaces: "unknown-phase",
		doc:      "A key is not a phase of the kind.",
		fix:      "Rename or remove it: Use the names that stategate explain legal-memo lists.",
		why:      "Progress that is recorded under it is not seen."},
	{name: "missing-phase", severity: sdk.Warning, each: missingPhase,
		doc: "A phase has no flag.", fix: "Add the phases: Add the missing ones, with their actual status.",
		why: "A phase without a flag counts neither as open nor as done."},
	{name: "current-phase-unknown", severity: sdk.Error, each: unknownCurrentPhase, orch: unknownOrchestratorPhase,
		replaces: "orchestrator-without-phase unknown-current-phase",
		doc:      "The recorded current phase is missing, unknown or ambiguous.",
		fix:      "Name a phase: Write the phase that it is in; do not restart from the first.",
		why:      "The next session would begin at the first phase. The name may be cut after a part, such as PHASE_2.",
		severityIf: "Warning for the orchestrator if it lists phases without a current one, or if neither its " +
			"block nor the base revision names one."},
	{name: "finished-with-open-item", severity: sdk.Error, each: finishedWithOpenItem,
		hides: "phase-done-with-open-item counter-below-total",
		doc:   "A file claims to be done with open items.",
		fix:   "Decide what is done: Look at the output; reopen the state, or mark the items done.",
		why: "Items are the subsections, sections, categories, issues or dimensions of the kind. What is open would " +
			"never be done."},
	{name: "phase-done-with-open-item", severity: sdk.Error, each: phaseDoneWithOpenItem,
		replaces: "wave-done-with-open-task",
		doc:      "The phase that works through the items is done, but an item is open.",
		fix:      "Decide what is done: Set the phase open, or mark the items done.",
		why: "The phase cannot be done before its last item. An agent that continues from the next phase would skip " +
			"the item.",
		severityIf: "Warning for a wave and its tasks."},
	{name: "item-without-result", severity: sdk.Error, each: itemWithoutResult, of: 1<<execSummary | 1<<qa,
		replaces: "read-without-finding scored-without-score score-on-pending-dimension",
		doc:      "An item is complete without its result, or pending with one.",
		fix: "Write the result: Do the item again and write its key_finding or score, or set its status to " +
			"what it is.",
		why: "A section without key_finding, or a dimension without score, would not be done again, and the total " +
			"lacks it. A pending dimension that has a score would be scored again.",
		severityIf: "Warning for a pending dimension that has a score."},
	{name: "next-action-done", severity: sdk.Warning, each: nextActionDone,
		doc: "The next action that is recorded is done already.",
		fix: "Write the next action: Write into next_action what follows.",
		why: "After a loss of context the agent begins with next_action: it would do again what is complete, or " +
			"nothing where it says None while something is open."},
	{name: "missing-item", severity: sdk.Warning, each: missingItem, of: 1 << writer,
		doc: "A subsection is not recorded.",
		fix: "Add the subsections: Add them as complete if the report has them, otherwise as pending.",
		why: "subsections_status lacks one of A to F: it would not be written."},
	{name: "repeat-guard-on-open-item", severity: sdk.Error, each: repeatGuardOnOpenItem,
		doc: "do_not_repeat names unfinished work.",
		fix: "Decide what is done: Remove the guard, or mark its item done.",
		why: "A guard keeps agents from ever doing what it names, and that is open: the work is lost for good. " +
			"Guards match by name, by the beginning of a name, and by section letter."},
	{name: "done-item-unguarded", severity: sdk.Warning, each: doneItemUnguarded,
		doc: "A done item is not in do_not_repeat.", fix: "Guard it: Add the item to do_not_repeat.",
		why: "After a loss of context the item would be done again. Prose such as \"all phases complete\" " +
			"counts as a guard of everything.",
		severityIf: "Info for kinds whose items are cheap."},
	{name: "stale-in-progress", severity: sdk.Error, each: staleInProgress, needs: onAll,
		doc: "An agent is open although a later one is finished.",
		fix: "Decide what is behind: Look at the output; mark the agent finished if it is, or reopen the later one.",
		why: "The agent is neither finished nor blocked, but an agent of a later phase of the orchestrator is " +
			"finished. Either its last write was lost, or the later agent worked without it. Agents of one phase " +
			"have no order."},
}
