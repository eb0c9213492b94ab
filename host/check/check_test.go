package check_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/checktest"
	"github.com/stategate/stategate/testdata/guests"
)

// TestMain lets the test binary be a worker.
func TestMain(m *testing.M) { checktest.Main(m) }

func TestFindingsAreOrderedAndPlaced(t *testing.T) {
	dir := checktest.Tree(t, "b", "a", "a/c")
	r := checktest.Check(t, checktest.Options(dir, checktest.Plugin(t, "one", checktest.Told)))
	var roots []string
	for _, i := range r.Instances {
		roots = append(roots, i.Root)
		d := i.Diagnostics[0]
		if d.Rule != "one/told" || d.Severity != wire.Error || d.Place.Path != i.Root+"/state.json" ||
			d.Place.Line != 1 {
			t.Errorf("got %+v", d)
		}
		if got := d.Place.Excerpt[d.Place.ExcerptFrom:d.Place.ExcerptEnd]; got != `"first"` {
			t.Errorf("the excerpt marks %q", got)
		}
	}
	if got := strings.Join(roots, " "); got != "a/.sin a/c/.sin b/.sin" {
		t.Errorf("got roots %q", got)
	}
	if r.Gate(wire.Error) != result.Closed {
		t.Errorf("the gate is %s", r.Gate(wire.Error))
	}
}

func TestIdsAreStable(t *testing.T) {
	dir := checktest.Tree(t, "a")
	before := checktest.Check(t, checktest.Options(dir,
		checktest.Healing(t, "one", checktest.Told))).Instances[0].Diagnostics[0]
	checktest.Write(t, filepath.Join(dir, "a", guests.Root, guests.Document), "\n\n"+guests.Text)
	after := checktest.Check(t, checktest.Options(dir,
		checktest.Healing(t, "one", strings.Replace(checktest.Told, "as told", "in other words",
			1)))).Instances[0].Diagnostics[0]
	if before.Place.Line == after.Place.Line || before.Message == after.Message {
		t.Fatal("the test changes nothing")
	}
	if before.Fingerprint != after.Fingerprint || before.Remedies[0].ID != after.Remedies[0].ID {
		t.Errorf("got %s and %s", before.Fingerprint, after.Fingerprint)
	}
}

func TestFailureDoesNotAffectOtherInstances(t *testing.T) {
	dir := checktest.Tree(t, "a")
	r := checktest.Check(t, checktest.Options(dir, checktest.Plugin(t, "good", checktest.Told),
		checktest.Plugin(t, "liar", `{"diagnostics":[{"rule":"other","range":{},"message":"x"}]}`)))
	if len(r.Instances) != 1 || r.Instances[0].Plugin != "good" || len(r.Instances[0].Diagnostics) != 1 {
		t.Errorf("got %+v", r.Instances)
	}
	if len(r.Failures) != 1 || r.Failures[0].Plugin != "liar" || r.Failures[0].Kind != fault.Protocol {
		t.Errorf("got %+v", r.Failures)
	}
	if r.Gate(wire.Error) != result.Incomplete {
		t.Errorf("the gate is %s", r.Gate(wire.Error))
	}
}

func TestFailedRuleIsReportedWithFindings(t *testing.T) {
	report := strings.TrimSuffix(checktest.Told, "}") + `,"rule_failures":[{"rule":"told","message":"no luck"}]}`
	r := checktest.Check(t, checktest.Options(checktest.Tree(t, "a"), checktest.Plugin(t, "one", report)))
	if len(r.Instances) != 1 || len(r.Instances[0].Diagnostics) != 1 {
		t.Errorf("got %+v", r.Instances)
	}
	if len(r.Failures) != 1 || r.Failures[0].Kind != fault.Rule || r.Failures[0].Message != "rule told: no luck" {
		t.Errorf("got %+v", r.Failures)
	}
}

func TestDeclinedInstanceHasNoFindings(t *testing.T) {
	r := checktest.Check(t, checktest.Options(checktest.Tree(t, "a"),
		checktest.Plugin(t, "one", `{"declined":"another tool's"}`)))
	if len(r.Instances) != 0 || len(r.Declined) != 1 || r.Declined[0].Why != "another tool's" ||
		r.Gate(wire.Info) != result.Open {
		t.Errorf("got %+v", r)
	}
}

// TestUnchangedInstanceKeepsItsVerdict replaces the worker with a program that fails: an unchanged instance keeps its
// cached verdict.
func TestUnchangedInstanceKeepsItsVerdict(t *testing.T) {
	dir := checktest.Tree(t, "a", "b")
	o := checktest.Options(dir, checktest.Plugin(t, "one", checktest.Told))
	o.CacheDir, o.Version = filepath.Join(t.TempDir(), "cache"), "test"
	first := checktest.Check(t, o)
	o.Worker = []string{"/nonexistent"}
	if again := checktest.Check(t, o); len(again.Failures) > 0 || len(again.Instances) != len(first.Instances) ||
		again.Instances[0].Diagnostics[0].Message != first.Instances[0].Diagnostics[0].Message {
		t.Errorf("got %+v", again)
	}
	checktest.Write(t, filepath.Join(dir, "a", guests.Root, guests.Document), "{}")
	if changed := checktest.Check(t, o); len(changed.Failures) != 1 || changed.Failures[0].Root != "a/.sin" {
		t.Errorf("got %+v", changed.Failures)
	}
	o.Version = "another build"
	if other := checktest.Check(t, o); len(other.Failures) != 2 {
		t.Errorf("got %+v", other.Failures)
	}
}

// TestVerdictsWithoutResume: a verdict without a resume is not used if one is needed, but a verdict with one is used in
// both cases.
func TestVerdictsWithoutResume(t *testing.T) {
	failures := func(o check.Options, noResume bool, command []string) int {
		o.NoResume, o.Worker = noResume, command
		return len(checktest.Check(t, o).Failures)
	}
	o := checktest.Options(checktest.Tree(t, "a"), checktest.Plugin(t, "one", checktest.Told))
	own, broken := o.Worker, []string{"/nonexistent"}
	o.CacheDir, o.Version = t.TempDir(), "test"
	if failures(o, true, own) != 0 || failures(o, true, broken) != 0 {
		t.Error("a verdict without a resume is not kept")
	}
	if failures(o, false, broken) != 1 {
		t.Error("it stands for one that has a resume")
	}
	o.CacheDir = t.TempDir()
	if failures(o, false, own) != 0 || failures(o, true, broken) != 0 {
		t.Error("a verdict with a resume does not stand for one without")
	}
}

func TestLinkHidingStateIsReported(t *testing.T) {
	dir, elsewhere := t.TempDir(), checktest.Tree(t, "a")
	if err := os.Symlink(filepath.Join(elsewhere, "a", guests.Root), filepath.Join(dir, guests.Root)); err != nil {
		t.Fatal(err)
	}
	r := checktest.Check(t, checktest.Options(dir, checktest.Plugin(t, "one", checktest.Told)))
	if len(r.Instances) != 1 || r.Instances[0].Diagnostics[0].Rule != "one/"+wire.RuleNotAFile {
		t.Errorf("got %+v", r.Instances)
	}
}

func TestRepositoryInPlaceOfStateIsReported(t *testing.T) {
	dir := checktest.Tree(t, "a")
	for _, repo := range []string{dir, filepath.Join(dir, "a", guests.Root), filepath.Join(dir, "other")} {
		if out, err := exec.Command("git", "init", "-q", repo).CombinedOutput(); err != nil {
			t.Fatalf("git init: %v\n%s", err, out)
		}
	}
	r := checktest.Check(t, checktest.Options(dir, checktest.Plugin(t, "one", checktest.Told)))
	if len(r.Instances) != 1 || r.Instances[0].Root != "a/.sin" ||
		r.Instances[0].Diagnostics[0].Rule != "one/"+wire.RuleNotAFile {
		t.Errorf("got %+v", r.Instances)
	}
}

func TestBaseNeedsARepository(t *testing.T) {
	o := checktest.Options(checktest.Tree(t, "a"), checktest.Plugin(t, "one", checktest.Told))
	o.Bases = []string{"HEAD"}
	var wrong *fault.UsageError
	if _, err := check.Check(context.Background(), o); !errors.As(err, &wrong) {
		t.Errorf("got %v", err)
	}
	if out, err := exec.Command("git", "init", "-q", o.Dir).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	if _, err := check.Check(context.Background(), o); !errors.As(err, &wrong) ||
		!strings.Contains(wrong.Message, "HEAD") {
		t.Errorf("got %v", err)
	}
}

func TestDuplicatePluginNames(t *testing.T) {
	o := checktest.Options(checktest.Tree(t, "a"), checktest.Plugin(t, "one", checktest.Told),
		checktest.Plugin(t, "one", "{}"))
	var wrong *fault.UsageError
	if _, err := check.Check(context.Background(), o); !errors.As(err, &wrong) ||
		!strings.Contains(wrong.Message, "one.wasm") {
		t.Errorf("got %v", err)
	}
}

func TestProgressReachesTotal(t *testing.T) {
	o := checktest.Options(checktest.Tree(t, "a", "b", "c"), checktest.Plugin(t, "one", "{}"))
	var last, total int
	o.Progress = func(d, n int) { last, total = d, n }
	checktest.Check(t, o)
	if last != 3 || total != 3 {
		t.Errorf("got %d of %d", last, total)
	}
}
