package autopilot_test

import (
	"testing"

	"github.com/stategate/stategate/plugins/autopilot"
	"github.com/stategate/stategate/sdk/sdktest"
)

func TestForms(t *testing.T) {
	flight := sdktest.Archive(t, "valid-custom-limits.txtar")
	sdktest.Forms(t, autopilot.Workflow,
		sdktest.Reading{Name: "task of a hand-off", Place: "value", Odd: sdktest.OddInCell,
			Now: flight.With("| 2 | T2 | def456 | ✅ |", "| 2 | T2 | def456 | FORM |"),
			// An abandoned task has no state, so nothing is compared with it.
			Plain: map[string]string{"open": "pending", "ready": "pending", "in-progress": "in progress",
				"review": "in progress", "done": "done", "cancelled": "dropped", "blocked": "blocked"}})
}
