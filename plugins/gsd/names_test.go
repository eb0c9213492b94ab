package gsd

import "testing"

func TestPhaseFile(t *testing.T) {
	for _, c := range []struct {
		phase, file, number, name string
		kind                      fileKind
	}{
		{"2", "02-01-PLAN.md", "1", "", planFile},
		{"2", "02-01-SUMMARY.md", "1", "", summaryFile},
		{"2.1", "02.1-03-PLAN.md", "3", "", planFile},
		{"2", "02.03-PLAN.md", "3", "", planFile},
		{"2", "02-03-scaffold-the-thing-PLAN.md", "3", "scaffold-the-thing", planFile},
		{"1", "01-PLAN-04.md", "4", "", planFile},
		{"1", "01-PLAN-04-SUMMARY.md", "4", "", summaryFile},
		{"25", "25-dashboard-system-01-SUMMARY.md", "1", "dashboard-system", summaryFile},
		{"1", "PLAN-01.md", "1", "", planFile},
		{"1", "SUMMARY-01.md", "1", "", summaryFile},
		{"1", "PLAN.md", "", "", planFile},
		{"1", "SUMMARY.md", "", "", summaryFile},
		{"1", "01-PLAN.md", "", "", planFile},
		{"1", "02-PLAN.md", "2", "", planFile},
		{"16", "16-3b-PLAN.md", "3b", "", planFile},
		{"12a", "12A-01-PLAN.md", "1", "", planFile},
		{"3", "03-E2E-TEST-PLAN.md", "", "E2E-TEST", planFile},
		{"3", "03-01-PLAN-REVIEW.md", "", "", otherFile},
		{"3", "03-PLAN-OUTLINE.md", "", "", otherFile},
		{"3", "03-RESEARCH.md", "", "", otherFile},
		{"15", "15-P00-test-scaffold.md", "0", "test-scaffold", planFile},
		{"15", "15-P00-SUMMARY.md", "0", "", summaryFile},
		{"15", "15-P00-REVIEW.md", "", "", otherFile},
		{"1-02", "01-02-03-PLAN.md", "3", "", planFile},
		{"1-02", "01-02-SUMMARY.md", "", "", summaryFile},
	} {
		if kind, number, name := phaseFile(c.phase, c.file); kind != c.kind || number != c.number || name != c.name {
			t.Errorf("%s: %s is %d, number %q, name %q", c.phase, c.file, kind, number, name)
		}
	}
}

func TestRefs(t *testing.T) {
	for _, c := range [][4]string{
		{"02-01-PLAN.md — parse", "", "2", "1"},
		{"**02.1-03**: fix", "", "2.1", "3"},
		{"Plan 07-02: fix", "", "7", "2"},
		{"02.03 — fix", "2", "2", "3"},
		{"12-PLAN-01.md — fix", "12", "12", "1"},
		{"01-02-03-PLAN.md — fix", "1-02", "1-02", "3"},
		{"2026-04-01 something", "", "", ""},
		{"Reconcile Phase 07 plans", "", "", ""},
	} {
		if phase, number := planRef(c[0], c[1]); phase != c[2] || number != c[3] {
			t.Errorf("%q is plan %q of phase %q", c[0], number, phase)
		}
	}
	for _, c := range [][3]string{
		{"Phase 1-02: Deck", "1-02", "Deck"},
		{"Phase 01-02.1 (Deck)", "1-02.1", "(Deck)"},
		{"Phase 1-7", "", ""},
		{"Phase 1-02-03", "1-02", "03"},
		{"Phase 3: Piers", "3", "Piers"},
	} {
		if number, name := numbering(true).namedPhase(c[0]); number != c[1] || number != "" && name != c[2] {
			t.Errorf("%q is phase %q, %q, by milestone", c[0], number, name)
		}
	}
	for _, c := range [][3]string{
		{"Phase 1-02: Deck", "", ""},
		{"Phase 2.1: Fix", "2.1", "Fix"},
		{"✅ Phase 07 — Go", "7", "Go"},
		{"Phases 1-7", "", ""},
		{"Phase 1–7", "", ""},
		{"Phase 12A: x", "12a", "x"},
	} {
		if number, name := numbering(false).namedPhase(c[0]); number != c[1] || number != "" && name != c[2] {
			t.Errorf("%q is phase %q, %q", c[0], number, name)
		}
	}
}
