package openspec

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/work"
)

var rules = []check.Rule[*model]{
	{Name: "active-and-archived", Group: "changes", Severity: sdk.Error, Find: activeAndArchived,
		Doc: "A change is both in progress and archived.",
		Why: "`openspec archive` moves a change. If a copy stays, `openspec list` shows finished work, and " +
			"archiving the copy folds an old delta into the specs.",
		SeverityIf: "Warning if no document is the same in both: a second change may have reused the first one's name.",
		Fix: "Remove the copy in changes/, or rename the second change. If the archived copy has open tasks, or no " +
			"spec has its delta, remove that copy instead."},
	{Name: "complete-not-archived", Group: "changes", Severity: sdk.Warning, Find: completeNotArchived,
		Doc:        "Every task in a change is ticked, but the change is not archived.",
		Why:        "The specs do not describe the system yet, but later changes build on them.",
		SeverityIf: "Info if the last task was ticked, or the whole directory added, since the base.",
		Fix:        "When the work is deployed, run `openspec archive NAME`."},
	{Name: "archived-not-complete", Group: "changes", Severity: sdk.Warning, Find: archivedWithOpenTasks,
		Replaces: []string{"archived-with-open-tasks"},
		Doc:      "An archived change has an unticked task.",
		Why: "Open work in the archive is forgotten. Many projects tick late, so this is only a warning; " +
			"`openspec validate --archived` refuses the change.",
		Fix: "Tick finished tasks. Move the rest to an open change, or strike them out with the reason."},
	{Name: "archived-not-folded", Group: "changes", Severity: sdk.Error, Find: archivedNotFolded,
		Doc: "The specs do not contain the delta of an archived change.",
		Why: "The specs contradict the finished work, and no later step folds the delta in.",
		SeverityIf: "Error if the change was archived since the base and its spec has no other new text. Warning " +
			"if the spec lacks only a part of the delta, or if the change was abandoned (open tasks or " +
			"`skip_specs: true`). Info if it was archived before the base, because specs are also edited by hand.",
		Fix: "Add the delta's requirements to the spec, as `openspec archive` does without --skip-specs. If the " +
			"delta was abandoned, remove it from the archived change and set `skip_specs: true` in its " +
			".openspec.yaml."},

	{Name: "section-complete-with-open-tasks", Group: "tasks", Severity: sdk.Error, Find: sectionComplete,
		Doc:    "A heading in tasks.md is marked complete, but a task under it is open.",
		Why:    "OpenSpec counts the checkboxes and people read the heading, but one of the two is wrong.",
		Advice: "Tick the tasks or correct the heading",
		Fix:    "Tick finished tasks, or remove the mark from the heading."},

	{Name: work.DoneNoEvidence, Group: "tasks", Severity: sdk.Warning, Find: deletedFile, Needs: check.OnBase,
		Asks: true,
		Doc:  "A change ticks a task, but deletes a file that the task creates.",
		Why:  "The task counts as done, but its result does not exist.",
		Fix:  "Restore the file, untick the task, or correct the path in it."},

	{Name: "id-repeated", Group: "tasks", Severity: sdk.Warning, Find: idRepeated,
		Replaces:   []string{"task-number-repeated"},
		Doc:        "Two tasks of a change have the same number.",
		Why:        "A note or commit with the number could refer to either task; `openspec validate` warns.",
		SeverityIf: "Info if both tasks are ticked.",
		Advice:     "Renumber the second task",
		Fix:        "Give the second task the next free number of its group."},
	{Name: "schema-unknown", Group: "changes", Severity: sdk.Warning, Find: schemaUnknown,
		Doc: "A change names a schema that neither OpenSpec nor the project has.",
		Why: "`openspec status` and `openspec instructions` stop at an unknown schema, and stategate skips its " +
			"rules for OpenSpec's own.",
		SeverityIf: "Info unless the name resembles a known one, because schemas may also be installed for one user.",
		Fix:        "Correct the schema in .openspec.yaml, or add openspec/schemas/NAME/schema.yaml."},

	{Name: "delta-target-missing", Group: "deltas", Severity: sdk.Error, Find: deltaTargetMissing,
		Doc: "A delta modifies or renames a requirement that its spec lacks.",
		Why: "`openspec archive` refuses the change. Usually the name is spelled differently, or another change " +
			"renamed the requirement.",
		SeverityIf: "Warning if the capability has no spec yet, or if no task is ticked yet.",
		Fix:        "Use the name from the spec, or move the requirement to ADDED Requirements."},
	{Name: "added-requirement-exists", Group: "deltas", Severity: sdk.Warning, Find: addedExists,
		Doc: "A delta adds or renames a requirement, but the spec already uses the new name.\n\nAn added " +
			"requirement is reported only if its text differs from the spec's.",
		Why: "`openspec archive` refuses the change.",
		Fix: "Move the whole requirement to MODIFIED Requirements, or rename it."},
	{Name: "delta-overlap", Group: "deltas", Severity: sdk.Warning, Find: deltaOverlap,
		Replaces: []string{"added-twice"},
		Doc: "Two open changes affect the same requirement.\n\nBoth add or modify it, or one modifies it and " +
			"the other removes or renames it.",
		Why: "The change archived second overwrites the first one's text, or OpenSpec refuses it.",
		Fix: "Decide which change comes first, and base the second delta on the first one's text."},
	{Name: "delta-conflict", Group: "deltas", Severity: sdk.Error, Find: deltaConflict,
		Doc: "A delta changes the same requirement twice.",
		Why: "OpenSpec refuses a delta that adds, modifies, removes or renames a requirement twice, or combines " +
			"two of these.",
		Fix: "Keep one of the two entries. To rename and modify a requirement, modify it under its new name."},
	{Name: "scenario-dropped", Group: "deltas", Severity: sdk.Warning, Find: scenarioDropped,
		Doc: "A modified requirement lacks a scenario that the spec has.",
		Why: "The block under MODIFIED Requirements replaces the whole requirement, and OpenSpec refuses to drop " +
			"a scenario this way.",
		Fix: "Copy the scenario into the delta, or give its title to the scenario that replaces it. To drop it on " +
			"purpose, remove the requirement and add it under another name."},
	{Name: "delta-missing", Group: "deltas", Severity: sdk.Warning, Find: deltaMissing,
		Doc: "A change in progress has no delta.",
		Why: "`openspec validate` refuses the change, because it would add nothing to the specs.",
		Fix: "Write specs/CAPABILITY/spec.md, or set `skip_specs: true` in .openspec.yaml if no behavior changes."},
	{Name: "delta-unrecognised", Group: "deltas", Severity: sdk.Warning, Find: deltaUnrecognised,
		Doc: "OpenSpec finds no entry in a change's delta.",
		Why: "OpenSpec reads only requirements under ## ADDED, MODIFIED, REMOVED and RENAMED Requirements, and " +
			"refuses a delta without any.",
		Fix: "Write each requirement as `### Requirement: NAME` under one of these headings."},
	{Name: "delta-misplaced", Group: "deltas", Severity: sdk.Warning, Find: deltaMisplaced,
		Doc: "A delta is not in specs/CAPABILITY/spec.md.",
		Why: "OpenSpec ignores the delta and archives the change without it.",
		Fix: "Move the delta to specs/CAPABILITY/spec.md in the change's directory."},
	{Name: "skip-specs-with-deltas", Group: "deltas", Severity: sdk.Warning, Find: skipSpecsWithDeltas,
		Doc: "A change sets `skip_specs: true` but has a delta.",
		Why: "`openspec validate` refuses the change, because one of the two is a mistake.",
		Fix: "Remove skip_specs from .openspec.yaml, or remove the delta."},

	{Name: "requirement-repeated", Group: "specs", Severity: sdk.Error, Find: requirementRepeated,
		Doc: "Two requirements in a spec have the same name.",
		Why: "OpenSpec finds only one of them and refuses to change the spec.",
		Fix: "Combine them, or rename one."},
	{Name: "delta-heading-in-spec", Group: "specs", Severity: sdk.Error, Find: deltaHeadingInSpec,
		Doc: "A spec contains a delta heading.",
		Why: "A delta was copied instead of folded in. OpenSpec ignores the requirements under the heading and " +
			"refuses to change the spec.",
		Fix: "If the delta replaced the whole spec, restore the spec. Move the requirements under ## Requirements, " +
			"and remove the heading."},
	{Name: "requirement-outside-section", Group: "specs", Severity: sdk.Warning, Find: requirementOutside,
		Doc: "A requirement in a spec is not under ## Requirements.",
		Why: "OpenSpec ignores the requirement and refuses to change the spec.",
		Fix: "Move the requirement under ## Requirements."},
	{Name: "requirement-heading", Group: "specs", Severity: sdk.Warning, Find: requirementHeading,
		Doc: "A level-3 heading under ## Requirements is not ### Requirement: NAME.",
		Why: "`openspec validate` treats the heading as a requirement and refuses it without a scenario. Deltas " +
			"cannot name it, and stategate's requirement rules skip it.",
		Fix: "Change the heading to `### Requirement: NAME`."},
	{Name: "spec-misplaced", Group: "specs", Severity: sdk.Warning, Find: specMisplaced,
		Doc: "A spec is in specs/NAME.md.",
		Why: "OpenSpec reads only specs/CAPABILITY/spec.md, so no change can modify the requirements.",
		Fix: "Move the spec to specs/NAME/spec.md."},
	{Name: "spec-section-missing", Group: "specs", Severity: sdk.Warning, Find: specSectionMissing,
		Doc: "A spec has no Purpose section or no Requirements section.",
		Why: "`openspec validate` refuses the spec.",
		Fix: "Add the missing section."},
	{Name: "requirement-without-scenario", Group: "specs", Severity: sdk.Warning, Find: withoutScenario,
		Doc: "A requirement has no scenario that OpenSpec finds, or one at heading level 3.",
		Why: "`openspec validate` refuses the requirement. A scenario has a level-4 heading: #### Scenario: NAME.",
		Fix: "Write a scenario, or make its heading level 4."},
	{Name: "requirement-without-text", Group: "specs", Severity: sdk.Warning, Find: withoutText,
		Doc: "A requirement has scenarios but no statement.",
		Why: "`openspec validate` refuses a requirement without a statement under its heading.",
		Fix: "State under the heading what the system SHALL or MUST do."},
	{Name: "purpose-placeholder", Group: "specs", Severity: sdk.Info, Find: purposePlaceholder,
		Doc: "A spec's purpose is a placeholder that begins with TBD or TODO.",
		Why: "`openspec archive`, and agents that sync a delta, write a placeholder for each new capability.",
		Fix: "Describe the capability's purpose in one or two sentences."},

	{Name: "requirement-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: requirementLost,
		Doc: "A spec lost a requirement that no delta removes or renames.",
		Why: "The system's behavior is no longer specified, but no change records that decision. Usually a merge " +
			"or a rewritten file dropped the requirement.",
		SeverityIf: "Warning if the requirements may have been renamed: at least as many are new, or an archived " +
			"delta may rename some in this capability.",
		Fix: "Restore the requirement, or remove or rename it in a change's delta."},
	{Name: "scenario-lost", Group: "history", Severity: sdk.Warning, Needs: check.OnBase, Find: scenarioLost,
		Doc: "A requirement lost a scenario, and no spec contains most of the scenario's text.",
		Why: "Two changes that modify one requirement can undo each other: the delta archived second was written " +
			"without the first one's scenario. A merge can drop scenarios in the same way.",
		SeverityIf: "Info if at least as many scenarios are new: the requirement may have been rewritten.",
		Fix:        "Restore the scenario. If it was dropped on purpose, accept the finding with the reason."},
	{Name: "item-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: taskDropped,
		Replaces: []string{"task-dropped", "done-item-lost"},
		Doc:      "A task was deleted, or a change lost all its tasks or ticks.",
		Why: "Without the open task, the change may count as complete. Without the ticked tasks, finished work has " +
			"no record.",
		SeverityIf: "Warning if the task was ticked, if other tasks are still open, if the plan was rewritten, if " +
			"each lost task has a new one about the same subject, if the change was archived since the base, or if " +
			"all tasks were deleted but none was ticked.",
		Fix: "Restore the task, or move it to another change."},
	{Name: "document-cut-short", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: cutShort,
		Hides: []string{"item-lost", "requirement-lost", "scenario-lost", "box-unreadable", "document-lost"},
		Doc:   "A spec or an open change's document ends partway through a line of the base.",
		Why:   "The missing end may contain tasks or requirements; the rest looks like a smaller change.",
		Fix:   "Restore the rest of the document from the base."},
	{Name: "box-unreadable", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: boxLost,
		Replaces: []string{"box-lost"},
		Doc:      "A task lost its checkbox since the base.",
		Why: "`openspec list` no longer counts the task, so finished work has no record and open work is " +
			"forgotten.",
		SeverityIf: "Warning for an open task, unless the change is complete without it.",
		Fix:        "Restore the checkbox. If the task was abandoned, strike it out, tick it and add the reason."},
	{Name: "tick-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: taskUnticked,
		Hides:      []string{"archived-not-complete"},
		Replaces:   []string{"task-unticked"},
		Doc:        "A task that was ticked in the base is open again.",
		Why:        "Either the task was never done, or an older file overwrote a newer one.",
		SeverityIf: "Warning if the change is not archived, because its work may be done again.",
		Fix:        "Tick the task if it is done."},
	{Name: "document-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: documentLost,
		Doc: "A change lost its proposal.md, its tasks.md or a delta since the base.\n\nA proposal may have lost " +
			"only its section Why or What Changes.",
		Why: "The change continues without a part of its plan.",
		SeverityIf: "Warning for a proposal, for a delta of an open change, and before work begins, " +
			"because plans may shrink. If no spec contains an archived change's delta, the delta may have been " +
			"abandoned: it is not reported if .openspec.yaml says `skip_specs: true`, and a warning if tasks are " +
			"open or the change was already archived.",
		Fix: "Restore the document. If the delta was abandoned, set `skip_specs: true` in the archived change's " +
			".openspec.yaml."},
	{Name: "change-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: changeLost,
		Doc: "A change with finished tasks was deleted without being archived.",
		Why: "Finished work has no record. To abandon a change, leave its open tasks unticked and " +
			"archive it with --skip-specs, or remove it before work begins.",
		SeverityIf: "Warning if every task was ticked, as after a revert, or if the delta was folded into the specs " +
			"since the base. If both are true, it is not reported.",
		Fix: "Restore the change, or archive it."},
}
