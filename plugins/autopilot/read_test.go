package autopilot

import (
	"testing"

	"github.com/stategate/stategate/sdk/instant"
)

func TestReadStatus(t *testing.T) {
	for text, want := range map[string]status{
		"Ready to discuss": readyToDiscuss, "ready_to_plan": readyToPlan, "READY-TO-EXECUTE": readyToExecute,
		"planned":       readyToExecute,
		"🔄 In progress": inProgress, "In progress (wave 2)": inProgress, "In progress [wave 2]": inProgress,
		"executing — plan 2": inProgress, "paused": inProgress,
		"Wave 12 complete": inProgress, "Wave complete": unknown, "✅ Phase complete": phaseComplete,
		"Phase 2 complete":          phaseComplete,
		"Project complete, shipped": projectComplete, "All phases complete!": projectComplete, "Complete": completeText,
		"completed":     completeText,
		"Blocked: keys": blocked, "cancelled": abandoned, "Almost there": unknown, "": unknown,
		"not in progress": unknown,
	} {
		if got, _ := readStatus(text); got != want {
			t.Errorf("readStatus(%q) = %d, want %d", text, got, want)
		}
	}
	if _, rest := readStatus("Blocked — waiting for keys"); rest != "waiting for keys" {
		t.Errorf("the reason is %q", rest)
	}
}

func TestReadCount(t *testing.T) {
	for text, want := range map[string]count{
		"3 of 6": {3, 6}, "3/6": {3, 6}, "Phase 03 of 06": {3, 6}, "Plan 2 / 4": {2, 4}, "3": {3, -1},
		"3 of 6 - Dashboard": {3, 6},
		"3 of 6 — Dashboard": {3, 6}, "3 of 6: Dashboard": {3, 6}, "3 of 6 (Dashboard)": {3, 6},
		"3 (Dashboard)": {3, -1},
	} {
		if got, ok := readCount(text, false); !ok || got != want {
			t.Errorf("readCount(%q) = %v, %t, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"three of six", "12345678901234567890 of 6", "3 of", "3 of many", "3 phases",
		"-1 of 3", "3 of 6 phases"} {
		if got, ok := readCount(text, false); ok {
			t.Errorf("readCount(%q) = %v, want none", text, got)
		}
	}
}

func TestStamps(t *testing.T) {
	for _, c := range []struct {
		a, b   string
		before bool
	}{
		{"2026-01-29", "2026-01-30", true},
		{"2026-01-29", "2026-01-29", false},
		{"2026-01-29T14:30", "2026-01-29T14:30:59", false},
		{"2026-01-29T14:30", "2026-01-29 14:31", true},
		{"2026-01-29T14:30:00Z", "2026-01-29T16:31:01+02:00", true},
		{"2026-01-29T14:30:00Z", "2026-01-29T16:30:00+02:00", false},
		{"2026-01-29T14:30:00Z", "2026-01-30", false}, // the day may begin ten hours earlier
		{"2026-01-29T14:30:00Z", "2026-01-31", true},
		{"2026-01-29 14:30 UTC", "2026-01-29T15:30Z", true},
		{"yesterday", "2026-01-29", false},
		{"2026-02-30", "2026-03-30", false},
	} {
		a, b := readStamp(c.a), readStamp(c.b)
		if got := earlier(a, b, instant.Minute-1); got != c.before {
			t.Errorf("%s before %s: got %t", c.a, c.b, got)
		}
	}
}

func TestPhaseNumber(t *testing.T) {
	for name, want := range map[string]int{
		"003": 3, "3": 3, "03-user-dashboard": 3, "phase-003": 3, "phase_4": 4, "Phase 5": 5, "10.draft": 10, "000": 0,
	} {
		if got, ok := phaseNumber(name); !ok || got != want {
			t.Errorf("phaseNumber(%q) = %d, %t, want %d", name, got, ok, want)
		}
	}
	for _, name := range []string{"draft", "3a", "phase", "1234567890", "x-3", ""} {
		if got, ok := phaseNumber(name); ok {
			t.Errorf("phaseNumber(%q) = %d, want none", name, got)
		}
	}
}

func TestReadTasks(t *testing.T) {
	for text, want := range map[string][2]int{
		"Task 3: write": {3, 3}, "Tasks 4-5": {4, 5}, "Tasks 4 to 5: rest": {4, 5}, "Tasks 4 and 5": {4, 5},
		"Task 003.4 — x": {4, 4},
		"4 to 5":         {4, 5}, "write it": {0, 0}, "5 more hours": {0, 0}, "Task five": {0, 0},
		"Task 3 - 4 endpoints": {3, 3}, "Task 4-5": {4, 5}, "Task 3 — 2 pages": {3, 3},
		"Tasks 3, 4 and 5": {0, 0}, "Tasks 3, and 4": {0, 0}, "Tasks 3 and 5": {0, 0}, "Tasks 4-5, 7": {0, 0},
		"Tasks 4-5 and 7": {0, 0}, "Tasks 4 & 5": {4, 5}, "Tasks 5-4": {5, 5},
	} {
		if from, to := readTasks(text, 3); [2]int{from, to} != want {
			t.Errorf("readTasks(%q) = %d, %d, want %v", text, from, to, want)
		}
	}
}

func TestReadAmount(t *testing.T) {
	for text, want := range map[string]float64{
		"$26.50": 26.5, "35%": 35, "1,234.5": 1234.5, "-12%": -12, "−12": -12, "$10 ⚠️": 10, "-$1.50": -1.5,
		"about 3 of 4": 3,
	} {
		if got := readAmount(text); !got.ok || got.v != want {
			t.Errorf("readAmount(%q) = %v, %t, want %v", text, got.v, got.ok, want)
		}
	}
	if readAmount("none").ok {
		t.Error("a text without digits has an amount")
	}
	if a := readAmount("26.5"); !a.equals(26.54) || a.equals(26.56) {
		t.Error("26.5 is compared beyond its printed precision")
	}
}

func TestPlaceholders(t *testing.T) {
	for text, want := range map[string]bool{
		"{N} of {total}": true, "{anything here}": true, "[Timestamp]": true, "[X] of [Y]": true,
		`{path or "None"}`: true,
		"3 of 6":           false, "a {b} c": false, "{a} and {b}": false, "Phase {phase_number}": true, "": false,
	} {
		if got := placeholder(text); got != want {
			t.Errorf("placeholder(%q) = %t", text, got)
		}
	}
}

func TestCommands(t *testing.T) {
	for _, c := range []struct {
		text string
		s    status
		want bool
	}{
		{"/autopilot:cockpit", inProgress, false},
		{"/autopilot:resume", readyToDiscuss, false},
		{"/autopilot:takeoff --plan-only", inProgress, true},
		{"/autopilot:takeoff 3 --plan-only", readyToPlan, false},
		{"/autopilot:takeoff", readyToPlan, true},
		{"/autopilot:preflight 4", inProgress, true},
		{"/autopilot:preflight 4 or /autopilot:takeoff", inProgress, false},
		{"/autopilot:build", readyToExecute, false},
		{"/autopilot:takeoff", projectComplete, true},
		{"/autopilot:landing", projectComplete, false},
		{"ask the client", inProgress, false},
		{"/autopilot:preflight", phaseComplete, false},
	} {
		if got := contradicts(c.text, c.s); got != c.want {
			t.Errorf("contradicts(%q, %s) = %t", c.text, c.s.title(), got)
		}
	}
}

func TestFirstPhase(t *testing.T) {
	for text, want := range map[string]int{
		"/autopilot:takeoff --phase=5": 5, "/autopilot:takeoff --phase 05": 5, "/autopilot:preflight 4": 4,
		"/autopilot:takeoff 4 --plan-only": 4,
		"/autopilot:cockpit":               0, "/autopilot:cockpit --task=3.2": 0, "/autopilot:rollback 2": 0,
		"/autopilot:takeoff": 0,
		"Start phase 5":      5, "Continue with plan 4.1": 4, "Execute plan 2": 0, "Review the notes of phase 2": 0,
		"3 endpoints are left": 0,
	} {
		if got := firstPhase(text); got != want {
			t.Errorf("firstPhase(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestFrontNumber(t *testing.T) {
	for _, c := range []struct {
		key  int
		text string
		want int
	}{
		{keyPhase, "3", 3}, {keyPhase, "03-dashboard", 3}, {keyPhase, "three", -1}, {keyPlan, "3.2", 2},
		{keyPlan, "02", 2}, {keyPlan, "0", -1},
		{keyTask, "3.2.4", 4}, {keyTask, "2.4", 4}, {keyTask, "4.3", -1}, {keyPlan, "4.2", -1}, {keyTask, "3 of 5", 3},
		{keyTask, "3/5", 3}, {keyTask, "-1", -1}, {keyTotal, "5", 5}, {keyTotal, "five", -1}, {keyTotal, "", -1},
	} {
		h := &hand{numbers: [4]int{3, 2, -1, -1}}
		if got := h.frontNumber(c.key, c.text); got != c.want {
			t.Errorf("frontNumber(%s, %q) = %d, want %d", frontKeys[c.key], c.text, got, c.want)
		}
	}
}

func TestPlanned(t *testing.T) {
	for text, want := range map[string]struct {
		n     int
		title string
	}{
		"Phase 4: Reports": {4, "Reports"}, "✅ Phase 2 — Auth": {2, "Auth"}, "Phase 10 (Launch)": {10, "(Launch)"},
		"Phase 3":                    {3, ""},
		"Phase 3 depends on phase 2": {}, "4 Reports": {}, "Phases": {}, "": {},
	} {
		if n, title := planned(text, false); n != want.n || title != want.title {
			t.Errorf("planned(%q) = %d, %q, want %d, %q", text, n, title, want.n, want.title)
		}
	}
	if n, title := planned("4 Reports", true); n != 4 || title != "Reports" {
		t.Errorf("in a cell, 4 Reports is %d, %q", n, title)
	}
}

func TestUncountedPlans(t *testing.T) {
	for text, want := range map[string]count{"0 of TBD": {0, -1}, "0 of ?": {0, -1}, "3.2 of 4": {2, 4},
		"0 of n": {0, -1}} {
		if got, ok := readCount(text, true); !ok || got != want {
			t.Errorf("readCount(%q) = %v, %t, want %v", text, got, ok, want)
		}
	}
}

func TestTimesInWords(t *testing.T) {
	for _, text := range []string{"2026-03-10 14:30 (CET)", "2026-03-10 14:30 CET", "2026-03-10 at 14:30",
		"March 10, 2026 2:30 PM", "2026-03-10 12:05 am", "Tue, 10 Mar 2026 14:30",
		"Tuesday, March 10, 2026 9:00 AM Z"} {
		if m := readStamp(text); m.Precision != instant.Date || m.Text != text {
			t.Errorf("readStamp(%q) is %v", text, m)
		}
	}
	for _, text := range []string{"10 March",
		"2026-03-10 14:3", "2026-03-10T14:", "2026-03-10 1"} {
		if m := readStamp(text); known(m) {
			t.Errorf("readStamp(%q) is %v", text, m)
		}
	}
}
