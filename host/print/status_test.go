package print

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

func status(t *testing.T, r *result.Result) string {
	t.Helper()
	var b strings.Builder
	r.Plugins = []*plugin.Plugin{{Name: "toy", Manifest: &wire.Manifest{Lifecycles: []wire.Lifecycle{{Name: "run"}, {Name: "part"}}}}}
	if err := Status(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestStatus(t *testing.T) {
	bad := result.Instance{Plugin: "toy", Root: "b\x1b[2J", Detections: []wire.Detection{
		{Lifecycle: "part", Subject: "p10", Observed: "write", State: wire.Active, Resume: wire.Resume{Next: "go\non"}},
		{Lifecycle: "part", Subject: "p9", Claimed: "Write", Observed: "write", Fit: wire.Fits, State: wire.Finished},
		{Lifecycle: "run", Claimed: "done", Observed: "write", Fit: wire.Ahead, State: wire.Blocked,
			Progress: wire.Progress{Done: 3, Total: 4, Unit: "tasks"}, Resume: wire.Resume{First: "decide"},
			Facts: []wire.Fact{
				{Name: "empty"},
				{Name: "owner", Title: "belongs to", Value: wire.Value{Text: "::error"}},
				{Name: "late", Value: wire.Value{Kind: wire.BoolValue, Bool: true}},
				{Name: "files", Value: wire.Value{Kind: wire.TableValue, Columns: []string{"file", "size"}, Rows: [][]string{{"安全.md", "1"}, {"b.md", "20"}}}},
				{Name: "none", Value: wire.Value{Kind: wire.TableValue, Columns: []string{"file"}}},
			}, Pick: wire.Pick{Key: "b", Eligible: true}},
	}, Diagnostics: []result.Diagnostic{{Severity: wire.Error}, {Severity: wire.Warning}, {Severity: wire.Warning}}}
	old := result.Instance{Plugin: "toy", Root: "a", Detections: []wire.Detection{
		{Lifecycle: "run", Observed: "done", State: wire.Abandoned, Facts: []wire.Fact{{Name: "hidden", Value: wire.Value{Text: "x"}}}, Pick: wire.Pick{Key: "a", Eligible: true}},
	}}
	r := &result.Result{
		Instances: []result.Instance{old, bad},
		Failures:  []result.Failure{{Plugin: "x", Root: "c", Failure: fault.Failure{Kind: fault.Trap, Message: "it trapped", Stderr: "a\tb\n::c\n"}}},
		Declined:  []result.Declined{{Plugin: "toy", Root: "d", Why: "another\ntool"}},
	}
	want := `a  toy
  run  done    abandoned
b\x1b[2J  toy  1 error, 2 warnings
* run       write (claims done: ahead)  [#######...] 3/4 tasks  blocked
    first: decide
    belongs to: \x3a:error; late: true
    files:
      file     size
      安全.md  1
      b.md     20
  part p9   write (written Write)                               finished
  part p10  write                                               active
    next: go\non

* the run that the workflow's own tool would choose
failure: plugin x, c: trap: it trapped
    | a    b
    | \x3a:c
note: d is not examined by toy: another\ntool
2 instances, 1 active, 1 blocked, 1 finished, 1 abandoned, 1 failure: some state could not be checked
`
	if got := status(t, r); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestStatusCrowd: 300 reviews of which one goes on are three lines.
func TestStatusCrowd(t *testing.T) {
	i := result.Instance{Plugin: "toy", Root: "r"}
	for n := range 300 {
		d := wire.Detection{Lifecycle: "part", Subject: "p" + strconv.Itoa(n+1), Observed: "done", State: wire.Finished}
		if n == 149 {
			d.Observed, d.State = "write", wire.Active
		}
		i.Detections = append(i.Detections, d)
	}
	want := `r  toy
  part p1 … p149 (149)    done     finished
  part p150               write    active
  part p151 … p300 (150)  done     finished

1 instance, 1 active, 299 finished
`
	if got := status(t, &result.Result{Instances: []result.Instance{i}}); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestPicked: per plugin one, the first of those with the greatest key.
func TestPicked(t *testing.T) {
	pick := func(key string, eligible bool) wire.Detection {
		return wire.Detection{Pick: wire.Pick{Key: key, Eligible: eligible}}
	}
	r := &result.Result{Instances: []result.Instance{
		{Plugin: "a", Detections: []wire.Detection{pick("1", true), pick("9", false), pick("2", true)}},
		{Plugin: "b", Detections: []wire.Detection{pick("", true)}},
		{Plugin: "a", Detections: []wire.Detection{pick("2", true)}},
		{Plugin: "c", Detections: []wire.Detection{pick("5", false)}},
	}}
	picks := picked(r)
	if len(picks) != 2 || !picks[&r.Instances[0].Detections[2]] || !picks[&r.Instances[1].Detections[0]] {
		t.Errorf("picked %d", len(picks))
	}
}

func TestNatural(t *testing.T) {
	sorted := []string{"", "R", "a", "round-", "round-1", "round-2", "round-09", "round-9", "round-10", "round-10a", "round-100000000000000000000000", "s", "é"}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := natural(a, b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("natural(%q, %q) = %d", a, b, got)
			}
		}
	}
}

// FuzzNatural: it is an order, and only equal names are equal in it.
func FuzzNatural(f *testing.F) {
	f.Add("round-9", "round-10", "round-09")
	f.Add("1a", "01", "a1")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		if natural(a, b) != -natural(b, a) {
			t.Fatalf("%q and %q are in no order", a, b)
		}
		if (natural(a, b) == 0) != (a == b) {
			t.Fatalf("%q and %q are equal", a, b)
		}
		if natural(a, b) < 0 && natural(b, c) < 0 && natural(a, c) >= 0 {
			t.Fatalf("%q < %q < %q, but not the first before the last", a, b, c)
		}
	})
}

func TestClaimNotProved(t *testing.T) {
	l := statusLine{Detection: &wire.Detection{Claimed: "Phase complete", Observed: "ready"}}
	if got, want := l.phase(), "ready (claims Phase complete: not proved)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	l.Claimed = "ready" // whether it fits was not said
	if got, want := l.phase(), "ready"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
