package snapshot

import (
	"testing"

	"github.com/stategate/stategate/sdk/wire"
)

// TestWithhold: a remedy for a document whose name cannot be written is taken
// out, and the rest of the report stays.
func TestWithhold(t *testing.T) {
	m := &wire.Manifest{
		Documents: []wire.DocumentSpec{{Glob: "*.md", Need: wire.Listed}},
		Rules:     []wire.Rule{{Name: "stray", Severity: wire.Error}},
	}
	request, err := Build(m, Input{Root: ".", Files: []File{{Path: `qual\xefty.md`, Kind: BadName}, {Path: "fine.md"}}})
	if err != nil {
		t.Fatal(err)
	}
	remove := func(path string) wire.Remedy {
		return wire.Remedy{Title: "Remove " + path, Safety: wire.Review, Edits: []wire.Edit{{Op: wire.Remove, Range: wire.Range{Path: path}}}}
	}
	both := []wire.Remedy{remove(`qual\xefty.md`), remove("fine.md")}
	report := &wire.Report{
		Diagnostics: []wire.Diagnostic{{Rule: "stray", Severity: wire.Error, Message: "stray", Range: wire.Range{Path: `qual\xefty.md`}, Remedies: both}},
		Recoveries:  []wire.Remedy{remove(`qual\xefty.md`)},
	}
	if err := Admit(m, request, report, Limits{}); err != nil {
		t.Fatalf("the report is refused: %v", err)
	}
	if got := report.Diagnostics[0].Remedies; len(got) != 1 || got[0].Title != "Remove fine.md" {
		t.Errorf("the remedies are %+v", got)
	}
	if len(report.Recoveries) != 0 {
		t.Errorf("the recoveries are %+v", report.Recoveries)
	}
}
