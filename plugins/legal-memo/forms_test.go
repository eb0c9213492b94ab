package legalmemo

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/sdktest"
)

// plainForms maps statuses to this workflow's words: ready means pending, and review means in progress.
var plainForms = map[string]string{"open": "pending", "ready": "pending", "in-progress": "in_progress",
	"review": "in_progress", "done": "complete", "cancelled": "skipped", "blocked": "blocked", "unknown": "blub"}

func TestForms(t *testing.T) {
	// A status that has another spelling and no comment is reported separately, as an info with a fix.
	spelled := func(form string) bool {
		_, word := vocabulary.Split(form)
		return word == foldStatus(form) && word != form
	}
	sdktest.Forms(t, Workflow,
		sdktest.Reading{Name: "status", Place: "value", Plain: plainForms, Odd: spelled,
			Besides: []string{"noncanonical-value"},
			Now:     func(form string) sdktest.Files { return section(form, "pending") }},
		sdktest.Reading{Name: "subsection", Place: "value", Plain: plainForms,
			Now: func(form string) sdktest.Files { return section("complete", form) }})
}

// section returns the state of a section writer with one complete subsection and a second one.
func section(status, subsection string) sdktest.Files {
	fill := strings.NewReplacer("STATUS", strconv.Quote(status), "SECOND", strconv.Quote(subsection))
	return sdktest.Files{"section-writer-state-IV-A.json": fill.Replace(`{
 "agent": "memo-section-writer", "section_id": "A", "section_name": "Section A", "status": STATUS,
 "compaction_summary": {"task": "Write", "progress": "under way", "next_action": "Write on"},
 "phases_complete": {"phase_1_inputs": true, "phase_2_validation": true, "phase_3_structure": true,
  "phase_4_analysis": false, "phase_5_quality": false, "phase_6_finalize": false},
 "subsections_status": {"A_legal_framework": "complete", "B_application": SECOND}
}`)}
}
