package kiro

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

var rules = []check.Rule[*model]{
	{Name: "done-with-open-parts", Group: "tasks", Severity: sdk.Error, Asks: true, Find: tickedEarly,
		Replaces: []string{"task-ticked-early"},
		Doc:      "A task is ticked, but a required task in it is not.",
		Why:      "One of the two boxes is wrong, and whoever resumes the spec passes over the open one.",
		SeverityIf: "Warning if the tasks of that list are only ever ticked as a whole, if the open one is " +
			"in progress, and if the ticked one has details of its own and stands beside the open one, so " +
			"that its tick may be for these alone.",
		Fix: "Tick the open task if it is done, mark it `[ ]*` if it is optional, or untick the one above it."},
	{Name: "open-with-done-parts", Group: "tasks", Severity: sdk.Warning, Asks: true, Find: parentOpen,
		Replaces:   []string{"parent-open"},
		Doc:        "Every required task in a task is ticked, but the task itself is not.",
		Why:        "The spec looks unfinished, and an agent begins the task again.",
		SeverityIf: "Info if the last one was ticked since the base.",
		Fix:        "Tick it, or write down as a task what is left of it."},
	{Name: "id-repeated", Group: "tasks", Severity: sdk.Warning, Find: taskNumberRepeated,
		Replaces: []string{"task-number-repeated"},
		Doc:      "Two tasks of a section have one number.",
		Why:      "\"Implement task 2.1\" names two.",
		Fix:      "Renumber the second one."},
	{Name: "requirement-unknown", Group: "tasks", Severity: sdk.Warning, Find: requirementUnknown,
		Doc: "A task names a requirement that requirements.md, or bugfix.md in its place, does not have.",
		Why: "It cannot be told what the task is for, or which requirement it leaves out.",
		Fix: "Correct the number in the task, or restore the requirement."},
	{Name: "requirements-missing", Group: "tasks", Severity: sdk.Error, Find: requirementsMissing,
		Doc: "Tasks name requirements by number, but there is neither a requirements.md nor a bugfix.md.",
		Why: "What the tasks are for, and when they are done, is written nowhere.",
		Fix: "Restore requirements.md, or remove the references from the tasks."},
	{Name: "requirement-uncovered", Group: "tasks", Severity: sdk.Warning, Find: requirementUncovered,
		Doc: "A requirement of requirements.md is named by no task, while tasks name most others.",
		Why: "Kiro and cc-sdd plan tasks for every requirement: one without a task is not built, and nothing shows it.",
		Fix: "Add a task for it, or mention it in the task that serves it."},
	{Name: "requirement-repeated", Group: "tasks", Severity: sdk.Warning, Find: requirementNumberRepeated,
		Replaces: []string{"requirement-number-repeated"},
		Doc:      "Two headings of requirements.md have one number.",
		Why:      "A task that names 2.1 names two criteria.",
		Fix:      "Renumber the second one, or delete it if it was written twice."},
	{Name: "dependency-missing", Group: "tasks", Severity: sdk.Warning, Find: dependencyMissing,
		Advice: "Correct the dependency",
		Doc:    "A task or the dependency graph names a task that does not exist.",
		Why:    "The task is never ready, or Kiro cannot run the graph.",
		Fix:    "Correct the number, or remove it."},
	{Name: "dependency-open", Group: "tasks", Severity: sdk.Warning, Find: dependencyOpen,
		Advice: "Settle the dependency",
		Doc:    "A task is ticked, but a task on which it depends is open.",
		Why:    "It rests on work that is not done, or that work is done and not ticked.",
		Fix:    "Do the dependency, tick it if it is done, or remove it from `_Depends:`."},
	{Name: "dependency-circular", Group: "tasks", Severity: sdk.Warning, Find: dependencyCircle,
		Advice:   "Break the circle",
		Replaces: []string{"dependency-circle"},
		Doc:      "A task depends on itself, or on one that depends on it.",
		Why:      "None of them is ever ready.",
		Fix:      "Take out of `_Depends:` what need not come first."},
	{Name: "graph-inconsistent", Group: "tasks", Severity: sdk.Warning, Find: graphInconsistent,
		Advice: "Correct the graph",
		Doc: "The dependency graph is unreadable, repeats a task, or lacks an open one.\n\nA repeated task is " +
			"in two waves.",
		Why: "Kiro runs tasks by their waves: one in two waves is done twice, one in none never.",
		Fix: "Put each task into one wave."},
	{Name: "blocked-ticked", Group: "tasks", Severity: sdk.Warning, Find: blockedTicked, Advice: "Take the note out",
		Doc: "A task is ticked, but a note below it says that it is blocked.",
		Why: "cc-sdd writes `_Blocked:` below a task that it gave up, and asks a person to decide.",
		Fix: "Remove `_Blocked:` if the task is done, or untick it."},
	{Name: "box-unreadable", Group: "tasks", Severity: sdk.Error, Find: boxUnreadable,
		Doc: "A task's box is missing or unreadable.\n\nThe base has the box, or the tasks before and after it " +
			"have boxes.",
		Why:        "Nobody can tell whether the task is done, and whoever resumes the spec does not see it.",
		SeverityIf: "Warning if the base has no such task, and if the box was taken away as a whole.",
		Fix:        "Write `[x]` if the task is done, or `[ ]`."},
	{Name: "section-complete-with-open-tasks", Group: "tasks", Severity: sdk.Error, Find: sectionComplete,
		Advice: "Settle the section",
		Doc:    "A heading or task title says complete, but a required task below it is open.",
		Why:    "Whoever resumes the spec skips the section.",
		SeverityIf: "Warning if its boxes have no numbers, which are most often criteria, and if a title " +
			"calls a task complete whose own box is open.",
		Fix: "Tick what is done, or remove the mark from the heading."},
	{Name: "complete-with-open-tasks", Group: "tasks", Severity: sdk.Error, Find: completeWithOpen,
		Doc: "tasks.md says that all is complete, but a required task is open.\n\nIt says so at its top or after " +
			"the last task.",
		Why: "A reader believes that line, and the open task is never done.",
		Fix: "Correct the line, or tick what is done."},

	{Name: "value-unreadable", Group: "spec.json", Severity: sdk.Error, Find: valueUnreadable,
		Doc: "spec.json is not an object, or a phase or approval in it is unreadable.\n\nA value is neither a " +
			"word nor true or false.",
		Why:        "cc-sdd decides by it what may happen next.",
		SeverityIf: "Warning if an approval is null or a word, which people understand.",
		Fix:        "Write the phase as a word, such as tasks-generated, and approvals as true or false."},
	{Name: "phase-unknown", Group: "spec.json", Severity: sdk.Warning, Find: phaseUnknown,
		Doc:        "The phase in spec.json is a word that is not known.",
		Why:        "It is not held against the documents.",
		SeverityIf: "Info if it is not nearly a word of cc-sdd, since projects have words of their own.",
		Fix:        "cc-sdd writes initialized, requirements-generated, design-generated and tasks-generated."},
	{Name: "phase-ahead", Group: "spec.json", Severity: sdk.Error, Find: phaseAhead,
		Doc: "spec.json calls the spec implemented, but a required task is open.\n\nThere may also be neither a " +
			"design nor a task.",
		Why: "Open work is not looked for in a spec that is done.",
		Fix: "Tick what is done, mark what is optional, or set the phase back to tasks-generated."},
	{Name: "phase-behind", Group: "spec.json", Severity: sdk.Warning, Find: phaseBehind,
		Doc: "Tasks are ticked, but the phase in spec.json is before the tasks.",
		Why: "cc-sdd asks for documents that exist already.",
		Fix: "Set the phase to tasks-generated."},
	{Name: "claimed-document-missing", Group: "spec.json", Severity: sdk.Error, Find: documentMissing,
		Doc: "spec.json calls a document generated or approved that is missing or empty.",
		Why: "cc-sdd goes on to the next phase and builds it on nothing.",
		Fix: "Generate the document, restore it, or set the value to false."},
	{Name: "approval-skipped", Group: "spec.json", Severity: sdk.Warning, Find: approvalSkipped,
		Doc: "spec.json approves a later document, but not an earlier one.\n\nThe later step may be the " +
			"implementation, and the earlier document one that was not generated.",
		Why: "Each phase rests on the one before it, which is not approved.",
		Fix: "Approve the earlier document if it was reviewed, or take the later approval back."},

	{Name: "done-without-evidence", Group: "evidence", Severity: sdk.Error, Asks: true, Find: withoutEvidence,
		Doc: "A ticked task names files to make, but none of them exists.\n\nIt was ticked since the base, or " +
			"took the place of another one.",
		Why: "The work is claimed and is not there.",
		SeverityIf: "Warning if another file of the task exists, or one under a name that differs a little and no " +
			"other task has, if another ticked task took something out of the file, if the task only says in which " +
			"file it makes something, or said so in the base alone, if the directory that the path begins " +
			"with does not exist, or there are packages that may have one of that name, since the path may " +
			"be relative to something else, if the task changes files and the change touches none of them, but one " +
			"of another task that it ticks, and if the spec is new and nothing is there of what its tasks " +
			"create.",
		Fix: "Do the work, untick the task, or correct the path in it."},

	{Name: "requirement-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: requirementLost,
		Hides: []string{"requirement-unknown"},
		Doc:   "A requirement of the base is gone, although work on the spec has begun.",
		Why:   "What was promised is no longer asked for, most often since the file was written anew.",
		SeverityIf: "Warning if no task names it any more, before a task is ticked, and if new requirements " +
			"came.",
		Fix: "Restore the requirement, or strike it out with the reason."},
	{Name: "requirement-renumbered", Group: "history", Severity: sdk.Warning, Needs: check.OnBase,
		Find: requirementRenumbered,
		Doc: "A requirement's number changed, and open tasks still use the old one.\n\nAnother requirement has " +
			"that number now.",
		Why: "The task is built for the wrong requirement.",
		Fix: "Write in each task the number that its requirement has now."},
	{Name: "item-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: taskDropped,
		Hides:    []string{"requirement-uncovered"},
		Replaces: []string{"task-dropped"},
		Doc:      "Open tasks were deleted, and nothing says why.",
		Why: "The tasks were not done, and nothing says any more that they were to be. It is an error where the " +
			"spec is done because of it, unless the plan was written anew; else a warning, and an info before work " +
			"has begun and where as many new tasks came. It is a warning, too, where the spec is done since several " +
			"open tasks, tests and documentation aside, were made optional at once.",
		Fix: "Restore the tasks. Mark optional ones `[ ]*`, and strike out the ones you gave up."},
	{Name: "done-item-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: doneTaskLost,
		Replaces: []string{"done-task-lost"},
		Doc: "A ticked task is gone from tasks.md.\n\nAnother task, which makes other files, may have its number " +
			"and its tick.",
		Why: "What was built has no record, and may be built again. It is an error where other work has its tick, " +
			"which says that it is done; else a warning, since plans are made anew.",
		Fix: "Restore the task with its tick, and give other work a new number."},
	{Name: "document-cut-short", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: cutShort,
		Hides: []string{"item-lost", "done-item-lost", "requirement-lost", "requirement-unknown"},
		Doc:   "tasks.md, requirements.md or bugfix.md ends within a line of the base.",
		Why:   "The end is lost, and with it tasks or requirements; what is left looks like a smaller spec.",
		Fix:   "Restore the rest of the file from the base."},
	{Name: "tick-lost", Group: "history", Severity: sdk.Warning,
		Needs: check.OnBase, Asks: true, Find: taskUnticked,
		Replaces: []string{"task-unticked"},
		Doc:      "A ticked task is open again, or another one has its place.",
		Why: "Either it was never done, or an older file came back over a newer one, or the plan was made " +
			"anew over work that is done.",
		SeverityIf: "Info if what the task makes is not there, or another task in it is open.",
		Fix:        "Tick it if it is done."},
	{Name: "document-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: documentLost,
		Hides: []string{"requirement-lost", "item-lost", "done-item-lost"},
		Doc:   "A document that the base has is gone or empty.",
		Why:   "The spec goes on without a part of it.",
		SeverityIf: "Warning if no task is begun, the last documents are gone, to be written anew, and " +
			"spec.json does not say that they exist; info if spec.json takes that back in the same change.",
		Fix: "Restore the document, or remove the whole spec if it is given up."},
	{Name: "config-lost", Group: "history", Severity: sdk.Warning, Needs: check.OnBase, Find: configLost,
		Doc: "The spec's .config.kiro was deleted.",
		Why: "Kiro no longer knows the spec's id, workflow and type.",
		Fix: "Restore the file, or delete the whole spec if it was given up."},
}
