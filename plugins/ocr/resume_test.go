package ocr

import (
	"strings"
	"testing"
)

func TestBriefs(t *testing.T) {
	for _, c := range []struct{ fixture, subject, first, next, read, remaining string }{
		{fixture: "valid-new-session",
			next:      "write discovered-standards.md, and requirements.md if the user gave requirements",
			read:      "state.json",
			remaining: "change-context analysis reviews discourse synthesis complete"},
		{fixture: "valid-change-context", next: "write context.md: target, branch, change summary, affected files",
			read:      "state.json discovered-standards.md",
			remaining: "analysis reviews discourse synthesis complete"},
		{fixture: "valid-analysis", next: "add Tech Lead guidance to context.md",
			read:      "state.json discovered-standards.md context.md",
			remaining: "reviews discourse synthesis complete"},
		{fixture: "valid-reviews-after",
			next: "write any missing reviewer files in rounds/round-1/reviews/ (written: " +
				"principal-1, quality-1)", read: "state.json discovered-standards.md context.md",
			remaining: "discourse synthesis complete"},
		{fixture: "valid-quick-synthesis-before",
			next: "write rounds/round-1/discourse.md unless the review is in quick mode, " +
				"then rounds/round-1/final.md, with a verdict",
			read: "state.json discovered-standards.md context.md rounds/round-1/reviews/principal-1.md " +
				"rounds/round-1/reviews/quality-1.md", remaining: "complete"},
		{fixture: "valid-quick-closed",
			next: "closed, so it cannot be resumed; see rounds/round-1/final.md; a new review " +
				"starts round 2", read: "state.json rounds/round-1/final.md"},
		{fixture: "valid-map-flow", next: "write map/runs/run-1/flow-analysis.md",
			read:      "state.json discovered-standards.md map/runs/run-1/topology.md",
			remaining: "requirements-mapping synthesis complete"},
		{fixture: "valid-map-requirements", next: "write map/runs/run-1/requirements-mapping.md",
			read: "state.json discovered-standards.md requirements.md map/runs/run-1/topology.md " +
				"map/runs/run-1/flow-analysis.md", remaining: "synthesis complete"},
		{fixture: "valid-map-complete-active", next: "nothing to resume; the session stays open for a review or run 2",
			read: "state.json map/runs/run-1/map.md"},
		{fixture: "valid-both-in-progress", subject: "round-1", next: "write any missing reviewer files",
			read:      "state.json discovered-standards.md context.md",
			remaining: "discourse synthesis complete"},
		{fixture: "valid-final-only-committed", first: "state.json is missing", next: "nothing to resume",
			read: "rounds/round-1/final.md"},
		{fixture: "valid-round-10-after-9", subject: "round-9"},
	} {
		r := lookAt(t, c.fixture).subject(t, c.subject).Resume
		if !strings.HasPrefix(r.Next, c.next) || c.next == "" && r.Next != "" || !strings.HasPrefix(r.First, c.first) {
			t.Errorf("%s: first %q, next %q; want %q, %q", c.fixture, r.First, r.Next, c.first, c.next)
		}
		var phases []string
		for _, line := range r.Remaining {
			phase, _, _ := strings.Cut(line, ":")
			phases = append(phases, phase)
		}
		if got := strings.Join(phases, " "); got != c.remaining {
			t.Errorf("%s: remaining %q, want %q", c.fixture, got, c.remaining)
		}
		if got := strings.Join(r.ReadFirst, " "); got != c.read {
			t.Errorf("%s: read first %q, want %q", c.fixture, got, c.read)
		}
	}
}

func TestBriefOfAConflictNamesTheChoices(t *testing.T) {
	state := started + `, "status": "active", "current_phase": "complete", "phase_number": 8, "current_round": 1, ` +
		`"updated_at": "2026-03-10T10:03:07Z"}`
	r := world{now: with(reviewed2, StatePath, state)}.look(t).subject(t, "").Resume
	if r.Next != "ask the user whether to trust state.json or the files" ||
		!strings.Contains(strings.Join(r.Context, "; "), "the options: Trust the files") {
		t.Errorf("next %q, context %q; want the question, and the titles of the remedies", r.Next, r.Context)
	}
}

// If the analysis was skipped, the brief names the warnings of the check.
func TestBriefNamesTheWarnings(t *testing.T) {
	for fixture, want := range map[string]string{
		"broken-no-guidance":  "context.md has no Tech Lead guidance, which reviewers build on",
		"valid-reviews-after": "",
	} {
		if got := strings.Join(lookAt(t, fixture).subject(t, "").Resume.Checks, "; "); got != want {
			t.Errorf("%s: check first %q, want %q", fixture, got, want)
		}
	}
}

// A lost document must be restored; it is neither written again nor considered finished.
func TestBriefOfALostDocument(t *testing.T) {
	r := lookAt(t, "broken-t-review-lost").subject(t, "").Resume
	if want := "restore rounds/round-1/reviews/quality-1.md from the base: stategate recover"; r.Next != want {
		t.Errorf("next %q, want %q", r.Next, want)
	}
}

func TestBriefOfADismissedSession(t *testing.T) {
	state := started + `, "status": "closed", "current_phase": "reviews", "phase_number": 4, "current_round": 1, ` +
		`"updated_at": "2026-03-10T10:03:07Z"}`
	r := world{now: with(reviewed2, StatePath, state)}.look(t).subject(t, "").Resume
	if r.Next != "ask the user whether to reopen the session" {
		t.Errorf("next %q, want the question whether to reopen it", r.Next)
	}
}

func TestBriefStatesTheAge(t *testing.T) {
	state := strings.ReplaceAll(started, "03-10T09", "03-01T09") +
		`, "status": "active", "current_phase": "reviews", "phase_number": 4, "current_round": 1, "updated_at": ` +
		`"2026-03-01T10:03:07Z"}`
	r := world{now: with(reviewed2, StatePath, state)}.look(t).subject(t, "").Resume
	if got := strings.Join(r.Context, "; "); !strings.HasSuffix(got,
		"; its files say that it was last updated 9 days ago, in phase reviews") {
		t.Errorf("context %q, want the age", got)
	}
}
