package speckit

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

var rules = []check.Rule[*model]{
	{Name: "spec-missing", Group: "documents", Severity: sdk.Warning, Find: specMissing,
		Doc: "The feature has tasks, but no spec.md.",
		Why: "The feature has no requirements, but `/speckit.implement` and `/speckit.analyze` read them.",
		Fix: "Write spec.md from Spec Kit's template."},
	{Name: "plan-missing", Group: "documents", Severity: sdk.Warning, Find: planMissing,
		Doc:        "Tasks are ticked, but plan.md does not exist.",
		Why:        "`/speckit.implement` reads the tech stack and layout from plan.md, and stops without it.",
		SeverityIf: "Info if every task is ticked.",
		Fix:        "Select the feature, and write plan.md with `/speckit.plan`."},
	{Name: "current-feature-missing", Group: "documents", Severity: sdk.Warning, Find: pointerGone, Asks: true,
		Advice: "Correct the current feature",
		Doc:    ".specify/feature.json names a feature that does not exist.",
		Why:    "`/speckit.plan` and the other commands work on that feature, so they stop.",
		Fix:    "Set feature_directory to the current feature's directory, or restore the feature."},
	{Name: "number-repeated", Group: "documents", Severity: sdk.Warning, Find: numberRepeated,
		Advice: "Renumber one feature",
		Doc:    "Two features have the same number.",
		Why: "Spec Kit before 0.10 finds a feature by its number, and stops. A branch or note that names the number " +
			"could refer to either feature.",
		SeverityIf: "Info if both features are in the base, or if there is no base.",
		Fix:        "Give one feature the next free number: rename its directory, and its branch."},
	{Name: "clarification-open", Group: "documents", Severity: sdk.Warning, Find: clarificationOpen,
		Doc: "Tasks are ticked, but the spec still has a NEEDS CLARIFICATION question.",
		Why: "The feature is built on an unconfirmed guess.",
		Fix: "Run `/speckit.clarify`, and replace the marker with the answer."},
	{Name: "clarification-denied", Group: "claims", Severity: sdk.Error, Find: clarificationDenied,
		Hides: []string{"clarification-open"},
		Doc:   "A checklist says that no NEEDS CLARIFICATION marker remains, but one does.",
		Why:   "`/speckit.plan` continues if the checklist passes, so the feature is built on a guess.",
		Fix:   "Run `/speckit.clarify` and replace the marker with the answer, or untick the item."},
	{Name: "unfilled-placeholder", Group: "documents", Severity: sdk.Warning, Find: templateLeft,
		Replaces: []string{"template-left"},
		Doc: "A document still has template text although tasks are ticked.\n\nThe text is in the title, a field, a " +
			"heading, a requirement or a success criterion. A document that is still the template is reported as " +
			"soon as a later document is written.",
		Why: "The document was never written, or only partly.",
		Fix: "Replace the text in brackets."},

	{Name: "id-repeated", Group: "tasks", Severity: sdk.Error, Find: taskRepeated, Needs: onTasks,
		Asks: true, Replaces: []string{"task-repeated"},
		Doc:        "Two tasks have the same id.",
		Why:        "A dependency, commit or note with the id could refer to either task.",
		SeverityIf: "Warning if both tasks are done, both have the same text, or one is deferred.",
		Fix:        "Give the second task its own id. If it is a copy, remove one of the two."},
	{Name: "id-missing", Group: "tasks", Severity: sdk.Warning, Find: idMissing, Needs: onTasks,
		Doc: "An open task has no id, although the other tasks in its list have one.",
		Why: "The template forbids a task without an id: no dependency, commit or note can name it, and its " +
			"tick is not compared with the base.",
		Fix: "Give the task the next free id."},
	{Name: "dependency-missing", Group: "tasks", Severity: sdk.Warning, Find: dependencyMissing, Needs: onTasks,
		Doc: "A task depends on a task that does not exist.",
		Why: "It is unknown whether the task can begin.",
		Fix: "Correct the dependency, or remove it."},
	{Name: "dependency-open", Group: "tasks", Severity: sdk.Warning, Find: dependencyOpen, Needs: onTasks,
		Doc: "A task is ticked, but a task that it depends on is not.",
		Why: "One of the two checkboxes is wrong, or the dependency is.",
		Fix: "Tick the other task if it is done. Otherwise untick this one, or remove the dependency."},
	{Name: "dependency-circular", Group: "tasks", Severity: sdk.Warning, Find: dependencyCycle, Needs: onTasks,
		Replaces: []string{"dependency-cycle"},
		Doc:      "An open task depends on itself, directly or through other open tasks.",
		Why:      "None of these tasks can begin.",
		Fix:      "Remove the wrong dependency."},
	{Name: "box-unreadable", Group: "tasks", Severity: sdk.Error, Find: boxUnreadable, Needs: onTasks,
		Hides: []string{"item-lost"},
		Doc: "A task in tasks.md has no readable checkbox.\n\nThe base has a task with the same id, or the " +
			"numbering skips that id.",
		Why: "It is unknown whether the task is done, and it is not counted.",
		SeverityIf: "Error if the base has its checkbox and only a damaged one remains, or if an invisible " +
			"character breaks the checkbox.",
		Fix: "Write `[x]` if the task is done, or `[ ]` if it is not."},

	{Name: "foundation-open", Group: "tasks", Severity: sdk.Warning, Find: foundationOpen, Needs: onTasks,
		Doc: "User story tasks are ticked, but the foundational phase that blocks them is incomplete.",
		Why: "No story can begin before this phase, so either a checkbox is outdated or a story lacks its foundation.",
		Fix: "Tick the phase's finished tasks, and finish the others before you continue."},

	{Name: "section-complete-with-open-tasks", Group: "claims", Severity: sdk.Error, Find: sectionComplete,
		Needs: onTasks, Asks: true,
		Doc: "A section in tasks.md is marked complete, but a task in it is open.",
		Why: "The next session skips the section. The mark is in its heading, Checkpoint or Status, or on a line " +
			"about the phase.",
		SeverityIf: "Warning if few tasks are ticked overall, unless most of the files that the open tasks name " +
			"are missing.",
		Fix: "Tick finished tasks, or remove the mark."},
	{Name: "progress-refuted", Group: "claims", Severity: sdk.Error, Find: progressRefuted, Needs: onTasks,
		SeverityIf: "Info if the count of all tasks is lower than the number of ticked tasks.",
		Doc:        "tasks.md claims more finished tasks than are ticked.",
		Why:        "People read a count such as \"32/32 tasks complete\", but agents read the checkboxes.",
		Fix:        "Tick finished tasks, or correct the count."},
	{Name: "complete-with-open-tasks", Group: "claims", Severity: sdk.Error, Find: statusComplete, Needs: onTicks,
		Asks: true,
		Doc: "The feature is marked complete, but a task is open.\n\nThe mark is the Status of spec.md or " +
			"tasks.md, the title of tasks.md or a line under it, or a checkbox in plan.md. The rule also reports " +
			"open items in a checklist in tasks.md if every task is ticked.",
		Why: "The feature counts as delivered, and its open tasks are forgotten.",
		SeverityIf: "Warning if few tasks are ticked overall, unless most of the files that the open tasks name " +
			"are missing. Info for a checklist, or if the Status lists exactly the open tasks and says where they " +
			"went.",
		Fix: "Tick finished tasks, strike out abandoned ones, or correct the Status."},
	{Name: "done-without-evidence", Group: "claims", Severity: sdk.Error, Find: withoutEvidence, Needs: onTicks,
		Asks: true,
		Doc:  "A task is ticked, but the files that it names do not exist.",
		Why:  "The task counts as done, but its result does not exist.",
		SeverityIf: "Error only if the task was ticked since the base and says that it creates the file, in three " +
			"cases: the change deleted the file; its directory exists, and more such tasks have no file than " +
			"have one; or there are several such tasks, and none created its file. Otherwise, and in a new " +
			"feature, a warning, because the file may have another name. Tasks that create a file in a missing " +
			"top-level directory share one finding: a warning, unless there is no code at all. Tasks ticked before " +
			"the base share one info finding. A task that changes files is a warning if the change that ticks it " +
			"touches none of them, but touches a file of another task that it ticks.",
		Fix: "Write the file, untick the task, or correct the path."},

	{Name: "tick-lost", Group: "history", Severity: sdk.Warning, Find: taskUnticked, Needs: onBase | onTasks,
		Asks: true, Replaces: []string{"task-unticked"},
		Doc: "A ticked task is open again, or an open task reuses its id.",
		Why: "Either the task was never done, or an older file overwrote a newer one.",
		Fix: "Tick the task if it is done, or restore the ticked task."},
	{Name: "item-lost", Group: "history", Severity: sdk.Error, Find: taskDropped, Needs: onBase | onTasks,
		Replaces: []string{"task-dropped", "done-item-lost", "done-task-lost"},
		Doc:      "Tasks were deleted without a reason.",
		Why:      "Planned work that was never done is forgotten, or finished work has no record.",
		SeverityIf: "Error if the deletion of open tasks leaves every task ticked. Warning if others are still " +
			"open, other tasks replaced the deleted ones, the plan was rewritten, or the tasks were ticked.",
		Fix: "Restore the tasks, or strike them out with the reason."},
	{Name: "task-id-lost", Group: "history", Severity: sdk.Error, Find: taskIDLost, Needs: onBase,
		Doc: "Tasks lost the ids that they have in the base.\n\nThe rule also applies if no checkbox in " +
			"tasks.md has an id.",
		Why: "Task rules, dependencies and commits identify a task by its id, so without ids stategate " +
			"checks none of them.",
		SeverityIf: "Warning if the tasks' words also changed and no task was ticked.",
		Fix:        "Restore the ids."},
	{Name: "document-cut-short", Group: "history", Severity: sdk.Error, Find: cutShort, Needs: onBase,
		Hides: []string{"item-lost", "requirement-lost"},
		Doc:   "spec.md, plan.md or tasks.md ends partway through a line of the base.",
		Why:   "The missing end may contain requirements or tasks; the rest looks like a smaller feature.",
		Fix:   "Restore the rest of the file from the base."},
	{Name: "requirement-lost", Group: "history", Severity: sdk.Warning, Find: requirementLost, Needs: onBase,
		Doc: "The spec lost a requirement after work began, or gave it the number of another requirement.",
		Why: "The feature no longer promises what it did, and the id may be reused for something else.",
		Fix: "Restore the requirement or its number, or strike it out with the reason."},
	{Name: "constitution-lost", Group: "history", Severity: sdk.Warning, Find: constitutionLost, Needs: onBase,
		Doc: "The project's constitution was deleted, emptied or overwritten with its template.",
		Why: "Every command of Spec Kit reads the project's principles there, so plans no longer follow them.",
		Fix: "Restore .specify/memory/constitution.md."},
	{Name: "document-lost", Group: "history", Severity: sdk.Error, Find: documentLost, Needs: onBase,
		Hides: []string{"spec-missing", "plan-missing", "requirement-lost"},
		Doc: "spec.md, plan.md or tasks.md was deleted, emptied or overwritten with its template.\n\nAn emptied " +
			"tasks.md lists no tasks.",
		Why: "The feature continues without a part of its plan.",
		SeverityIf: "Warning for the plan of a feature whose tasks were all done. Also a warning for a document " +
			"lost before work began, unless the spec's Status says that the feature is complete.",
		Fix: "Restore the document."},
}
