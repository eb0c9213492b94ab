package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

var handOffRules = []check.Rule[*model]{
	{Name: "holding-pattern-empty", Severity: sdk.Error, Find: handIsEmpty,
		Doc: "An empty hand-off is read before everything else.",
		Fix: "Restore the hand-off from git, or remove it."},
	{Name: "holding-pattern-incomplete", Severity: sdk.Error, Needs: aHand, Find: handIncomplete,
		Replaces:   []string{"holding-pattern-without-position", "holding-pattern-without-next-action"},
		Advice:     "Complete it",
		Doc:        "The hand-off names no task, or two.",
		SeverityIf: "Warning if it says none or no time, unless the base did, or if it names no first step.",
		Fix: "Write phase, plan, task and total_tasks as numbers and the time as created into the front " +
			"matter, begin each item of Remaining Work with its task, and write under Next Action the very first " +
			"thing to do."},
	{Name: "holding-pattern-elsewhere", Severity: sdk.Error, Needs: aHand, Find: handElsewhere,
		Replaces: []string{"holding-pattern-out-of-range"},
		Advice:   "Decide which holds",
		Doc: "The hand-off is ahead of the position, or its task does not exist.\n\nIts plan or phase may " +
			"be the one that does not exist.",
		Fix: "Look at git log, the route and the phase documents, and correct the position or the " +
			"hand-off."},
	{Name: "stale-holding-pattern", Severity: sdk.Error, Needs: aHand, Find: handStaleRule,
		Replaces:   []string{"holding-pattern-outlived-session"},
		Doc:        "The hand-off is for finished work: a resume would repeat it.",
		SeverityIf: "Warning if a session has passed since it was written.",
		Fix:        "Move the hand-off to the archive, or bring it up to date."},
	{Name: "status-denies-holding-pattern", Severity: sdk.Error, Needs: aPosition | aHand, Find: statusDeniesHand,
		Doc: "There is a hand-off, and the status says that nothing was begun.",
		Fix: "Set the status to In progress, or move the hand-off to the archive."},
	{Name: "holding-pattern-unreferenced", Severity: sdk.Warning, Needs: aPosition | aHand, Find: handUnreferenced,
		Advice: "Name the hand-off",
		Doc:    "Resume file does not name the hand-off.",
		Fix:    "Add a row Resume file with ."},
	{Name: "completed-task-mismatch", Severity: sdk.Error, Needs: aHand, Find: taskMismatch,
		Advice: "Find out which tasks are done",
		Doc:    "The current task is done, an earlier one is not, or one has two statuses.",
		Fix:    "Check git log and correct the rows or the front matter."},
	{Name: "remaining-work-mismatch", Severity: sdk.Error, Needs: aHand, Find: remainingMismatch,
		Replaces: []string{"finished-task-remaining", "task-unaccounted"},
		Advice:   "Account for it",
		Doc: "A task is both done and remaining, or neither.\n\nIt would be forgotten, or no task before the " +
			"current one is listed.",
		SeverityIf: "Warning unless the base had it.",
		Fix:        "List each task once: under Remaining Work, or as done with its commit."},
	{Name: "completed-task-without-commit", Severity: sdk.Warning, Needs: aHand, Find: taskWithoutCommit,
		Advice:     "Name the commit",
		Doc:        "A done task has no commit to verify it by.",
		SeverityIf: "Info if none has.",
		Fix:        "Find the commit of the task in git log."},
}
