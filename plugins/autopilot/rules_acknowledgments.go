package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

var acknowledgmentsRules = []check.Rule[*model]{
	{Name: "acknowledgment-outlived-reset", Severity: sdk.Error, Needs: acks, Find: ackOutlived,
		Replaces:   []string{"reset-half-applied"},
		Doc:        "An acknowledgment was reset and still counts.",
		SeverityIf: "Warning if it is from before the last reset and no longer counts.",
		Fix:        "Move the acknowledgment to the history."},
	{Name: "acknowledgment-malformed", Severity: sdk.Error, Needs: acks, Find: ackMalformed,
		Advice:     "Complete it",
		Doc:        "An acknowledgment has a value or a level that cannot be one.",
		SeverityIf: "Warning if it has no value, unless the base had it, or if the history has it twice.",
		Fix: "Look into git log at which value the alert was acknowledged, and write it with the level " +
			"alert."},
	{Name: "history-out-of-order", Severity: sdk.Warning, Needs: acks, Find: historyOrder,
		Advice: "Correct the entry",
		Doc:    "An acknowledgment was reset before it was made.",
		Fix:    "Find out from git log when it was acknowledged and reset."},
	{Name: "acknowledged-alert-mismatch", Severity: sdk.Error, Find: ackMismatch,
		Replaces: []string{"ack-mark-without-acknowledgment", "acknowledgment-unmarked",
			"trigger-acknowledged-without-acknowledgment"},
		Advice: "Mark it",
		Doc:    "The position file calls a type acknowledged, and acknowledgments.json does not.",
		SeverityIf: "Warning if a trigger does, if value or time differ, or if there never was an " +
			"acknowledgments.json; info if the mark is missing.",
		Fix: "Write Alert (ack) into the row and list it under Acknowledged Alerts."},
	{Name: "trigger-count-without-time", Severity: sdk.Warning, Find: triggerUndated,
		Advice: "Complete the trigger",
		Doc:    "A trigger was counted and not dated, or dated and not counted.",
		Fix:    "Write both count and last_triggered, or neither."},
}
