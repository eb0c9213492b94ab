package kiro

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

var rules = []check.Rule[*model]{
	{Name: "done-with-open-parts", Group: "tasks", Severity: sdk.Error, Asks: true, Find: tickedEarly,
		Replaces: []string{"task-ticked-early"},
		Doc:      "A task is ticked, but one of its required subtasks is not.",
		Why:      "One of the two boxes is wrong, and the next session skips the open task.",
		SeverityIf: "Warning if no subtask is ticked in the file or in its base, or if the open subtask is in " +
			"progress. Warning if the task was ticked since the base, and its open subtasks were made optional. " +
			"Warning if the ticked task has details of its own and the open subtask is not " +
			"indented under it, because the tick may be only for these details.",
		Fix: "Tick the subtask if it is done, mark it `[ ]*` if it is optional, or untick its parent."},
	{Name: "open-with-done-parts", Group: "tasks", Severity: sdk.Warning, Asks: true, Find: parentOpen,
		Replaces:   []string{"parent-open"},
		Doc:        "All required subtasks are ticked, but their parent task is not.",
		Why:        "The spec looks unfinished, and an agent starts the task again.",
		SeverityIf: "Info if the last subtask was ticked since the base.",
		Fix:        "Tick the task, or add a subtask for the remaining work."},
	{Name: "id-repeated", Group: "tasks", Severity: sdk.Warning, Find: taskNumberRepeated,
		Replaces: []string{"task-number-repeated"},
		Doc:      "Two tasks in a section have the same number.",
		Why:      "\"Implement task 2.1\" is ambiguous.",
		Fix:      "Renumber the second task, or delete it if it is a copy."},
	{Name: "requirement-unknown", Group: "tasks", Severity: sdk.Warning, Find: requirementUnknown,
		Doc: "A task names a requirement that requirements.md does not have.\n\nFor a bug, the document is bugfix.md.",
		Why: "The task's purpose is unknown, and a requirement may be left out.",
		Fix: "Correct the number in the task, or restore the requirement."},
	{Name: "requirements-missing", Group: "tasks", Severity: sdk.Error, Find: requirementsMissing,
		Doc: "Tasks name requirements by number, but requirements.md or bugfix.md is missing or empty.",
		Why: "No document says what the tasks are for or when they are done.",
		Fix: "Restore requirements.md, or write the requirements that the tasks name."},
	{Name: "requirement-uncovered", Group: "tasks", Severity: sdk.Warning, Find: requirementUncovered,
		Doc: "A requirement in requirements.md has no task, although tasks name most others.",
		Why: "Kiro and cc-sdd plan tasks for every requirement, so one without a task is never built.",
		Fix: "Add a task for the requirement, or reference it in the task that serves it."},
	{Name: "requirement-repeated", Group: "tasks", Severity: sdk.Warning, Find: requirementNumberRepeated,
		Replaces: []string{"requirement-number-repeated"},
		Doc:      "Two headings in requirements.md have the same number.",
		Why:      "A task that names 2.1 may refer to either criterion.",
		Fix:      "Renumber the second heading, or delete it if it is a duplicate."},
	{Name: "dependency-missing", Group: "tasks", Severity: sdk.Warning, Find: dependencyMissing,
		Advice: "Correct the dependency",
		Doc:    "A task or the dependency graph names a task that does not exist.",
		Why:    "The task is never ready, or Kiro cannot run the graph.",
		Fix:    "Correct the number, or remove it."},
	{Name: "dependency-open", Group: "tasks", Severity: sdk.Warning, Find: dependencyOpen,
		Advice: "Resolve the dependency",
		Doc:    "A task is ticked, but a task that it depends on is open.",
		Why:    "Either the task builds on unfinished work, or finished work was not ticked.",
		Fix:    "Finish the dependency, tick it if it is done, or remove it from `_Depends:`."},
	{Name: "dependency-circular", Group: "tasks", Severity: sdk.Warning, Find: dependencyCircle,
		Advice:   "Break the circle",
		Replaces: []string{"dependency-circle"},
		Doc:      "A task depends on itself, or tasks depend on each other in a circle.",
		Why:      "None of them is ever ready.",
		Fix:      "Remove the unneeded dependency from `_Depends:`."},
	{Name: "blocked-ticked", Group: "tasks", Severity: sdk.Warning, Find: blockedTicked, Advice: "Remove the note",
		Doc: "A task is ticked, but a note under it says blocked or not done.",
		Why: "cc-sdd writes `_Blocked:` under a task that it abandons, and asks a person to decide.",
		Fix: "Remove the note if the task is done; otherwise, untick the task."},
	{Name: "box-unreadable", Group: "tasks", Severity: sdk.Error, Find: boxUnreadable,
		Doc: "A task's box is missing or unreadable.\n\nThe base has the box, or the tasks before and " +
			"after it have boxes.",
		Why: "It is unknown whether the task is done, and the next session does not see it.",
		SeverityIf: "Warning if the base does not have the task, if the whole box was removed, or if only blanks in " +
			"the box are wrong. Always an error if an invisible character breaks the box.",
		Fix: "Write `[x]` if the task is done, or `[ ]` if it is not."},
	{Name: "section-complete-with-open-tasks", Group: "tasks", Severity: sdk.Error, Find: sectionComplete,
		Advice: "Correct the heading or the ticks",
		Doc:    "A heading or task title says complete, but a required task under it is open.",
		Why:    "The next session skips the section.",
		SeverityIf: "Warning if the open boxes have no numbers, because such boxes are usually criteria. Warning " +
			"if a task's title says complete but its own box is open.",
		Fix: "Tick what is done, or remove the completion mark from the heading."},
	{Name: "complete-with-open-tasks", Group: "tasks", Severity: sdk.Error, Find: completeWithOpen,
		Doc: "tasks.md says that everything is complete, but a required task is open.\n\nThe claim is at " +
			"the top of the file or after the last task.",
		Why: "Readers trust that line, and the open task is never done.",
		Fix: "Correct the line, or tick what is done."},
	{Name: "several-in-progress", Group: "tasks", Severity: sdk.Warning, Find: severalInProgress,
		Advice: "Leave one task in progress",
		Doc:    "Several tasks of a spec in .spec-workflow are in progress.",
		Why:    "spec-workflow allows one at a time, so the next session cannot tell which one was interrupted.",
		Fix:    "Tick the tasks that are done, and write `[ ]` for those that have to wait."},
	{Name: "active-and-archived", Group: "archive", Severity: sdk.Warning, Asks: true, Find: activeAndArchived,
		Doc: "A spec in .spec-workflow is both active and archived.",
		Why: "Two copies disagree about the same work, and spec-workflow can no longer archive the spec.",
		Fix: "Delete the copy that is out of date."},
	{Name: "archived-not-complete", Group: "archive", Severity: sdk.Info, Find: archivedNotComplete,
		Advice: "Tick or drop the open tasks",
		Doc:    "An archived spec has an open required task.",
		Why:    "Open work in the archive is forgotten.",
		Fix:    "Tick what is done, strike out abandoned tasks, or move the spec back to specs/."},

	{Name: "value-unreadable", Group: "spec.json", Severity: sdk.Error, Find: valueUnreadable,
		Doc: "spec.json is not an object, or a phase or approval in it is unreadable.\n\nA phase must be " +
			"a word, and an approval must be true or false.",
		Why:        "cc-sdd uses these values to choose the next step.",
		SeverityIf: "Warning if an approval is null or a word, because people understand it.",
		Fix:        "Write the phase as a word, such as tasks-generated, and approvals as true or false."},
	{Name: "phase-unknown", Group: "spec.json", Severity: sdk.Warning, Find: phaseUnknown,
		Doc:        "The phase in spec.json is not a known word.",
		Why:        "stategate cannot compare it with the documents.",
		SeverityIf: "Info unless the word resembles one that cc-sdd writes, because projects use words of their own.",
		Fix:        "Use initialized, requirements-generated, design-generated or tasks-generated."},
	{Name: "phase-ahead", Group: "spec.json", Severity: sdk.Error, Find: phaseAhead,
		Doc: "spec.json says that the spec is implemented, but a required task is open.\n\nThe rule also " +
			"reports an implemented spec without tasks.md.",
		Why:        "The next session treats the spec as finished and skips the open tasks.",
		SeverityIf: "Warning if all open tasks are in progress or queued, or if only tasks.md is missing.",
		Fix:        "Tick what is done, mark optional tasks, or set the phase back to tasks-generated."},
	{Name: "phase-behind", Group: "spec.json", Severity: sdk.Warning, Find: phaseBehind,
		Doc: "Tasks are ticked, but the phase in spec.json is still requirements or design.",
		Why: "cc-sdd asks for documents that already exist.",
		Fix: "Set the phase to tasks-generated."},
	{Name: "claimed-document-missing", Group: "spec.json", Severity: sdk.Error, Find: documentMissing,
		Doc: "spec.json says that a document is generated or approved, but it is missing or empty.",
		Why: "cc-sdd starts the next phase without its input.",
		Fix: "Generate or restore the document, or set the value to false."},
	{Name: "approval-skipped", Group: "spec.json", Severity: sdk.Warning, Find: approvalSkipped,
		Doc: "spec.json approves a later step, but not an earlier one.\n\nThe later step may be the " +
			"implementation. The rule also reports an approved document that spec.json does not call " +
			"generated, and the first ticks since the base if spec.json does not approve the tasks.",
		Why: "Each phase builds on the previous one, which is not approved.",
		Fix: "Approve the earlier document if it was reviewed, or withdraw the later approval."},
	{Name: "document-unclaimed", Group: "spec.json", Severity: sdk.Warning, Find: documentUnclaimed,
		Doc: "A document exists, but spec.json says that it is not generated.",
		Why: "cc-sdd writes the two together, so it was interrupted. The next session generates the document again.",
		Fix: "Check that the document is complete, and mark it as generated."},

	{Name: "feature-name-mismatch", Group: "spec.json", Severity: sdk.Warning, Find: nameMismatch,
		Doc: "The feature_name in spec.json differs from the spec's directory.",
		Why: "The file may be a copy with another spec's phase and approvals.",
		Fix: "Set feature_name to the directory's name, or restore the spec's own spec.json."},

	{Name: "done-without-evidence", Group: "evidence", Severity: sdk.Error, Asks: true, Find: withoutEvidence,
		Doc: "A ticked task says that it creates files, but none of them exists.\n\nThe task was ticked " +
			"since the base, or replaced another ticked task.",
		Why: "The claimed work does not exist.",
		SeverityIf: "Warning in any of these cases. Another of the task's files exists, or a file with a similar " +
			"name that does not belong to another task. Another ticked task removed something from the " +
			"file. The task only says in which file it creates something, or named the file only in the " +
			"base. The path may be relative to another directory: its first directory does not exist, or " +
			"a package may contain it. The task changes files, and the change touches another ticked " +
			"task's file but none of these. The spec is new, and none of its tasks' files exists.",
		Fix: "Do the work, untick the task, or correct the path in it."},

	{Name: "requirement-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: requirementLost,
		Hides: []string{"requirement-unknown"},
		Doc:   "A requirement was deleted although work on the spec has begun.",
		Why:   "A promise is no longer required, usually because the file was rewritten.",
		SeverityIf: "Warning if no task still names it, if no task had been started, or if new requirements " +
			"were added.",
		Fix: "Restore the requirement, or strike it out with the reason."},
	{Name: "item-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: taskDropped,
		Hides:    []string{"requirement-uncovered"},
		Replaces: []string{"task-dropped"},
		Doc:      "Open tasks were deleted without a reason.",
		Why:      "Planned work that was never done is forgotten.",
		SeverityIf: "Error if no task is left, unless the plan was finished and the file says where it is. Error if " +
			"the spec is only done because of the loss, unless the plan was rewritten. " +
			"Otherwise warning, or info if work has not begun or as many new tasks were added. Warning " +
			"if the spec is only done because several open tasks, except tests and documentation, were " +
			"made optional at once.",
		Fix: "Restore the tasks, mark optional ones `[ ]*`, and strike out abandoned ones."},
	{Name: "done-item-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: doneTaskLost,
		Replaces: []string{"done-task-lost"},
		Doc: "A ticked task was deleted from tasks.md.\n\nAnother task that creates other files may now " +
			"have its number and tick.",
		Why:        "Finished work has no record and may be built again.",
		SeverityIf: "Error if other work now has its tick. Otherwise warning, because plans get rewritten.",
		Fix:        "Restore the task with its tick, and give the other work a new number."},
	{Name: "document-cut-short", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: cutShort,
		Hides: []string{"item-lost", "done-item-lost", "requirement-lost", "requirement-unknown",
			"requirement-uncovered"},
		Doc: "tasks.md, requirements.md, bugfix.md or design.md ends partway through a line of the base.\n\nThe rule " +
			"also reports a tasks.md that ends between two lines of the base, if several tasks are lost " +
			"and one of them is ticked.",
		Why: "The rest of the file is lost, and the spec looks smaller than it is.",
		Fix: "Restore the rest of the file from the base."},
	{Name: "tick-lost", Group: "history", Severity: sdk.Warning,
		Needs: check.OnBase, Asks: true, Find: taskUnticked,
		Replaces: []string{"task-unticked"},
		Doc:      "A ticked task is open again, or an open task with other words took its place.",
		Why: "The task was never done, an older file overwrote a newer one, or the plan was rewritten " +
			"over finished work.",
		SeverityIf: "Info if the files that the task creates do not exist, if one of its subtasks is open, or if " +
			"its details changed together with the requirements or the design.",
		Fix: "Tick the task if it is done."},
	{Name: "document-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: documentLost,
		Hides: []string{"requirement-lost", "item-lost", "done-item-lost"},
		Doc:   "A document was deleted, emptied, or renamed so that Kiro no longer reads it.",
		Why:   "The spec continues without one of its parts.",
		SeverityIf: "Warning if no task has been started, only the last documents are missing, and spec.json " +
			"does not say that they exist, because they may be rewritten. Info if the same change also " +
			"withdraws that claim in spec.json. Warning if the requirements or the design were split into several " +
			"files with a similar name that contain half of the text.",
		Fix: "Restore the document, rename it back, or remove the whole spec if it was abandoned."},
	{Name: "config-lost", Group: "history", Severity: sdk.Warning, Needs: check.OnBase, Find: configLost,
		Doc: "The spec's .config.kiro was deleted.",
		Why: "Kiro no longer knows the spec's id, workflow and type.",
		Fix: "Restore the file, or delete the whole spec if it was abandoned."},
}
