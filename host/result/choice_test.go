package result

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/sdk/wire"
)

func TestMeantBy(t *testing.T) {
	var runs []Run
	for _, root := range []string{".", "a", "a/b", "a/b", "c/d", "cd"} {
		runs = append(runs, Run{Instance: &Instance{Root: root}})
	}
	for _, c := range []struct {
		at    string
		named bool
		want  string
	}{
		{".", false, ". a a/b a/b c/d cd"}, // no path is named
		{".", true, "."},
		{"", true, ". a a/b a/b c/d cd"}, // outside the workspace root
		{"a", true, "a"},
		{"a", false, "a a/b a/b"},
		{"a/b", true, "a/b a/b"},
		{"c", true, "c/d"},
		{"c/d/e/f", true, "c/d"},
		{"a/b/x.md", true, "a/b a/b"},
		{"a/x", false, "a"},
		{"x", true, "."},
	} {
		var got []string
		for _, r := range MeantBy(runs, c.at, c.named) {
			got = append(got, r.Instance.Root)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: got %q, want %q", c.at, got, c.want)
		}
	}
}

// TestSortByUpdate: a run with nothing left but its end does not push out a run with work left.
func TestSortByUpdate(t *testing.T) {
	run := func(name string, state wire.State, day, done, total int) Run {
		return Run{Instance: &Instance{Root: name}, Updated: Update{At: time.Unix(int64(day)*86400, 0)},
			Self: &wire.Detection{State: state, Progress: wire.Progress{Done: done, Total: total}}}
	}
	runs := []Run{run("old", wire.Active, 1, 1, 3), run("ends", wire.Active, 4, 3, 3), run("new", wire.Active, 2, 0, 3),
		run("uncounted", wire.Active, 3, 0, 0), run("finished", wire.Finished, 5, 3, 3)}
	SortByUpdate(runs)
	var got []string
	for _, r := range runs {
		got = append(got, r.Instance.Root)
	}
	if want := "finished uncounted new old ends"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestCertain: a single run in progress is chosen only if all failures are about it.
func TestCertain(t *testing.T) {
	run := Run{Instance: &Instance{Plugin: "p", Root: "a"}}
	own := Failure{Plugin: "p", Root: "a", Failure: fault.Failure{Kind: fault.Rule}}
	for _, c := range []struct {
		list []Failure
		want bool
	}{{nil, true}, {[]Failure{own}, true}, {[]Failure{own, {Plugin: "p", Root: "b"}}, false},
		{[]Failure{{Plugin: "p"}}, false}, {[]Failure{{Root: "a"}}, false}} {
		if got := certain(run, c.list); got != c.want {
			t.Errorf("%v: got %v", c.list, got)
		}
	}
}

// TestRunName: a run can be named by its subject or by the name that status prints, finished or not.
func TestRunName(t *testing.T) {
	runs := []Run{
		{Instance: &Instance{Root: "a"}, Self: &wire.Detection{Lifecycle: "x", Subject: "1",
			State: wire.Finished}},
		{Instance: &Instance{Root: "a"}, Self: &wire.Detection{Lifecycle: "y", Subject: "1"}},
		{Instance: &Instance{Root: "b"}, Self: &wire.Detection{Lifecycle: "z"}},
		{Instance: &Instance{Root: "c", Plugin: "parts"},
			Parts: []*wire.Detection{{Lifecycle: "w", Subject: "9"}}},
	}
	for name, want := range map[string]string{"1": "choose", "x 1": "x 1", "y 1": "y 1", "z": "z", "y 2": "usage",
		"9": "usage", "parts": "parts"} {
		x, found := (&Result{}).Choose(runs, name)
		got := "choose"
		switch {
		case !found:
			got = "usage"
		case x.Run != nil:
			got = x.Run.Name()
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}

func TestChoiceGate(t *testing.T) {
	one := []Run{{}}
	for _, c := range []struct {
		x    Choice
		want Gate
	}{
		{Choice{}, Open},
		{Choice{Finished: one}, Open},
		{Choice{Run: &one[0], ErrorsWithoutRun: []Diagnostic{{}}}, Open},
		{Choice{Choices: one}, Closed},
		{Choice{ErrorsWithoutRun: []Diagnostic{{}}}, Closed},
		{Choice{Run: &one[0], Failures: []Failure{{}}}, Incomplete},
		{Choice{Choices: one, Failures: []Failure{{}}}, Incomplete},
	} {
		if got := c.x.Gate(); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.x, got, c.want)
		}
	}
}

// TestFollowPointers: a pointer chooses only runs of its own workflow, even if another workflow shares the directory.
// It does not remove a rank that the directory itself sets.
func TestFollowPointers(t *testing.T) {
	r := &Result{Instances: []Instance{
		{Plugin: "a", Root: ".pointer", Chooses: []string{"x/2", "x/gone", "x/3"}},
		{Plugin: "a", Root: "x/1", Detections: make([]wire.Detection, 1)},
		{Plugin: "a", Root: "x/2", Detections: []wire.Detection{{Subject: "i"}, {PartOf: wire.RunName{Subject: "i"}}}},
		{Plugin: "b", Root: "x/2", Detections: make([]wire.Detection, 1)},
		{Plugin: "a", Root: "x/3", Detections: []wire.Detection{{}, {Chosen: 7}}},
	}}
	FollowPointers(r)
	var got []int
	for _, i := range r.Instances {
		for _, d := range i.Detections {
			got = append(got, d.Chosen)
		}
	}
	if want := []int{0, 1, 0, 0, 3, 7}; !slices.Equal(got, want) {
		t.Errorf("ranks %v, want %v", got, want)
	}
	if n := len(r.RunsAndRoots()); n != 5 {
		t.Errorf("%d runs, want 5: a directory that has nothing but a pointer is none", n)
	}
}

// TestCounted: a state directory without runs counts as a run only if something is wrong in it, so that all commands
// count alike.
func TestCounted(t *testing.T) {
	r := &Result{Instances: []Instance{
		{Plugin: "a", Root: "one", Detections: make([]wire.Detection, 1)},
		{Plugin: "b", Root: "fine"},
		{Plugin: "c", Root: "broken", Diagnostics: []Diagnostic{{}}},
	}}
	var roots []string
	for _, run := range Counted(r) {
		roots = append(roots, run.Instance.Root)
	}
	if want := []string{"one", "broken"}; !slices.Equal(roots, want) || r.Summary().Runs != len(want) {
		t.Errorf("counted %v and %d, want %v", roots, r.Summary().Runs, want)
	}
}
