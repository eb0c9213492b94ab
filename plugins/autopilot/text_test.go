package autopilot

import "testing"

func TestPhaseIsGivenUp(t *testing.T) {
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
