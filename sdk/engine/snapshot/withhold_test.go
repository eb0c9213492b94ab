package snapshot

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/wire"
)

// TestWithhold checks that a remedy for a document whose name cannot be written is removed and the rest of the
// report stays.
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
		return wire.Remedy{Title: "Remove " + path, Safety: wire.Review,
			Edits: []wire.Edit{{Op: wire.Remove, Range: wire.Range{Path: path}}}}
	}
	both := []wire.Remedy{remove(`qual\xefty.md`), remove("fine.md")}
	report := &wire.Report{
		Diagnostics: []wire.Diagnostic{{Rule: "stray", Severity: wire.Error, Message: "stray",
			Range: wire.Range{Path: `qual\xefty.md`}, Remedies: both}},
		Recoveries: []wire.Remedy{remove(`qual\xefty.md`)},
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

// TestCollidingNamesAreManual checks that a remedy that would create a name that some operating system treats as an
// existing one becomes manual. That is not the plugin's fault, so everything else stays.
func TestCollidingNamesAreManual(t *testing.T) {
	m := &wire.Manifest{
		Documents: []wire.DocumentSpec{{Glob: "**/*.md", Need: wire.Listed}},
		Rules:     []wire.Rule{{Name: "missing", Severity: wire.Error}},
	}
	request, err := Build(m, Input{Root: ".", Files: []File{{Path: "notes/state.md"}, {Path: "plan.md"}}})
	if err != nil {
		t.Fatal(err)
	}
	at := func(path string) wire.Range { return wire.Range{Path: path} }
	remedy := func(e wire.Edit) wire.Remedy {
		return wire.Remedy{Title: "Do it", Safety: wire.Safe, Fixes: []string{"missing"}, Edits: []wire.Edit{e}}
	}
	for name, e := range map[string]wire.Edit{
		"create":    {Op: wire.Create, Range: at("notes/STATE.md"), New: "x"},
		"directory": {Op: wire.Create, Range: at("Notes/other.md"), New: "x"},
		"move":      {Op: wire.Move, Range: at("plan.md"), To: "NOTES/plan.md"},
	} {
		report := &wire.Report{
			Diagnostics: []wire.Diagnostic{{Rule: "missing", Severity: wire.Error, Message: "gone",
				Range: at("STATE.md"), Remedies: []wire.Remedy{remedy(e)}}},
			Recoveries: []wire.Remedy{remedy(e)},
		}
		if refused, err := Sift(m, request, report, Limits{}); err != nil || len(refused) > 0 {
			t.Errorf("%s: the report is refused: %v, %v", name, refused, err)
		}
		for _, r := range append(report.Recoveries, report.Diagnostics[0].Remedies...) {
			if r.Safety != wire.Manual || len(r.Edits) > 0 || len(r.Steps) != 1 || len(r.Fixes) > 0 {
				t.Errorf("%s: got %+v, expected a manual remedy", name, r)
			}
		}
	}
}

// TestWithholdSettles checks that texts that may quote documents are cut, repeated lines in lists are dropped, and
// remedies get their finding's subject. The plugin's own values must not change.
func TestWithholdSettles(t *testing.T) {
	long := strings.Repeat("ü", wire.MaxText)
	own := []wire.Remedy{{Title: "a", Steps: []string{long}}, {Title: "b", Subject: "other"}}
	report := func() *wire.Report {
		return &wire.Report{
			Diagnostics: []wire.Diagnostic{{Subject: "x", Message: "m", Related: []wire.Related{{Message: long}},
				Remedies: own}},
			Detections: []wire.Detection{{Claimed: long,
				Resume: wire.Resume{Next: long, Skip: []string{"a", "b", "a"}, Remaining: []string{"c", "c"}},
				Facts:  []wire.Fact{{Title: long, Value: wire.Value{List: []string{long}, Rows: [][]string{{long}}}}}}},
			Recoveries: []wire.Remedy{{Steps: []string{long}}},
		}
	}
	got := report()
	Withhold(&wire.Request{}, got, Limits{})
	check := func(name string, text *string) {
		if len(*text) > 10 && (len(*text) > wire.MaxText || !strings.HasSuffix(*text, "ü…")) {
			t.Errorf("%s has %d bytes", name, len(*text))
		}
	}
	got.Diagnostics[0].EachText(check)
	got.Detections[0].EachText(check)
	got.Recoveries[0].EachText(check)
	if r := got.Diagnostics[0].Remedies; r[0].Subject != "x" || r[1].Subject != "other" || own[0].Subject != "" {
		t.Errorf("the remedies are about %q and %q; the plugin's own about %q", r[0].Subject, r[1].Subject,
			own[0].Subject)
	}
	if r := got.Detections[0].Resume; strings.Join(r.Skip, " ") != "a b" || strings.Join(r.Remaining, " ") != "c" {
		t.Errorf("the brief is %+v", r)
	}
}
