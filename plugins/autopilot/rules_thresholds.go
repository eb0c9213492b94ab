package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

var thresholdsRules = []check.Rule[*model]{
	{Name: "threshold-level-mismatch", Severity: sdk.Error, Needs: levels, Find: levelMismatch,
		Replaces: []string{"threshold-level-unfounded", "threshold-values-missing"},
		Advice:   "Correct the level",
		Doc:      "A recorded level is invalid.",
		SeverityIf: "Warning if the level does not match its value, if the value is missing, or if there is no " +
			"last_check.",
		Fix: "Run the threshold check again, which writes values and levels together."},
	{Name: "level-standing", Severity: sdk.Info, Needs: levels, Find: levelStanding,
		Replaces: []string{"stop-level-standing", "alert-unacknowledged"},
		Advice:   "Raise the limit or reduce the work",
		Doc:      "A stop level blocks the next session, or an alert is unacknowledged.",
		Fix: "Raise the limit or reduce the remaining work, then run /autopilot:cockpit --reset-alerts. You " +
			"can also acknowledge an alert."},
	{Name: "thresholds-table-mismatch", Severity: sdk.Warning, Needs: aPosition | levels, Find: tableMismatch,
		Doc: "The thresholds table differs from thresholds.json.",
		Fix: "Copy the value and the level from thresholds.json."},
}
