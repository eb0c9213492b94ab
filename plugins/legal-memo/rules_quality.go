package legalmemo

import "github.com/stategate/stategate/sdk"

// qualityRules check the reviews of the memorandum.
var qualityRules = []rule{
	{group: "quality", name: "finished-with-blocker", severity: sdk.Error, each: finishedWithBlocker,
		doc: "A file is marked done, but a blocker is unresolved.",
		fix: "Check the blocker: If the blocker is resolved, set resolution_status to RESOLVED. Otherwise, reopen " +
			"the state.",
		why: "resolution_status starts with UNRESOLVED. Either the blocker is resolved, or the file is not done."},
	{name: "unresolved-blocker", severity: sdk.Warning, each: unresolvedBlocker,
		doc: "A blocker is unresolved.", severityIf: "Info if the status is blocked and the blocker is described.",
		fix: "Resolve the blocker: Resolve the blocker, then set resolution_status to RESOLVED.",
		why: "The agent cannot continue. Follow resolution_method, which stategate resume shows first."},
	{name: "blocked-without-reason", severity: sdk.Warning, each: blockedWithoutReason,
		replaces: "blocked-after-resolution",
		doc:      "A file is blocked, but its blocker is missing or resolved.",
		fix: "Write the reason: Find out what blocks the agent, and record it in blocking_issue, or set status to " +
			"in_progress.",
		why: "The status is blocked, but neither blocking_issue nor another key that starts with block gives a " +
			"reason, or the blocker is resolved, so the agent waits for no reason."},
	{name: "cycle-beyond-max", severity: sdk.Error, each: cycleBeyondMax, of: 1 << qa, replaces: "cycles-exhausted",
		doc:        "The diagnostic has no cycles left.",
		fix:        "Certify with limitations: Certify with limitations or ask a person. Do not open another cycle.",
		why:        "The last allowed cycle must end with CERTIFY_WITH_LIMITATIONS or a person's decision.",
		severityIf: "Warning if current_cycle is max_cycles, and its outcome does not start with CERTIF."},
	{name: "cycle-behind-history", severity: sdk.Error, each: cycleBehindHistory, of: 1 << qa,
		doc: "current_cycle is below the last cycle in cycle_history.",
		fix: "Correct current_cycle: Set current_cycle to the actual cycle.",
		why: "The counter was set back after context loss. The cycle limit would never be reached."},
	{name: "cycle-history-gap", severity: sdk.Warning, each: cycleHistoryGap, of: 1 << qa,
		replaces: "cycle-history-disordered",
		doc:      "cycle_history lacks a cycle, or is out of order.",
		fix: "Complete the history: Sort cycle_history by cycle, and rebuild missing entries from the outputs " +
			"of their cycle.",
		why: "cycle_history must list each cycle once, in rising order. Otherwise a cycle's outcome is unknown."},
	{name: "attempts-beyond-max", severity: sdk.Error, all: attemptsBeyondMax, replaces: "attempts-exhausted",
		doc: "A gate has no attempts left.",
		fix: "Escalate: Ask a person how to continue, because no attempts are left.",
		why: "A gate's attempts or cycles exceed their limit, in a diagnostic or in an orchestrator block, so " +
			"agents repeat the same work.",
		severityIf: "Warning if the limit is reached, and last_failure_reason says why the last attempt failed."},
	{name: "script-fields-disagree", severity: sdk.Error, script: scriptFieldsDisagree, of: 1 << qa,
		replaces: "script-flags-disagree exit-code-off-status script-rerun-uncounted",
		doc:      "A script's executed, status, exit_code and iteration_count disagree.",
		fix:      "Find out how the script ended: Check its output, and correct executed, status and exit_code.",
		why: "Exit codes 0, 1 and 2 mean complete, failed and error. A script that was not run has no exit " +
			"code. The next session would rerun the script, or rely on a missing result. Each run adds 1 to " +
			"iteration_count.",
		severityIf: "Warning if an ended script's figure or time is null, or if a run was not counted."},
	{name: "dependency-open", severity: sdk.Error, script: dependencyNotMet, of: 1 << qa,
		replaces: "older-than-dependency dependency-not-met",
		doc:      "A script ran before the script that it depends on.",
		fix:      "Run the dependency first: Run the dependency until it exits with 0 or 1, then run the script.",
		why: "depends_on names a script that was not executed, is running, or exited with 2, so the later " +
			"result has no basis.",
		severityIf: "Warning if the dependency ran again later."},
	{name: "script-interrupted", severity: sdk.Warning, script: scriptInterrupted, of: 1 << qa,
		doc: "A script is recorded as running.", fix: "Rerun the script: Run the script from scratch.",
		severityIf: "Info unless the script has a result, it was running in the base while other work went on, or " +
			"the file is finished.",
		why: "If no agent is running the script now, it was interrupted. Rerun it from scratch, and keep " +
			"iteration_count."},
	{name: "runaway-script", severity: sdk.Warning, script: runawayScript, of: 1 << qa,
		doc: "A script ran at least three times.", fix: "Check the script: Find out why the script keeps running.",
		why: "iteration_count is 3 or more, so remediation may repeat the same steps."},
	{name: "cached-result-missing", severity: sdk.Error, script: cachedResultMissing, needs: onOutputs | onAll,
		of:  1 << qa,
		doc: "A script's result does not exist.", fix: "Rerun the script: Run the script, or restore its output.",
		why: "The script will not run again, but no document matches its output_file. Files outside this " +
			"workflow's directories are not checked."},
}
