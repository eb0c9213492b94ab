package ocr

import (
	"strings"
	"testing"
)

// TestCLI holds what `ocr progress` shows against the specification: verbatim
// words, existence in place of content, clamping downwards only.
func TestCLI(t *testing.T) {
	round1 := map[string]string{"rounds/round-1/reviews/a-1.md": "# A\n\n## Findings\n\n### Finding 1: x\n"}
	run1 := map[string]string{"map/runs/run-1/topology.md": "# T"}
	both := map[string]string{"map/runs/run-1/topology.md": "# T", "rounds/round-1/final.md": ""}
	for _, c := range []struct {
		name  string
		files map[string]string
		state string
		want  map[string]string
	}{
		{"no state", round1, "", map[string]string{"cli.active": "true", "cli.view": "waiting", "cli.type": "review", "cli.start": "now", "cli.round": "1"}},
		{"broken state", round1, "{", map[string]string{"cli.active": "true", "cli.view": "waiting"}},
		{"mark", round1, "\ufeff" + `{"current_phase":"complete"}`, map[string]string{"cli.active": "true", "cli.view": "waiting"}},
		{"array", round1, "[]", map[string]string{"cli.active": "true", "cli.view": "waiting"}},
		{"closed", round1, `{"current_phase":"reviews","status":"closed"}`, map[string]string{"cli.active": "false", "cli.view": "progress"}},
		{"complete", round1, `{"current_phase":"complete","status":"active"}`, map[string]string{"cli.active": "false", "cli.complete": "true"}},
		{"capital", round1, `{"current_phase":"Complete"}`, map[string]string{"cli.active": "true", "cli.complete": "false", "cli.phase": "Complete"}},
		{"only map", run1, `{"current_phase":"topology"}`, map[string]string{"cli.type": "map", "cli.view": "waiting", "cli.total": "6"}},
		{"map named", run1, `{"current_phase":"topology","workflow_type":"map"}`, map[string]string{"cli.type": "map", "cli.view": "progress", "cli.check_marks": "[ ] map-context, [x] topology, [ ] flow-analysis, [ ] synthesis, [ ] complete"}},
		{"both, map phase", both, `{"current_phase":"topology"}`, map[string]string{"cli.type": "map", "cli.workflows": "map"}},
		{"both, review phase", both, `{"current_phase":"reviews"}`, map[string]string{"cli.type": "review", "cli.total": "8"}},
		{"hollow result", both, `{"current_phase":"reviews"}`, map[string]string{"cli.rounds": "1 rows", "cli.workflows": "map"}},
		{"clamped", round1, `{"current_phase":"reviews","current_round":7}`, map[string]string{"cli.round": "1"}},
		{"never up", with(round1, "rounds/round-2/reviews/a-1.md", "x"), `{"current_phase":"reviews","current_round":1}`, map[string]string{"cli.round": "1"}},
		{"padded rounds count", map[string]string{"rounds/round-02/final.md": "x"}, `{"current_phase":"reviews","current_round":7}`, map[string]string{"cli.round": "2"}},
		{"marks by number", round1, `{"current_phase":"reviews","phase_number":5}`, map[string]string{"cli.check_marks": "[ ] context, [ ] change-context, [ ] analysis, [x] reviews, [x] aggregation, [ ] discourse, [ ] synthesis, [ ] complete"}},
		{"round start", round1, `{"current_phase":"reviews","started_at":"2026-03-10T09:12:41Z","round_started_at":"2026-03-10T09:58:11Z"}`, map[string]string{"cli.start": "2026-03-10T09:58:11Z"}},
		{"session start", round1, `{"current_phase":"reviews","started_at":"2026-03-10T09:12:41Z"}`, map[string]string{"cli.start": "2026-03-10T09:12:41Z"}},
		{"bad start", round1, `{"current_phase":"reviews","started_at":"yesterday"}`, map[string]string{"cli.start": "invalid"}},
	} {
		files := c.files
		if c.state != "" {
			files = with(files, StatePath, c.state)
		}
		d := world{now: files}.look(t).subject(t, "")
		for name, want := range c.want {
			if got := fact(d, name); got != want {
				t.Errorf("%s: %s is %q, want %q", c.name, name, got, want)
			}
		}
	}
}

func TestReviewersShown(t *testing.T) {
	files := map[string]string{"rounds/round-1/reviews/b-1.md": "## Issue 1\n\n### Finding: deep\n", "rounds/round-1/reviews/a-1.md": "x"}
	var rows []string
	for _, f := range (world{now: files}).look(t).subject(t, "").Facts {
		if f.Name == "cli.reviewers" {
			for _, row := range f.Value.Rows {
				rows = append(rows, strings.Join(row, " "))
			}
		}
	}
	if got := strings.Join(rows, "; "); got != "a-1 0 0; b-1 2 1" {
		t.Errorf("got %q, want the findings of each, all and those that the tool counts", got)
	}
}
