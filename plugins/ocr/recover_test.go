package ocr

import (
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// A world is a session of 2026-03-10, given as files; base may be nil.
type world struct{ now, base map[string]string }

func (w world) look(t *testing.T) look {
	t.Helper()
	in := snapshot.Input{
		Root: ".ocr/sessions/2026-03-10-feat-x", Name: "2026-03-10-feat-x",
		Now: time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC), Files: filesIn(w.now),
	}
	if w.base != nil {
		in.Base = snapshot.InputBase{State: wire.BaseAt, Root: in.Root, Files: filesIn(w.base)}
	}
	request, err := snapshot.Build(Workflow.Manifest(), in)
	if err != nil {
		t.Fatal(err)
	}
	return examine(t, request)
}

func filesIn(texts map[string]string) []snapshot.File {
	var files []snapshot.File
	for path, text := range texts {
		files = append(files, snapshot.File{
			Path: path, Data: []byte(text), Size: int64(len(text)),
			Spec: snapshot.SpecOf(Workflow.Documents, path, snapshot.Regular),
		})
	}
	return files
}

// with returns files with one file added or replaced.
func with(files map[string]string, path, text string) map[string]string {
	more := map[string]string{path: text}
	for p, t := range files {
		if p != path {
			more[p] = t
		}
	}
	return more
}

func titlesOf(remedies []sdk.Remedy) string {
	var titles []string
	for _, r := range remedies {
		titles = append(titles, r.Title)
	}
	return strings.Join(titles, "\n")
}

const started = `{"session_id": "2026-03-10-feat-x", "started_at": "2026-03-10T09:12:41Z"`

var reviewed2 = map[string]string{
	"discovered-standards.md":          "Errors are wrapped.",
	"context.md":                       "# Context\n\n## Tech Lead Guidance\n\nLook at b.go.",
	"rounds/round-1/reviews/a-1.md":    "Fine.",
	"rounds/round-1/reviews/b-1.md":    "Fine.",
	"rounds/round-1/reviews/notes.txt": "none",
}

var mapped = map[string]string{
	"discovered-standards.md":     "Errors are wrapped.",
	"map/runs/run-1/topology.md":  "# Topology\n\nTwo files.",
	"map/runs/run-2/topology.md":  "# Topology\n\nTwo files.",
	"map/runs/run-1/map.md":       "# Map\n\nTwo files.",
	"rounds/round-1/final.md":     "# Final\n\n## Verdict\n\nAPPROVE",
	"rounds/round-1/discourse.md": "AGREE",
}

func TestBrokenStateIsReplaced(t *testing.T) {
	good := started + `, "workflow_type": "review", "status": "active", "current_phase": "reviews", "phase_number": ` +
		`4, "current_round": 1, "updated_at": "2026-03-10T10:03:07Z"}`
	for _, c := range []struct {
		name, state, base, want string
	}{
		{name: "cut off", state: started + `, "current_ph`,
			want: "Rebuild state.json from the files: round 1, reviews, active\nRemove state.json"},
		{name: "empty", state: "", want: "Rebuild state.json from the files: round 1, reviews, active (start time " +
			"unknown)\nRemove state.json"},
		{name: "another type", state: "[]", want: "Rebuild state.json from the files: round 1, reviews, active " +
			"(start time unknown)\nRemove state.json"},
		{name: "phase fits", state: started + `, "current_phase": "discourse", "current_round": 1, `,
			want: "Repair state.json, keeping readable values: round 1, discourse, active\nRebuild state.json from " +
				"the files: round 1, reviews, active\nRemove state.json"},
		{name: "phase is ahead", state: started + `, "current_phase": "complete", "current_round": 1, `,
			want: "Rebuild state.json from the files: round 1, reviews, active\nRemove state.json"},
		{name: "round is not there", state: started + `, "current_phase": "discourse", "current_round": 4, `,
			want: "Rebuild state.json from the files: round 1, reviews, active\nRemove state.json"},
		{name: "base is good", state: "{", base: good,
			want: "Restore state.json from the base\nRebuild state.json from the files: round 1, reviews, active"},
	} {
		w := world{now: with(reviewed2, StatePath, c.state)}
		if c.base != "" {
			w.base = with(reviewed2, StatePath, c.base)
		}
		if got := titlesOf(w.look(t).recoveries); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestRebuildKeepsTheStart(t *testing.T) {
	l := world{now: with(reviewed2, StatePath, started+`, "current_ph`)}.look(t)
	want := `{
  "session_id": "2026-03-10-feat-x",
  "workflow_type": "review",
  "status": "active",
  "current_phase": "reviews",
  "phase_number": 4,
  "current_round": 1,
  "started_at": "2026-03-10T09:12:41Z",
  "updated_at": "${now}"
}
`
	if got := l.recoveries[0].Edits[1].New; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFutureTimeIsNotSalvaged(t *testing.T) {
	state := `{"started_at": "2026-03-11T09:12:41Z", "round_started_at": "2026-03-10T09:12:41Z", `
	l := world{now: with(reviewed2, StatePath, state)}.look(t)
	if got := l.recoveries[0].Edits[1].New; strings.Contains(got, "started_at") {
		t.Errorf("got %s, want neither started_at, which is to come, nor round_started_at", got)
	}
}

func TestOneRebuildForEachLifecycle(t *testing.T) {
	l := world{now: mapped}.look(t)
	want := "Rebuild state.json from the files: run 2, flow-analysis, active (start time unknown)\n" +
		"Rebuild state.json as awaiting presentation: round 1, synthesis, active (start time unknown)\n" +
		"Rebuild state.json as finished: round 1, complete, closed (start time unknown)"
	for _, d := range l.findings {
		if d.Rule == "state-missing" {
			if got := titlesOf(d.Remedies); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			return
		}
	}
	t.Error("state-missing is silent")
}

func TestRejectedFieldsAreCorrected(t *testing.T) {
	const rest = `"updated_at": "2026-03-10T10:03:07Z"}`
	for _, c := range []struct{ name, state, title, edits string }{
		{"number as text", started + `, "status": "active", "current_phase": "reviews", "phase_number": "4", ` +
			`"current_round": 1, ` + rest,
			"Set phase_number to 4", "/phase_number 4"},
		{"phase is missing", started + `, "status": "closed", "phase_number": 4, "current_round": 1, ` + rest,
			"Set current_phase to reviews, phase_number to 4, updated_at to the current time and status to active",
			`/current_phase "reviews" /phase_number 4 /updated_at "${now}" /status "active"`},
		{"huge round", started + `, "status": "active", "current_phase": "reviews", "phase_number": 4, ` +
			`"current_round": 1e20, ` + rest,
			"Set current_round to 1", "/current_round 1"},
		{"start is a number", `{"started_at": 5, "current_phase": "reviews"}`, "Find out started_at", ""},
	} {
		l := world{now: with(reviewed2, StatePath, c.state)}.look(t)
		var edits []string
		for _, r := range l.recoveries {
			for _, e := range r.Edits {
				edits = append(edits, e.Range.Pointer+" "+e.New)
			}
		}
		if got := titlesOf(l.recoveries); got != c.title || strings.Join(edits, " ") != c.edits {
			t.Errorf("%s: got %q %q, want %q %q", c.name, got, edits, c.title, c.edits)
		}
	}
}
