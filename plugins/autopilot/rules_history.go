package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

var historyRules = []check.Rule[*model]{
	{Name: "position-went-back", Severity: sdk.Error, Needs: twoPositions, Find: positionWentBack,
		Replaces: []string{"status-went-back", "progress-went-back", "completion-reopened"},
		Advice:   "Explain the step back, or undo it",
		Doc:      "Phase or plan went back while the status stayed.",
		SeverityIf: "Warning if it is the status, the ticked tasks of a route, the completed plans or a complete " +
			"project; info if only the percentage fell.",
		Fix: "Note the rollback in Last Activity, run /autopilot:flightplan for new work, or restore the " +
			"position."},
	{Name: "document-lost", Severity: sdk.Error, Needs: twoPositions, Find: phaseDocumentGone,
		Replaces:   []string{"phase-document-gone"},
		Doc:        "A briefing, route or logbook of the current phase was deleted.",
		SeverityIf: "Warning if it is one of an earlier phase, or was cut short.",
		Fix:        "Restore the document from git."},
	{Name: "document-cut-short", Severity: sdk.Error, Needs: twoPositions, Find: positionCutShort,
		Hides: []string{"next-action-mismatch", "position-incomplete", "interrupted-without-holding-pattern",
			"holding-pattern-unreferenced"},
		Doc: "The position file ends within a line of the base, and the rest is missing.",
		Fix: "Restore the rest of the file from the base."},
	{Name: "phase-left-unfinished", Severity: sdk.Error, Needs: twoPositions, Find: phaseLeft,
		Advice: "Finish the phase",
		Doc: "The position left a phase that no record calls finished.\n\nThe records are logbooks, flight plan, " +
			"routes and completed plans.",
		SeverityIf: "Warning unless the flight plan lists a phase between that was never begun.",
		Fix:        "Finish the phase and record it, or go back to it."},
	{Name: "updated-not-advanced", Severity: sdk.Warning, Needs: aBase, Find: notAdvanced,
		Replaces: []string{"updated-went-back", "update-unstamped", "last-check-went-back"},
		Advice:   "Restore the newer copy",
		Doc:      "Updated or the last check went back, or stayed while its subject changed.",
		Fix: "If an older copy overwrote a newer one, compare both in git and keep the correct values; then write " +
			"the time."},
	{Name: "context-lost", Severity: sdk.Warning, Needs: twoPositions, Find: contextLost,
		Advice: "Copy the decisions",
		Doc:    "All recent decisions of the base are gone.",
		Fix:    "Copy the decisions and open todos from the base: three to five decisions are kept."},
	{Name: "holding-pattern-went-back", Severity: sdk.Error, Needs: twoPositions | aHand, Find: handWentBack,
		Advice: "Find out what is done",
		Doc:    "The hand-off lost a task that was done.",
		Fix:    "Check git log and write the correct rows."},
	{Name: "holding-pattern-dropped", Severity: sdk.Error, Needs: twoPositions, Find: handDropped,
		Hides: []string{"interrupted-without-holding-pattern"},
		Doc:   "The hand-off was deleted and no resume is recorded.",
		Fix:   "Restore the hand-off from git, or record in TRANSPONDER.md what was done since, and when."},
	{Name: "state-lost", Severity: sdk.Error, Needs: aBase, Find: stateGone,
		Hides:    []string{"acknowledged-alert-mismatch"},
		Replaces: []string{"state-gone"},
		Doc:      "acknowledgments.json was deleted, with its history.",
		SeverityIf: "Warning for thresholds.json or all its values, which the next check writes, and for " +
			"flightplan.md and PROJECT.md before the project is complete.",
		Fix: "Restore the document from git."},
	{Name: "history-rewritten", Severity: sdk.Error, Needs: aBase | acks, Find: historyRewritten,
		Replaces:   []string{"reset-unrecorded"},
		Doc:        "The history of acknowledgments lost or changed an entry.",
		SeverityIf: "Warning if acknowledgments were reset without an entry in it, or its order is another.",
		Fix: "Restore the entries of the earlier revision, and add one for each acknowledgment that was " +
			"reset."},
	{Name: "reset-time-went-back", Severity: sdk.Error, Needs: aBase | acks, Find: resetWentBack,
		Doc: "The last reset went back: void acknowledgments count again.",
		Fix: "Restore the time of the last reset."},
	{Name: "acknowledgment-rewritten", Severity: sdk.Warning, Needs: aBase | acks, Find: ackRewritten,
		Replaces: []string{"acknowledgment-vanished"},
		Advice:   "Find out what was acknowledged",
		Doc:      "An acknowledgment disappeared without a reset, was backdated or has another value.",
		Fix:      "Check git log and keep what the user acknowledged."},
	{Name: "trigger-count-decreased", Severity: sdk.Warning, Needs: aBase, Find: triggerDecreased,
		Advice: "Restore the newer copy",
		Doc:    "A trigger is gone, its count fell within a session, or its time went back.",
		Fix:    "An older copy overwrote a newer one: compare both in git."},
}
