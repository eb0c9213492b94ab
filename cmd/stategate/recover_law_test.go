package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/repair"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/plugins/build"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

// appliedNth selects every nth fixture for applying remedies; STATEGATE_TEST_LONG selects all.
const appliedNth = 40

// TestEveryRemedy writes fixtures of every built-in plugin to disk, applies each of their remedies and recoveries like
// recover does, and checks again. git must apply the printed diff with the same outcome, and the fixture kit the edits.
// The findings that they fix must disappear, and undo must restore the tree byte for byte. Fixtures with the same time
// share a repository, so that one call applies to many instances.
func TestEveryRemedy(t *testing.T) {
	if testing.Short() {
		t.Skip("it applies dozens of remedies, which takes seconds")
	}
	needBuiltIns(t)
	cache := compiled()
	for _, file := range build.Files() {
		t.Run(file.Name, func(t *testing.T) {
			t.Parallel()
			plug, err := plugin.ReadPlugin(file.Name+".wasm", file.Wasm(), "", limits.Default())
			if err != nil {
				t.Fatal(err)
			}
			all, err := fixture.LoadAll(os.DirFS(filepath.Join(repository, "plugins", file.Name)), "testdata")
			if err != nil {
				t.Fatal(err)
			}
			applied := 0
			for _, world := range worldsOf(t, file.Name, all) {
				applied += world.holds(t, plug, cache)
			}
			if applied == 0 {
				t.Error("no remedy was applied")
			}
			t.Logf("%d remedies", applied)
		})
	}
}

// laid holds fixtures on disk that are checked together.
type laid struct {
	plugin   string
	fixtures []*fixture.Fixture
	based    bool // there is an earlier revision
}

func worldsOf(t *testing.T, plugin string, all []*fixture.Fixture) map[string]*laid {
	worlds := map[string]*laid{}
	next := 0
	for i, f := range all {
		if !long && i < next || !layable(f) || offered(t, plugin, f) == 0 {
			continue
		}
		next = i + appliedNth
		based := f.Header.BaseState != wire.BaseNone
		key := fmt.Sprint(f.Header.Now, based)
		if based {
			key = f.Name // in one repository, a run could be taken for another one that moved
		}
		if worlds[key] == nil {
			worlds[key] = &laid{plugin: plugin, based: based}
		}
		worlds[key].fixtures = append(worlds[key].fixtures, f)
	}
	return worlds
}

// layable reports whether a working tree can represent the fixture.
func layable(f *fixture.Fixture) bool {
	h := f.Header
	if f.Name == "broken-resume-file-by-path" {
		return false // its documents name its root, relative to the top of the repository
	}
	if h.BaseState == wire.BaseAt && h.BaseRoot != h.Root {
		return false // for the host, a moved run is a new one
	}
	if h.Source != wire.Worktree || len(h.Unseen) > 0 || h.Options != "" && h.Options != "{}" {
		return false
	}
	return !slices.ContainsFunc(slices.Concat(f.Files, f.Base), func(e fixture.Entry) bool {
		return e.Ignored || e.TooLarge || e.Kind != snapshot.Regular && e.Kind != snapshot.Directory
	})
}

// offered counts the remedies and recoveries that can be applied to a fixture. It runs the plugin natively, because
// @want lists remedies only for the rules in the header.
func offered(t *testing.T, plugin string, f *fixture.Fixture) int {
	t.Helper()
	n := 0
	l := nativeLook(t, plugin, f)
	for i := range l.Findings {
		n += applicable(l.Findings[i].Remedies)
	}
	return n + applicable(l.Recoveries)
}

func applicable(remedies []wire.Remedy) int {
	n := 0
	for i := range remedies {
		if remedies[i].Safety != wire.Manual {
			n++
		}
	}
	return n
}

func (l *laid) holds(t *testing.T, plug *plugin.Plugin, cache string) int {
	dir := t.TempDir()
	l.layDown(t, dir)
	o := check.Options{
		Subject: check.Subject{Dir: dir, Environ: []string{"PATH=" + os.Getenv("PATH")}},
		Rules:   check.Rules{Plugins: []*plugin.Plugin{plug}},
		Now:     l.fixtures[0].Header.Now,
		Resources: check.Resources{Limits: limits.Default(), CacheDir: cache, StateDir: t.TempDir(),
			Version: "test", Reserve: sharedWorkers},
	}
	if l.based {
		o.Bases = []string{"HEAD"}
	}
	before, err := treeOf(dir)
	if err != nil {
		t.Fatal(err)
	}
	offers := l.offers(t, o)
	applied := 0
	for round := 0; ; round++ {
		var chosen []result.Offer
		for _, list := range offers {
			if round < len(list) {
				chosen = append(chosen, list[round])
			}
		}
		if len(chosen) == 0 {
			l.fixes(t, o, before)
			return applied
		}
		applied += len(chosen)
		l.settles(t, o, chosen)
		if err := differs(before, dir); err != nil {
			t.Fatalf("after undo: %v", err)
		}
	}
}

func (l *laid) layDown(t *testing.T, dir string) {
	runGit(t, dir, "init", "-q")
	if l.based {
		for i, f := range l.fixtures {
			if err := layDown(caseDir(dir, i, f), f.Header.BaseRoot, f.Base); err != nil {
				t.Fatal(err)
			}
			layPaths(t, caseDir(dir, i, f), f.Header.BasePaths)
		}
		runGit(t, dir, "add", "-A", "-f")
		runGit(t, dir, "-c", "user.name=A. Tester", "-c", "user.email=tester@example.com", "commit", "-q",
			"--allow-empty", "-m", "base")
		for i, f := range l.fixtures {
			if err := os.RemoveAll(caseDir(dir, i, f)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, f := range l.fixtures {
		if err := layDown(caseDir(dir, i, f), f.Header.Root, f.Files); err != nil {
			t.Fatal(err)
		}
		layPaths(t, caseDir(dir, i, f), f.Header.Paths)
	}
}

// layPaths creates the other files and directories in a workspace.
func layPaths(t *testing.T, dir string, paths []string) {
	for _, p := range paths {
		name := filepath.Join(dir, filepath.FromSlash(p))
		parent := filepath.Dir(name)
		if strings.HasSuffix(p, "/") {
			parent = name
		}
		if err := os.MkdirAll(parent, 0o755); err != nil {
			t.Fatal(err)
		}
		if parent != name {
			if err := os.WriteFile(name, []byte("x\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// caseDir returns the directory for a fixture. If the fixture's root is the top, the directory gets the name that the
// fixture expects.
func caseDir(dir string, i int, f *fixture.Fixture) string {
	dir = filepath.Join(dir, fmt.Sprintf("case-%03d", i))
	if f.Header.Root == "." {
		dir = filepath.Join(dir, f.Header.Name)
	}
	return dir
}

func runGit(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull}
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// offers runs a check, compares the number of remedies with the fixtures, and returns the offers by instance.
func (l *laid) offers(t *testing.T, o check.Options) [][]result.Offer {
	t.Helper()
	res := look(t, o)
	found := map[string]int{}
	var list [][]result.Offer
	var last *result.Instance
	for _, f := range res.Offers() {
		if f.Safety == wire.Manual {
			continue
		}
		dir, _, _ := strings.Cut(f.Instance.Root, "/")
		found[dir]++
		if f.Instance != last {
			list = append(list, nil)
			last = f.Instance
		}
		list[len(list)-1] = append(list[len(list)-1], f)
	}
	for i, f := range l.fixtures {
		if got, want := found[fmt.Sprintf("case-%03d", i)], offered(t, l.plugin, f); got != want {
			t.Errorf("%s: %d remedies are offered, the fixture kit grants %d", f.Name, got, want)
		}
	}
	return list
}

func look(t *testing.T, o check.Options) *result.Result {
	t.Helper()
	res, err := check.Check(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range res.Failures {
		t.Errorf("it could not look: %s %s: %s", f.Plugin, f.Root, f.Message)
	}
	return res
}

// settles applies one remedy for each of several instances, checks the result, and undoes it.
func (l *laid) settles(t *testing.T, o check.Options, chosen []result.Offer) {
	t.Helper()
	rep, err := repair.OpenRepair(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer rep.Close()
	plan, err := rep.Plan(t.Context(), chosen)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range plan.Instances {
		for _, s := range p.Skipped {
			t.Errorf("%s: %q is left out: %s", p.Root, s.Title, s.Why)
		}
	}
	patched := patch(t, o.Dir, plan)
	out, err := rep.Apply(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range out.Instances {
		if i.Done != result.Applied {
			t.Errorf("%s: %q is %s: %s", i.Root, i.Titles, i.Done, i.Why)
		}
	}
	holdsPatched(t, o.Dir, patched)
	l.holdsKit(t, o, chosen, out)
	gone(t, chosen, look(t, o), out)
	if _, err := rep.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// gone fails the test if a finding that a remedy fixes still exists.
func gone(t *testing.T, chosen []result.Offer, after *result.Result, out *result.Outcome) {
	t.Helper()
	still := map[string]bool{}
	for _, i := range after.Instances {
		for _, d := range i.Diagnostics {
			still[d.Fingerprint] = true
		}
	}
	done := map[string]bool{}
	for _, i := range out.Instances {
		done[i.Root] = i.Done == result.Applied
	}
	for _, f := range chosen {
		if f.Finding != nil && done[f.Instance.Root] && still[f.Finding.Fingerprint] {
			t.Errorf("%s: %q does not end %s: %s", f.Instance.Root, f.Title, f.Finding.Rule, f.Finding.Message)
		}
	}
}

// differs returns the differences between a directory and its earlier content.
func differs(before map[string]onDisk, dir string) error {
	now, err := treeOf(dir)
	if err != nil {
		return err
	}
	return compare(now, before)
}
