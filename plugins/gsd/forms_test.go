package gsd_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/plugins/gsd"
	"github.com/stategate/stategate/sdk/sdktest"
)

// bar reports whether a form would end a table cell.
func bar(form string) bool { return strings.Contains(form, "|") }

// plain holds one form for each status. A row that marks its phase neither complete nor open is not compared.
var plain = map[string]string{"open": "Not started", "ready": "Planned", "in-progress": "In progress", "review": "blub",
	"done": "Complete", "cancelled": "Deferred", "blocked": "blub", "unknown": "blub"}

// own holds get-shit-done's own words: a phase that is not planned has no plans yet.
var own = map[string]string{"Not planned": "open"}

func TestForms(t *testing.T) {
	sdktest.Forms(t, gsd.Workflow,
		sdktest.Reading{Name: "row of a phase with a plan left", Place: "value", Plain: plain, Own: own, Odd: bar,
			Now: func(form string) sdktest.Files { return project(" ", "Track", form, false) }},
		sdktest.Reading{Name: "row of a verified phase", Place: "value", Plain: plain, Own: own, Odd: bar,
			Now: func(form string) sdktest.Files { return project("x", "Track", form, true) }},
		sdktest.Reading{Name: "phase", Place: "title",
			Plain: map[string]string{"open": "Track", "cancelled": "Track (deferred)"},
			// The text in brackets at the end of a phase's line is its status, so any status word counts there.
			Own: map[string]string{"Mask keys (replaced by asterisks)": "cancelled",
				"Find rows (duplicate of the first)": "cancelled"},
			Now: func(form string) sdktest.Files { return project("x", form, "blub", false) }})
}

// project returns a project with one phase and two plans; the second plan has a summary only if verified is set.
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
