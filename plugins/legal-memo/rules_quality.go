package legalmemo

import "github.com/stategate/stategate/sdk"

// qualityRules are about the reviews of the memorandum.
var qualityRules = []rule{
	{group: "quality", name: "finished-with-blocker", severity: sdk.Error, each: finishedWithBlocker,
		doc: "A file claims to be done with an unresolved blocker.",
		fix: "Look at the blocker: If it is gone set resolution_status to RESOLVED, else reopen the state.",
		why: "resolution_status begins with UNRESOLVED. Either the blocker is gone, or the file is not done."},
	{name: "unresolved-blocker", severity: sdk.Warning, each: unresolvedBlocker,
		doc: "A blocker is open.",
		fix: "Resolve the blocker first: Resolve it, then set resolution_status to RESOLVED.",
		why: "The agent cannot go on. Follow resolution_method; the brief of stategate resume begins with it."},
	{name: "blocked-without-reason", severity: sdk.Warning, each: blockedWithoutReason,
		doc: "A file is blocked without a reason.",
		fix: "Write the reason: Find out what blocks the agent, and write it into blocking_issue.",
		why: "The status is blocked, but neither blocking_issue nor another key that begins with block has the " +
			"reason, so that it cannot be lifted."},
	{name: "blocked-after-resolution", severity: sdk.Warning, each: blockedAfterResolution,
		doc: "A blocker is resolved, and the file is still blocked.", fix: "Go on: Set status to in_progress.",
		why: "The blocker is resolved or null: the agent waits for nothing."},
	{name: "blocked-but-passed", severity: sdk.Warning, each: blockedButPassed,
		doc: "A file is blocked, and a later agent is finished.",
		fix: "Decide what holds: Look whether the blocker is gone, or the later agent went on without.",
		why: "An agent of a later phase of the orchestrator is finished: the blocker is gone, or it was passed over."},
	{name: "cycle-beyond-max", severity: sdk.Error, each: cycleBeyondMax, of: 1 << qa, hides: "cycle-history-gap",
		doc: "There are more cycles than allowed.",
		fix: "Certify with limitations: Do not open another cycle; certify with limitations, or ask a person.",
		why: "The last permitted cycle ends with CERTIFY_WITH_LIMITATIONS or with a person's decision; no further " +
			"one is opened."},
	{name: "cycle-behind-history", severity: sdk.Error, each: cycleBehindHistory, of: 1 << qa,
		doc: "current_cycle is below what cycle_history holds.",
		fix: "Decide which cycle it is: Set current_cycle to the cycle that is under way.",
		why: "After a loss of context the counter was set back. The limit of cycles would never be reached."},
	{name: "cycle-history-gap", severity: sdk.Warning, each: cycleHistoryGap, of: 1 << qa,
		replaces: "cycle-history-disordered",
		doc:      "The history lacks a cycle, or its cycles do not rise.",
		fix: "Complete the history: Order cycle_history by cycle, and take a missing entry from the outputs of " +
			"that cycle.",
		why: "The entries of cycle_history have rising numbers, each once: without them the outcome of a cycle is " +
			"not known."},
	{name: "cycles-exhausted", severity: sdk.Warning, each: cyclesExhausted, of: 1 << qa,
		doc: "The last cycle ended without a certificate.",
		fix: "Certify with limitations: Certify with limitations or escalate; do not open another cycle.",
		why: "current_cycle has reached max_cycles, and its outcome does not begin with CERTIF."},
	{name: "cycle-file-number-differs", severity: sdk.Warning, each: cycleFileNumberDiffers, of: 1 << qa,
		doc: "The file is named for another cycle than it holds.",
		fix: "Decide which cycle it is: Set current_cycle, or rename the file.",
		why: "The number in qa-diagnostic-state-cycleN.json is not current_cycle: a resume would take the cycle for " +
			"another one."},
	{name: "attempts-beyond-max", severity: sdk.Error, all: attemptsBeyondMax,
		doc: "There were more attempts at a gate than allowed.",
		fix: "Escalate: Ask a person how to go on, since the limit is passed.",
		why: "attempts or cycles of a gate are above their limit, in a diagnostic or in a block of the " +
			"orchestrator: the work goes in circles."},
	{name: "attempts-exhausted", severity: sdk.Warning, all: attemptsExhausted,
		doc: "No attempt at a gate is left.", fix: "Escalate: Ask a person how to go on, since no attempt is left.",
		why: "The limit is reached, and last_failure_reason gives the reason for which the last attempt failed."},
	{name: "script-fields-disagree", severity: sdk.Error, script: scriptFieldsDisagree, of: 1 << qa,
		replaces: "script-flags-disagree exit-code-off-status",
		doc:      "executed, status and exit_code of a script disagree.",
		fix:      "Decide how it ended: Look for its output, and correct executed, status and exit_code.",
		why: "Exit codes 0, 1 and 2 mean complete, failed and error; a script that was not run has none and is not " +
			"executed. The next session would run the script again, or rely on a result that does not exist.",
		severityIf: "Warning if a script that ended has null in place of a figure or its time."},
	{name: "dependency-open", severity: sdk.Error, script: dependencyNotMet, of: 1 << qa,
		replaces: "older-than-dependency dependency-not-met",
		doc:      "A script was run before the one that it depends on.",
		fix:      "Run the dependency first: Run it until it ends with 0 or 1, then the script.",
		why: "depends_on names a script that was not executed, is running, or ended with 2: the result of " +
			"the later one rests on nothing.",
		severityIf: "Warning if the dependency ran again afterwards."},
	{name: "script-interrupted", severity: sdk.Warning, script: scriptInterrupted, of: 1 << qa,
		doc: "A script was interrupted.", fix: "Run it again: Run the script from scratch.",
		why: "A script that is recorded as running while no agent works was interrupted. It runs again from " +
			"scratch; iteration_count stays."},
	{name: "runaway-script", severity: sdk.Warning, script: runawayScript, of: 1 << qa,
		doc: "A script ran three times or more.", fix: "Look at it: Find out why it runs again and again.",
		why: "iteration_count is 3 or more: remediation may go in circles."},
	{name: "cached-result-missing", severity: sdk.Error, script: cachedResultMissing, needs: onOutputs | onAll,
		of:  1 << qa,
		doc: "The result of a script does not exist.", fix: "Run it again: Run the script, or restore its output.",
		why: "The script is not to be run again, but no document has the name of its output_file. Of a file below " +
			"another directory than those of this workflow nothing is known."},
}
