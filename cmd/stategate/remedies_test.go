package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/host"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/sandbox"
	"github.com/stategate/stategate/host/worker"
	"github.com/stategate/stategate/plugins/build"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

var everyNth = flag.Int("remedies", 40, "apply the remedies of every `N`th fixture on disk")

// TestRemediesOnDisk applies remedies of the fixtures of all built-in plugins to
// real trees: each does what the fixture kit says, byte for byte, heals, and is undone
// byte for byte.
func TestRemediesOnDisk(t *testing.T) {
	needBuiltIns(t)
	s := &sweep{cache: t.TempDir()}
	engine := sandbox.Open(sandbox.Config{Limits: limits.Default(), CacheDir: s.cache})
	for _, file := range build.Files() {
		p, err := host.ReadPlugin(builtIn, file.Wasm, file.SHA256, limits.Default())
		if err != nil {
			t.Fatal(err)
		}
		fixtures, err := fixture.LoadAll(os.DirFS(filepath.Join(repository, "plugins", file.Name)), "testdata")
		if err != nil {
			t.Fatal(err)
		}
		kit, err := fixture.NewKit(p.Manifest, fresh{load(t, engine, p.Wasm)})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fixtures {
			s.fixture(t, p, kit, f)
		}
	}
	t.Logf("%d remedies applied and undone; %d fixtures cannot be laid down", s.applied, s.strange)
}

type sweep struct {
	cache            string
	seen             int
	applied, strange int
}

// fixture applies all remedies of one fixture, if it is its turn.
func (s *sweep) fixture(t *testing.T, p *host.Plugin, kit *fixture.Kit, f *fixture.Fixture) {
	t.Helper()
	if s.seen++; s.seen%*everyNth != 0 {
		return
	}
	remedies := remediesOf(t, kit, f)
	if len(remedies) == 0 {
		return
	}
	dir := t.TempDir()
	if !plain(f) || s.layDown(t, dir, f) != nil {
		s.strange++
		return
	}
	o := host.Options{
		Dir: dir, Environ: append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull), Plugins: []*host.Plugin{p}, Limits: limits.Default(),
		Now: f.Header.Now, CacheDir: s.cache, StateDir: filepath.Join(t.TempDir(), "state"), Worker: []string{os.Args[0], worker.Verb}, Jobs: 1,
	}
	if f.Header.BaseState == wire.BaseAt {
		o.Bases = []string{"HEAD"}
	}
	r, err := host.Check(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	repair, err := host.OpenRepair(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer repair.Close()
	for _, remedy := range remedies {
		s.remedy(t, repair, r, p, f, remedy, dir)
	}
}

// plain reports whether a fixture can be laid down in a directory.
func plain(f *fixture.Fixture) bool {
	h := f.Header
	ignored := func(e fixture.Entry) bool { return e.Ignored }
	return h.Source == wire.Worktree && len(h.Unseen) == 0 && h.Options == "" && (h.BaseState != wire.BaseAt || h.BaseRoot == h.Root) &&
		!slices.ContainsFunc(f.Files, ignored) && filepath.Base(h.Root) == h.Name
}

// layDown writes the documents, and commits those of the earlier revision.
func (s *sweep) layDown(t *testing.T, dir string, f *fixture.Fixture) error {
	t.Helper()
	if f.Header.BaseState == wire.BaseAt {
		if err := layDown(dir, f.Header.BaseRoot, f.Base); err != nil {
			return err
		}
		for _, args := range [][]string{{"init", "-q"}, {"add", "-A", "-f"}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"}} {
			cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
			cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
		}
		if err := os.RemoveAll(filepath.Join(dir, f.Header.BaseRoot)); err != nil {
			return err
		}
	}
	return layDown(dir, f.Header.Root, f.Files)
}

// remediesOf lists the titles of remedies and recoveries that a fixture wants and
// that have edits.
func remediesOf(t *testing.T, kit *fixture.Kit, f *fixture.Fixture) []wire.Remedy {
	t.Helper()
	var list []wire.Remedy
	look, err := kit.Look(f.World())
	if err != nil {
		t.Fatal(err)
	}
	add := func(r wire.Remedy) {
		if r.Safety != wire.Manual {
			list = append(list, r)
		}
	}
	for _, found := range look.Findings {
		for _, r := range found.Remedies {
			add(r)
		}
	}
	for _, r := range look.Report.Recoveries {
		add(r)
	}
	return list
}

// remedy applies one remedy, compares, and undoes it.
func (s *sweep) remedy(t *testing.T, repair *host.Repair, r *host.Result, p *host.Plugin, f *fixture.Fixture, want wire.Remedy, dir string) {
	t.Helper()
	what := p.Name + "/" + f.Name + ": " + want.Title
	id := idOf(r, f.Header.Root, want)
	if id == "" {
		t.Errorf("%s: it is not offered", what)
		return
	}
	before := treeText(t, dir)
	plan, err := repair.Plan(context.Background(), r, []string{id})
	if err != nil {
		t.Errorf("%s: planned: %v", what, err)
		return
	}
	out, err := repair.Apply(context.Background(), plan)
	if err != nil || len(out.Instances) != 1 || out.Instances[0].Done != host.Applied {
		t.Errorf("%s: applied: %+v, %v, skipped %+v", what, out, err, plan.Instances[0].Skipped)
		return
	}
	world, err := f.World().Apply(p.Manifest, want.Edits)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range world.Files {
		got, err := os.ReadFile(filepath.Join(dir, world.Header.Root, filepath.FromSlash(e.Path)))
		if e.Kind == snapshot.Regular && (err != nil || string(got) != string(e.Data)) {
			t.Errorf("%s: %s holds %q (%v), want %q", what, e.Path, got, err, e.Data)
		}
	}
	if _, err := repair.Undo(context.Background()); err != nil {
		t.Errorf("%s: undone: %v", what, err)
	}
	if after := treeText(t, dir); after != before {
		t.Errorf("%s: undone, the tree is\n%s\nwant\n%s", what, after, before)
	}
	s.applied++
}

func idOf(r *host.Result, root string, want wire.Remedy) string {
	same := func(other wire.Remedy) bool {
		return fmt.Sprint(other.Title, other.Edits) == fmt.Sprint(want.Title, want.Edits)
	}
	for _, i := range r.Instances {
		if i.Root != root {
			continue
		}
		for _, d := range i.Diagnostics {
			for _, remedy := range d.Remedies {
				if same(remedy.Remedy) {
					return remedy.ID
				}
			}
		}
		for _, remedy := range i.Recoveries {
			if same(remedy.Remedy) {
				return remedy.ID
			}
		}
	}
	return ""
}

// treeText lists all below a directory but git's own, with modes and bytes.
func treeText(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".git" {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var data []byte
		if info.Mode().IsRegular() {
			data, err = os.ReadFile(filepath.Join(dir, name))
		}
		fmt.Fprintf(&b, "%s %s %q\n", name, info.Mode(), data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
