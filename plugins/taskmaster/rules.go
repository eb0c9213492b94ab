package taskmaster

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

var rules = []check.Rule[*model]{
	{Name: "status-unreadable", Group: "tasks", Severity: sdk.Error, Find: statusUnreadable, Advice: "Write a status",
		Doc: "A task has no status, or one without a word.",
		Why: "It is neither next nor done: Task Master passes it over.",
		Fix: "Write pending, in-progress, review, done, deferred or cancelled."},
	{Name: "status-unknown", Group: "tasks", Severity: sdk.Info, Find: statusUnknown,
		Doc: "The status of a task is a word that is not known.",
		Why: "Nothing in the same revision is compared with it.",
		Fix: "Task Master writes pending, in-progress, review, done, deferred and cancelled."},
	{Name: "id-missing", Group: "tasks", Severity: sdk.Error, Find: idMissing, Advice: "Give it an id",
		Doc: "A task has no id.",
		Why: "No command and no dependency can name it.",
		Fix: "Give it the next free number."},
	{Name: "id-repeated", Group: "tasks", Severity: sdk.Error, Find: idRepeated, Advice: "Renumber the second one",
		Doc: "Two tasks of a list have one id. Most often two branches made them.",
		Why: "Task Master finds the first one only: the other is never done, and dependencies mean either. It is a " +
			"warning where both are over.",
		Fix: "Give the second one the next free number, and correct the dependencies that mean it."},
	{Name: "done-with-open-subtasks", Group: "tasks", Severity: sdk.Error, Find: doneEarly,
		Doc: "A task is done, but a subtask of it is not.",
		Why: "Nobody looks for open subtasks in a task that is done. It is a warning where all that is open is in " +
			"review, or no subtask was ever begun: set-status leaves them behind.",
		Fix: "Set the subtasks to done if they are, to cancelled if they are given up, or the task back to " +
			"in-progress."},
	{Name: "subtasks-done", Group: "tasks", Severity: sdk.Warning, Find: subtasksDone,
		Doc: "Every subtask of a task is done, but the task is not.",
		Why: "The task is offered as the next one although nothing of it is left.",
		Fix: "Set it to done, or write down as a subtask what is left."},

	{Name: "dependency-unreadable", Group: "dependencies", Severity: sdk.Error, Find: needUnreadable,
		Advice: "Write an id",
		Doc:    "A dependency is neither a number nor a text.",
		Why:    "It names no task.",
		Fix:    "Write the id of a task, such as 5 or \"5.2\"."},
	{Name: "dependency-missing", Group: "dependencies", Severity: sdk.Error, Find: needMissing,
		Doc: "A task depends on a task that does not exist.",
		Why: "It never becomes ready. It is a warning where the task is done or given up.",
		Fix: "Name the task that is meant, or take the dependency out."},
	{Name: "dependency-circular", Group: "dependencies", Severity: sdk.Error, Find: needCircular,
		Advice: "Break the circle",
		Doc:    "Tasks depend on each other in a circle, or a task on itself.",
		Why:    "None of them ever becomes ready. It is a warning where all of them are done or given up.",
		Fix:    "Take one of the dependencies out."},
	{Name: "dependency-open", Group: "dependencies", Severity: sdk.Warning, Find: needOpen,
		Advice: "Settle the dependency",
		Doc:    "A task is done, but a task on which it depends is not.",
		Why:    "It rests on work that is not done, or that work is done and not marked.",
		Fix:    "Set the dependency to done if it is, or take it out."},

	{Name: "count-mismatch", Group: "files", Severity: sdk.Warning, Find: countMismatch,
		Doc: "The metadata of a list has another number of tasks, or of done ones, than the list.",
		Why: "Whoever reads the metadata alone is misled; most often the file was edited by hand.",
		Fix: "Set the number to what the list has."},
	{Name: "tag-unknown", Group: "files", Severity: sdk.Error, Find: tagUnknown,
		Doc: "state.json names a current tag that tasks.json does not have.",
		Why: "Every command of Task Master works on a list that is not there.",
		Fix: "Name a tag that exists, or put the list back."},
	{Name: "task-file-stale", Group: "files", Severity: sdk.Warning, Find: fileStale, Advice: "Generate the files",
		Doc: "The file that was printed of a task has another status than tasks.json.",
		Why: "Agents that read the file see old state. It is an info where most files are stale, since they are not " +
			"kept then.",
		Fix: "Run task-master generate, or delete the files."},

	{Name: "tag-lost", Group: "history", Severity: sdk.Error, Needs: onBase, Find: tagLost, Advice: "Put the list back",
		Doc: "A list of the base is gone, with open tasks.",
		Why: "A merge or an older version of Task Master wrote the file without it. It is a warning where nothing " +
			"in it was open.",
		Fix: "Take the list from the base. Where it was renamed, say so in the commit and accept the finding."},
	{Name: "tasks-lost", Group: "history", Severity: sdk.Error, Needs: onBase, Find: tasksLost, Advice: "Put them back",
		Doc: "Many tasks of the base are gone from a list.",
		Why: "A merge, or a list that was parsed anew, overwrote them: what is done has no record, and what is open " +
			"is forgotten. " +
			"It is a warning where others are in their place, and none of them was begun, or all were over: the " +
			"work was planned anew.",
		Fix: "Take them from the base, or set to cancelled what is given up."},
	{Name: "task-removed", Group: "history", Severity: sdk.Warning, Needs: onBase, Find: taskRemoved,
		Doc: "A task of the base is gone from a list.",
		Why: "What was being worked on is forgotten. It is an info where the task was not in progress.",
		Fix: "Put it back, or set it to cancelled, if it should be remembered."},
	{Name: "done-tasks-reopened", Group: "history", Severity: sdk.Error, Needs: onBase, Find: reopenedMany,
		Hides: []string{"task-reopened"},
		Doc:   "Most tasks that were done in the base are not done any more.",
		Why:   "An older version of the file came back over a newer one.",
		Fix:   "Restore the file, and make the change again."},
	{Name: "task-reopened", Group: "history", Severity: sdk.Warning, Needs: onBase, Find: reopened,
		Doc: "A task that was done in the base is not done any more.",
		Why: "It was taken up again, or an older version of the file came back.",
		Fix: "Set it to done if it is."},
	{Name: "file-lost", Group: "history", Severity: sdk.Error, Find: fileLost,
		Doc: "tasks.json was there in the base and is gone.",
		Why: "All tasks are lost.",
		Fix: "Restore the file."},
}
