package repair_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/journal"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/repair"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/checktest"
	"github.com/stategate/stategate/testdata/guests"
)

// recovery returns a report with one recovery option. It lists no findings that it fixes, so it is always offered.
func recovery(safety string, edits ...string) string {
	return `{"recoveries":[{"title":"Do it","safety":"` + safety + `","edits":[` + strings.Join(edits, ",") + `]}]}`
}

// fixing returns a report with one finding. Its remedy makes these edits but fixes nothing, because the test plugin
// always reports the same.
func fixing(safety string, edits ...string) string {
	return `{"diagnostics":[{"rule":"told","subject":"s","key":"k","range":{"path":"state.json"},"message":"as ` +
		`told","remedies":[{"title":"Fix it","safety":"` +
		safety + `","edits":[` + strings.Join(edits, ",") + `]}]}]}`
}

const (
	setPhase  = `{"op":"set","range":{"path":"state.json","pointer":"/phase"},"new":"\"second\""}`
	setOther  = `{"op":"set","range":{"path":"state.json","pointer":"/other"},"new":"1"}`
	asideIt   = `{"op":"aside","range":{"path":"state.json"},"to":"corrupt"}`
	createIt  = `{"op":"create","range":{"path":"state.json"},"new":"{\"phase\": \"first\"}\n"}`
	createDir = `{"op":"create","range":{"path":"notes/deep/note.md"},"new":"at ${now}\n"}`
)

// shown lists everything below a directory except git's own files, with modes and bytes.
func shown(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".git" {
			return filepath.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		fmt.Fprintf(&b, "%s %s", rel, info.Mode())
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %q", data)
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// repairing returns options with a directory for journals.
func repairing(t *testing.T, dir string, plugins ...*plugin.Plugin) check.Options {
	o := checktest.Options(dir, plugins...)
	o.StateDir = filepath.Join(t.TempDir(), "state")
	return o
}

func repairHere(t *testing.T, o check.Options) *repair.Repair {
	t.Helper()
	r, err := repair.OpenRepair(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// again checks once more with the same options.
func again(o check.Options) func(context.Context) (*result.Result, error) {
	return func(ctx context.Context) (*result.Result, error) { return check.Check(ctx, o) }
}

func planned(t *testing.T, r *repair.Repair, o check.Options) *result.Outcome {
	t.Helper()
	res := checktest.Check(t, o)
	p, err := r.Plan(context.Background(), res.Offers())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestApplyAndUndo(t *testing.T) {
	for _, c := range []struct {
		name  string
		edits []string
		want  []string // paths that exist afterwards
	}{
		{"set", []string{setPhase}, nil},
		{"aside", []string{asideIt, createIt}, []string{"state.corrupt.json", "state.json"}},
		{"create", []string{createDir}, []string{"notes/deep/note.md"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := checktest.Tree(t, "a", "b")
			if err := os.Chmod(filepath.Join(dir, "a", guests.Root, guests.Document), 0o640); err != nil {
				t.Fatal(err)
			}
			before := shown(t, dir)
			o := repairing(t, dir, checktest.Healing(t, "one", recovery("review", c.edits...)))
			r := repairHere(t, o)
			p := planned(t, r, o)
			if shown(t, dir) != before {
				t.Fatal("planning changes something")
			}
			out, err := r.Apply(context.Background(), p)
			if err != nil || len(out.Instances) != 2 || !out.Changed() || out.Instances[0].Done != result.Applied {
				t.Fatalf("applied %+v, %v", out, err)
			}
			if shown(t, dir) == before {
				t.Fatal("nothing changed")
			}
			for _, name := range c.want {
				if _, err := os.Stat(filepath.Join(dir, "a", guests.Root, name)); err != nil {
					t.Error(err)
				}
			}
			out, err = r.Undo(context.Background())
			if err != nil || len(out.Instances) != 2 || out.Instances[0].Done != result.Undone {
				t.Fatalf("undone %+v, %v", out, err)
			}
			for i, f := range p.Instances[1].Files { // the last change is undone first
				if back := out.Instances[0].Files[i]; back.From != f.To || back.To != f.From {
					t.Errorf("undoing %s -> %s is said to be %s -> %s", f.From, f.To, back.From, back.To)
				}
			}
			if after := shown(t, dir); after != before {
				t.Errorf("undone:\n%s\nwant:\n%s", after, before)
			}
			var usage *fault.UsageError
			if _, err := r.Undo(context.Background()); !errors.As(err, &usage) {
				t.Errorf("nothing is left to undo, and it says %v", err)
			}
		})
	}
}

func TestPlanShowsTheChange(t *testing.T) {
	dir := checktest.Tree(t, "a")
	o := repairing(t, dir, checktest.Healing(t, "one", recovery("review", asideIt, createIt, createDir)))
	p := planned(t, repairHere(t, o), o).Instances[0]
	var got []string
	for _, f := range p.Files {
		got = append(got, fmt.Sprintf("%s > %s: %q > %q", f.From, f.To, f.Before, f.After))
	}
	root := "a/" + guests.Root
	want := []string{
		fmt.Sprintf(` > %s/notes/deep/note.md: "" > "at 2026-03-10T12:00:00Z\n"`, root),
		fmt.Sprintf(`%s/state.json > %s/state.corrupt.json: %q > %q`, root, root, guests.Text, guests.Text),
		fmt.Sprintf(` > %s/state.json: "" > "{\"phase\": \"first\"}\n"`, root),
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestUnfixedFindingIsRolledBack(t *testing.T) {
	dir := checktest.Tree(t, "a")
	before := shown(t, dir)
	o := repairing(t, dir, checktest.Healing(t, "one", fixing("safe", setPhase)))
	r := repairHere(t, o)
	out, err := r.Apply(context.Background(), planned(t, r, o))
	if err != nil || out.Changed() || len(out.Instances) != 1 || out.Instances[0].Done != result.RolledBack {
		t.Fatalf("got %+v, %v", out, err)
	}
	if why := out.Instances[0].Why; why != "Fix it does not fix it: as told [one/told]" {
		t.Errorf("why: %s", why)
	}
	if shown(t, dir) != before {
		t.Error("it is not rolled back")
	}
}

func TestChangedSinceTheCheck(t *testing.T) {
	dir := checktest.Tree(t, "a")
	state := filepath.Join(dir, "a", guests.Root, guests.Document)
	o := repairing(t, dir, checktest.Healing(t, "one", recovery("safe", setPhase)))
	r := repairHere(t, o)
	result := checktest.Check(t, o)
	p, err := r.Plan(context.Background(), result.Offers())
	if err != nil {
		t.Fatal(err)
	}
	checktest.Write(t, state, guests.Text+" ")
	before := shown(t, dir)
	var changed *repair.ChangedError
	if out, err := r.Apply(context.Background(), p); !errors.As(err, &changed) || out.Changed() {
		t.Errorf("applied %+v, %v", out, err)
	}
	if _, err := r.Plan(context.Background(), result.Offers()); !errors.As(err, &changed) {
		t.Errorf("planned: %v", err)
	}
	fixed, err := r.Fix(context.Background(), result, again(o))
	if err != nil || fixed.Changed() || len(fixed.Skipped) != 1 {
		t.Errorf("fixed %+v, %v", fixed, err)
	}
	if shown(t, dir) != before {
		t.Error("something was changed")
	}
}

func TestUndoRejectsChangedFiles(t *testing.T) {
	dir := checktest.Tree(t, "a")
	o := repairing(t, dir, checktest.Healing(t, "one", recovery("safe", asideIt, createIt)))
	r := repairHere(t, o)
	if out, err := r.Apply(context.Background(), planned(t, r, o)); err != nil || !out.Changed() {
		t.Fatal(out, err)
	}
	checktest.Write(t, filepath.Join(dir, "a", guests.Root, guests.Document), "{}")
	before := shown(t, dir)
	var changed *repair.ChangedError
	if _, err := r.Undo(context.Background()); !errors.As(err, &changed) ||
		!strings.Contains(err.Error(), "a/"+guests.Root+"/state.json") {
		t.Errorf("got %v", err)
	}
	if shown(t, dir) != before {
		t.Error("something was changed")
	}
}

func TestFix(t *testing.T) {
	dir := checktest.Tree(t, "a", "b")
	before := shown(t, dir)
	o := repairing(t, dir, checktest.Healing(t, "safe", recovery("safe", setPhase)),
		checktest.Healing(t, "useless", fixing("safe", setOther)),
		checktest.Healing(t, "asks", recovery("review", createDir)))
	r := repairHere(t, o)
	fixed, err := r.Fix(context.Background(), checktest.Check(t, o), again(o))
	if err != nil || !fixed.Changed() {
		t.Fatalf("fixed %+v, %v", fixed, err)
	}
	var got []string
	for _, i := range fixed.Instances {
		got = append(got, i.Plugin+" "+string(i.Done)+" "+i.Root)
	}
	// Other instances see what a plugin changes only in the next round.
	want := []string{"safe applied a/.sin", "safe applied b/.sin", "useless rolled-back a/.sin",
		"useless rolled-back b/.sin"}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, skipped %+v", got, fixed.Skipped)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "b", guests.Root, guests.Document)); !strings.Contains(string(text),
		`"second"`) {
		t.Errorf("the state is %s", text)
	}
	if _, err := os.Stat(filepath.Join(dir, "a", guests.Root, "notes")); err == nil {
		t.Error("what has to be asked for was done")
	}
	if _, err := r.Undo(context.Background()); err != nil || shown(t, dir) != before {
		t.Errorf("undoing a fix: %v\n%s", err, shown(t, dir))
	}
}

func TestOnlyOneApplies(t *testing.T) {
	dir := checktest.Tree(t, "a")
	o := repairing(t, dir, checktest.Healing(t, "one", recovery("safe", asideIt, createIt)))
	r := repairHere(t, o)
	if _, err := r.Apply(context.Background(), planned(t, r, o)); err != nil {
		t.Fatal(err)
	}
	second := repairHere(t, o)
	p := planned(t, second, o)
	var fail *fault.Failure
	if _, err := second.Apply(context.Background(), p); !errors.As(err, &fail) ||
		!strings.Contains(err.Error(), "wait until it has ended") {
		t.Errorf("a second one: %v", err)
	}
	r.Close()
	if out, err := second.Apply(context.Background(), p); err != nil || !out.Changed() {
		t.Errorf("once the first has ended: %+v, %v", out, err)
	}
}

// TestHostileEdits: the plan rejects edits outside the instance that a compromised worker requests, and the tree is
// unchanged.
func TestHostileEdits(t *testing.T) {
	dir := checktest.Tree(t, "a", "other")
	if err := exec.Command("git", "init", "-q", dir).Run(); err != nil {
		t.Fatal("git is needed: install it")
	}
	nested := filepath.Join(dir, "a", guests.Root, "deep")
	if err := exec.Command("git", "init", "-q", nested).Run(); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../../other", filepath.Join(dir, "a", guests.Root, "link")); err != nil {
		t.Skip("no links: " + err.Error())
	}
	before := shown(t, dir)
	create := func(name string) string { return `{"op":"create","range":{"path":"` + name + `"},"new":"x"}` }
	move := func(name string) string {
		return `{"op":"move","range":{"path":"state.json"},"to":"` + name + `"}`
	}
	for _, e := range []string{
		create("../x"), create("/etc/x"), create("a/../../x"), create(".git/hooks/pre-commit"), create(".GIT/x"),
		create("deep/.Git/config"), create("git~1/x"),
		create("deep/x.md"), create("link/x.md"), create("CON"), create("a/nul.txt"), create("a:b"), create("x."),
		create(`a\\b`), move("../x"), move(".git/x"), move("deep/x"), move("link/x"),
		`{"op":"remove","range":{"path":".git/HEAD"}}`, `{"op":"remove","range":{"path":"deep/.git/HEAD"}}`,
		`{"op":"aside","range":{"path":"link"},"to":"old"}`,
		`{"op":"remove","range":{"path":"link"}}`, `{"op":"aside","range":{"path":"deep/"},"to":"old"}`,
		`{"op":"move","range":{"path":"deep/.git/"},"to":"x/"}`,
		`{"op":"move-root","to":"elsewhere"}`, `{"op":"move-root","to":"../out/.sin"}`,
		`{"op":"move-root","to":"other/.sin"}`, `{"op":"move-root","to":".git/.sin"}`,
		`{"op":"move-root","to":"a/.sin/deep/.sin"}`,
	} {
		o := repairing(t, dir, checktest.Healing(t, "one", recovery("safe", setPhase)))
		o.Paths = []string{"a"}
		res := checktest.Check(t, o)
		hostile, err := wire.DecodeReport([]byte(recovery("safe", e)))
		if err != nil {
			t.Fatal(err)
		}
		res.Instances[0].Recoveries[0].Edits = hostile.Recoveries[0].Edits
		r, err := repair.OpenRepair(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		p, err := r.Plan(context.Background(), res.Offers())
		if err == nil {
			var out *result.Outcome
			out, err = r.Apply(context.Background(), p)
			if out.Changed() || err == nil && len(p.Instances[0].Skipped) == 0 {
				t.Errorf("%s: %+v %+v", e, p, out)
			}
		}
		r.Close()
		if after := shown(t, dir); after != before {
			t.Fatalf("%s changes the tree:\n%s", e, after)
		}
	}
}

// TestExecutablesAreSpared: no remedy changes an executable file, unless it was read as JSON or Markdown.
func TestExecutablesAreSpared(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no such mode")
	}
	dir := checktest.Tree(t, "a")
	script, state := filepath.Join(dir, "a", guests.Root, "notes", "run"),
		filepath.Join(dir, "a", guests.Root, guests.Document)
	checktest.Write(t, script, "#!/bin/sh\n")
	for _, name := range []string{script, state} {
		if err := os.Chmod(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	before := shown(t, dir)
	o := repairing(t, dir, checktest.Healing(t, "one",
		recovery("safe", setPhase, `{"op":"remove","range":{"path":"notes/run"}}`)))
	r := repairHere(t, o)
	p := planned(t, r, o).Instances[0]
	if len(p.Chosen)+len(p.Changes) > 0 || len(p.Skipped) != 1 ||
		!strings.Contains(p.Skipped[0].Why, "notes/run is executable") {
		t.Errorf("got %+v", p)
	}
	if shown(t, dir) != before {
		t.Error("something was changed")
	}
	o = repairing(t, dir, checktest.Healing(t, "one", recovery("safe", setPhase)))
	if p := planned(t, repairHere(t, o), o).Instances[0]; len(p.Chosen) != 1 {
		t.Errorf("state that is marked executable: got %+v", p.Skipped)
	}
}

// TestStaged: staged instances are repaired only in the working tree, and only if it matches the index. The index
// stays unchanged.
func TestStaged(t *testing.T) {
	dir := checktest.Tree(t, "a", "b")
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	git("init", "-q")
	git("add", "-A")
	staged := git("ls-files", "-s")
	checktest.Write(t, filepath.Join(dir, "b", guests.Root, guests.Document), guests.Text+"\n")
	o := repairing(t, dir, checktest.Healing(t, "one", recovery("safe", setPhase)))
	o.Source = wire.Index
	r := repairHere(t, o)
	fixed, err := r.Fix(context.Background(), checktest.Check(t, o), again(o))
	if err != nil || len(fixed.Instances) != 1 || fixed.Instances[0].Root != "a/"+guests.Root ||
		fixed.Instances[0].Done != result.Applied {
		t.Fatalf("fixed %+v, %v", fixed, err)
	}
	if len(fixed.Skipped) != 1 || !strings.Contains(fixed.Skipped[0].Why,
		"b/.sin/state.json: the working tree differs from the index") {
		t.Errorf("skipped %+v", fixed.Skipped)
	}
	if got := git("ls-files", "-s"); got != staged {
		t.Errorf("the index is\n%s\nwas\n%s", got, staged)
	}
	o.Source, o.Rev = wire.Commit, "HEAD"
	var usage *fault.UsageError
	if _, err := repair.OpenRepair(context.Background(), o); !errors.As(err, &usage) {
		t.Errorf("a commit: %v", err)
	}
}

func TestInterruptedByTheCaller(t *testing.T) {
	dir := checktest.Tree(t, "a")
	before := shown(t, dir)
	o := repairing(t, dir, checktest.Healing(t, "one", recovery("safe", setPhase)))
	r := repairHere(t, o)
	p := planned(t, r, o)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if out, err := r.Apply(ctx, p); !errors.Is(err, context.Canceled) || out.Changed() {
		t.Errorf("got %+v, %v", out, err)
	}
	if shown(t, dir) != before {
		t.Error("something was changed")
	}
}

// TestReadOnlyRepository: if no journal can be written, planning works but nothing can be applied.
func TestReadOnlyRepository(t *testing.T) {
	dir := checktest.Tree(t, "a")
	o := repairing(t, dir, checktest.Healing(t, "one", recovery("safe", setPhase)))
	checktest.Write(t, o.StateDir, "in the way")
	before := shown(t, dir)
	r := repairHere(t, o)
	p := planned(t, r, o)
	var fail *fault.Failure
	if out, err := r.Apply(context.Background(), p); !errors.As(err, &fail) || out.Changed() ||
		!strings.Contains(err.Error(), "journal") {
		t.Errorf("got %+v, %v", out, err)
	}
	if shown(t, dir) != before {
		t.Error("something was changed")
	}
}

// TestInterruptedRun: a check notices an interrupted repair, and the next command that may change something rolls it
// back.
func TestInterruptedRun(t *testing.T) {
	dir := checktest.Tree(t, "a")
	before := shown(t, dir)
	o := repairing(t, dir, checktest.Healing(t, "one", recovery("safe", setPhase, asideIt)),
		checktest.Healing(t, "two", recovery("safe", setPhase)))
	repairHere(t, o).Close()
	if n := checktest.Check(t, o).Notices; len(n) > 0 {
		t.Errorf("noticed %q", n)
	}
	session, err := check.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	// Like OpenRepair, but without ever keeping the transaction.
	store, err := journal.Open(session.Workspace.Path, session.Journal(), o.StateDir)
	if err != nil {
		t.Fatal(err)
	}
	root := "a/" + guests.Root
	_, err = store.Begin(journal.Intent{
		About:   journal.About{Plugin: "one", Root: root, To: root, Titles: []string{"Do it"}},
		Changes: []edit.Change{{Kind: edit.Write, Path: root + "/state.json", Data: []byte("half")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	store.Close()
	if n := checktest.Check(t, o).Notices; len(n) != 1 || !strings.Contains(n[0], "interrupted") {
		t.Errorf("noticed %q", n)
	}
	r := repairHere(t, o)
	if r.Interrupted == nil || len(r.Interrupted.Instances) != 1 ||
		r.Interrupted.Instances[0].Done != result.RolledBack ||
		r.Interrupted.Instances[0].Titles[0] != "Do it" {
		t.Errorf("interrupted: %+v", r.Interrupted)
	}
	if after := shown(t, dir); after != before {
		t.Errorf("the tree is\n%s", after)
	}
}

// TestLinkPutInTheWay: a directory that becomes a link or a repository between planning and applying is not entered.
func TestLinkPutInTheWay(t *testing.T) {
	for name, put := range map[string]func(deep string) error{
		"link":       func(deep string) error { return os.Symlink("../../other", deep) },
		"git":        func(deep string) error { return os.Symlink("../../.git", deep) },
		"repository": func(deep string) error { return os.MkdirAll(filepath.Join(deep, ".git"), 0o755) },
		"file":       func(deep string) error { return os.WriteFile(deep, nil, 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := checktest.Tree(t, "a", "other")
			if err := exec.Command("git", "init", "-q", dir).Run(); err != nil {
				t.Fatal("git is needed: install it")
			}
			o := repairing(t, dir, checktest.Healing(t, "one", recovery("safe", createDir)))
			o.Paths = []string{"a"}
			r := repairHere(t, o)
			p := planned(t, r, o)
			if err := put(filepath.Join(dir, "a", guests.Root, "notes")); err != nil {
				t.Skip("no links: " + err.Error())
			}
			before := shown(t, dir)
			if out, err := r.Apply(context.Background(), p); err == nil || out.Changed() {
				t.Errorf("applied %+v, %v", out, err)
			}
			if after := shown(t, dir); after != before {
				t.Errorf("the tree is\n%s", after)
			}
			if _, err := os.Stat(filepath.Join(dir, ".git", "er")); err == nil {
				t.Error("something was made in .git")
			}
		})
	}
}
