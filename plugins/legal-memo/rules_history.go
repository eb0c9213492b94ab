package legalmemo

import "github.com/stategate/stategate/sdk"

// historyRules compare the run with its base.
var historyRules = []rule{
	{group: "history", name: "run-restarted", severity: sdk.Warning, each: runRestarted, needs: onBase,
		doc: "A run was restarted from the beginning.",
		fix: "Compare with the base: Find the earlier run's results, and copy them.",
		why: "started_at is later than in the base, so the earlier run's results may be lost. An earlier " +
			"started_at has no explanation."},
	{name: "record-lost", severity: sdk.Error, each: recordLost, needs: onBase,
		replaces: "list-shrunk error-log-shrunk item-emptied blocker-vanished",
		doc:      "A recorded entry or value was removed.",
		fix:      "Compare with the base: Restore the record, or note why it was removed.",
		why: "errors, conflicts_detected, issues_found, decisions_made or input_files_read lacks an entry " +
			"from the base, reports_list lacks one with a report, a complete item's field, such as " +
			"key_finding, is now empty, or an unresolved blocker is missing. The agent would have to find it " +
			"again. The lists restart with each run, and in a diagnostic with each cycle.",
		severityIf: "Warning unless conflicts_detected or issues_found is shorter, because a replaced entry may be " +
			"the same entry in other words, or unless reports_list lacks an existing report."},
	{name: "counter-went-back", severity: sdk.Error, each: counterWentBack, orch: orchestratorCounters, needs: onBase,
		hides: "result-rewritten", replaces: "iteration-went-back attempts-went-back cycle-went-back",
		doc: "A counter that can only rise is lower than in the base.",
		fix: "Compare with the base: Find out which value is right, and restore the lost work.",
		why: "A counter in metrics, a gate's attempts, a script's runs or the cycle is lower than in the base. " +
			"Limits would never be reached, and work is repeated. word_count may fall by a quarter. Metrics " +
			"restart with each run and each cycle."},
	{name: "repeat-guard-shrunk", severity: sdk.Error, each: repeatGuardShrunk, needs: onBase,
		doc: "Entries of do_not_repeat were removed.",
		fix: "Compare with the base: Restore the finished entries.",
		why: "An entry from the base no longer has a match, so an agent would repeat its work."},
	{name: "tick-lost", severity: sdk.Error, each: workReopened, orch: orchestratorReopened, needs: onBase,
		hides: "stale-in-progress current-phase-ahead counter-went-back repeat-guard-shrunk " +
			"phase-done-before-its-turn",
		replaces: "status-went-back phase-reopened item-reopened work-reopened",
		doc:      "Finished work was reopened.",
		fix:      "Compare with the base: Find out which is right, and restore the lost work. Only A1 may be reopened.",
		why: "The status moved back, or a phase or item that is done in the base is now open or missing, " +
			"without a new run or, in a diagnostic, a new cycle. The work would be repeated. In the orchestrator, " +
			"only A1 may be reopened."},
	{name: "result-rewritten", severity: sdk.Error, each: resultRewritten, orch: phaseTimeRewritten, needs: onBase,
		replaces: "footnote-numbers-rewritten dimension-rescored cycle-history-rewritten",
		doc:      "The result of completed work changed.",
		fix:      "Compare with the base: Find out which result is right, and restore it.",
		why: "Results of a complete item, aggregation or phase are final: footnote numbers, key findings, " +
			"amounts, counts, times, and scores if do_not_rescore is true. This also applies to an earlier cycle " +
			"that was removed or has a different score or outcome.",
		severityIf: "Warning for the time of an orchestrator phase."},
	{name: "cycle-jumped", severity: sdk.Warning, each: cycleJumped, needs: onBase, of: 1 << qa,
		doc: "A cycle was skipped.",
		fix: "Record the skipped cycle: Record the cycles that ran in cycle_history, or correct current_cycle.",
		why: "current_cycle rose by more than one since the base, so the outcome of the skipped cycles is unknown."},
	{name: "cached-result-outdated", severity: sdk.Warning, script: cachedResultOutdated, needs: onBase, of: 1 << qa,
		doc: "The memorandum changed after a script ran.",
		fix: "Rerun the scripts: Run the scripts in dependency order.",
		why: "The text of final-memorandum.md changed since the base, but the record of an executed script did " +
			"not. Its result is about the old text."},
	{name: "state-lost", severity: sdk.Error, all: stateFileRemoved, needs: onBase | onAll,
		replaces: "state-file-removed",
		doc:      "A state file was deleted.", fix: "Restore the file: Restore the file from git.",
		why: "An agent or a section from the base has no state file now, so its work would start over. A file " +
			"renamed from dot to hyphen is not reported."},
	{name: "output-shrank", severity: sdk.Warning, all: func(l *look) { l.shrank(l.opt.lost, l.opt.edited, false) },
		needs: onBase,
		doc:   "An output lost more than a tenth of its words.",
		fix:   "Compare the texts: Check whether the text was removed on purpose.",
		why:   "The output has less than nine tenths of its words in the base (shrink.edited)."},
	{name: "output-removed", severity: sdk.Error, all: outputRemoved, needs: onBase | onAll,
		doc: "An output was deleted.", fix: "Restore the output: Restore the output from git.",
		why: "A report, the summary, the footnotes or the memorandum exists in the base but not now. Texts below " +
			"200 words do not count."},
	{name: "output-overwritten", severity: sdk.Error, all: func(l *look) { l.shrank(0, l.opt.lost, true) },
		needs: onBase,
		hides: "output-lost-text output-below-minimum",
		doc:   "An output lost more than half of its words.",
		fix:   "Compare the texts: Restore the lost text. Append to it, and never overwrite it.",
		why: "The output has less than half of its words in the base. Agents append to outputs and never rewrite " +
			"them."},
	{name: "output-ahead-of-state", severity: sdk.Warning, each: outputAheadOfState,
		needs: onOutputs,
		doc:   "An output contains more work than its state records.",
		fix:   "Write the checkpoint: Record the output's content in the state.",
		why: "The output grew by 1,000 words (the memorandum by 10,000) since the base but the state did " +
			"not change, or a report has a pending subsection's heading. After context loss the text would be " +
			"written again.",
		severityIf: "Info if only a report's last subsection is pending, because an agent may be writing it."},
	{name: "time-not-advanced", severity: sdk.Warning, each: timeNotAdvanced, orch: orchestratorTimeNotAdvanced,
		needs: onBase, replaces: "time-went-back",
		doc: "The newest time did not advance.",
		fix: "Update the time: Restore the newer state, or set last_updated to the time when the work was done.",
		why: "The newest time is earlier than in the base, so an older state may have replaced a newer one. Or a " +
			"phase, an item or an entry is new, but every time is unchanged.",
		severityIf: "Info if the time is unchanged."},
}
