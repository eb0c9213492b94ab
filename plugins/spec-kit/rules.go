package speckit

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

var rules = []check.Rule[*model]{
	{Name: "spec-missing", Group: "documents", Severity: sdk.Warning, Find: specMissing,
		Doc: "There are tasks, but no spec.md.",
		Why: "Nothing says what the feature is to do; `/speckit.implement` and `/speckit.analyze` ask for it.",
		Fix: "Write spec.md, or restore it."},
	{Name: "plan-missing", Group: "documents", Severity: sdk.Warning, Find: planMissing,
		Doc: "Tasks are being done without plan.md.",
		Why: "`/speckit.implement` reads the stack and the layout from it, and refuses to begin without it.",
		Fix: "Write plan.md, or restore it."},
	{Name: "current-feature-missing", Group: "documents", Severity: sdk.Warning, Find: pointerGone, Asks: true,
		Doc: ".specify/feature.json names a feature that does not exist.",
		Why: "`/speckit.plan` and the other commands work on the feature that it names, and stop.",
		Fix: "Write the directory of the feature that is being worked on, or restore the feature."},
	{Name: "clarification-open", Group: "documents", Severity: sdk.Warning, Find: clarificationOpen,
		Doc: "The spec has a question marked NEEDS CLARIFICATION while tasks are done.",
		Why: "What is built rests on a guess that was not confirmed.",
		Fix: "Run `/speckit.clarify`, and replace the mark by the answer."},
	{Name: "clarification-denied", Group: "claims", Severity: sdk.Error, Find: clarificationDenied,
		Hides: []string{"clarification-open"},
		Doc:   "A checklist says that no NEEDS CLARIFICATION mark remains, but the spec has one.",
		Why:   "`/speckit.plan` goes on where the checklist passes, and what is built rests on a guess.",
		Fix:   "Run `/speckit.clarify`, and replace the mark by the answer, or untick the item."},
	{Name: "story-missing", Group: "tasks", Severity: sdk.Warning, Find: storyMissing, Needs: onTasks,
		Doc: "Tasks have the label of a user story that spec.md does not have.",
		Why: "Nothing says what they are to achieve, and when they are done.",
		Fix: "Write the story into spec.md, or correct the label."},
	{Name: "unfilled-placeholder", Group: "documents", Severity: sdk.Warning, Find: templateLeft,
		Replaces: []string{"template-left"},
		Doc: "A document still has text of its template while tasks are done.\n\nIt is the title, a field " +
			"or a heading.",
		Why: "The document was never written, or only in part.",
		Fix: "Replace the text in brackets."},

	{Name: "id-repeated", Group: "tasks", Severity: sdk.Error, Find: taskRepeated, Needs: onTasks,
		Replaces:   []string{"task-repeated"},
		Doc:        "Two tasks have one id.",
		Why:        "A dependency, a commit or a note that names the id names two tasks.",
		SeverityIf: "Warning if both are done, and if both say the same.",
		Fix:        "Give the second one an id of its own."},
	{Name: "dependency-missing", Group: "tasks", Severity: sdk.Warning, Find: dependencyMissing, Needs: onTasks,
		Doc: "A task depends on one that does not exist.",
		Why: "It cannot be told whether the task may begin.",
		Fix: "Correct the dependency, or remove it."},
	{Name: "dependency-open", Group: "tasks", Severity: sdk.Warning, Find: dependencyOpen, Needs: onTasks,
		Doc: "A task is ticked, but one that it depends on is not.",
		Why: "One of the two boxes is wrong, or the dependency is.",
		Fix: "Tick the task that it depends on if that is done."},
	{Name: "dependency-circular", Group: "tasks", Severity: sdk.Warning, Find: dependencyCycle, Needs: onTasks,
		Replaces: []string{"dependency-cycle"},
		Doc:      "Open tasks depend on each other in a circle, or one on itself.",
		Why:      "None of them can be begun.",
		Fix:      "Remove the wrong dependency."},
	{Name: "box-unreadable", Group: "tasks", Severity: sdk.Error, Find: boxUnreadable, Needs: onTasks,
		Hides: []string{"item-lost", "done-item-lost"},
		Doc: "An item of tasks.md that others refer to has no readable box.\n\nOther tasks or the base have " +
			"its id.",
		Why: "Nobody can tell whether the task is done, and it is counted nowhere. It is an error where the base " +
			"has its box and what is left of it is a broken one.",
		Fix: "Write `[x]` if the task is done, or `[ ]`."},

	{Name: "foundation-open", Group: "tasks", Severity: sdk.Warning, Find: foundationOpen, Needs: onTasks,
		Doc: "Tasks of user stories are ticked, but the blocking foundational phase is not complete.",
		Why: "The plan says that no story may begin before: either a box lags, or a story rests on what is not there.",
		Fix: "Tick what is done of that phase, and do the rest first."},

	{Name: "section-complete-with-open-tasks", Group: "claims", Severity: sdk.Error, Find: sectionComplete,
		Needs: onTasks, Asks: true,
		Doc: "tasks.md calls a section complete, but a task in it is not ticked.",
		Why: "Whoever resumes the feature skips the section. What calls it complete is its heading, its " +
			"Checkpoint, its Status, or a line about the phase.",
		SeverityIf: "Warning if few boxes are ticked at all, unless most of the files that the tasks name " +
			"are missing.",
		Fix: "Tick what is done, or remove the mark from the heading."},
	{Name: "progress-refuted", Group: "claims", Severity: sdk.Error, Find: progressRefuted, Needs: onTasks,
		Doc: "tasks.md says that more tasks are done than are ticked.",
		Why: "A count such as \"32/32 tasks complete\" is what people read, and boxes are what agents read.",
		Fix: "Tick what is done, or correct the count."},
	{Name: "complete-with-open-tasks", Group: "claims", Severity: sdk.Error, Find: statusComplete, Needs: onTasks,
		Asks: true,
		Doc: "A document calls the feature complete, but a task is not ticked.\n\nIt is the Status of spec.md or " +
			"tasks.md, the title of tasks.md or a line below it, or a box of plan.md.",
		Why: "The feature counts as delivered, and what is left of it is forgotten.",
		SeverityIf: "Warning if few boxes are ticked at all, unless most of the files that the tasks name " +
			"are missing. Info if the Status names exactly the open tasks and says where they went.",
		Fix: "Tick what is done, strike what was given up, or correct the Status."},
	{Name: "done-without-evidence", Group: "claims", Severity: sdk.Error, Find: withoutEvidence, Needs: onTasks,
		Asks: true,
		Doc:  "A task is ticked, but the files that it names do not exist.",
		Why:  "The task counts as done, but its result does not exist.",
		SeverityIf: "Error only for a task that was ticked since the base and says that it creates the file. " +
			"In addition, the change deleted the file, its directory exists and no other such task made its " +
			"file, or there are several such tasks and none made its file. Warning otherwise: the file may have " +
			"another name. If a tick came with words that leave the file out, the words in the base count. Tasks " +
			"whose paths begin with a missing directory share one finding: a warning, unless there is no code at " +
			"all. Tasks that were ticked before share one info. A task that changes files is a warning if the " +
			"change that ticks it touches none of them, but a file of another task that it ticks.",
		Fix: "Write the file, untick the task, or correct the path."},
	{Name: "checklist-open", Group: "claims", Severity: sdk.Info, Find: checklistOpen,
		Doc: "Every task is ticked, but a checklist is not.",
		Why: "`/speckit.implement` asks before it begins with a checklist that is open; afterwards it is forgotten.",
		Fix: "Review what is open, and tick it."},

	{Name: "tick-lost", Group: "history", Severity: sdk.Warning, Find: taskUnticked, Needs: onBase | onTasks,
		Asks: true, Replaces: []string{"task-unticked"},
		Doc: "A ticked task is open again, or an open one has its id.",
		Why: "Either it was never done, or an older file came back over a newer one.",
		Fix: "Tick it if it is done."},
	{Name: "item-lost", Group: "history", Severity: sdk.Error, Find: taskDropped, Needs: onBase | onTasks,
		Replaces: []string{"task-dropped"},
		Doc:      "Open tasks were deleted, and nothing says why.",
		Why: "They were not done, and nothing says any more that they were to be. It is an error where every task " +
			"is ticked because of that, and a warning where others are open, where other tasks came in their place, " +
			"and where the tasks were planned anew.",
		Fix: "Restore the tasks, or strike them out with the reason."},
	{Name: "task-id-lost", Group: "history", Severity: sdk.Error, Find: taskIDLost, Needs: onBase,
		Doc:        "Tasks lost the ids that they have in the base.\n\ntasks.md may have no more boxes with ids.",
		Why:        "Rules on tasks, dependencies and commits find a task by its id; without ids nothing is checked.",
		SeverityIf: "Warning if the words are others, too, and no task was ticked.",
		Fix:        "Restore the ids."},
	{Name: "done-item-lost", Group: "history", Severity: sdk.Warning, Find: doneTaskLost, Needs: onBase | onTasks,
		Replaces: []string{"done-task-lost"},
		Doc:      "Tasks that were ticked are gone.",
		Why:      "What was done has no record, and may be done again.",
		Fix:      "Restore the tasks."},
	{Name: "document-cut-short", Group: "history", Severity: sdk.Error, Find: cutShort, Needs: onBase,
		Hides: []string{"item-lost", "done-item-lost", "requirement-lost"},
		Doc:   "spec.md, plan.md or tasks.md ends within a line of the base.",
		Why:   "The end is lost, and with it requirements or tasks; what is left looks like a smaller feature.",
		Fix:   "Restore the rest of the file from the base."},
	{Name: "requirement-lost", Group: "history", Severity: sdk.Warning, Find: requirementLost, Needs: onBase,
		Doc: "A requirement of the spec is gone while tasks are done.",
		Why: "What was promised is no longer asked for, and its id may come to mean something else.",
		Fix: "Restore the requirement, or strike it out with the reason."},
	{Name: "document-lost", Group: "history", Severity: sdk.Error, Find: documentLost, Needs: onBase,
		Hides: []string{"spec-missing", "plan-missing", "requirement-lost"},
		Doc:   "The spec, the plan or the tasks are gone or empty.\n\ntasks.md may be there and list no tasks.",
		Why:   "The feature goes on without a part of its plan.",
		SeverityIf: "Warning for the plan of a feature whose tasks were all done, and for a plan or tasks " +
			"that were deleted before work began, unless the Status of the spec calls the feature complete.",
		Fix: "Restore the document."},
}
