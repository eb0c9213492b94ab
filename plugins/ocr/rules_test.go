package ocr

import (
	"io/fs"
	"os"
	"path"
	"testing"
	"testing/fstest"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/fixture"
)

// edges are sessions at the limits of rules: for each, an archive without its comment, and the rules that report.
var edges = []struct{ name, archive, rules string }{
	{"the template copied as it is", "from: parts/ra.txtar\n" + edit(
		`set /session_id "{session-id}"`, `set /started_at "{ISO-8601-TIMESTAMP}"`, `set /round_started_at "<time>"`,
		`set /map_started_at "$NOW"`, `set /updated_at "${CURRENT_ISO_TIMESTAMP}"`),
		"id-unlike-name unfilled-placeholder unfilled-placeholder unfilled-placeholder unfilled-placeholder " +
			"unfilled-placeholder"},
	{"a phase that is a placeholder", "from: parts/ra.txtar\n" + edit(`set /current_phase "{phase}"`),
		"phase-unknown unfilled-placeholder"},
	{"fields of a map linger in a review", "from: parts/ra.txtar\n" + edit(`set /current_map_run 3`,
		`set /map_started_at "2026-03-10T11:48:09Z"`), ""},
	{"null is absent", "from: parts/ra.txtar\n" + edit(`set /status null`, `set /session_id null`),
		"field-missing"},
	{"a complete review without status", "from: parts/fc.txtar\n" + edit(`unset /status`),
		"complete-not-closed field-missing"},
	{"three times the same key", "from: parts/std.txtar parts/ctx.txtar parts/rev-1.txtar\n" + triple,
		"duplicate-key round-start-missing"},
	{"a status of the wrong type is the schema's business", "from: parts/fc.txtar\n" + edit(`set /status 7`), "schema"},
	{"an empty type of a map", "from: parts/map-complete.txtar\n" + edit(`set /workflow_type ""`),
		"unknown-workflow-type"},
	{"an empty type of a review", "from: parts/ra.txtar\n" + edit(`set /workflow_type ""`), "unknown-workflow-type"},

	{"a late claim of a round that is not there", "from: parts/fc.txtar\n" + edit(`set /current_round 2`,
		`set /current_phase "discourse"`, `set /phase_number 6`, `set /status "active"`), "round-beyond-files"},
	{"closed behind the files", "from: parts/ra.txtar\n" + edit(`set /current_phase "context"`, `set /phase_number 1`,
		`set /status "closed"`), "closed-unfinished"},
	{"closed far behind a final review", "from: parts/fc.txtar\n" + edit(`set /current_phase "reviews"`,
		`set /phase_number 4`), "closed-phase-stale"},
	{"a round behind hides what is wrong with the claim", "from: parts/fc.txtar parts/rev-2.txtar\n",
		"round-behind-files"},
	{"an unknown phase hides what is wrong with the status",
		"from: parts/ra.txtar\n" + edit(`set /current_phase "done"`, `set /status "closed"`), "phase-unknown"},
	{"an empty next round, made by hand", "from: parts/fc.txtar\n-- rounds/round-2/reviews/.gitkeep --\n", ""},
	{"an empty next round beside one at work", "from: parts/ra.txtar\n-- rounds/round-2/reviews/.gitkeep --\n", ""},
	{"a placeholder of git in the round", "from: parts/ra.txtar\n-- rounds/round-1/reviews/.gitkeep --\n", ""},
	{"a database makes the state history", "from: parts/ra.txtar\n-- rounds/round-1/round-meta.json --\n{\n" +
		edit(`set /session_id "other"`, `set /updated_at "yesterday"`), ""},

	{"a minute out of order is allowed", "from: parts/ra.txtar\n" + edit(`set /updated_at "2026-03-10T09:11:41Z"`), ""},
	{"more than a minute is not", "from: parts/ra.txtar\n" + edit(`set /updated_at "2026-03-10T09:11:40.9Z"`),
		"timestamps-out-of-order timestamps-out-of-order"},
	{"five minutes to come are allowed", "from: parts/ra.txtar\n" + edit(`set /updated_at "2026-03-10T12:05:00Z"`), ""},
	{"more than five minutes are not", "from: parts/ra.txtar\n" + edit(`set /updated_at "2026-03-10T12:05:00.5Z"`),
		"timestamp-in-future"},
	{"a malformed time takes no part in the order",
		"from: parts/ra.txtar\n" + edit(`set /started_at "2026-03-10"`, `set /updated_at "2026-03-10T09:00:01Z"`),
		"timestamp-malformed timestamps-out-of-order"},
	{"a date that does not exist", "from: parts/ra.txtar\n" + edit(`set /started_at "2026-02-30T09:12:41Z"`),
		"timestamp-malformed"},
	{"an offset that is known", "from: parts/ra.txtar\n" + edit(`set /updated_at "2026-03-10T12:03:07+02:00"`),
		"timestamp-malformed"},
	{"fourteen hours before the day", "from: parts/ra.txtar\n" + edit(`unset /round_started_at`,
		`set /started_at "2026-03-09T10:00:00Z"`), "round-start-missing"},
	{"a second more", "from: parts/ra.txtar\n" + edit(`unset /round_started_at`,
		`set /started_at "2026-03-09T09:59:59Z"`), "round-start-missing start-date-mismatch"},
	{"one time on a whole minute", "from: parts/ra.txtar\n" + edit(`set /started_at "2026-03-10T09:10:00Z"`), ""},

	{"a hollow document that later ones need", "from: parts/ra.txtar\n-- context.md --\n",
		"artifact-gap empty-artifact"},
	{"blockers under an approval", "from: parts/fc.txtar\n-- rounds/round-1/final.md --\n**Mode**: full\n\n## " +
		"Verdict: APPROVED\n\n## Must Fix\n\n### No tests\n\n### Race\n\nprincipal-1 quality-1\n",
		"verdict-contradicts-blockers"},
	{"two verdicts are none", "from: parts/fc.txtar\n-- rounds/round-1/final.md --\n**Mode**: full\n\n## " +
		"Verdict\n\nAPPROVE or request_changes\n\nprincipal-1 quality-1\n", "verdict-unknown"},
	{"old rounds are not judged on their documents",
		"from: parts/fc.txtar parts/rev-2.txtar\n-- rounds/round-1/discourse.md --\n-- rounds/round-1/reviews/X.md " +
			"--\nwords\n" +
			edit(`set /current_round 2`, `set /current_phase "reviews"`, `set /phase_number 4`, `set /status "active"`,
				`set /round_started_at "2026-03-10T10:01:09Z"`), ""},

	{"a moved review is not lost", "from: parts/ra.txtar\nbase: parts/ra.txtar\n-- " +
		"@base/rounds/round-1/reviews/quality-1.md --\nwords\n" +
		"-- rounds/round-1/reviews/quality-1.md (absent) --\n-- rounds/round-1/reviews/style-1.md --\nwords\n", ""},
	{"a dismissed session may be opened again", "from: parts/ra.txtar\nbase: parts/ra.txtar\n" +
		edit(`set /updated_at "2026-03-10T11:00:09Z"`) +
		"-- @base/state.json (edit) --\nset /status \"closed\"\n", ""},
	{"a broken time is no other time", "from: parts/ra.txtar\nbase: parts/ra.txtar\n" +
		edit(`set /started_at "yesterday"`), "timestamp-malformed"},
	{"correcting a claim that was ahead", "from: parts/ra.txtar\nbase: parts/ra.txtar\n-- rounds/ (absent) --\n-- " +
		"@base/rounds/ (absent) --\n" +
		edit(`set /current_phase "analysis"`, `set /phase_number 3`) +
		"-- @base/state.json (edit) --\nset /current_phase \"discourse\"\n", "updated-not-advanced"},
}

const triple = `-- state.json --
{
  "session_id": "2026-03-10-feat-x",
  "status": "active",
  "status": "active",
  "current_phase": "reviews",
  "phase_number": 4,
  "current_round": 1,
  "status": "active",
  "started_at": "2026-03-10T09:12:41Z",
  "updated_at": "2026-03-10T10:03:07Z"
}
`

// edit returns a section that changes the state.json of the parts.
func edit(lines ...string) string {
	text := "-- state.json (edit) --\n"
	for _, line := range lines {
		text += line + "\n"
	}
	return text
}

func TestEmptyNextRoundIsNotInProgress(t *testing.T) {
	l := lookInto(t, "from: parts/fc.txtar\n-- rounds/round-2/reviews/.gitkeep --\n")
	if d := l.subject(t, ""); d.Subject != "round-1" || d.State != sdk.Finished {
		t.Errorf("got %s %s, want round-1 finished", d.Subject, d.State)
	}
}

func TestEdges(t *testing.T) {
	for _, want := range edges {
		t.Run(want.name, func(t *testing.T) {
			l := lookInto(t, want.archive)
			if got := l.rules(); got != want.rules {
				t.Errorf("got %q, want %q", got, want.rules)
				for _, d := range l.findings {
					t.Logf("%s [%s]: %s", d.Rule, d.Subject, d.Message)
				}
			}
		})
	}
}

// lookInto checks an archive that takes documents from testdata/parts.
func lookInto(t *testing.T, archive string) look {
	t.Helper()
	header := "A session at the border of a rule.\n\nnow: 2026-03-10T12:00:00Z\nroot: .ocr/sessions/2026-03-10-feat-x\n"
	files := fstest.MapFS{"edge.txtar": {Data: []byte(header + archive)}}
	parts, err := fs.Glob(os.DirFS("testdata"), "parts/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range parts {
		data, err := os.ReadFile(path.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	f, err := fixture.Load(files, "edge.txtar")
	if err != nil {
		t.Fatal(err)
	}
	request, err := snapshot.Build(Workflow.Manifest(), inputOf(f))
	if err != nil {
		t.Fatal(err)
	}
	return examine(t, request)
}
