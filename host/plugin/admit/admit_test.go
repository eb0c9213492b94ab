package admit_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/admit"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

var manifest = &wire.Manifest{
	Documents:  []wire.DocumentSpec{{Glob: "state.json", Need: wire.Content}},
	Lifecycles: []wire.Lifecycle{{Name: "life"}},
	Rules:      []wire.Rule{{Name: "wrong", Severity: wire.Warning}},
}

func withFinding(change func(*finding.Finding)) *exchange.Reply {
	f := finding.Finding{
		Diagnostic: wire.Diagnostic{Rule: "wrong", Severity: wire.Warning, Message: "x"},
		Place:      finding.Place{Path: "state.json", Line: 1, Column: 1, EndLine: 1, EndColumn: 2, End: 1},
	}
	change(&f)
	return &exchange.Reply{Findings: []finding.Finding{f}}
}

func edit(e wire.Edit) *exchange.Reply {
	return reports(wire.Report{Recoveries: []wire.Remedy{{Title: "Do it", Safety: wire.Safe, Edits: []wire.Edit{e}}}})
}

func reports(r wire.Report) *exchange.Reply { return &exchange.Reply{Report: r} }

// TestReply lists what a worker that its guest controls cannot make its parent accept.
func TestReply(t *testing.T) {
	many := withFinding(func(*finding.Finding) {})
	for len(many.Findings) < 20_000 {
		many.Findings = append(many.Findings, many.Findings[0])
	}
	tests := map[string]struct {
		reply *exchange.Reply
		want  string // part of the error; "" if it is accepted
	}{
		"honest":  {withFinding(func(*finding.Finding) {}), ""},
		"nothing": {&exchange.Reply{}, ""},
		"the host's own": {withFinding(func(f *finding.Finding) {
			f.Host, f.Rule, f.Severity = true,
				wire.RuleSchema, wire.Error
		}), ""},
		"undeclared rule":    {withFinding(func(f *finding.Finding) { f.Rule = "other" }), "not declared"},
		"too severe":         {withFinding(func(f *finding.Finding) { f.Severity = wire.Error }), "not declared"},
		"no severity":        {withFinding(func(f *finding.Finding) { f.Severity = 77 }), "invalid severity"},
		"in the host's name": {withFinding(func(f *finding.Finding) { f.Host = true }), "no rule of the host"},
		"outside": {withFinding(func(f *finding.Finding) { f.Place.Path = "../x" }),
			"not below the root"},
		"absolute":              {withFinding(func(f *finding.Finding) { f.Place.Path = "/etc/passwd" }), "relative"},
		"before the first line": {withFinding(func(f *finding.Finding) { f.Place.Line = -1 }), "invalid location"},
		"of a run of another workflow": {withFinding(func(f *finding.Finding) { f.Run.Lifecycle = "other" }),
			`the run other "", whose lifecycle is not declared`},
		"of a run, blocking another": {withFinding(func(f *finding.Finding) {
			f.Run, f.Blocks = wire.RunName{Lifecycle: "life"}, []wire.RunName{{Lifecycle: "life", Subject: "b"}}
		}), ""},
		"blocking too many": {withFinding(func(f *finding.Finding) { f.Blocks = make([]wire.RunName, 1001) }),
			"it blocks 1001 runs"},
		"related without a place": {withFinding(func(f *finding.Finding) { f.Related = []wire.Related{{}} }),
			"1 related notes at 0 places"},
		"edit outside": {edit(wire.Edit{Op: wire.Create, Range: wire.Range{Path: "../x"}}),
			"not below the root"},
		"move outside": {edit(wire.Edit{Op: wire.Move, Range: wire.Range{Path: "x"}, To: "../x"}),
			"not below the root"},
		"edit of a document": {edit(wire.Edit{Op: wire.Create, Range: wire.Range{Path: "state.json"}}), ""},
		"edit of another file": {edit(wire.Edit{Op: wire.Create, Range: wire.Range{Path: "Makefile"}}),
			"not a document of the workflow"},
		"edit too deep": {edit(wire.Edit{Op: wire.Set,
			Range: wire.Range{Path: "state.json", Pointer: strings.Repeat("/a", 513)}}), "1026 bytes and 513 names"},
		"too many edits": {reports(wire.Report{Recoveries: []wire.Remedy{{Title: "Do it",
			Edits: make([]wire.Edit, 1001)}}}), "1001 edits"},
		"edit as the host": {withFinding(func(f *finding.Finding) {
			f.Host, f.Rule, f.Remedies = true, wire.RuleUnreadable,
				[]wire.Remedy{{Edits: []wire.Edit{{Range: wire.Range{Path: "Makefile"}}}}}
		}), "the document of its finding"},
		"restore as the host":          {restoredByHost(wire.Review), ""},
		"restore as the host, unasked": {restoredByHost(wire.Safe), "the document of its finding"},
		"too many":                     {many, "20000 findings"},
		"an identity of nothing":       {reports(wire.Report{Identity: "a"}), "does not say what it identifies"},
		"files outside": {reports(wire.Report{Detections: []wire.Detection{{Lifecycle: "life",
			Files: []string{"../**"}}}}), "globs are relative to a root"},
		"undeclared lifecycle": {reports(wire.Report{Detections: []wire.Detection{{Lifecycle: "other"}}}),
			"not declared"},
		"more done than there is": {reports(wire.Report{Detections: []wire.Detection{{Lifecycle: "life",
			Progress: wire.Progress{Done: 2, Total: 1}}}}), "2 of 1"},
		"ragged table": {reports(wire.Report{Detections: []wire.Detection{{Lifecycle: "life", Facts: []wire.Fact{
			{Name: "f", Value: wire.Value{Kind: wire.TableValue, Columns: []string{"a"}, Rows: [][]string{{"1", "2"}}}},
		}}}}), "not a table"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			err := admit.Reply(manifest, "run", test.reply, limits.Default())
			switch {
			case test.want == "" && err != nil:
				t.Errorf("got %v", err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// restoredByHost returns a document that cannot be read and that the host offers to restore.
func restoredByHost(safety wire.Safety) *exchange.Reply {
	return withFinding(func(f *finding.Finding) {
		f.Host, f.Rule, f.Place.Path = true, wire.RuleUnreadable, "state.json"
		f.Remedies = []wire.Remedy{{Safety: safety,
			Edits: []wire.Edit{{Op: wire.Restore, Range: wire.Range{Path: "state.json"}}}}}
	})
}
