package autopilot_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/plugins/autopilot"
	"github.com/stategate/stategate/sdk/sdktest"
)

func TestForms(t *testing.T) {
	flight := sdktest.Archive(t, "valid-custom-limits.txtar")
	sdktest.Forms(t, autopilot.Workflow,
		sdktest.Reading{Name: "task of a hand-off", Place: "value",
			Now: func(form string) sdktest.Files {
				files := sdktest.Files{}
				for path, text := range flight {
					files[path] = strings.Replace(text, "| 2 | T2 | def456 | ✅ |", "| 2 | T2 | def456 | "+form+" |", 1)
				}
				return files
			},
			// A bar ends the cell, and of what is struck out in it the marks are gone.
			Odd: func(form string) bool { return strings.Contains(form, "|") || strings.Contains(form, "~~") },
			// A task that was given up has no state: nothing is compared with it.
			Plain: map[string]string{"open": "pending", "ready": "pending", "in-progress": "in progress",
				"review": "in progress", "done": "done", "cancelled": "dropped", "blocked": "blocked"}})
}
