package speckit_test

import (
	"testing"

	speckit "github.com/stategate/stategate/plugins/spec-kit"
	"github.com/stategate/stategate/sdk/sdktest"
)

// feature returns the files of a feature with a list of tasks.
func feature(status, tasks string) sdktest.Files {
	return sdktest.Files{
		"spec.md":  "# Feature Specification: Notes\n\n**Status**: " + status + "\n\n## User Scenarios & Testing\n",
		"plan.md":  "# Implementation Plan: Notes\n",
		"tasks.md": "# Tasks: Notes\n\n" + tasks,
	}
}

func TestForms(t *testing.T) {
	title := func(form string) sdktest.Files {
		return feature("Complete", "## Phase 1: Setup\n\n- [x] T001 Parse\n- [ ] T002 "+form+"\n")
	}
	sdktest.Forms(t, speckit.Workflow,
		sdktest.Reading{Name: "title of an open task", Place: "title", Now: title,
			Plain: map[string]string{"open": "Name files", "cancelled": "~~Name files~~",
				"optional": "Name files (optional)"}},
		sdktest.Reading{Name: "note below an open task", Place: "note",
			Now:   func(form string) sdktest.Files { return title("Name files\n  - " + form) },
			Plain: map[string]string{"open": "See the notes", "cancelled": "Skipped: no database"}},
		sdktest.Reading{Name: "heading above an open task", Place: "heading",
			Now: func(form string) sdktest.Files {
				return feature("Draft", "## "+form+"\n\n- [x] T001 Parse\n- [x] T003 Write\n- [ ] T002 Name files\n")
			},
			Plain: map[string]string{"open": "Phase 1: Setup", "done": "Phase 1: Setup ✅",
				"cancelled": "Out of scope"}},
		sdktest.Reading{Name: "line above an open task", Place: "line",
			// progress-refuted compares counts with the checkboxes.
			Own: map[string]string{"12/12 tasks complete": "open"},
			Now: func(form string) sdktest.Files {
				return feature("Draft", form+"\n\n## Phase 1: Setup\n\n- [x] T001 Parse\n- [ ] T002 Name files\n")
			},
			Plain: map[string]string{"open": "All tasks are listed below.", "done": "All tasks are complete."}},
	)
}
