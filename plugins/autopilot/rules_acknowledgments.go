package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

var acknowledgmentsRules = []check.Rule[*model]{
	{Name: "acknowledgment-outlived-reset", Severity: sdk.Error, Needs: acks, Find: ackOutlived,
		Replaces:   []string{"reset-half-applied"},
		Doc:        "An acknowledgment was reset but still counts.",
		SeverityIf: "Warning if it predates the last reset and no longer counts.",
		Fix:        "Move the acknowledgment to the history."},
	{Name: "acknowledgment-malformed", Severity: sdk.Error, Needs: acks, Find: ackMalformed,
		Advice:     "Complete the acknowledgment",
		Doc:        "An acknowledgment has an invalid value or level.",
		SeverityIf: "Warning if it has no value (and had none in the base), or if the history lists it twice.",
		Fix:        "Find the acknowledged value in git log, and write it with the level alert."},
	{Name: "history-out-of-order", Severity: sdk.Warning, Needs: acks, Find: historyOrder,
		Advice: "Correct the entry",
		Doc:    "An acknowledgment's reset time is before its acknowledgment time.",
		Fix:    "Find both times in git log, and correct the entry."},
	{Name: "acknowledged-alert-mismatch", Severity: sdk.Error, Find: ackMismatch,
		Replaces: []string{"ack-mark-without-acknowledgment", "acknowledgment-unmarked",
			"trigger-acknowledged-without-acknowledgment"},
		Advice: "Mark the alert as acknowledged",
		Doc:    "The position file marks an alert as acknowledged, but acknowledgments.json does not.",
		SeverityIf: "Warning if a trigger has the mark, if the value or time differs, if acknowledgments.json " +
			"never existed, or if only the mark is missing.",
		Fix: "Write Alert (ack) into the row, and list the alert under Acknowledged Alerts."},
	{Name: "trigger-count-without-time", Severity: sdk.Warning, Find: triggerUndated,
		Advice: "Complete the trigger",
		Doc:    "A trigger lacks either its count or its time.",
		Fix:    "Write both count and last_triggered, or neither."},
}
