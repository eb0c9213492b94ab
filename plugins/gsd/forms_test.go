package gsd_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/plugins/gsd"
	"github.com/stategate/stategate/sdk/sdktest"
)

// bar is a form that would end the cell of a table.
func bar(form string) bool { return strings.Contains(form, "|") }

// A row that says neither that its phase is complete nor that it is open is compared with nothing.
var plain = map[string]string{"open": "Not started", "ready": "Planned", "in-progress": "In progress", "review": "blub",
	"done": "Complete", "cancelled": "Deferred", "blocked": "blub", "unknown": "blub"}

// A phase that is not planned has no plan yet.
var own = map[string]string{"Not planned": "open"}

func TestForms(t *testing.T) {
	sdktest.Forms(t, gsd.Workflow,
		sdktest.Reading{Name: "row of a phase with a plan left", Place: "value", Plain: plain, Own: own, Odd: bar,
			Now: func(form string) sdktest.Files { return project(" ", "Track", form, false) }},
		sdktest.Reading{Name: "row of a verified phase", Place: "value", Plain: plain, Own: own, Odd: bar,
			Now: func(form string) sdktest.Files { return project("x", "Track", form, true) }},
		sdktest.Reading{Name: "phase", Place: "title",
			Plain: map[string]string{"open": "Track", "cancelled": "Track (deferred)"},
			// The brackets at the end of a phase's line hold its status, which may be any word of a value.
			Own: map[string]string{"Mask keys (replaced by asterisks)": "cancelled",
				"Find rows (duplicate of the first)": "cancelled"},
			Now: func(form string) sdktest.Files { return project("x", form, "blub", false) }})
}

// project returns a project of one phase with two plans; the second may be unfinished.
func project(tick, name, row string, verified bool) sdktest.Files {
	dir := "phases/01-" + strings.Join(strings.FieldsFunc(strings.ToLower(name),
		func(r rune) bool { return r < 'a' || r > 'z' }), "-") + "/"
	files := sdktest.Files{
		"PROJECT.md": "# P\n",
		"STATE.md": "---\nstatus: executing\n---\n\n# Project State\n\n## Current Position\n\nPhase: 1 of 1 (Track)\n" +
			"Plan: 2 of 2 in current phase\nStatus: In progress\n",
		"ROADMAP.md": "# Roadmap\n\n## Phases\n\n- [" + tick + "] **Phase 1: " + name + "** - x\n\n## Progress\n\n" +
			"| Phase | Plans Complete | Status |\n|---|---|---|\n| 1. Track | - | " + row + " |\n",
		dir + "01-01-PLAN.md":    "---\nphase: 01\nplan: 01\n---\nx\n",
		dir + "01-01-SUMMARY.md": "# Summary\n\nx\n",
		dir + "01-02-PLAN.md":    "---\nphase: 01\nplan: 02\n---\nx\n",
	}
	if verified {
		files[dir+"01-02-SUMMARY.md"] = "# Summary\n\nx\n"
		files[dir+"01-VERIFICATION.md"] = "---\nstatus: passed\n---\n\n# Verification\n"
	}
	return files
}
