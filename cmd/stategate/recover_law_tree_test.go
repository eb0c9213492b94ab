package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/repair"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// patch applies the diff from --dry-run with git, and reverts it. It returns every instance's files in between, by the
// name of the case. It skips a diff that states that git cannot apply it.
func patch(t *testing.T, dir string, plan *result.Outcome) map[string]map[string]onDisk {
	t.Helper()
	var text strings.Builder
	patched := map[string]map[string]onDisk{}
	for _, p := range plan.Instances {
		var b strings.Builder
		if err := print.Diff(&b, p.Files, print.Options{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "cannot be applied") && strings.Contains(b.String(), "diff --git") {
			text.WriteString(b.String())
			name, _, _ := strings.Cut(p.Root, "/")
			patched[name] = nil
		}
	}
	file := filepath.Join(t.TempDir(), "patch")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if len(patched) == 0 {
		return patched
	}
	runGit(t, dir, "apply", "--whitespace=nowarn", file)
	for name := range patched {
		patched[name] = filesOf(t, filepath.Join(dir, name))
	}
	runGit(t, dir, "apply", "--whitespace=nowarn", "-R", file)
	return patched
}

// filesOf reads a tree without its directories, which a diff does not contain.
func filesOf(t *testing.T, dir string) map[string]onDisk {
	t.Helper()
	all, err := treeOf(dir)
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(all, func(_ string, f onDisk) bool { return f.mode.IsDir() })
	return all
}

// holdsPatched checks that a remedy makes the same changes as its diff.
func holdsPatched(t *testing.T, dir string, patched map[string]map[string]onDisk) {
	t.Helper()
	for name, want := range patched {
		if err := compare(filesOf(t, filepath.Join(dir, name)), want); err != nil {
			t.Errorf("%s: the difference said something else: %v", name, err)
		}
	}
}

// holdsKit checks that the tree equals the result of the same edits in the fixture kit.
func (l *laid) holdsKit(t *testing.T, o check.Options, chosen []result.Offer, out *result.Outcome) {
	t.Helper()
	for _, c := range chosen {
		at := slices.IndexFunc(out.Instances, func(i result.Repaired) bool { return i.Root == c.Instance.Root })
		var n int
		if _, err := fmt.Sscanf(c.Instance.Root, "case-%d", &n); err != nil || at < 0 ||
			out.Instances[at].Done != result.Applied {
			continue
		}
		f := l.fixtures[n]
		if c.Instance.Root != path.Join(filepath.ToSlash(caseDir("", n, f)), f.Header.Root) {
			continue // another instance besides the fixture's
		}
		world, err := f.World().Apply(o.Plugins[0].Manifest, c.Edits)
		if err != nil {
			t.Errorf("%s: %q: the kit: %v", f.Name, c.Title, err)
			continue
		}
		for _, e := range world.Files {
			got, err := os.ReadFile(filepath.Join(caseDir(o.Dir, n, f), world.Header.Root, filepath.FromSlash(e.Path)))
			if e.Kind == snapshot.Regular && (err != nil || string(got) != string(e.Data)) {
				t.Errorf("%s: %q: %s holds %q (%v), the kit makes %q", f.Name, c.Title, e.Path, got, err, e.Data)
			}
		}
	}
}

// fixes applies all safe remedies like check --fix. There must be no new errors and no safe remedies left. No safe
// remedy may have existed next to an error of the same subject that it does not fix. One undo must revert everything.
func (l *laid) fixes(t *testing.T, o check.Options, tree map[string]onDisk) {
	t.Helper()
	rep, err := repair.OpenRepair(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer rep.Close()
	before := look(t, o)
	isSafe(t, before)
	fixed, err := rep.Fix(t.Context(), before, func(ctx context.Context) (*result.Result, error) {
		return check.Check(ctx, o)
	})
	if err != nil {
		t.Fatal(err)
	}
	isSafe(t, fixed.Result)
	was := errorsOf(before)
	for fingerprint, text := range errorsOf(fixed.Result) {
		if was[fingerprint] == "" {
			t.Errorf("--fix makes %s", text)
		}
	}
	if fixed.Changed() {
		if _, err := rep.Undo(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := differs(tree, o.Dir); err != nil {
		t.Errorf("after --fix and undo: %v", err)
	}
}

// errorsOf returns the errors in a check by their fingerprints.
func errorsOf(r *result.Result) map[string]string {
	list := map[string]string{}
	for _, i := range r.Instances {
		for _, d := range i.Diagnostics {
			if d.Severity == wire.Error {
				list[d.Fingerprint] = i.Root + ": " + d.Rule + ": " + d.Message
			}
		}
	}
	return list
}

// isSafe checks that no remedy is safe if its subject has an error that the remedy does not fix.
func isSafe(t *testing.T, r *result.Result) {
	t.Helper()
	for _, f := range r.Offers() {
		if f.Safety != wire.Safe {
			continue
		}
		for n := range f.Instance.Diagnostics {
			d := &f.Instance.Diagnostics[n]
			_, rule, _ := strings.Cut(d.Rule, "/")
			if d.Severity == wire.Error && d.Subject == f.Subject && d != f.Finding && !slices.Contains(f.Fixes, rule) {
				t.Errorf("%s: %q is safe beside %s: %s", f.Instance.Root, f.Title, d.Rule, d.Message)
			}
		}
	}
}
