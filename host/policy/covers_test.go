package policy

import "testing"

func TestCovers(t *testing.T) {
	const open = `Status is "Complete", but 2 of 12 tasks are not ticked: T011, T012`
	for _, c := range []struct {
		name, accepted, message string
		want                    bool
	}{
		{"the same", open, open, true},
		{"more tasks are planned and ticked", open,
			`Status is "Complete", but 2 of 30 tasks are not ticked: T011, T012`, true},
		{"one of the two is done", open, `Status is "Complete", but 1 of 12 tasks is not ticked: T012`, true},
		{"another one is open", open, `Status is "Complete", but 2 of 12 tasks are not ticked: T010, T012`, false},
		{"more are open", open, `Status is "Complete", but 18 of 30 tasks are not ticked: T011, T012, T013, T014, ` +
			`T015, T016 and 12 more`, false},
		{"another claim", open, `Status is "Released", but 2 of 12 tasks are not ticked: T011, T012`, false},
		{"other words for the same", open, `the status "Complete" is claimed while 2 of 12 tasks are open: T011, T012`,
			true},
		{"a version that quotes a status and names its field", "state says reviews (4) but context.md is missing",
			`current_phase is "reviews" (4), but the session's context.md is missing`, true},
		{"a count with another unit", "every task is ticked, but it has 2 fewer than in the base",
			"every task is ticked, but 2 tasks are missing", true},
		{"a greater count with another unit", "every task is ticked, but it has 2 fewer than in the base",
			"every task is ticked, but 3 tasks are missing", false},
		{"another status, newly quoted", "state says reviews (4) but context.md is missing",
			`current_phase is "synthesis" (4), but context.md is missing`, false},
		{"a value that is another one", "current_round is 3, but the highest round is 1",
			"current_round is 99, but the highest round is 1", false},
		{"a smaller one is another one, too", "current_round is 3, but the highest round is 1",
			"current_round is 2, but the highest round is 1", false},
		{"a moment", `created is "2026-01-16T10:01:00Z"; it was "2026-01-16T10:00:00Z" in the base (state.json:4)`,
			`created is "2026-01-16T10:02:00Z"; it was "2026-01-16T10:00:00Z" in the base (state.json:4)`, false},
		{"its line", `created is "2026-01-16"; it was "2026-01-15" in the base (state.json:4)`,
			`created is "2026-01-16"; it was "2026-01-15" in the base (state.json:14)`, true},
		{"a list that was cut short continues", "7 tasks are open: a, b, c, d, e, f and 1 more",
			"6 tasks are open: b, c, d, e, f, g", true},
		{"and does not grow", "7 tasks are open: a, b, c, d, e, f and 1 more",
			"8 tasks are open: a, b, c, d, e, f and 2 more", false},
		{"but another claim is one", `Status is "Complete", but 7 tasks are open: T1, T2 and 5 more`,
			`Status is "Released", but 7 tasks are open: T1, T2 and 5 more`, false},
		{"time goes by", "the session was not touched for 8 days", "the session was not touched for 9 days", true},
		{"a commit", "this run exists in commit e13769115911, not finished",
			"this run exists in commit 0a1b2c3d4e5f, not finished", true},
		{"a commit of digits is a value", "it exists in 1234567", "it exists in 1234568", false},
		{"1 story, 2 stories", "2 stories were done: a, b", "1 story was done: b", true},
	} {
		if got := Covers(c.accepted, c.message); got != c.want {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}
