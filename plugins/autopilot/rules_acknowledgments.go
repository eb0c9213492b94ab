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
		Replaces:   []string{"history-out-of-order"},
		Advice:     "Correct the acknowledgment",
		Doc:        "An acknowledgment has an invalid value, level or reset time.",
		SeverityIf: "Warning if it has no value (and had none in the base), or was reset before it was acknowledged.",
		Fix:        "Find the acknowledged value and its times in git log, and write them with the level alert."},
	{Name: "acknowledged-alert-mismatch", Severity: sdk.Error, Find: ackMismatch,
		Replaces: []string{"ack-mark-without-acknowledgment", "acknowledgment-unmarked",
			"trigger-acknowledged-without-acknowledgment"},
		Advice: "Mark the alert as acknowledged",
		Doc:    "The position file marks an alert as acknowledged, but acknowledgments.json does not.",
		SeverityIf: "Warning if the value or time differs, if acknowledgments.json never existed, or if only the " +
			"mark is missing.",
		Fix: "Write Alert (ack) into the row, and list the alert under Acknowledged Alerts."},
}
