package tree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/engine/snapshot"
)

// logs ignores files ending in .log, and everything in directories called out.
type logs struct{}

func (logs) Ask(paths []string) ([]bool, error) {
	answers := make([]bool, len(paths))
	for i, p := range paths {
		answers[i] = strings.HasSuffix(p, ".log") || p == "out" || strings.HasPrefix(p, "out/") ||
			strings.Contains(p, "/out/") || strings.HasSuffix(p, "/out")
	}
	return answers, nil
}

func listing(lines ...string) *git.Listing {
	l := &git.Listing{}
	for _, line := range lines {
		mode, path, _ := strings.Cut(line, " ")
		f := git.File{Path: path, Mode: mode, ID: strings.Repeat("1", 40)}
		if mode == "unmerged" {
			f = git.File{Path: path, Mode: "100644", Unmerged: true}
		}
		l.Files = append(l.Files, f)
	}
	return l
}

func names(l Listing) string {
	var list []string
	for _, e := range l.Entries {
		switch {
		case e.PassThrough:
			e.Name += "?"
		case e.Kind == snapshot.Directory:
			e.Name += "/"
		case e.Kind == snapshot.Symlink:
			e.Name += "@"
		case e.Kind == snapshot.Special:
			e.Name += "!"
		case e.ID == "":
			e.Name += "*" // from the working tree
		}
		list = append(list, e.Name)
	}
	return strings.Join(list, " ")
}

func listed(t *testing.T, w Tree, dir string) string {
	t.Helper()
	l, err := w.List(dir, 99)
	if err != nil {
		t.Fatal(err)
	}
	return names(l)
}

// TestListed covers names that sort around a slash, a file and a directory with the same name, and hidden entries.
func TestListed(t *testing.T) {
	l := NewListed("", listing("100644 a-b", "100644 a.b", "100644 a/b/c", "100644 a/d", "100644 a0", "120000 link",
		"160000 sub", "unmerged u", "100644 u/x"), nil, "/top")
	for dir, want := range map[string]string{".": "a/ a-b a.b a0 link@ sub! u/", "a": "b/ d", "a/b": "c",
		"sub": ".git*"} {
		if got := listed(t, l, dir); got != want {
			t.Errorf("List(%s) = %q, want %q", dir, got, want)
		}
	}
	if _, err := l.List(".", 6); !errors.Is(err, ErrTooMany) {
		t.Errorf("List of too many = %v", err)
	}
	for path, want := range map[string]error{"a": nil, "a/b": nil, "a/d": ErrNotDirectory, "a/d/x": ErrNotDirectory,
		"link/x": ErrNotDirectory, "sub/x": ErrNotDirectory, "gone": fs.ErrNotExist, "a/gone/x": fs.ErrNotExist} {
		if _, err := l.List(path, 9); !errors.Is(err, want) {
			t.Errorf("List(%s) = %v, want %v", path, err, want)
		}
	}
	if e, err := l.Stat("sub"); err != nil || !e.Walkable() || e.Kind == snapshot.Directory {
		t.Errorf("a submodule is %+v, %v", e, err)
	}
}

// TestStaged: the tree is the index with git's ignored files, and nothing else from the working tree.
func TestStaged(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	for _, f := range []string{"r/kept.md", "r/changed.md", "r/new.md", "r/x.log", "r/out/deep/y", "r/untracked/z",
		"r/mixed/a", "r/mixed/deep/b.log", "r/repo/.git/HEAD", "way/r/x.log"} {
		write(t, filepath.Join(dir, f), f)
	}
	write(t, filepath.Join(outside, "x.log"), "secret")
	write(t, filepath.Join(dir, "elsewhere", "x.log"), "near")
	for name, target := range map[string]string{"far": outside, "near": "elsewhere"} {
		if err := os.Symlink(target, filepath.Join(dir, "r", name)); err != nil {
			t.Skip("no links: " + err.Error())
		}
	}
	w := open(t, dir)
	index := listing("100644 r/changed.md", "100644 r/far/x", "100644 r/gone/x", "100644 r/kept.md", "100644 r/near/x")
	s := NewIndex(NewListed("", index, nil, dir), w, logs{})
	if got := listed(t, s, "."); got != "elsewhere? r/ way?" {
		t.Errorf("List(.) = %q", got)
	}
	for _, c := range []struct{ dir, want, existing string }{
		{"r", "changed.md far/ gone/ kept.md mixed? near/ out/ repo? untracked? x.log*",
			"changed.md far/ gone/ kept.md mixed/ near/ out/ x.log*"},
		{"r/far", "x", "x"}, {"r/near", "x", "x"}, {"r/gone", "x", "x"}, {"r/mixed", "deep?", "deep/"},
		{"r/mixed/deep", "b.log*", "b.log*"},
		{"r/repo", ".git/", ".git/"}, {"r/out", "deep/", "deep/"}, {"r/out/deep", "y*", "y*"},
	} {
		if got := listed(t, s, c.dir); got != c.want {
			t.Errorf("List(%s) = %q, want %q", c.dir, got, c.want)
		}
		if got, err := Existing(s, c.dir, 99); err != nil || names(got) != c.existing {
			t.Errorf("Existing(%s) = %q, %v, want %q", c.dir, names(got), err, c.existing)
		}
	}
	if c, err := s.Read("r/out/deep/y", Entry{Name: "y"}, 99); err != nil || string(c.Data) != "r/out/deep/y" {
		t.Errorf("Read = %q, %v", c.Data, err)
	}
	for path, want := range map[string]bool{"r/kept.md": true, "r/new.md": false, "r/x.log": true, "r/gone": true,
		"r/out": true, "nowhere": false} {
		if _, err := s.Stat(path); (err == nil) != want {
			t.Errorf("Stat(%s) = %v, want it there: %v", path, err, want)
		}
	}
	if _, err := s.List("r/x.log", 9); err == nil {
		t.Error("an ignored file lists as a directory")
	}
	if got, err := s.Ask([]string{"r/kept.md", "r/out/anything", "r/new.md", "z.log"}); err != nil ||
		!slices.Equal(got, []bool{false, true, false, true}) {
		t.Errorf("Ask = %v, %v", got, err)
	}
}
