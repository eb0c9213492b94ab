package openspec

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

var rules = []check.Rule[*model]{
	{Name: "active-and-archived", Group: "changes", Severity: sdk.Error, Find: activeAndArchived,
		Doc: "A change is in progress and archived at once.",
		Why: "Archiving moves a change. If a copy stays, `openspec list` shows finished work, " +
			"and archiving it again folds an old delta into the specs.",
		SeverityIf: "Warning if no task list and no delta is the same: a second change may have reused the " +
			"name of the first.",
		Fix: "Remove the copy in changes, or give the second change a name of its own."},
	{Name: "complete-not-archived", Group: "changes", Severity: sdk.Warning, Find: completeNotArchived,
		Doc:        "Every task of a change is ticked, but it is not archived.",
		Why:        "The specs do not yet describe the system, and later changes build on them.",
		SeverityIf: "Info if the last task was ticked since the base.",
		Fix:        "When the work is deployed, run `openspec archive NAME`."},
	{Name: "archived-not-complete", Group: "changes", Severity: sdk.Warning, Find: archivedWithOpenTasks,
		Replaces: []string{"archived-with-open-tasks"},
		Doc:      "An archived change has a task that is not ticked.",
		Why: "Open work in the archive is forgotten. Many projects tick late, so it is a warning; `openspec " +
			"validate --archived` refuses it.",
		Fix: "Tick what is done. Move the rest to an open change, or strike it out with the reason."},
	{Name: "archived-not-folded", Group: "changes", Severity: sdk.Error, Find: archivedNotFolded,
		Doc: "The delta of an archived change is not in the specs.",
		Why: "The specs contradict the finished work, and no later step folds the delta in.",
		SeverityIf: "Error if the change was archived since the base and its spec says nothing new. Warning if the " +
			"spec lacks a part of the delta, or if the change was given up, with open tasks or skip_specs: true. " +
			"Info if it was archived before the base, since specs are also edited by hand.",
		Fix: "Add the requirements of the delta to the spec, as `openspec archive` does without --skip-specs; if " +
			"they were given up, remove the delta from the archived change and put `skip_specs: true` into its " +
			".openspec.yaml."},

	{Name: "section-complete-with-open-tasks", Group: "tasks", Severity: sdk.Error, Find: sectionComplete,
		Doc:    "A heading of tasks.md calls a section complete that has an open task.",
		Why:    "OpenSpec counts the boxes, and people read the heading: one of the two is wrong.",
		Advice: "Settle the section",
		Fix:    "Tick what is done, or remove the mark from the heading."},

	{Name: "delta-target-missing", Group: "deltas", Severity: sdk.Error, Find: deltaTargetMissing,
		Doc: "A delta modifies or renames a requirement that the spec does not have.",
		Why: "`openspec archive` refuses it. Most often the name is spelled in another way, or was changed " +
			"by another change.",
		SeverityIf: "Warning if the capability has no spec at all, and in a draft, before work has begun.",
		Fix:        "Use the name from the spec, or move the requirement to ADDED Requirements."},
	{Name: "added-requirement-exists", Group: "deltas", Severity: sdk.Warning, Find: addedExists,
		Doc: "A delta adds or renames to a requirement that the spec already has.\n\nIts text in the spec " +
			"differs.",
		Why: "`openspec archive` refuses it.",
		Fix: "Move the whole requirement to MODIFIED Requirements, or rename it."},
	{Name: "added-twice", Group: "deltas", Severity: sdk.Warning, Find: addedTwice,
		Doc: "Two open changes add the same requirement.",
		Why: "`openspec archive` refuses the second one.",
		Fix: "Add it in one change, and modify it in the other."},
	{Name: "delta-overlap", Group: "deltas", Severity: sdk.Warning, Find: deltaOverlap,
		Doc: "Two open changes modify one requirement, or one of them removes or renames it.",
		Why: "The change archived second replaces the text that the first one wrote, or is refused.",
		Fix: "Decide which comes first, and write into the delta of the second what the first one changes."},
	{Name: "delta-conflict", Group: "deltas", Severity: sdk.Error, Find: deltaConflict,
		Doc: "A delta names one requirement twice.",
		Why: "OpenSpec refuses a delta that adds, modifies, removes or renames a requirement twice, or does two of " +
			"these to it.",
		Fix: "Keep one of the two. A requirement that is renamed and modified is modified under its new name."},
	{Name: "scenario-dropped", Group: "deltas", Severity: sdk.Warning, Find: scenarioDropped,
		Doc: "A modified requirement lacks a scenario that the spec has.",
		Why: "The block under MODIFIED Requirements replaces the whole requirement. OpenSpec refuses to drop a " +
			"scenario on the way.",
		Fix: "Copy the scenario into the delta. If it was dropped on purpose, remove the requirement and add it " +
			"under another name."},
	{Name: "delta-missing", Group: "deltas", Severity: sdk.Warning, Find: deltaMissing,
		Doc: "A change that is being built has no delta.",
		Why: "`openspec validate` refuses it: nothing will be folded into the specs.",
		Fix: "Write specs/CAPABILITY/spec.md, or put `skip_specs: true` into .openspec.yaml if no behavior " +
			"changes."},
	{Name: "delta-unrecognised", Group: "deltas", Severity: sdk.Warning, Find: deltaUnrecognised,
		Doc: "OpenSpec finds no entry in the delta of a change.",
		Why: "It reads only requirements under ## ADDED, MODIFIED, REMOVED and RENAMED Requirements, and refuses a " +
			"delta without any.",
		Fix: "Write each requirement as `### Requirement: NAME` under one of these headings."},
	{Name: "delta-misplaced", Group: "deltas", Severity: sdk.Warning, Find: deltaMisplaced,
		Doc: "A delta is not in specs/CAPABILITY/spec.md.",
		Why: "OpenSpec does not read it, and archives the change without it.",
		Fix: "Move the delta to specs/CAPABILITY/spec.md in the change."},
	{Name: "skip-specs-with-deltas", Group: "deltas", Severity: sdk.Warning, Find: skipSpecsWithDeltas,
		Doc: "A change says skip_specs: true and has a delta.",
		Why: "`openspec validate` refuses it: one of the two is a mistake.",
		Fix: "Remove skip_specs from .openspec.yaml, or remove the delta."},

	{Name: "requirement-repeated", Group: "specs", Severity: sdk.Error, Find: requirementRepeated,
		Doc: "A spec has two requirements with the same name.",
		Why: "OpenSpec finds only one of them, and refuses to change the spec.",
		Fix: "Combine them, or rename one."},
	{Name: "delta-heading-in-spec", Group: "specs", Severity: sdk.Error, Find: deltaHeadingInSpec,
		Doc: "A spec has a heading of a delta.",
		Why: "A delta was copied instead of folded in. OpenSpec does not see the requirements under it, and refuses " +
			"to change the spec.",
		Fix: "Move the requirements under ## Requirements, and remove the heading."},
	{Name: "requirement-outside-section", Group: "specs", Severity: sdk.Warning, Find: requirementOutside,
		Doc: "A requirement of a spec is not under ## Requirements.",
		Why: "OpenSpec does not see it, and refuses to change the spec.",
		Fix: "Move the requirement under ## Requirements."},
	{Name: "requirement-heading", Group: "specs", Severity: sdk.Warning, Find: requirementHeading,
		Doc: "A heading of level 3 under ## Requirements is not ### Requirement: NAME.",
		Why: "`openspec validate` takes each for a requirement and refuses those without a scenario; a delta cannot " +
			"name one, and no rule about requirements sees it.",
		Fix: "Write `### Requirement: NAME`."},
	{Name: "spec-section-missing", Group: "specs", Severity: sdk.Warning, Find: specSectionMissing,
		Doc: "A spec has no section Purpose or no section Requirements.",
		Why: "`openspec validate` refuses it.",
		Fix: "Add the section."},
	{Name: "requirement-without-scenario", Group: "specs", Severity: sdk.Warning, Find: withoutScenario,
		Doc: "A requirement has no scenario that OpenSpec finds.",
		Why: "`openspec validate` refuses it. A scenario is a heading of level 4: #### Scenario: NAME.",
		Fix: "Write a scenario, or give it a heading of level 4."},
	{Name: "requirement-without-text", Group: "specs", Severity: sdk.Warning, Find: withoutText,
		Doc: "A requirement has scenarios but no statement.",
		Why: "`openspec validate` refuses it: the statement belongs under the heading.",
		Fix: "Write under the heading what the system SHALL or MUST do."},
	{Name: "purpose-placeholder", Group: "specs", Severity: sdk.Info, Find: purposePlaceholder,
		Doc: "The purpose of a spec is a placeholder: it begins with TBD or TODO.",
		Why: "`openspec archive`, and agents that sync a delta, leave one for a capability that is new.",
		Fix: "Describe the purpose of the capability in a sentence or two."},

	{Name: "requirement-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: requirementLost,
		Doc: "A requirement is gone from its spec, and no delta removes or renames it.",
		Why: "A promise of the system was dropped without a change that says so, most often by a merge or " +
			"a rewritten file.",
		SeverityIf: "Warning if as many new ones came, and if an archived delta renames some of the " +
			"capability: they may have been renamed.",
		Fix: "Restore the requirement, or remove or rename it in the delta of a change."},
	{Name: "scenario-lost", Group: "history", Severity: sdk.Warning, Needs: check.OnBase, Find: scenarioLost,
		Doc: "A requirement lost a scenario, and most of its text is in no spec.",
		Why: "Two changes that modify one requirement undo each other: the delta archived second was written " +
			"without the scenario of the first. A merge drops scenarios the same way.",
		SeverityIf: "Info if as many new scenarios came: the requirement may have been rewritten.",
		Fix:        "Restore the scenario. If it is meant to go, accept the finding with the reason."},
	{Name: "item-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: taskDropped,
		Replaces: []string{"task-dropped"},
		Doc:      "An open task was deleted, or a change lost all its tasks or ticks.",
		Why: "Without the open task, the change may count as complete. Without the ticked tasks, finished work has " +
			"no record.",
		SeverityIf: "Warning if other tasks stay open or came in its place, if the change was archived at once, and " +
			"if all tasks are gone and none was ticked.",
		Fix: "Restore the task, or move it to another change."},
	{Name: "done-item-lost", Group: "history", Severity: sdk.Warning, Needs: check.OnBase, Find: doneTaskLost,
		Doc: "A task that was ticked in the base is gone, while others stay.",
		Why: "Finished work has no record, and may be done again.",
		Fix: "Restore the task from the base, with its tick."},
	{Name: "document-cut-short", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: cutShort,
		Hides: []string{"item-lost", "done-item-lost", "requirement-lost", "scenario-lost", "box-unreadable"},
		Doc:   "A spec, or a document of an open change, ends within a line of the base.",
		Why:   "The lost end may contain tasks or requirements; the rest looks like a smaller change.",
		Fix:   "Restore the rest of the document from the base."},
	{Name: "box-unreadable", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: boxLost,
		Replaces:   []string{"box-lost"},
		Doc:        "A task of the base lost its box.",
		Why:        "`openspec list` no longer counts it: finished work has no record, and open work is forgotten.",
		SeverityIf: "Warning about an open task, unless the change is complete without it.",
		Fix:        "Restore the box; keep a task that was given up, struck out and ticked, with the reason."},
	{Name: "tick-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: taskUnticked,
		Hides:      []string{"archived-not-complete"},
		Replaces:   []string{"task-unticked"},
		Doc:        "A task that was ticked is open again.",
		Why:        "Either it was never done, or an older file overwrote a newer one.",
		SeverityIf: "Warning in a change that is not archived: there it may be done again.",
		Fix:        "Tick it if it is done."},
	{Name: "document-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: documentLost,
		Doc: "The tasks or a delta that the base has are gone.",
		Why: "The change continues without a part of its plan. A delta of an archived change that no spec " +
			"shows may be given up: it is not reported if .openspec.yaml says skip_specs: true, and a " +
			"warning if tasks are open or the change was archived before.",
		SeverityIf: "Warning for a delta of an open change, and before work has begun: plans may shrink.",
		Fix: "Restore the document. If it is a delta that was given up, put `skip_specs: true` into .openspec.yaml " +
			"of the archived change."},
	{Name: "change-lost", Group: "history", Severity: sdk.Error, Needs: check.OnBase, Find: changeLost,
		Doc: "A change with begun work is gone, and is not in the archive.",
		Why: "Finished work has no record. A change that is given up is archived with --skip-specs, its " +
			"open tasks left open, or removed before work begins.",
		SeverityIf: "Warning if every task was done, as after a revert.",
		Fix:        "Restore the change, or archive it."},
}
