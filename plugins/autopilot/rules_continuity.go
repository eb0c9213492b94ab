package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

var continuityRules = []check.Rule[*model]{
	{Name: "transponder-too-long", Severity: sdk.Warning, Needs: aPosition, Find: tooLong,
		Advice: "Prune it",
		Doc:    "TRANSPONDER.md has 100 lines or more.",
		Fix:    "Remove old decisions, finished todos and old metrics."},
	{Name: "too-many-decisions", Severity: sdk.Warning, Needs: aPosition, Find: tooManyDecisions,
		Advice: "Keep the newest",
		Doc:    "More than five recent decisions are kept.",
		Fix:    "Move the oldest decisions to learnings.md."},
	{Name: "vague-activity", Severity: sdk.Info, Needs: aPosition, Find: vagueActivity,
		Advice: "Say what was done",
		Doc:    "The last activity tells the next session nothing.",
		Fix:    `Write what is different now, such as "Completed auth API".`},
	{Name: "next-action-mismatch", Severity: sdk.Warning, Needs: aPosition, Find: nextActionMismatch,
		Replaces: []string{"next-action-missing", "next-action-contradicts-status"},
		Advice:   "Name the next action",
		Doc: "Nothing says what to do next, or the next action does not fit the status or is of another " +
			"phase.",
		Fix: "Write the command that continues the work into the row Next action."},
	{Name: "resume-file-missing", Severity: sdk.Error, Needs: aPosition, Find: resumeFileMissing,
		Advice: "Name the file",
		Doc:    "The file to resume from does not exist.",
		SeverityIf: "Warning if it is the hand-off and a session was resumed: the row follows at the end of the " +
			"session.",
		Fix: "Name the file that exists, or write None."},
	{Name: "quick-reference-stale", Severity: sdk.Warning, Needs: aPosition, Find: quickReferenceStale,
		Advice: "Correct the path",
		Doc: "Quick Reference names a directory of a phase that does not exist, or another phase than the " +
			"position as the current one.",
		SeverityIf: "Info if it names a document that does not exist.",
		Fix: "Write the directory of the phase that is flown, or a path that exists, under Quick " +
			"Reference."},
	{Name: "stopped-at-elsewhere", Severity: sdk.Warning, Needs: aPosition, Find: stoppedElsewhere,
		Hides:  []string{"interrupted-without-holding-pattern"},
		Advice: "Find out where it stopped",
		Doc:    "Stopped at names a place ahead of the position.",
		Fix:    "Correct Stopped at or the position."},
	{Name: "interrupted-without-holding-pattern", Severity: sdk.Warning, Needs: aPosition, Find: interruptedBare,
		Advice: "Write the hand-off",
		Doc:    "Stopped at says that a plan was interrupted, and no hand-off was written.",
		Fix:    "Write holding-pattern.md from git log and the route, or update Stopped at."},
	{Name: "blocker-contradicts-status", Severity: sdk.Warning, Needs: aPosition, Find: blockerContradicts,
		Replaces:   []string{"blocked-without-blocker", "blocker-after-completion", "blocker-without-blocked-status"},
		Advice:     "Make status and blockers agree",
		Doc:        "The status is Blocked and no blocker is listed, or a blocker is listed for completed work.",
		SeverityIf: "Info if a blocker is listed while work continues.",
		Fix: `List what blocks, such as "Phase 3: waiting for API keys", and set the status to Blocked; ` +
			"remove a resolved blocker."},
	{Name: "blocker-without-phase", Severity: sdk.Info, Needs: aPosition, Find: blockerWithoutPhase,
		Advice: "Name the phase",
		Doc:    "A blocker does not begin with the phase that it blocks.",
		Fix:    `Begin the item with its phase, such as "Phase 3: ".`},
	{Name: "next-task-mismatch", Severity: sdk.Error, Needs: aPosition, Find: nextTaskMismatch,
		Replaces:   []string{"next-task-already-done", "next-task-elsewhere"},
		Advice:     "Find the next task",
		Doc:        "The next task is completed already.",
		SeverityIf: "Warning if it is not of the phase that the position names, or the commands name another.",
		Fix:        "Look up in the route which task is open, and name it in Next Task and in the commands."},
	{Name: "waypoint-not-migrated", Severity: sdk.Warning, Needs: aPosition, Find: notMigrated,
		Advice: "Write TRANSPONDER.md",
		Doc:    "The position is kept in an old file that no current command reads.",
		Fix:    "Find out where the flight is, write TRANSPONDER.md and move the old file to archive/."},
	{Name: "waypoint-not-archived", Severity: sdk.Warning, Find: waypointNotArchived,
		Replaces: []string{"waypoint-left-behind"},
		Doc:      "waypoint.md was migrated and not archived, or has a position that TRANSPONDER.md has not reached.",
		Fix:      "Move waypoint.md to archive/; if its position is right, write that into TRANSPONDER.md first."},
}
