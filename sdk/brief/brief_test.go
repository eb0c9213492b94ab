package brief_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/sdktest"
	"github.com/stategate/stategate/sdk/wire"
)

func Example() {
	p := &sdk.Pass{Docs: sdktest.Docs([]wire.Document{{Path: "plan.md"}, {Path: "state.json"}})}
	d := &sdk.Detection{}
	b := brief.Of(p, d, []sdk.Diagnostic{
		{Rule: "stale", Severity: sdk.Warning, Message: "phase is draft"},
		{Rule: "ahead", Severity: sdk.Error, Message: "phase is done, but there is no report.md"},
	})
	b.Read("state.json", "log.md", "plan.md", "plan.md")
	b.Do("write part 2")
	b.Rest(1, []brief.Part{{Title: "part 1", Done: true}, {Title: "part 2"}, {Title: "part 3"}, {Title: "part 3"},
		{Title: "part 4", Done: true, Doubt: "its file is empty"}})
	b.Left("write part 2", "") // the next action is not listed as remaining
	fmt.Printf("%s\n%q\n%s\n%q %q\n", d.Resume.First, d.Resume.ReadFirst, d.Resume.Next, d.Resume.Skip,
		d.Resume.Remaining)
	// Output:
	// settle ahead: phase is done, but there is no report.md
	// ["state.json" "plan.md"]
	// write part 2
	// ["part 1 (done)" "part 4 (done, but check: its file is empty)"] ["part 3"]
}

// TestNextActionFitsALine checks that a long title does not displace the action itself and is listed in full among
// the facts.
func TestNextActionFitsALine(t *testing.T) {
	for _, title := range []string{strings.Repeat("long ", 40), strings.Repeat("長い", 80), "short"} {
		d := &sdk.Detection{}
		b := brief.Of(&sdk.Pass{Docs: sdktest.Docs(nil)}, d, nil)
		b.DoWith("continue with ", title, " (tasks.md:7), then tick it")
		next := d.Resume.Next
		if n := len([]rune(next)); n > wire.MaxNext || !strings.HasSuffix(next, " (tasks.md:7), then tick it") {
			t.Errorf("%d characters: %q", n, next)
		}
		whole := "continue with " + title
		if !strings.HasPrefix(next, whole) && !slices.Contains(d.Resume.Context, "in full: "+whole) {
			t.Errorf("the whole of %q is nowhere", next)
		}
	}
}

// TestNextActionKeepsPathsWhole checks that a long next action does not end within a path, which an agent could not
// open.
func TestNextActionKeepsPathsWhole(t *testing.T) {
	dir := "phases/32-push-path-environment-resolution/"
	d := &sdk.Detection{}
	b := brief.Of(&sdk.Pass{Docs: sdktest.Docs(nil)}, d, nil)
	b.Do("execute " + dir + "32-01-PLAN.md and write " + dir + "32-01-SUMMARY.md")
	if want := "execute " + dir + "32-01-PLAN.md and write…"; d.Resume.Next != want {
		t.Errorf("got %q, expected %q", d.Resume.Next, want)
	}
	if whole := "execute " + dir + "32-01-PLAN.md and write " + dir + "32-01-SUMMARY.md"; !slices.Contains(
		d.Resume.Context, "in full: "+whole) {
		t.Errorf("the whole of %q is nowhere", whole)
	}
}

// TestFirstErrorIsOfTheRun checks that with two lists in one file, an error in one does not come first in the
// other's brief.
func TestFirstErrorIsOfTheRun(t *testing.T) {
	list := &sdk.Lifecycle{Name: "list"}
	of := func(f sdk.Diagnostic) string {
		d := &sdk.Detection{Lifecycle: list, Subject: "shed"}
		f.Rule, f.Severity, f.Message = "done-early", sdk.Error, "task 1 is done"
		return brief.Of(&sdk.Pass{Docs: sdktest.Docs(nil)}, d, []sdk.Diagnostic{f}).First
	}
	for name, f := range map[string]sdk.Diagnostic{
		"its run":     {Subject: "1", Run: list.Named("shed")},
		"its subject": {Subject: "shed"},
		"it blocks":   {Subject: "spec", Blocks: []sdk.RunName{list.Named("master"), list.Named("shed")}},
	} {
		if of(f) != "settle done-early: task 1 is done" {
			t.Errorf("an error that names %s is not first: %q", name, of(f))
		}
	}
	for _, f := range []sdk.Diagnostic{{Subject: "1", Run: list.Named("master")}, {Subject: "master"},
		{Subject: "shed", Run: list.Named("master")}} {
		if of(f) != "" {
			t.Errorf("an error of another run is first: %q", of(f))
		}
	}
}

// TestBriefKnowsWarnings checks that the brief lists a run's warnings to verify first, within its limit and without
// those that the next action covers.
func TestBriefKnowsWarnings(t *testing.T) {
	list := &sdk.Lifecycle{Name: "list"}
	var found []sdk.Diagnostic
	for _, f := range []sdk.Diagnostic{
		{Severity: sdk.Warning, Message: "one"}, {Severity: sdk.Info, Message: "an info"},
		{Severity: sdk.Warning, Message: "of another run", Run: list.Named("shed")},
		{Severity: sdk.Warning, Message: "said by the next action", Rule: "not-archived"},
		{Severity: sdk.Warning, Message: "two"}, {Severity: sdk.Warning, Message: "three"},
		{Severity: sdk.Warning, Message: "four"}, {Severity: sdk.Warning, Message: "five"},
	} {
		if f.Run == (sdk.RunName{}) {
			f.Run = list.Named("master")
		}
		found = append(found, f)
	}
	d := &sdk.Detection{Lifecycle: list, Subject: "master"}
	brief.Of(&sdk.Pass{Docs: sdktest.Docs(nil)}, d, found).Warn(found, "not-archived")
	want := []string{"one", "two", "three", "there are 2 more warnings: stategate check"}
	if !slices.Equal(d.Resume.Checks, want) {
		t.Errorf("got %q, expected %q", d.Resume.Checks, want)
	}
}

// TestLossesComeFirst checks that among many warnings, the brief shows those about losses in this change.
func TestLossesComeFirst(t *testing.T) {
	p := &sdk.Pass{Docs: sdktest.Docs(nil), Workflow: &sdk.Workflow{Rules: []*sdk.Rule{{Name: "stale"},
		{Name: "tick-lost", NeedsBase: true}}}}
	found := []sdk.Diagnostic{{Severity: sdk.Warning, Rule: "stale", Message: "a page is old"},
		{Severity: sdk.Warning, Rule: "tick-lost", Message: "T1 lost its tick"}}
	d := &sdk.Detection{}
	brief.Of(p, d, found).Warn(found)
	if want := []string{"T1 lost its tick", "a page is old"}; !slices.Equal(d.Resume.Checks, want) {
		t.Errorf("got %q, expected %q", d.Resume.Checks, want)
	}
}

// TestNextIsNotDone checks that the subject of the next action is not listed as done, regardless of the order in
// which the two are added.
func TestNextIsNotDone(t *testing.T) {
	for _, doFirst := range []bool{true, false} {
		d := &sdk.Detection{}
		b := brief.Of(&sdk.Pass{Docs: sdktest.Docs(nil)}, d, nil)
		if doFirst {
			b.Do("continue with A2: context")
		}
		b.Done("A1", "A2", "context")
		b.Do("continue with A2: context")
		if want := []string{"A1", "context"}; !slices.Equal(d.Resume.Skip, want) {
			t.Errorf("got %q, expected %q", d.Resume.Skip, want)
		}
	}
}
