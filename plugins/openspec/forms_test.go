package openspec_test

import (
	"testing"

	"github.com/stategate/stategate/plugins/openspec"
	"github.com/stategate/stategate/sdk/sdktest"
)

// TestForms checks the headings of tasks.md. OpenSpec itself counts every checkbox, whatever the title, the lines near
// it or the heading above it say, so the plugin reads no other forms: a task under a heading that defers its section is
// still open.
func TestForms(t *testing.T) {
	sdktest.Forms(t, openspec.Workflow,
		sdktest.Reading{Name: "heading above an open task", Place: "heading",
			Now: func(form string) sdktest.Files {
				return sdktest.Files{
					"changes/notes/proposal.md": "## Why\n\nNotes.\n\n## What Changes\n\n- Notes\n",
					"changes/notes/tasks.md":    "## " + form + "\n\n- [x] 1.1 Parse\n- [ ] 1.2 Name files\n",
				}
			},
			Plain: map[string]string{"open": "Phase 1: Setup", "done": "Phase 1: Setup ✅",
				"cancelled": "Out of scope", "optional": "Optional"}},
	)
}
