package presence_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/presence"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/gittest"
)

// workspace has files of every kind that an answer differs for, and one commit.
func workspace(t *testing.T) (top string, repo *git.Repo) {
	top = gittest.Repository(t, map[string]string{
		".gitignore": "build/\n*.log\n", "src/a.go": "", "src/deep/b.go": "", "kept.log": "",
	})
	gittest.Run(t, top, "add", "-f", "kept.log")
	gittest.Run(t, top, "commit", "-q", "-m", "two")
	gittest.Write(t, top, map[string]string{"build/out": "", "new.go": "", "run.log": "", "clone/x": ""})
	gittest.Run(t, top, "init", "-q", "clone")
	if err := os.Symlink("src", filepath.Join(top, "link")); err != nil {
		t.Fatal(err)
	}
	return top, git.Find(top, git.Settings{Environ: gittest.Environ(), Dir: top})
}

func TestPresence(t *testing.T) {
	top, repo := workspace(t)
	disk, err := tree.OpenWorktree(top)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	id, err := repo.Commit(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	listing, err := repo.Tree(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	objects := repo.Objects(t.Context())
	defer objects.Close()
	commit := tree.NewListed(id, listing, objects, top)
	const absent, present, unseen = wire.Absent, wire.Present, wire.Unseen
	for _, c := range []struct {
		path             string
		onDisk, inCommit wire.Presence
	}{
		{"src/a.go", present, present},
		{"src/A.go", absent, absent}, // as it is spelled, on every system
		{"src", present, present},
		{"src/", present, present},
		{"src/a.go/", absent, absent},
		{"src/a.go/x", absent, absent},
		{"src/deep/b.go", present, present},
		{"src/deep/c.go", absent, absent},
		{"nowhere/at/all", absent, absent},
		{"new.go", present, absent},
		{"build/out", unseen, unseen}, // another clone has other ones
		{"build/other", unseen, unseen},
		{"run.log", unseen, unseen},
		{"kept.log", present, present}, // ignored and tracked
		{"link", present, absent},
		{"link/a.go", unseen, absent}, // no link is followed
		{"clone/x", unseen, absent},   // of another repository
		{"clone", present, absent},
	} {
		for name, w := range map[string]*presence.Witness{"work tree": presence.Of(t.Context(), repo, disk),
			"commit": presence.Of(t.Context(), repo, commit)} {
			want := c.onDisk
			if name == "commit" {
				want = c.inCommit
			}
			if got := w.Answer([]string{c.path})[0]; got.Presence != want || got.Path != c.path {
				t.Errorf("%s in the %s is %v, want %v", c.path, name, got.Presence, want)
			}
		}
	}
}

// TestPresenceWithoutGit: rules of a .gitignore count, and nothing is tracked.
func TestPresenceWithoutGit(t *testing.T) {
	top := t.TempDir()
	gittest.Write(t, top, map[string]string{".gitignore": "*.log\n", "a.log": "", "a.go": ""})
	disk, err := tree.OpenWorktree(top)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	got := presence.Of(t.Context(), nil, disk).Answer([]string{"a.go", "a.log", "b.go"})
	if got[0].Presence != wire.Present || got[1].Presence != wire.Unseen || got[2].Presence != wire.Absent {
		t.Errorf("got %v", got)
	}
	var none *presence.Witness
	if got := none.Answer([]string{"a.go"}); got[0].Presence != wire.Unseen {
		t.Errorf("without a witness: %v", got)
	}
}
