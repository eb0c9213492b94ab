package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

var thresholdsRules = []check.Rule[*model]{
	{Name: "threshold-level-mismatch", Severity: sdk.Error, Needs: levels, Find: levelMismatch,
		Replaces:   []string{"threshold-level-unfounded", "threshold-values-missing"},
		Advice:     "Correct the level",
		Doc:        "A recorded level is not a level.",
		SeverityIf: "Warning if the level is not that of its value, or has none, or if no last_check dates them.",
		Fix:        "Run the threshold check again: it writes values and levels together."},
	{Name: "threshold-value-forked", Severity: sdk.Warning, Needs: levels, Find: valueForked,
		Advice: "Keep one of them",
		Doc:    "A value is recorded under two keys with different numbers.",
		Fix:    "Keep the number that was written last and remove the other key."},
	{Name: "level-standing", Severity: sdk.Info, Needs: levels, Find: levelStanding,
		Replaces: []string{"stop-level-standing", "alert-unacknowledged"},
		Advice:   "Make room",
		Doc:      "A stop level blocks the next session, or an alert is not acknowledged.",
		Fix: "Raise the limit or shrink the remaining work, then run /autopilot:cockpit --reset-alerts; " +
			"an alert may also be acknowledged."},
	{Name: "threshold-row-contradiction", Severity: sdk.Warning, Needs: aPosition, Find: rowContradiction,
		Advice: "Recompute the row",
		Doc:    "A row of the thresholds contradicts itself.",
		Fix: "Write warning, alert and stop in ascending order, and the status and the rest that follow " +
			"from the value."},
	{Name: "thresholds-table-mismatch", Severity: sdk.Warning, Needs: aPosition | levels, Find: tableMismatch,
		Doc: "The table of thresholds differs from thresholds.json.",
		Fix: "Take value and level from thresholds.json."},
}
