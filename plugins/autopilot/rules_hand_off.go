package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

var handOffRules = []check.Rule[*model]{
	{Name: "holding-pattern-empty", Severity: sdk.Error, Find: handIsEmpty,
		Doc: "The hand-off is empty, but agents read it first.",
		Fix: "Restore the hand-off from git, or remove it."},
	{Name: "holding-pattern-incomplete", Severity: sdk.Error, Needs: aHand, Find: handIncomplete,
		Replaces:   []string{"holding-pattern-without-position", "holding-pattern-without-next-action"},
		Advice:     "Complete the hand-off",
		Doc:        "The hand-off does not name a task, or names two.",
		SeverityIf: "Warning if the task or time is missing in the base too, or a new hand-off has no first step.",
		Fix: "In the front matter, write phase, plan, task and total_tasks as numbers, and set created to the " +
			"time. Start each Remaining Work item with its task, and write the first step under Next Action."},
	{Name: "holding-pattern-elsewhere", Severity: sdk.Error, Needs: aHand, Find: handElsewhere,
		Replaces: []string{"holding-pattern-out-of-range"},
		Advice:   "Decide which is right",
		Doc: "The hand-off is ahead of the position, or names a missing task.\n\nThis also applies to a plan " +
			"or phase that does not exist, and to a position that Stopped at and Resume file contradict.",
		Fix: "Check git log, the route and the phase documents. Correct the position or the hand-off; if the " +
			"hand-off's tasks are done, archive it."},
	{Name: "stale-holding-pattern", Severity: sdk.Error, Needs: aHand, Find: handStaleRule,
		Replaces: []string{"holding-pattern-outlived-session"},
		Doc: "The hand-off describes finished work, which a resume would repeat.\n\nThis also applies if only its " +
			"plan or its status says so, while the position continues from it.",
		SeverityIf: "Warning if a session has passed since it was written.",
		Fix:        "Archive the hand-off, or update it."},
	{Name: "status-denies-holding-pattern", Severity: sdk.Error, Needs: aPosition | aHand, Find: statusDeniesHand,
		Doc: "A hand-off exists, but the status says that no work has started.",
		Fix: "Set the status to In progress, or archive the hand-off."},
	{Name: "holding-pattern-unreferenced", Severity: sdk.Warning, Needs: aPosition | aHand, Find: handUnreferenced,
		Advice: "Set Resume file to the hand-off",
		Doc:    "Resume file does not name the hand-off.",
		Fix:    "Write the hand-off's path into the Resume file row."},
	{Name: "completed-task-mismatch", Severity: sdk.Error, Needs: aHand, Find: taskMismatch,
		Advice:     "Find out which tasks are done",
		Doc:        "The rows of completed tasks contradict the current task or each other.",
		SeverityIf: "Warning if every task is done.",
		Fix:        "Check git log, and correct the rows or the front matter."},
	{Name: "remaining-work-mismatch", Severity: sdk.Error, Needs: aHand, Find: remainingMismatch,
		Replaces: []string{"finished-task-remaining", "task-unaccounted"},
		Advice:   "List each task once",
		Doc: "A task is both done and remaining, or neither.\n\nAn unlisted task would be forgotten. This " +
			"also applies if no task before the current one is listed.",
		SeverityIf: "Warning unless the base lists the task, or if only total_tasks fell.",
		Fix:        "List each task once: under Remaining Work, or as done with its commit."},
	{Name: "completed-task-without-commit", Severity: sdk.Warning, Needs: aHand, Find: taskWithoutCommit,
		Advice:     "Add the commit",
		Doc:        "A done task has no commit that proves it.",
		SeverityIf: "Info if no done task has a commit.",
		Fix:        "Find the task's commit in git log, and add it to the row."},
}
