package gsd

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// stateRules are the rules about STATE.md, requirements, milestones and the base.
var stateRules = []check.Rule[*model]{
	{Name: "state-contradicts", Group: "state", Severity: sdk.Error, Needs: needState, Find: stateContradicts,
		Advice: "Keep the correct phase",
		Doc:    "STATE.md names two different phases as the current one.",
		Why: "Programs read **Phase:** first, but people read the first line, so they continue with " +
			"different phases.",
		Fix: "Keep the correct phase and remove the other."},
	{Name: "phase-ahead", Group: "state", Severity: sdk.Error, Needs: needState | needPhases, Find: stateAhead,
		Advice:   "Correct STATE.md",
		Replaces: []string{"state-ahead"},
		Doc:      "STATE.md marks the current phase complete, but it has no plan, or one without a summary.",
		SeverityIf: "Warning if the phase has neither a plan nor a summary. Warning if Plan says that no plan was " +
			"started and the phase has no summary, because Status is then left from the previous phase. Warning if " +
			"the remaining plans close gaps and the claim is not new.",
		Why: "The next session starts the next phase and never finishes this one.",
		Fix: "Execute the remaining plans, or correct Status."},
	{Name: "phase-behind", Group: "state", Severity: sdk.Warning, Needs: needState | needPhases, Find: stateBehind,
		Advice:   "Update STATE.md",
		Replaces: []string{"state-behind"},
		Doc: "STATE.md is at a finished phase or plan, although later work has been started.\n\nLater work is a " +
			"later phase, the last plans of a ticked phase, or the second of two executed plans. A phase that is " +
			"executed but not ticked also counts as finished if a later phase is ticked.",
		SeverityIf: "Info if the executed plans belong to one wave, or if only ROADMAP.md's tick and completed_plans " +
			"show that the plan is finished.",
		Why: "The next session starts from an outdated position.",
		Fix: "Set Phase, Plan and Status to the position that the files show."},
	{Name: "phase-passed-over", Group: "state", Severity: sdk.Warning, Needs: needState | needRoadmap | needPhases,
		Find: phasePassedOver, Advice: "Finish or defer the phase",
		Doc: "STATE.md moved to a later phase, but an earlier phase is unfinished.\n\nThe earlier phase " +
			"is the base's current phase with waiting plans, a started phase directly before one that " +
			"has not started, or an inserted phase that is not finished.",
		Why: "The next session continues with the later phase and never finishes the other.",
		Fix: "Finish that phase, mark it as deferred in ROADMAP.md, or set Phase in STATE.md back to it."},
	{Name: "current-phase-unknown", Group: "state", Severity: sdk.Warning,
		Needs: needState | needRoadmap | needPhases | needArchive, Find: phaseUnknown, Advice: "Correct STATE.md",
		Replaces: []string{"phase-unknown"},
		Doc: "STATE.md is at a phase that is not in ROADMAP.md or phases/.\n\nAn idea in the backlog (999.1) " +
			"without waiting plans is not a phase yet.",
		Why: "The next session cannot continue with a phase that does not exist or is not planned.",
		Fix: "Set Phase to the next phase, or list the phase in ROADMAP.md."},
	{Name: "plan-count", Group: "state", Severity: sdk.Warning, Needs: needState | needPhases, Find: planCount,
		Advice: "Correct Plan in STATE.md",
		Doc:    "Plan in STATE.md, such as 2 of 3, does not match the phase's directory.",
		Why:    "Progress bars and percentages are wrong, and new plans are overlooked.",
		Fix:    "Set Plan to the next plan's number and the number of plans."},
	{Name: "milestone-open", Group: "state", Severity: sdk.Warning, Needs: needState | needRoadmap | needPhases,
		Find: milestoneOpen, Advice: "Finish or defer the phase",
		Doc: "STATE.md marks the milestone complete, but a phase has waiting plans or has not started.\n\nThe rule " +
			"also reports a line in ROADMAP.md that marks STATE.md's milestone shipped.",
		Why: "The phase is archived with the milestone, and its plans are never executed.",
		Fix: "Correct the status in STATE.md or ROADMAP.md and finish the phase, or mark the phase as deferred " +
			"in ROADMAP.md."},
	{Name: "milestone-behind", Group: "state", Severity: sdk.Error, Needs: needState | needArchive,
		Find:   milestoneBehind,
		Advice: "Restore STATE.md", Hides: []string{"current-phase-unknown"},
		Doc: "STATE.md is at a shipped milestone.\n\nA later milestone exists, the base is at a later " +
			"one, or phases/ contains the milestone's archived phases again.",
		SeverityIf: "Warning if milestone_name is the tool's placeholder, milestone, and the base is not later.",
		Why:        "A merge or checkout restored an old STATE.md, so the next session repeats finished work.",
		Fix:        "Restore the current milestone's STATE.md from git, or correct its milestone and position."},
	{Name: "progress-beyond", Group: "state", Severity: sdk.Warning, Needs: needState | needPhases | needArchive,
		Find: progressBeyond,
		Doc: "STATE.md claims more progress than the files show.\n\nThat is more completed plans or phases, or a " +
			"higher percent than its own counts give. The rule reads the front matter. It counts files only in " +
			"projects without " +
			"archives.",
		Why: "Progress bars and percentages are wrong.",
		Fix: "Set completed_plans to the number of summaries, completed_phases to the number of finished phases, " +
			"and percent to match."},
	{Name: "quick-open", Group: "state", Severity: sdk.Warning, Needs: needState, Find: quickOpen,
		Advice: "Write the summary",
		Doc:    "STATE.md lists a quick task as completed, but its plan has no summary.",
		Why:    "The finished work has no record.",
		Fix:    "Finish the task and write its summary, or remove its row."},
	{Name: "plan-beyond", Group: "state", Severity: sdk.Error, Needs: needState, Find: planBeyond,
		Advice: "Correct Plan in STATE.md",
		Doc:    "STATE.md is at a plan beyond the last one, such as plan 5 of 4.",
		Why:    "The next session cannot continue with a plan that does not exist.",
		Fix:    "Set Plan to the next plan."},
	{Name: "progress-impossible", Group: "state", Severity: sdk.Error, Needs: needState | needPhases,
		Find:       progressImpossible,
		Doc:        "STATE.md counts more plans or phases as completed than its total, or over 100 percent.",
		SeverityIf: "Warning if the files show the completed count and only the total is outdated.",
		Why:        "Progress bars and percentages are wrong, and an unfinished milestone looks finished.",
		Fix:        "Set the numbers to match the files."},

	{Name: "requirement-repeated", Group: "requirements", Severity: sdk.Error, Needs: needRequirements,
		Find: requirementDuplicate, Advice: "Renumber a requirement",
		Replaces: []string{"requirement-duplicate"},
		Doc: "Two requirements have the same id.\n\nThe rule also reports two rows in the table for one requirement, " +
			"if only one of them is complete.",
		SeverityIf: "Warning for two rows.",
		Why:        "Commands tick both when one is done.",
		Fix:        "Give one of them its own id, in REQUIREMENTS.md and in all references."},
	{Name: "requirement-disagrees", Group: "requirements", Severity: sdk.Warning, Needs: needRequirements,
		Find: requirementDisagrees,
		Doc: "A requirement's checkbox and its row in the table disagree.\n\nThe rule also reports requirements that " +
			"are open in both although their phase is ticked and others of the phase are done.",
		SeverityIf: "Info if both are open.",
		Why:        "Milestone audits read both.",
		Fix:        "Update the checkbox or the row."},
	{Name: "requirement-unmapped", Group: "requirements", Severity: sdk.Warning, Needs: needRequirements,
		Find: requirementUnmapped, Advice: "Map the requirements",
		Doc: "Requirements for this version are missing from the traceability table.",
		Why: "No phase delivers them.",
		Fix: "Add a row for each one with its phase, or move it to a later version."},
	{Name: "requirement-ticked-early", Group: "requirements", Severity: sdk.Warning,
		Needs: needRequirements | needPhases, Find: requirementTickedEarly, Advice: "Correct the tick or the mapping",
		Doc: "A requirement is ticked, but the work that delivers it is not done.\n\nIts phase has plans " +
			"but no summaries, or has no plans although ROADMAP.md does not tick it, or the plan that lists the " +
			"requirement has no summary.",
		Why: "The requirement counts as delivered.",
		Fix: "Untick it, or map it to the phase that delivered it."},
	{Name: "requirement-unknown", Group: "requirements", Severity: sdk.Warning, Needs: needRoadmap | needRequirements,
		Find: requirementUnknown, Advice: "Correct the ids",
		Doc: "A phase or the traceability table names an undefined requirement.\n\nThe phase is not " +
			"ticked, and REQUIREMENTS.md does not define the requirement. The rule only compares ids " +
			"whose prefix REQUIREMENTS.md uses, such as AUTH-09 if AUTH-01 exists.",
		Why: "It is unknown what the phase must deliver.",
		Fix: "Correct the ids, or add the requirements to REQUIREMENTS.md."},
	{Name: "requirement-phase-unknown", Group: "requirements", Severity: sdk.Warning,
		Needs: needRoadmap | needRequirements | needPhases | needArchive, Find: requirementPhaseUnknown,
		Advice: "Map the requirements",
		Doc: "The traceability table maps requirements to a phase that does not exist.\n\nThe phase is " +
			"not in ROADMAP.md, phases/ or an archive.",
		Why: "No phase delivers them.",
		Fix: "Map them to the phase that delivers them, or list the phase in ROADMAP.md."},
	{Name: "milestone-unlisted", Group: "milestones", Severity: sdk.Warning, Find: milestoneUnlisted,
		Advice: "List the milestone",
		Doc:    "A milestone is archived, but MILESTONES.md does not list it.",
		Why:    "The history of shipped milestones has a gap.",
		Fix:    "Add the milestone to MILESTONES.md (health --backfill writes the entry)."},

	{Name: "summary-lost", Group: "history", Severity: sdk.Error, Needs: needBase | needPhases | needArchive,
		Find: summaryLost, Hides: []string{"plan-ticked-early", "progress-row", "plan-count",
			"requirement-ticked-early"},
		Doc: "A plan's summary was deleted or no longer proves anything.\n\nIts directory, or the phase " +
			"in ROADMAP.md, still exists, or the phase was not finished.\n\nThe rule skips summaries " +
			"without a plan and summaries that were renumbered with their plan.",
		SeverityIf: "Warning if the plan was reverted: its ticks were removed, and the position moved back, too. " +
			"Warning if the whole phase was deleted.",
		Why: "Results and decisions are lost, and the plan looks as if it was never executed.",
		Fix: "Restore the summary."},
	{Name: "plan-lost", Group: "history", Severity: sdk.Warning,
		Needs: needRoadmap | needPhases | needArchive, Find: planLost,
		Doc: "A plan that ROADMAP.md lists has no file.\n\nThe plan has no summary, and its phase is not complete. " +
			"Without a base, the phase must have other plans. The rule also reports a deleted directory of a phase, " +
			"a waiting plan that was overwritten, and one that ROADMAP.md no longer lists although it lists others " +
			"of the phase.",
		Why: "The next session plans the work again, or skips it.",
		SeverityIf: "Info if only the plan's line in ROADMAP.md was deleted, or if the plan follows all plans that " +
			"exist.",
		Fix: "Restore the plan, or remove it from ROADMAP.md if it was abandoned."},
	{Name: "verification-lost", Group: "history", Severity: sdk.Error, Needs: needBase | needPhases | needArchive,
		Find:       verificationLost,
		Doc:        "A phase's verification was deleted, but its directory still exists.",
		SeverityIf: "Warning for a UAT file, and if the phase's tick and the position in STATE.md were reverted, too.",
		Why:        "The results and gaps are lost, and it is unknown whether the goal was reached.",
		Fix:        "Restore the verification, or verify the phase again."},
	{Name: "phase-lost", Group: "history", Severity: sdk.Error,
		Needs: needBase | needRoadmap | needPhases | needArchive, Find: phaseLost, Advice: "Restore the phase",
		Hides: []string{"phase-unlisted"},
		Doc: "ROADMAP.md no longer names a phase from the base whose directory still exists.\n\nThe rule also " +
			"reports an unfinished phase that lost its box, its section, or both but kept its row. It skips " +
			"phases in an archived ROADMAP.md, because they were archived with their milestone.",
		SeverityIf: "Warning if the section, the box, the row or waiting plans are left.",
		Why:        "The phase's goal and criteria are lost, and commands no longer see it.",
		Fix: "Restore the phase in ROADMAP.md. If it was removed, remove its directory as well; if its " +
			"milestone is complete, archive ROADMAP.md in milestones/."},
	{Name: "document-lost", Group: "history", Severity: sdk.Error, Needs: needBase | needArchive, Find: documentLost,
		Hides: []string{"roadmap-missing"},
		Doc: "A document that the milestone still needs was deleted.\n\nThese are ROADMAP.md, REQUIREMENTS.md, " +
			"MILESTONES.md and config.json, and the archived roadmap and requirements of a shipped milestone that " +
			"ROADMAP.md or MILESTONES.md still names.",
		Why: "The plan or the recorded progress is lost.",
		SeverityIf: "Warning for config.json, which has defaults, for MILESTONES.md and archived documents, and " +
			"if the milestone is complete but its document is not archived.",
		Fix: "Restore the document, or complete the milestone, which archives it."},
	{Name: "document-cut-short", Group: "history", Severity: sdk.Error, Needs: needBase, Find: cutShort,
		Advice: "Restore the end from the base",
		Hides:  []string{"phase-lost", "phase-unlisted", "position-unreadable"},
		Doc: "A document ends partway through a line of the base.\n\nIt is STATE.md, ROADMAP.md, " +
			"REQUIREMENTS.md, a summary, a verification or a plan. STATE.md may also end after a line of the base, " +
			"without its Session Continuity.",
		SeverityIf: "Warning if STATE.md ends after a whole line, or if the plan is executed and its front matter " +
			"has an end.",
		Why: "The rest of the file is lost, and the project looks smaller than it is.",
		Fix: "Restore the rest of the file from the base."},
	{Name: "end-lost", Group: "history", Severity: sdk.Error, Needs: needBase | needArchive, Find: endLost,
		Doc:        "ROADMAP.md or REQUIREMENTS.md lost its end, including phases or requirements.",
		SeverityIf: "Warning if nothing else names them, because they may have been removed on purpose.",
		Why:        "The project looks smaller than it is.",
		Fix:        "Restore the rest of the file from the base."},
	{Name: "position-unreadable", Group: "history", Severity: sdk.Error, Needs: needBase | needState,
		Find: positionUnreadable, Advice: "Write the position",
		Doc: "STATE.md lost its phase, plan, status or progress.\n\nThe base has a readable value, but " +
			"the current one contains no letter or digit. Or phase, plan and status are all missing " +
			"although a phase is unfinished.",
		Why: "The current position is unknown.",
		Fix: "Write the base's value, or the current one."},
	{Name: "tick-lost", Group: "history", Severity: sdk.Warning, Needs: needBase | needRoadmap,
		Find: phaseReopened, Advice: "Tick the phase or plan the rest",
		Hides:    []string{"open-with-done-parts"},
		Replaces: []string{"phase-reopened"},
		Doc:      "A ticked phase is open again, but has no new plan.",
		Why:      "Either the tick was wrong, or it was lost in a merge.",
		Fix:      "Tick the phase again, or plan the remaining work."},
	{Name: "phase-went-back", Group: "history", Severity: sdk.Warning, Needs: needBase | needState, Find: wentBack,
		Advice:   "Restore STATE.md",
		Hides:    []string{"phase-behind"},
		Replaces: []string{"went-back"},
		Doc: "STATE.md moved back to an earlier phase that has nothing left to do.\n\nThe milestone is the " +
			"same as in the base.",
		Why: "A merge or checkout restored an old STATE.md.",
		Fix: "Restore STATE.md from the base, or set Phase to the next phase."},
}
