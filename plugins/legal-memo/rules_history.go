package legalmemo

import "github.com/stategate/stategate/sdk"

// historyRules compare the run with its base revision.
var historyRules = []rule{
	{group: "history", name: "run-restarted", severity: sdk.Warning, each: runRestarted, needs: onBase,
		doc: "A run was started again from the beginning.",
		fix: "Compare with the earlier revision: Find the results of the earlier run, and copy them.",
		why: "started_at is later than in the base revision, so the results of the earlier run may be lost; or it is " +
			"earlier, which no new run explains."},
	{name: "record-lost", severity: sdk.Error, each: recordLost, needs: onBase,
		replaces: "list-shrunk error-log-shrunk item-emptied",
		doc:      "Something that was recorded is gone.",
		fix:      "Compare with the earlier revision: Restore the record, or note why it is gone.",
		why: "errors, conflicts_detected, issues_found, decisions_made or input_files_read lacks an entry of the " +
			"base revision, or a " +
			"field of a complete item, such as key_finding, is empty now: the agent would have to find it again. The " +
			"lists restart with a run, those of a diagnostic with a cycle.",
		severityIf: "Warning unless conflicts_detected or issues_found is shorter: an entry that another one " +
			"replaced " +
			"may be that entry in other words."},
	{name: "counter-went-back", severity: sdk.Error, each: counterWentBack, orch: orchestratorCounters, needs: onBase,
		hides: "result-rewritten", replaces: "iteration-went-back attempts-went-back cycle-went-back",
		doc: "A counter that only rises went down.",
		fix: "Compare with the earlier revision: Find out which is right, and restore what was lost.",
		why: "A counter of metrics, the attempts at a gate, the runs of a script or the cycle is lower than in the " +
			"base revision: limits would never be reached, and work is repeated. word_count may fall by a " +
			"quarter; metrics restart with a run and with a cycle."},
	{name: "repeat-guard-shrunk", severity: sdk.Error, each: repeatGuardShrunk, needs: onBase,
		doc: "Entries of do_not_repeat are gone.",
		fix: "Compare with the earlier revision: Restore the finished entries.",
		why: "An entry of the base revision matches none now: an agent would repeat its work."},
	{name: "tick-lost", severity: sdk.Error, each: workReopened, orch: orchestratorReopened, needs: onBase,
		hides: "stale-in-progress current-phase-ahead counter-went-back repeat-guard-shrunk " +
			"phase-done-before-its-turn",
		replaces: "status-went-back phase-reopened item-reopened work-reopened",
		doc:      "Finished work is open again.",
		fix: "Compare with the earlier revision: Find out which is right, and restore what was lost; only A1 may be " +
			"opened again.",
		why: "The status went back, or a phase or an item that is done in the base revision is open or gone, " +
			"without a new run or, of a diagnostic, a new cycle: the work would be done again. Of the orchestrator " +
			"only A1 may be opened again."},
	{name: "result-rewritten", severity: sdk.Error, each: resultRewritten, orch: phaseTimeRewritten, needs: onBase,
		replaces: "footnote-numbers-rewritten dimension-rescored cycle-history-rewritten",
		doc:      "A result that was complete changed.",
		fix:      "Compare with the earlier revision: Find out which is right, and restore what was changed.",
		why: "What a complete item, aggregation or phase recorded is not worked out again: footnote numbers, key " +
			"findings, amounts, counts, times, and scores where do_not_rescore is true. Or an earlier cycle is gone " +
			"or has another score or outcome.",
		severityIf: "Warning for the time of a phase of the orchestrator."},
	{name: "cycle-jumped", severity: sdk.Warning, each: cycleJumped, needs: onBase, of: 1 << qa,
		doc: "A cycle was left out.",
		fix: "Look for the cycle between: Add the cycles that were left out to cycle_history.",
		why: "current_cycle rose by more than one since the base revision: what happened in between is not known."},
	{name: "limit-raised", severity: sdk.Warning, each: limitRaised, orch: orchestratorLimits, needs: onBase,
		doc: "A limit was raised.", fix: "Ask who raised it: Restore the limit, or note who allowed more.",
		why: "max_cycles, max or max_attempts is higher than in the base revision. That is a person's decision."},
	{name: "script-rerun-uncounted", severity: sdk.Warning, script: scriptRerunUncounted, needs: onBase, of: 1 << qa,
		doc: "A script was run again without counting.", fix: "Count the run: Add 1 to iteration_count.",
		why: "The script has another timestamp than in the base revision, but the same iteration_count: circles " +
			"would not be noticed."},
	{name: "cached-result-outdated", severity: sdk.Warning, script: cachedResultOutdated, needs: onBase, of: 1 << qa,
		doc: "The memorandum changed after a script ran.",
		fix: "Run the scripts again: Run them in the order of their dependencies.",
		why: "final-memorandum.md has other words than in the base revision, but the record of an executed script " +
			"is the same: its result is about the old text."},
	{name: "blocker-vanished", severity: sdk.Warning, each: blockerVanished, needs: onBase,
		doc: "An unresolved blocker is gone.",
		fix: "Check the blocker: Restore it with its resolution, or as unresolved if it still blocks the agent.",
		why: "blocking_issue was unresolved in the base revision and is gone: its resolution is unknown."},
	{name: "state-lost", severity: sdk.Error, all: stateFileRemoved, needs: onBase | onAll,
		replaces: "state-file-removed",
		doc:      "A state file is gone.", fix: "Look for the file: Restore it from the repository.",
		why: "A subject of the base revision has no state file now, so an agent would start it over. A file renamed " +
			"from dot to hyphen is not gone."},
	{name: "output-shrank", severity: sdk.Warning, all: outputShrank, needs: onBase,
		doc: "An output lost some of its words.",
		fix: "Compare the texts: Check whether the lost text was removed on purpose.",
		why: "It has less than nine tenths of the words that it has in the base revision (shrink.edited)."},
	{name: "output-removed", severity: sdk.Error, all: outputRemoved, needs: onBase | onAll,
		doc: "An output is gone.", fix: "Look for the text: Restore it from the repository.",
		why: "A report, the summary, the footnotes or the memorandum of the base revision does not exist. Texts " +
			"below 200 words do not count."},
	{name: "output-overwritten", severity: sdk.Error, all: outputOverwritten, needs: onBase,
		hides: "output-lost-text output-below-minimum",
		doc:   "An output lost more than half of its words.",
		fix:   "Compare the texts: Restore the lost text; append, never overwrite.",
		why: "It has less than half of the words that it has in the base revision. Agents append to outputs, and " +
			"never rewrite them."},
	{name: "output-ahead-of-state", severity: sdk.Warning, each: outputAheadOfState,
		needs: onOutputs,
		doc:   "An output has more than its state records.", fix: "Write the checkpoint: Record what the output has.",
		why: "The output grew by 1,000 words (the memorandum by 10,000) since the base revision, and the state says " +
			"the same, or a report has the heading of a pending subsection: after a loss of context it would be " +
			"written again.",
		severityIf: "Info if the last subsection of a report is pending: it may be being written."},
	{name: "time-not-advanced", severity: sdk.Info, each: timeNotAdvanced, orch: orchestratorTimeNotAdvanced,
		needs: onBase,
		doc:   "Work was recorded without its time.",
		fix:   "Write the time: Set last_updated to when the work was done.",
		why: "A phase, an item or an entry is new since the base revision, and every time of the file is as it was: " +
			"how fresh the state is cannot be seen."},
	{name: "time-went-back", severity: sdk.Warning, each: timeWentBack, orch: orchestratorTimeWentBack, needs: onBase,
		doc: "The newest time is earlier than before.",
		fix: "Compare with the earlier revision: Find out which is right, and restore what was lost.",
		why: "An older state may have been put in the place of a newer one."},
}
