package autopilot

import "testing"

func TestPhaseIsGivenUpIfItSaysSoApart(t *testing.T) {
	for _, c := range []struct {
		title, said string
		want        bool
	}{
		{"Recover dropped frames", "", false}, {"Count skipped rows", "In progress", false},
		{"Reports (dropped)", "", true},
		{"Reports", "Cancelled", true}, {"Reports", "merged into 4", true}, {"Reports", "done", false},
	} {
		if got := givenUp(c.title, c.said); got != c.want {
			t.Errorf("%q with the status %q: got %v", c.title, c.said, got)
		}
	}
}

func TestStateBehindTheLineOfATask(t *testing.T) {
	for line, want := range map[string]taskState{
		"T3 — in progress": taskProgress, "T3, blocked": taskBlocked, "T3 (pending)": taskPending, "T3 🔄": taskProgress,
		"Task 3: Complete the form": taskUnknown, "Task 3: T3 — def456 ✅": taskUnknown,
	} {
		if got := stateBehind(line); got != want {
			t.Errorf("%q: got %d, expected %d", line, got, want)
		}
	}
}
