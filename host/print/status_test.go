package print

import (
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

func status(t *testing.T, r *result.Result, v View, width int) string {
	t.Helper()
	var b strings.Builder
	r.Plugins = []*plugin.Plugin{{Name: "toy", Manifest: &wire.Manifest{Lifecycles: []wire.Lifecycle{{Name: "run"},
		{Name: "part", Unit: wire.Part}}}}}
	for n := range r.Instances {
		r.Instances[n].Lifecycles = r.Plugins[0].Manifest.Lifecycles
	}
	v.Runs, v.Now = r.Runs(), time.Date(2026, 3, 12, 16, 0, 0, 0, time.UTC)
	if err := Status(&b, r, v, Options{Width: width, FailOn: wire.Error}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestStatus(t *testing.T) {
	bad := result.Instance{Plugin: "toy", Root: "b\x1b[2J", Detections: []wire.Detection{
		{Lifecycle: "run", Claimed: "done", Observed: "write", Fit: wire.Ahead, State: wire.Blocked,
			Progress: wire.Progress{Done: 3, Total: 4, Unit: "tasks"}, Resume: wire.Resume{First: "decide"},
			Facts: []wire.Fact{
				{Name: "empty"},
				{Name: "owner", Title: "belongs to", Value: wire.Value{Text: "::error"}},
				{Name: "late", Value: wire.Value{Kind: wire.BoolValue, Bool: true}},
				{Name: "files", Value: wire.Value{Kind: wire.TableValue, Columns: []string{"file", "size"},
					Rows: [][]string{{"安全.md", "1"}, {"b.md", "20"}}}},
				{Name: "none", Value: wire.Value{Kind: wire.TableValue, Columns: []string{"file"}}},
			}, Chosen: 1},
		{Lifecycle: "part", Subject: "p9", Claimed: "Write", Observed: "write", Fit: wire.Consistent,
			State: wire.Finished},
		{Lifecycle: "part", Subject: "p10", Observed: "write", State: wire.Active,
			Resume: wire.Resume{Next: "next\nline"}},
	}, Diagnostics: []result.Diagnostic{{Rule: "toy/wrong", Severity: wire.Error},
		{Severity: wire.Warning}, {Severity: wire.Warning}}}
	old := result.Instance{Plugin: "toy", Root: "a", Detections: []wire.Detection{
		{Lifecycle: "run", Observed: "done", State: wire.Abandoned,
			Facts:  []wire.Fact{{Name: "hidden", Value: wire.Value{Text: "x"}}},
			Chosen: 2},
	}}
	old.LastUpdate.At = time.Date(2026, 3, 11, 2, 0, 0, 0, time.UTC)
	bad.LastUpdate = result.Update{At: time.Date(2026, 3, 12, 15, 17, 0, 0, time.UTC), Uncommitted: true}
	r := &result.Result{
		Instances: []result.Instance{old, bad},
		Failures: []result.Failure{{Plugin: "x", Root: "c",
			Failure: fault.Failure{Kind: fault.Trap, Message: "it trapped", Stderr: "a\tb\n::c\n"}}},
		Declined: []result.Declined{{Plugin: "toy", Root: "d", Why: "another\ntool"}},
	}
	const end = `failure: plugin x, c: trap: it trapped
    | a    b
    | \x3a:c
note: d is not examined by toy: another\ntool
1 blocked, 1 abandoned: the check is incomplete, 1 failure
`
	narrow := strings.Replace(end, "abandoned: ", "abandoned:\n", 1)
	for _, c := range []struct {
		v     View
		width int
		want  string
	}{
		{View{}, 0, `RUN           PHASE                   PROGRESS        UPDATED  NEXT
○ a           done                                    38 h
✗ b\x1b[2J *  write (recorded: done)  ███████░░░ 3/4  43 min   fix first: wrong (1 error)
* current

` + end},
		{View{}, 70, `RUN           PHASE  PROGRESS        UPDATED
○ a           done                   38 h
✗ b\x1b[2J *  write  ███████░░░ 3/4  43 min
    recorded: done; fix first: wrong (1 error)
* current

` + end},
		{View{}, 40, `RUN           PHASE  DONE  UPDATED
○ a           done         38 h
✗ b\x1b[2J *  write  3/4   43 min
    recorded: done; fix first: wrong (1…
* current

` + narrow},
		{View{Most: 1}, 0, `RUN  PHASE  PROGRESS  UPDATED  NEXT
○ a  done             38 h
… and 1 more run

` + end},
		{View{Whole: true}, 0, `a  toy
  updated 38 h ago
  run  done    abandoned

b\x1b[2J  toy  1 error  2 warnings
  updated 43 min ago, not committed
* run       write (recorded: done)  ███████░░░ 3/4 tasks  blocked
    first: decide
  part p9   write                                         finished
  part p10  write                                         active
    next: next\nline

` + end},
		{View{Whole: true, Facts: true}, 30, `a  toy
  updated 38 h ago
  run  done    abandoned
    hidden: x

b\x1b[2J  toy  1 error  2 warnings
  updated 43 min ago, not committed
* run       write (recorded: done)  ███████░░░ 3/4 tasks  blocked
    first: decide
    belongs to: \x3a:error
    late: true
    files:
      file     size
      安全.md  1
      b.md     20
  part p9   write                                         finished
  part p10  write                                         active
    next: next\nline

` + narrow},
	} {
		if got := status(t, r, c.v, c.width); got != c.want {
			t.Errorf("%+v, %d columns: got:\n%s\nwant:\n%s", c.v, c.width, got, c.want)
		}
	}
}

// TestStatusNextStepCanBeRead: a long next step gets a line of its own unless 60 columns are left for it, and a short
// one stays in its row if it fits. With --watch, the lines are counted, not the runs.
func TestStatusNextStepCanBeRead(t *testing.T) {
	const long = "write the tests of the parser and of the printer, then tick the task"
	toy := func(next string) *result.Result {
		r := &result.Result{}
		for _, root := range []string{"a", "b", "c"} {
			r.Instances = append(r.Instances, result.Instance{Plugin: "toy", Root: root, Detections: []wire.Detection{
				{Lifecycle: "run", Observed: "write", State: wire.Active, Resume: wire.Resume{Next: next}}}})
		}
		return r
	}
	const row, below = "● a  write            -        ", "● a  write            -\n    "
	for _, c := range []struct {
		next  string
		width int
		want  string
	}{
		{long, 91, row + long[:59] + "…\n"}, {long, 90, below + long + "\n"}, {long, 60, below + long[:55] + "…\n"},
		{"write", 36, row + "write\n"}, {"write the tests", 46, row + "write the tests\n"},
		{"write the tests", 45, below + "write the tests\n"},
	} {
		if got := status(t, toy(c.next), View{}, c.width); !strings.Contains(got, c.want) {
			t.Errorf("%d columns: got\n%s\nwant\n%s", c.width, got, c.want)
		}
	}
	for most, runs := range map[int]int{1: 1, 2: 1, 4: 2, 6: 3} {
		if n := strings.Count(status(t, toy(long), View{Most: most}, 80), "● "); n != runs {
			t.Errorf("%d lines show %d runs", most, n)
		}
	}
}

// TestStatusColors: a run in progress does not have the color of a warning.
func TestStatusColors(t *testing.T) {
	var b strings.Builder
	p := newPrinter(&b, Options{Color: true})
	for s, want := range map[wire.State]string{wire.Active: cyan, wire.Blocked: red, wire.Finished: green} {
		if got := p.state(s); got != want+s.String()+reset {
			t.Errorf("%s is shown as %q", s, got)
		}
	}
}

// TestAge: a time is given in its largest unit.
func TestAge(t *testing.T) {
	now := time.Date(2026, 3, 12, 16, 0, 0, 0, time.UTC)
	for d, want := range map[time.Duration]string{
		-time.Hour: "now", 59 * time.Second: "now", time.Minute: "1 min", 59 * time.Minute: "59 min", time.Hour: "1 h",
		47 * time.Hour: "47 h", 48 * time.Hour: "2 d", 6144 * time.Hour: "256 d",
	} {
		if got := age(now, now.Add(-d)); got != want {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
	}
	if got := age(now, time.Time{}); got != "-" {
		t.Errorf("unknown: %q", got)
	}
}

func TestPhase(t *testing.T) {
	for _, c := range []struct {
		d    wire.Detection
		want string
	}{
		{wire.Detection{Claimed: "Phase complete", Observed: "ready"}, "ready (recorded: Phase complete)"},
		{wire.Detection{Claimed: "ready", Observed: "ready"}, "ready"},
		{wire.Detection{Claimed: "In progress", Observed: "ready", Fit: wire.Consistent}, "ready"},
		{wire.Detection{Claimed: "done", Fit: wire.Ahead}, "(recorded: done)"},
	} {
		if got := phase(&c.d); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestFactsHaveALevel(t *testing.T) {
	fact := func(name string, level wire.Level) wire.Fact {
		return wire.Fact{Name: name, Level: level, Value: wire.Value{Text: "x"}}
	}
	r := &result.Result{Instances: []result.Instance{{Plugin: "toy", Root: "a", Detections: []wire.Detection{
		{Lifecycle: "run", Observed: "write", State: wire.Active,
			Facts: []wire.Fact{fact("brief", wire.Brief), fact("detail", wire.Detail), fact("debug", wire.Debug)}},
	}}}}
	for facts, want := range map[bool]string{false: "brief: x", true: "brief: x detail: x"} {
		var shown []string
		for _, line := range strings.Split(status(t, r, View{Whole: true, Facts: facts}, 80), "\n") {
			if strings.HasSuffix(line, ": x") {
				shown = append(shown, strings.TrimSpace(line))
			}
		}
		if got := strings.Join(shown, " "); got != want {
			t.Errorf("facts %v: got %q, expected %q", facts, got, want)
		}
	}
}
