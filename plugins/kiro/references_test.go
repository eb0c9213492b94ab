package kiro

import (
	"strings"
	"testing"
)

func TestReferencesReadsManyForms(t *testing.T) {
	for value, want := range map[string]string{
		" 1.1, 1.2, 3":  "1.1 1.2 3",
		" R1, R2.3; r4": "1 2.3 4",
		" Requirement 2, Req 3.1 and Requirements 4": "2 3.1 4",
		" 3.2, 3.2.1, 4.1.1, 5":                      "3.2 3.2.1 4.1.1 5",
		" 6a.1, 6.1a, 7a":                            "6a.1 6.1a 7a",
		" R2 Acceptance 1, R2 Acceptance 3":          "2.1 2.3",
		" R2 Acceptance Criteria 1, 3, R3":           "2.1 2.3 3",
		" Requirement 2 (AC-1, 2), 4":                "2.1 2.2 4",
		" 2 AC 1":                                    "2.1",
		" 1.1-1.4, 3":                                "1.1 1.2 1.3 1.4 3",
		" R1.2–R1.4, R2":                             "1.2 1.3 1.4 2",
		" 1 to 3; 5":                                 "1 2 3 5",
		" 2.1-3":                                     "2.1 2.2 2.3",
		" 1.2-2.3":                                   "1.2 2.3",
		" [1.1] / `1.2` & 1.3":                       "1.1 1.2 1.3",
		" 1.1、1.2，2と3":                               "1.1 1.2 2 3",
		" 1.1, NFR-2, FR 3":                          "1.1 NFR-2 FR 3",
		" 1.1 (optional), 2 (3 files, since 1.2)":    "1.1 2 1.2",
		" 1 и 2":                                     "1 2",
		" 1.x, 2.*":                                  "1 2",
		" All":                                       "",
		" Optimization 3 from 02_plan.md, Property 4":  "",
		" 3rd party, SHA-256abc":                       "",
		" 1.1_ *(see 2.2)*":                            "1.1",
		" Critical paths at ≥80% coverage":             "",
		" ≥80% of 2, ≤30 minutes":                      "",
		" CI completes in 30 minutes":                  "",
		" WS1-MEM-001, 2, WS2-API-002":                 "WS1-MEM-001 2 WS2-API-002",
		" の Integ-01〜11, E2E-01〜06":                    "Integ-01 E2E-01",
		" REQ-6 (FR-6.1, AC-6.1)":                      "6 FR-6.1 AC-6.1",
		" Req 4.1; Design §Tests (23.1 / 23.2); Req 5": "4.1 5",
		" 1.2；Design: Property 2、3.1":                  "1.2",
		" 1.2 (redesign), 3.1":                         "1.2 3.1",
		" R1-R3, NFR-1 to 3":                           "1 2 3 NFR-1",
	} {
		if got := strings.Join(references(nil, value), " "); got != want {
			t.Errorf("%q names %q, want %q", value, got, want)
		}
	}
}
