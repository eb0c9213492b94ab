package ocr

import "testing"

// An expectation describes what a fixture shows, and every rule that reports in it.
type expectation struct {
	name, rules, claimed, observed, state string // state is active if empty
	// C or the only live subject; set only if the specification names it
	subject string
	facts   map[string]string // of the same subject
}

// valid is section 9.1 of the specification.
var valid = []expectation{
	{name: "new-session", claimed: "context", observed: "context"},
	{name: "reviews-after", claimed: "reviews", observed: "reviews"},
	{name: "reviews-before", claimed: "reviews", observed: "reviews"},
	{name: "aggregation-no-file", claimed: "aggregation", observed: "aggregation"},
	{name: "quick-synthesis-before", claimed: "synthesis", observed: "synthesis"},
	{name: "quick-closed", claimed: "complete", observed: "complete", state: "finished"},
	{name: "full-closed", claimed: "complete", observed: "complete", state: "finished"},
	{name: "awaiting-presentation", claimed: "synthesis", observed: "synthesis"},
	{name: "round-2-starting", claimed: "context", observed: "context", subject: "round-2",
		facts: map[string]string{"sub_state": "round 2 starting"}},
	{name: "round-10-after-9", claimed: "reviews", observed: "reviews", subject: "round-10"},
	{name: "map-flow", claimed: "flow-analysis", observed: "flow-analysis"},
	{name: "map-no-requirements", claimed: "synthesis", observed: "synthesis"},
	{name: "map-complete-active", claimed: "complete", observed: "complete", state: "finished"},
	{name: "map-after-closed-review", claimed: "map-context", observed: "map-context", subject: "run-1"},
	{name: "both-in-progress", claimed: "topology", observed: "topology", subject: "run-1"},
	{name: "sqlite-review", observed: "complete", state: "finished"},
	{name: "sqlite-map", observed: "complete", state: "finished", subject: "run-1"},
	{name: "final-only-committed", rules: "artifact-gap artifact-gap results-without-reviews state-missing",
		observed: "complete", state: "finished"},
	{name: "crlf-unicode", claimed: "reviews", observed: "reviews"},
	{name: "time-spellings", claimed: "reviews", observed: "reviews"},
	{name: "custom-reviewers", claimed: "reviews", observed: "reviews"},
	{name: "t-forward", claimed: "discourse", observed: "discourse"},
	{name: "t-new-round", claimed: "reviews", observed: "reviews", subject: "round-2"},
	{name: "t-fresh", claimed: "context", observed: "context"},
	{name: "t-fresh-late", claimed: "reviews", observed: "reviews"},
	{name: "t-map-fresh", claimed: "map-context", observed: "map-context"},
	{name: "t-repaired", claimed: "reviews", observed: "reviews"},
	{name: "t-clamped", claimed: "reviews", observed: "reviews", subject: "round-2"},
}

func TestValid(t *testing.T) { checkAll(t, "valid-", valid) }

func checkAll(t *testing.T, prefix string, list []expectation) {
	for _, want := range list {
		t.Run(want.name, func(t *testing.T) {
			l := lookAt(t, prefix+want.name)
			if l.declined != nil {
				t.Fatal(l.declined)
			}
			if got := l.rules(); got != want.rules {
				t.Errorf("rules: got %q, want %q", got, want.rules)
			}
			d := l.subject(t, want.subject)
			if want.state == "" {
				want.state = "active"
			}
			if d.Claimed != want.claimed || d.Observed.Name != want.observed || d.State.String() != want.state {
				t.Errorf("got %s/%s %s, want %s/%s %s", d.Claimed, d.Observed.Name, d.State, want.claimed,
					want.observed, want.state)
			}
			for name, value := range want.facts {
				if got := fact(d, name); got != value {
					t.Errorf("fact %s: got %q, want %q", name, got, value)
				}
			}
		})
	}
}

func TestOtherSubjects(t *testing.T) {
	for _, want := range []struct{ fixture, subject, observed, state string }{
		{"valid-map-after-closed-review", "round-1", "complete", "finished"},
		{"valid-both-in-progress", "round-1", "reviews", "active"},
		{"valid-round-10-after-9", "round-9", "complete", "finished"},
	} {
		d := lookAt(t, want.fixture).subject(t, want.subject)
		if d.Observed.Name != want.observed || d.State.String() != want.state {
			t.Errorf("%s %s: got %s %s, want %s %s", want.fixture, want.subject, d.Observed.Name, d.State,
				want.observed, want.state)
		}
	}
}

func TestRoundsAreListedByNumber(t *testing.T) {
	list := lookAt(t, "valid-round-10-after-9").detections
	if last := list[len(list)-1].Subject; last != "round-10" {
		t.Errorf("the last subject is %s, want round-10", last)
	}
}
