package check_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/sdktest"
)

// TestFindingOfRun checks that a finding names its run and the runs that it blocks. The run is its subject unless
// an item is named before or after.
func TestFindingOfRun(t *testing.T) {
	rules := []check.Rule[*model]{{Name: "wrong", Severity: sdk.Error, Doc: "d", Find: func(r *check.Report, _ *model) {
		if r.Docs.Get("note.md") == nil {
			return
		}
		r.Whole("note.md", "run").Of(life.Named("a")).Blocks(life.Named("b"), life.Named("c"))
		r.Whole("note.md", "item after").Of(life.Named("a")).About("1")
		r.Whole("note.md", "item before").About("2").Of(life.Named("a"))
	}}}
	w := *workflow
	w.Rules = check.Declare(rules, func(*check.Report) (*model, check.Needs) { return nil, 0 })
	list := sdktest.Look(t, &w, sdktest.Files{"note.md": "a"}, nil).Report.Diagnostics
	for i, subject := range []string{"a", "1", "2"} {
		if d := list[i]; d.Subject != subject || d.Run != life.Named("a") {
			t.Errorf("%s: the subject is %q of %v, want %q of a", d.Message, d.Subject, d.Run, subject)
		}
	}
	if b := list[0].Blocks; len(b) != 2 || b[1] != life.Named("c") {
		t.Errorf("it blocks %v, want b and c", b)
	}
}

// TestAReportIsOfOneRule checks that adding to a report after its rule has returned panics instead of being
// silently lost.
func TestAReportIsOfOneRule(t *testing.T) {
	var kept *check.Report
	w := *workflow
	w.Rules = check.Declare([]check.Rule[int]{{Name: "kept", Severity: sdk.Error, Doc: "d",
		Find: func(r *check.Report, _ int) {
			if kept = r; r.Docs.Get("note.md") != nil {
				r.Whole("note.md", "there")
			}
		}}}, func(*check.Report) (int, check.Needs) { return 0, 0 })
	if got := sdktest.Findings(t, &w, sdktest.Files{"note.md": "a"}, nil); got != "kept: there\n" {
		t.Errorf("got %s", got)
	}
	defer func() {
		if p, _ := recover().(string); !strings.Contains(p, "a Report was used after its rule returned") {
			t.Errorf("got %q", p)
		}
	}()
	kept.Whole("note.md", "late")
}
