package source_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/gittest"
)

// workspace returns a repository with one commit and files of every kind that leads to a different answer.
func workspace(t *testing.T) (top string) {
	top = gittest.Repository(t, map[string]string{
		".gitignore": "build/\n*.log\n", "src/a.go": "", "src/deep/b.go": "", "kept.log": "",
	})
	gittest.Run(t, top, "add", "-f", "kept.log")
	gittest.Run(t, top, "commit", "-q", "-m", "two")
	gittest.Write(t, top, map[string]string{"build/out": "", "new.go": "", "run.log": "", "clone/x": ""})
	gittest.Run(t, top, "init", "-q", "clone")
	for name, target := range map[string]string{"link": "src", "gone": "nowhere", "made": "build/out", "away": ".."} {
		if err := os.Symlink(target, filepath.Join(top, name)); err != nil {
			t.Fatal(err)
		}
	}
	return top
}

func TestPresence(t *testing.T) {
	top := workspace(t)
	disk := mustOpen(t, top, source.Options{Source: wire.Worktree})
	head := mustOpen(t, top, source.Options{Source: wire.Commit, Rev: "HEAD"})
	const absent, present, unseen = wire.Absent, wire.Present, wire.Unseen
	for _, c := range []struct {
		path             string
		onDisk, inCommit wire.Presence
	}{
		{"src/a.go", present, present},
		{"src/A.go", absent, absent}, // case matters on every system
		{"src", present, present},
		{"src/", present, present},
		{"src/a.go/", absent, absent},
		{"src/a.go/x", absent, absent},
		{"src/deep/b.go", present, present},
		{"src/deep/c.go", absent, absent},
		{"nowhere/at/all", absent, absent},
		{"new.go", present, absent},
		{"build/out", unseen, unseen}, // another clone has other files
		{"build/other", unseen, unseen},
		{"run.log", unseen, unseen},
		{"kept.log", present, present}, // ignored but tracked
		{"link", present, absent},
		{"link/a.go", unseen, absent}, // no link is followed
		{"clone/x", unseen, absent},   // in another repository
		{"clone", unseen, absent},
		{"gone", absent, absent}, // a dangling link is not evidence
		{"made", present, absent},
		{"away", unseen, absent},
	} {
		for _, s := range []source.Source{disk, head} {
			want := c.onDisk
			if s == head {
				want = c.inCommit
			}
			if got := s.Present([]string{c.path}, nil)[0]; got.Presence != want || got.Path != c.path {
				t.Errorf("%s in the %s is %v, want %v", c.path, s.Kind(), got.Presence, want)
			}
		}
	}
}

// TestSameContent compares files from every source with those in a commit.
func TestSameContent(t *testing.T) {
	top := gittest.Repository(t, map[string]string{"same.go": "a\n", "staged.go": "a\n", "changed.go": "a\n",
		"deleted.go": "a\n", "src/b.go": ""})
	gittest.Write(t, top, map[string]string{"staged.go": "b\n", "new.go": "a\n"})
	gittest.Run(t, top, "add", "staged.go", "new.go")
	gittest.Write(t, top, map[string]string{"changed.go": "b\n"})
	if err := os.Remove(filepath.Join(top, "deleted.go")); err != nil {
		t.Fatal(err)
	}
	for _, s := range []source.Source{mustOpen(t, top, source.Options{Source: wire.Worktree}),
		mustOpen(t, top, source.Options{Source: wire.Index}),
		mustOpen(t, top, source.Options{Source: wire.Commit, Rev: "HEAD"})} {
		bases, err := s.Bases(t.Context(), source.Compare{Bases: []string{"HEAD"}})
		if err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]bool{
			"same.go": true, "src/b.go": true, "src": false, "new.go": false, "nowhere.go": false,
			"staged.go": s.Kind() == wire.Commit, "changed.go": s.Kind() != wire.Worktree,
			"deleted.go": s.Kind() != wire.Worktree,
		} {
			if got := s.Same(bases[0].Commit, path); got != want {
				t.Errorf("%s in the %s is as in the commit: got %v", path, s.Kind(), got)
			}
		}
	}
}

// TestPresenceWithoutGit: the rules in a .gitignore count, and nothing is tracked.
func TestPresenceWithoutGit(t *testing.T) {
	top := t.TempDir()
	gittest.Write(t, top, map[string]string{".gitignore": "*.log\n", "a.log": "", "a.go": ""})
	got := mustOpen(t, top, source.Options{Source: wire.Worktree}).Present([]string{"a.go", "a.log", "b.go"}, nil)
	if got[0].Presence != wire.Present || got[1].Presence != wire.Unseen || got[2].Presence != wire.Absent {
		t.Errorf("got %v", got)
	}
}
