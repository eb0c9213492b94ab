package legalmemo

import (
	"slices"
	"testing"
)

// TestBriefListsNothingRefutedAsDone checks that a brief lists work that a finding disproves as remaining, and not as
// done.
func TestBriefListsNothingRefutedAsDone(t *testing.T) {
	cases := []struct {
		fixture, subject, refuted, left, proven string
	}{
		{"broken-base-report-of-open-section-removed", "section-writer/C", "A_legal_framework",
			"A_legal_framework" + notProven, ""},
		{"broken-no-score-while-scoring", "qa-diagnostic", "dim_9", "dim_9" + notProven, "dim_8"},
		{"broken-scan-unmet-while-scoring", "qa-diagnostic",
			"scan_citation_tags: do not run, use citation-tag-report.json (exit 0)",
			"run scan_citation_tags" + notProven, "dim_9"},
		{"broken-orchestrator-memo-removed-while-scoring", "orchestrator", "A1", "A1" + notProven, "G"},
		{"valid-orchestrator-scoring", "orchestrator", "", "A2", "A1"},
		{"broken-summary-placeholder", "executive-summary", "", "phase_4_document_structure", "IV-A"},
		{"broken-summary-of-unwritten", "executive-summary", "IV-K", "IV-K" + notProven, "IV-A"},
		{"broken-base-restart", "section-writer/C", "", "B_application (done in the base)", "A_legal_framework"},
		{"broken-summary-nowhere", "executive-summary", "", "phase_4_document_structure", "IV-A"},
	}
	for _, c := range cases {
		t.Run(c.fixture, func(t *testing.T) {
			answer := lookAt(t, c.fixture)
			for _, d := range answer.Detections {
				if d.Subject != c.subject {
					continue
				}
				if c.refuted != "" && slices.Contains(d.Resume.Skip, c.refuted) {
					t.Errorf("%q is disproved, and not to be repeated: %q", c.refuted, d.Resume.Skip)
				}
				if !slices.Contains(d.Resume.Remaining, c.left) {
					t.Errorf("%q is not among what is left: %q", c.left, d.Resume.Remaining)
				}
				if c.proven != "" && !slices.Contains(d.Resume.Skip, c.proven) {
					t.Errorf("%q is done, and not listed as done: %q", c.proven, d.Resume.Skip)
				}
				return
			}
			t.Fatalf("%s is not detected", c.subject)
		})
	}
}
