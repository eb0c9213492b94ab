package sdk_test

import (
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// TestIncomplete checks that a missing part of the Go value is reported before a call to it would panic.
func TestIncomplete(t *testing.T) {
	detect := func(*sdk.Pass) ([]sdk.Detection, error) { return nil, nil }
	table := check.Declare([]check.Rule[int]{{Name: "wrong", Severity: sdk.Error}},
		func(*check.Report) (int, check.Needs) { return 0, 0 })
	for want, w := range map[string]*sdk.Workflow{
		"no workflow is served; call plugin.Serve in an init function":                               nil,
		"workflow w: Detect is nil; write a function that returns the phase that the documents show": {Name: "w"},
		"workflow w: rule 0 is nil; remove it from Rules": {Name: "w", Detect: detect,
			Rules: []*sdk.Rule{nil}},
		"workflow w: rule wrong has no function: its Check (in a table, its Find) is nil, and so is Check of the " +
			"workflow; write one of them": {Name: "w", Detect: detect, Rules: table},
	} {
		if err := w.Validate(); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if err := (&sdk.Workflow{Name: "w", Detect: detect}).Complete(); err != nil {
		t.Errorf("a workflow without rules: %v", err)
	}
}
