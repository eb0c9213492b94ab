package taskmaster

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/work"
)

var rules = []check.Rule[*model]{
	{Name: "status-unknown", Group: "tasks", Severity: sdk.Error, Find: statusUnknown, Advice: "Write a valid status",
		Replaces:   []string{"status-unreadable"},
		Doc:        "A task has no status, or one that Task Master does not know.",
		Why:        "Task Master neither offers the task as the next one nor counts it as done.",
		SeverityIf: "Warning if the status is another word.",
		Fix:        "Use pending, in-progress, review, done, deferred or cancelled."},
	{Name: "id-missing", Group: "tasks", Severity: sdk.Error, Find: idMissing, Advice: "Give the task an id",
		Doc: "A task has no id.",
		Why: "No command or dependency can refer to it.",
		Fix: "Give the task the next free number."},
	{Name: work.IDRepeated, Group: "tasks", Severity: sdk.Error, Find: idRepeated, Advice: "Renumber the second " +
		"task",
		Doc: "Two tasks in a list have the same id.\n\nUsually two branches each created one.",
		Why: "Task Master finds only the first task, so the other is never done, and dependencies are " +
			"ambiguous.",
		SeverityIf: "Warning if both are finished.",
		Fix:        "Give the second task the next free number, and update the dependencies that refer to it."},
	{Name: work.DoneWithOpenParts, Group: "tasks", Severity: sdk.Error, Find: doneEarly,
		Replaces: []string{"done-with-open-subtasks"},
		Doc:      "A task is done, but one of its subtasks is not.",
		Why:      "The next session skips a finished task's open subtasks.",
		SeverityIf: "Warning if all open subtasks are in review, or if no subtask ever began, because set-status " +
			"does not update them.",
		Fix: "Set finished subtasks to done and abandoned ones to cancelled, or set the task back to in-progress."},
	{Name: work.OpenWithDoneParts, Group: "tasks", Severity: sdk.Warning, Find: subtasksDone,
		Replaces: []string{"subtasks-done"},
		Doc:      "All of a task's subtasks are done, but the task is not.",
		Why:      "Task Master offers the task as the next one although no work remains.",
		Fix:      "Set the task to done, or add a subtask for the remaining work."},

	{Name: work.DependencyMissing, Group: "dependencies", Severity: sdk.Error, Find: needMissing,
		Replaces:   []string{"dependency-unreadable"},
		Doc:        "A task depends on something that does not exist or is not an id.",
		Why:        "The task never becomes ready.",
		SeverityIf: "Warning if the task is done or abandoned.",
		Fix:        "Correct the dependency, or remove it."},
	{Name: work.DependencyCircular, Group: "dependencies", Severity: sdk.Error, Find: needCircular,
		Advice:     "Break the circle",
		Doc:        "Tasks depend on each other in a circle, or a task depends on itself.",
		Why:        "None of them ever becomes ready.",
		SeverityIf: "Warning if all of them are done or abandoned.",
		Fix:        "Remove one of the dependencies."},
	{Name: work.DependencyOpen, Group: "dependencies", Severity: sdk.Warning, Find: needOpen,
		Advice: "Correct one of the statuses, or remove the dependency",
		Doc: "A task is done, but a task that it depends on is not.\n\nThe rule also reports a task in progress if " +
			"one that it depends on has not begun.",
		Why: "Either the task is built on unfinished work, or the other task is done but not marked.",
		SeverityIf: "Info if the task is only in progress, because `next` offers its subtasks, not the task that it " +
			"depends on.",
		Fix: "Set the other task to done if it is. Otherwise set this one back, or remove the dependency."},

	{Name: "count-mismatch", Group: "files", Severity: sdk.Info, Find: countMismatch,
		Doc: "A list's metadata has the wrong number of tasks or completed tasks.\n\nSome Task Master commands, such " +
			"as add-task and move, do not update these numbers.",
		Why: "Tools that read only the metadata show wrong numbers.",
		Fix: "Set the number to the list's actual count."},
	{Name: "tag-unknown", Group: "files", Severity: sdk.Error, Find: tagUnknown,
		Doc: "The current tag in state.json does not exist in tasks.json.",
		Why: "Every Task Master command works on a list that does not exist.",
		Fix: "Use an existing tag, or restore the list."},
	{Name: "task-file-stale", Group: "files", Severity: sdk.Warning, Find: fileStale, Advice: "Regenerate or " +
		"delete the files",
		Doc: "A task's generated file has a different status than tasks.json.",
		Why: "Agents that read the file see an old state.",
		SeverityIf: "Info if most files are stale, because the project does not update them. Also info in a " +
			"list with a tag, because Task Master no longer updates these files.",
		Fix: "Run `task-master generate`, or delete the files."},

	{Name: "tag-lost", Group: "history", Severity: sdk.Error, Needs: onBase, Find: tagLost, Advice: "Restore the list",
		Doc:        "A list that the base has was deleted, along with its open tasks.",
		Why:        "A merge or an older Task Master version wrote the file without the list.",
		SeverityIf: "Info if none of its tasks was open.",
		Fix:        "Restore the list from the base. If it was renamed, accept the finding."},
	{Name: work.ItemLost, Group: "history", Severity: sdk.Error, Find: taskLost, Needs: onBase,
		Advice:   "Restore the tasks",
		Replaces: []string{"task-removed", "items-lost", "tasks-lost"},
		Doc:      "A task or subtask that the base has was deleted from a list.",
		Why: "Unfinished work is forgotten, and finished work has no record. If many are gone, a merge or a new " +
			"parse overwrote them.",
		SeverityIf: "Error for at least five tasks and a third of a list, unless other tasks replace them and the " +
			"lost tasks either had not begun or were all finished. Otherwise a warning; info if the task was " +
			"finished, or was a subtask that had not begun, unless its task was set to done. Warning if all subtasks " +
			"of a task are gone and one was done.",
		Fix: "Restore the tasks from the base, or keep dropped ones as cancelled."},
	{Name: work.TickLost, Group: "history", Severity: sdk.Error, Find: reopened, Needs: onBase,
		Replaces:   []string{"task-reopened", "ticks-lost", "done-tasks-reopened"},
		Doc:        "A task that was done in the base is open again.",
		Why:        "The task was reopened, or an older version of the file overwrote a newer one.",
		SeverityIf: "Warning unless most tasks that were done, and at least five, are open again.",
		Fix:        "Set the tasks to done if they are."},
	{Name: "state-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: fileLost,
		Replaces:   []string{"file-lost"},
		Doc:        "tasks.json was deleted, or a state.json whose current tag is not master.",
		Why:        "The record of all tasks is lost, or commands work on another list.",
		SeverityIf: "Warning for state.json.",
		Fix:        "Restore the file."},
}
