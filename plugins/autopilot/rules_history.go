package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

var historyRules = []check.Rule[*model]{
	{Name: "position-went-back", Severity: sdk.Error, Needs: twoPositions, Find: positionWentBack,
		Replaces: []string{"status-went-back", "progress-went-back", "completion-reopened"},
		Advice:   "Record the rollback, or undo it",
		Doc:      "The phase or the plan went back without a recorded rollback.",
		SeverityIf: "Warning if the status, a route's ticked tasks, the completed plans or a complete project went " +
			"back; info if only the percentage fell.",
		Fix: "Record the rollback in Last Activity, run /autopilot:flightplan for new work, or restore the " +
			"position."},
	{Name: "document-lost", Severity: sdk.Error, Needs: twoPositions, Find: phaseDocumentGone,
		Replaces:   []string{"phase-document-gone"},
		Doc:        "The current phase's briefing, route or logbook was deleted or emptied.",
		SeverityIf: "Warning if the document belongs to an earlier phase, or was cut short.",
		Fix:        "Restore the document from git."},
	{Name: "item-lost", Severity: sdk.Warning, Needs: twoPositions, Find: itemLost,
		Advice: "Restore the task",
		Doc: "The route lacks an open task of the base, but the plan still counts it.\n\nOr the flight plan lacks " +
			"the current phase, which was open in the base.",
		Fix: "Copy the task from the base, or correct Stopped at and the hand-off."},
	{Name: "document-cut-short", Severity: sdk.Error, Needs: twoPositions, Find: positionCutShort,
		Hides: []string{"next-action-mismatch", "position-incomplete", "interrupted-without-holding-pattern",
			"holding-pattern-unreferenced", "status-unknown", "context-lost", "updated-not-advanced"},
		Doc: "The position file is a truncated copy of the base.",
		Fix: "Restore the rest of the file from the base."},
	{Name: "holding-pattern-cut-short", Severity: sdk.Error, Needs: aHand | aBase, Find: handCutShort,
		Hides: []string{"remaining-work-mismatch", "holding-pattern-incomplete", "completed-task-mismatch"},
		Doc:   "The hand-off is a truncated copy of the base.",
		Fix:   "Restore the rest of the hand-off from the base."},
	{Name: "phase-left-unfinished", Severity: sdk.Error, Needs: twoPositions, Find: phaseLeft,
		Advice: "Finish the phase",
		Doc: "The position left a phase that no record marks as finished.\n\nThe records are the logbooks, " +
			"the flight plan, the routes and the completed plans.",
		SeverityIf: "Warning unless the position skipped a phase in the flight plan that was never started.",
		Fix:        "Finish and record the phase, or set the position back to it."},
	{Name: "updated-not-advanced", Severity: sdk.Warning, Needs: aBase, Find: notAdvanced,
		Replaces: []string{"updated-went-back", "update-unstamped", "last-check-went-back"},
		Advice:   "Restore the newer copy",
		Doc:      "Updated or last_check went back, or did not change with the state.",
		Fix: "If an older copy overwrote a newer one, compare both in git and keep the correct values. Then " +
			"write the current time."},
	{Name: "context-lost", Severity: sdk.Warning, Needs: twoPositions, Find: contextLost,
		Advice: "Restore the decisions",
		Doc: "All recent decisions from the base were removed, or an item ends within a word.\n\nThe items are the " +
			"decisions, the todos and the blockers.",
		Fix: "Copy the decisions and open todos from the base, and keep three to five decisions."},
	{Name: "holding-pattern-went-back", Severity: sdk.Error, Needs: twoPositions | aHand, Find: handWentBack,
		Advice: "Find out which tasks are done",
		Doc:    "The hand-off no longer lists a done task as done.",
		Fix:    "Check git log, and correct the rows."},
	{Name: "holding-pattern-dropped", Severity: sdk.Error, Needs: twoPositions, Find: handDropped,
		Hides: []string{"interrupted-without-holding-pattern"},
		Doc:   "The hand-off was deleted, but no resume is recorded.",
		Fix:   "Restore the hand-off from git, or record later work and its time in TRANSPONDER.md."},
	{Name: "state-lost", Severity: sdk.Error, Needs: aBase, Find: stateGone,
		Hides:    []string{"acknowledged-alert-mismatch"},
		Replaces: []string{"state-gone"},
		Doc:      "acknowledgments.json and its history were deleted.",
		SeverityIf: "Warning for thresholds.json and its values, which the next check rewrites, and for " +
			"flightplan.md, also if it lost its text, and PROJECT.md while the project is unfinished.",
		Fix: "Restore the document from git."},
	{Name: "history-rewritten", Severity: sdk.Error, Needs: aBase | acks, Find: historyRewritten,
		Replaces:   []string{"reset-unrecorded"},
		Doc:        "An entry of the acknowledgment history was removed or changed.",
		SeverityIf: "Warning if a reset added no entry.",
		Fix:        "Restore the entries from the base, and add one for each reset acknowledgment."},
	{Name: "reset-time-went-back", Severity: sdk.Error, Needs: aBase | acks, Find: resetWentBack,
		Doc: "The last reset went back, so reset acknowledgments count again.",
		Fix: "Restore the last reset's time."},
	{Name: "acknowledgment-rewritten", Severity: sdk.Warning, Needs: aBase | acks, Find: ackRewritten,
		Replaces: []string{"acknowledgment-vanished"},
		Advice:   "Find out what was acknowledged",
		Doc:      "An acknowledgment was removed without a reset, backdated or given another value.",
		Fix:      "Check git log, and restore what the user acknowledged."},
}
