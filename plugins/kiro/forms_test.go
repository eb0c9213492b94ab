package kiro_test

import (
	"testing"

	"github.com/stategate/stategate/sdk/sdktest"

	"github.com/stategate/stategate/plugins/kiro"
)

// spec returns a spec; if done is set, its spec.json says that it is complete.
func spec(tasks string, done bool) sdktest.Files {
	phase := "tasks-generated"
	if done {
		phase = "implementation-complete"
	}
	return sdktest.Files{
		"requirements.md": "# Requirements\n\n### Requirement 1: Notes\n\n1. WHEN x THEN y\n",
		"design.md":       "# Design\n\nText.\n",
		"spec.json":       `{"feature_name": "notes", "phase": "` + phase + "\"}\n",
		"tasks.md":        tasks,
	}
}

func TestForms(t *testing.T) {
	title := func(form string) sdktest.Files {
		return spec("# Plan\n\n- [x] 1. Parse\n- [ ] 2. "+form+"\n", true)
	}
	sdktest.Forms(t, kiro.Workflow,
		sdktest.Reading{Name: "title of an open task", Place: "title", Now: title,
			Plain: map[string]string{"open": "Name files", "cancelled": "~~Name files~~",
				"optional": "Name files (optional)"}},
		sdktest.Reading{Name: "note below an open task", Place: "note",
			Now:   func(form string) sdktest.Files { return title("Name files\n  - " + form) },
			Plain: map[string]string{"open": "See the notes", "cancelled": "Skipped: no database"}},
		sdktest.Reading{Name: "heading above an open task", Place: "heading",
			Now: func(form string) sdktest.Files {
				return spec("# Plan\n\n## "+form+"\n\n- [x] 1. Parse\n- [x] 3. Write\n- [ ] 2. Name files\n", false)
			},
			Plain: map[string]string{"open": "Phase 1: Setup", "done": "Phase 1: Setup ✅",
				"cancelled": "Out of scope", "optional": "Tracing (optional)"}},
		sdktest.Reading{Name: "line above an open task", Place: "line",
			Now: func(form string) sdktest.Files {
				return spec("# Plan\n\n"+form+"\n\n- [x] 1. Parse\n- [ ] 2. Name files\n", false)
			},
			Plain: map[string]string{"open": "All tasks are listed below.", "done": "All tasks are complete."}},
	)
}
