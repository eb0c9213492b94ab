package statefiles

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/gittest"
)

func commit(t *testing.T, dir, rev string) *tree.Listed {
	t.Helper()
	repo := git.Find(dir, git.Settings{Environ: gittest.Environ(), Dir: dir})
	id, err := repo.Commit(context.Background(), rev)
	if err != nil {
		t.Fatal(err)
	}
	objects := repo.Objects(context.Background())
	t.Cleanup(objects.Close)
	listing, err := repo.Tree(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return tree.NewListed(id, listing, objects, dir)
}

func past(t *testing.T, at *tree.Listed, now *Instance) snapshot.InputBase {
	t.Helper()
	p, err := Base(context.Background(), at, compiled(t), now, now.Root, small)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Load(context.Background(), now); err != nil {
		t.Fatal(err)
	}
	return p.Input()
}

func TestBase(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Write(t, dir, map[string]string{"r/state.json": "old", "r/same.md": "same",
		"r/rounds/1/discourse.md": "version https://git-lfs.github.com/spec/v1\n", "r/scans/x": "12345",
		"r/a\nb.md": "line", "r/large.md": strings.Repeat("x", 2000), "r/after.md": "still read", "unrelated/x": "",
		"bare/x": ""})
	if err := os.Symlink("same.md", filepath.Join(dir, "r", "link.md")); err != nil {
		t.Skip("no links: " + err.Error())
	}
	gittest.Run(t, dir, "init", "-q", "r/sub.md")
	gittest.Run(t, filepath.Join(dir, "r", "sub.md"), "commit", "-q", "--allow-empty", "-m", "x")
	gittest.Run(t, dir, "add", "-A")
	gittest.Run(t, dir, "commit", "-q", "-m", "one")
	at := commit(t, dir, "HEAD")
	gittest.Write(t, dir, map[string]string{"r/state.json": "new", "n/state.json": "new", "i/state.json": "{}",
		"bare/state.json": "{}", "r/rounds/1/discourse.md": "d"})
	now := read(t, dir, "r")
	base := past(t, at, now)
	same2(t, "base", shown(base.Files), []string{
		"a\nb.md kind 0 spec 5 size 4 \"line\"",
		`after.md kind 0 spec 5 size 10 "still read"`,
		`large.md kind 0 spec 5 size 2000 too large`,
		`link.md kind 2 symbolic link spec 5 size 0`,
		`rounds/1 kind 1 spec 3 size 0`,
		`rounds/1/discourse.md kind 3 a Git LFS pointer spec 2 size 0`,
		`same.md kind 0 spec 5 size 4 "same"`,
		`scans/x kind 0 spec 4 size 5`,
		`state.json kind 0 spec 0 size 3 "old"`,
		`sub.md kind 3 submodule spec 5 size 0`,
	})
	if base.State != wire.BaseAt || base.Root != "r" {
		t.Errorf("base is %v at %q", base.State, base.Root)
	}
	nowData := now.Files[slices.IndexFunc(now.Files, func(f snapshot.File) bool { return f.Path == "same.md" })].Data
	if &nowData[0] != &base.Files[6].Data[0] {
		t.Error("an unchanged document is read again")
	}
	ignored := &Instance{Root: "i", Files: []snapshot.File{{Path: "state.json", Ignored: true}}}
	for _, c := range []struct {
		now  *Instance
		want wire.BaseState
	}{{read(t, dir, "n"), wire.BaseNew}, {ignored, wire.BaseNone}, {read(t, dir, "bare"), wire.BaseNew}} {
		if got := past(t, at, c.now); got.State != c.want || got.Files != nil {
			t.Errorf("base of %s = %+v, want %v", c.now.Root, got, c.want)
		}
	}
}

// TestBasePromised: a base is unknown if a partial clone lacks one of its blobs.
func TestBasePromised(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Write(t, dir, map[string]string{"r/state.json": "old"})
	gittest.Run(t, dir, "add", "-A")
	gittest.Run(t, dir, "commit", "-q", "-m", "one")
	gittest.Run(t, dir, "config", "uploadpack.allowFilter", "true")
	clone := filepath.Join(t.TempDir(), "c")
	gittest.Run(t, dir, "clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+dir, clone)
	p, err := Base(t.Context(), commit(t, clone, "HEAD"), compiled(t), &Instance{Root: "r"}, "r", small)
	if err == nil {
		err = p.Load(t.Context(), &Instance{Root: "r"})
	}
	if err == nil || !strings.Contains(err.Error(), "git fetch --refetch --no-filter") {
		t.Errorf("the base is read with %v, want a failure that says what to fetch", err)
	}
}
