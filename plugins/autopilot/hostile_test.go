package autopilot

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/fixture"
)

const flying = "# Project State\n\n**Updated:** 2026-01-29T14:30:00Z\n\n| Field | Value |\n|---|---|\n| Phase | 3 " +
	"of 6 |\n| Plan | 2 of 4 |\n" +
	"| Status | In progress |\n| Progress | █████░░░░░ 42% |\n| Next action | /autopilot:preflight |\n"

const handOff = "---\nphase: 3\nplan: 2\ntask: 9\ntotal_tasks: 5000\n---\n## Completed Work\n| Task | Name | Commit " +
	"| Status |\n|---|---|---|---|\n"

// numbered repeats a text, replacing # with 1, 2, 3 and so on.
func numbered(text string, times int) string {
	var b strings.Builder
	for n := range times {
		b.WriteString(strings.ReplaceAll(text, "#", itoa(n)))
	}
	return b.String()
}

// TestMuchOfEverything checks documents with thousands of entries for each rule. The host must accept the report, and
// a rule may fail only because it reports too many findings.
func TestMuchOfEverything(t *testing.T) {
	jsonAcks := `{"acknowledgments":{` + numbered(`"a#":{"acknowledged_at":"x#"},`, 9000) +
		`"z":{"acknowledged_at":"2026-01-01"}},` +
		`"acknowledgment_history":[` + numbered(`{"type":"cost","acknowledged_at":"a#","reset_at":"b#"},`, 9000) +
		`{"type":"cost","acknowledged_at":"a","reset_at":"b"}],"last_reset":"2027-01-01"}`
	for name, docs := range map[string]map[string]string{
		"blockers": {transponderPath: flying + "\n### Blockers\n" + numbered("- waiting #\n", 9000)},
		"fields":   {transponderPath: flying + numbered("\n**Status:** v #\n", 9000)},
		"limits": {
			transponderPath: flying + "\n| Type | Current | Warning | Alert | Stop | Status |\n|--|--|--|--|--|--|\n" +
				strings.Repeat("| Cost | $26.50 | $10 | $25 ACK | $50 | OK (ack) |\n", 9000),
			acksPath: "{}",
		},
		"acknowledged": {transponderPath: flying + "\n**Acknowledged Alerts:**\n" +
			numbered("- Cost @ $# — acknowledged 2026-01-29T14:30\n", 9000), acksPath: "{}"},
		"rows": {transponderPath: flying, handPath: handOff + numbered("| # | T | x | ✅ |\n", 9000) +
			"\n## Remaining Work\n" + numbered("- Task #: x\n", 9000)},
		"ranges": {transponderPath: flying, handPath: handOff + strings.Repeat("| 1 | T | x | ✅ |\n", 9000) +
			"\n## Remaining Work\n" + strings.Repeat("- Tasks 1-5000: x\n", 9000)},
		"bar": {transponderPath: strings.Replace(flying, "█████", strings.Repeat("█", 200_000), 1)},
		"commands": {transponderPath: strings.Replace(flying, "/autopilot:preflight",
			strings.Repeat("/autopilot:preflight ", 20_000), 1)},
		"phases": {transponderPath: strings.Replace(flying, "3 of 6", "999999999 of 999999999", 1),
			"phases/1/LOGBOOK.md": "x"},
		"tasks": {transponderPath: flying, handPath: strings.Replace(handOff, "5000", "999999999", 1) +
			"| 3 | T | x | ✅ |\n\n## Remaining Work\n- Tasks 1-999999999: x\n"},
		"entries": {transponderPath: flying, acksPath: jsonAcks},
		"triggers": {transponderPath: flying, "state/triggers.json": `{"triggers":{` + numbered(`"a#":{"count":2},`,
			9000) + `"b":{}}}`},
	} {
		t.Run(name, func(t *testing.T) { admitted(t, docs) })
	}
}

func admitted(t *testing.T, docs map[string]string) {
	var entries []fixture.Entry
	for path, text := range docs {
		entries = append(entries, fixture.Entry{Path: path, Kind: snapshot.Regular, Data: []byte(text)})
	}
	in := snapshot.Input{Root: ".autopilot", Name: ".autopilot", Files: filesOf(entries)}
	in.Base = snapshot.InputBase{State: sdk.BaseAt, Root: ".autopilot", Files: in.Files}
	request, err := snapshot.Build(Workflow.Manifest(), in)
	if err != nil {
		t.Fatal(err)
	}
	report, err := fixture.Native(Workflow).Examine(request)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.RuleFailures {
		if strings.HasSuffix(f.Message, "expected at most 1000 for one rule; report findings with the same cause "+
			"only once") {
			continue
		}
		t.Errorf("rule %s failed: %s", f.Rule, f.Message)
	}
	if report.Failure != "" || len(report.Diagnostics) == 0 {
		t.Errorf("failure %q, %d findings", report.Failure, len(report.Diagnostics))
	}
	if err := snapshot.Admit(Workflow.Manifest(), request, report, snapshot.Limits{}); err != nil {
		t.Error(err)
	}
}

func filesOf(entries []fixture.Entry) []snapshot.File {
	var files []snapshot.File
	for _, e := range entries {
		if spec := snapshot.SpecOf(Workflow.Documents, e.Path, e.Kind); spec >= 0 {
			files = append(files, snapshot.File{Path: e.Path, Kind: e.Kind, Size: int64(len(e.Data)), Data: e.Data,
				Spec: spec})
		}
	}
	return files
}
