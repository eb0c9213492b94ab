package tree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/snapshot"
)

// logs ignores what ends in .log, and all of a directory called out.
type logs struct{}

func (logs) Ask(paths []string) ([]bool, error) {
	answers := make([]bool, len(paths))
	for i, p := range paths {
		answers[i] = strings.HasSuffix(p, ".log") || p == "out" || strings.HasPrefix(p, "out/") || strings.Contains(p, "/out/") || strings.HasSuffix(p, "/out")
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
		case e.Kind == snapshot.Directory:
			e.Name += "/"
		case e.Kind == snapshot.Symlink:
			e.Name += "@"
		case e.Kind == snapshot.Special:
			e.Name += "!"
		case e.ID == "":
			e.Name += "*" // of the work tree
		}
		list = append(list, e.Name)
	}
	return strings.Join(list, " ")
}

func scanned(t *testing.T, w Walkable, dir string) string {
	t.Helper()
	var list []string
	err := w.Scan(dir, func(name string, mode fs.FileMode) {
		switch {
		case mode&PassThrough != 0:
			name += "?"
		case mode.IsDir():
			name += "/"
		}
		list = append(list, name)
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// TestListed: names that sort around a slash, both kinds of one name, what is hidden.
func TestListed(t *testing.T) {
	l := NewListed(listing("100644 a-b", "100644 a.b", "100644 a/b/c", "100644 a/d", "100644 a0", "120000 link", "160000 sub", "unmerged u", "100644 u/x"), nil, "/top")
	for dir, want := range map[string]string{".": "a-b a.b a/ a0 link sub/ u u/", "a": "b/ d", "a/b": "c", "sub": ".git"} {
		if got := scanned(t, l, dir); got != want {
			t.Errorf("Scan(%s) = %q, want %q", dir, got, want)
		}
	}
	d, err := l.Open(context.Background(), ".")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := d.List(".", 9); err != nil || names(got) != "a/ a-b a.b a0 link@ sub! u/" {
		t.Errorf("List = %q, %v", names(got), err)
	}
	if _, err := d.List(".", 6); !errors.Is(err, ErrTooMany) {
		t.Errorf("List of too many = %v", err)
	}
	for path, want := range map[string]error{"a": nil, "a/b": nil, "a/d": ErrNotDirectory, "a/d/x": ErrNotDirectory, "link/x": ErrNotDirectory, "sub": ErrNotDirectory, "gone": fs.ErrNotExist, "a/gone/x": fs.ErrNotExist} {
		if _, err := l.Open(context.Background(), path); !errors.Is(err, want) {
			t.Errorf("Open(%s) = %v, want %v", path, err, want)
		}
	}
	l.Hide("a/b/c")
	l.Hide("a-b")
	if got := scanned(t, l, ".") + ", " + scanned(t, l, "a"); got != "a.b a/ a0 link sub/ u u/, d" {
		t.Errorf("with files hidden: %q", got)
	}
}

// TestStaged: what git ignores lies beside the index, and nothing else of the work tree.
func TestStaged(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	for _, f := range []string{"r/kept.md", "r/changed.md", "r/new.md", "r/x.log", "r/out/deep/y", "r/untracked/z", "r/mixed/a", "r/mixed/deep/b.log", "r/repo/.git/HEAD", "way/r/x.log"} {
		write(t, filepath.Join(dir, f), f)
	}
	write(t, filepath.Join(outside, "x.log"), "secret")
	write(t, filepath.Join(dir, "elsewhere", "x.log"), "near")
	for name, target := range map[string]string{"far": outside, "near": "elsewhere"} {
		if err := os.Symlink(target, filepath.Join(dir, "r", name)); err != nil {
			t.Skip("no links: " + err.Error())
		}
	}
	w, _ := open(t, dir)
	index := listing("100644 r/changed.md", "100644 r/far/x", "100644 r/gone/x", "100644 r/kept.md", "100644 r/near/x")
	s := NewStaged(NewListed(index, nil, dir), w, logs{})
	if got := scanned(t, s, "."); got != "elsewhere? r/ way?" {
		t.Errorf("Scan(.) = %q", got)
	}
	for _, c := range []struct{ dir, want string }{ // as a walk comes upon them
		{"r", "changed.md far/ gone/ kept.md mixed? near/ out/ repo? untracked? x.log"}, {"r/far", "x"}, {"r/near", "x"}, {"r/gone", "x"},
		{"r/mixed", "deep?"}, {"r/mixed/deep", "b.log"}, {"r/repo", ".git/"},
	} {
		if got := scanned(t, s, c.dir); got != c.want {
			t.Errorf("Scan(%s) = %q, want %q", c.dir, got, c.want)
		}
	}
	d, err := s.Open(context.Background(), "r")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, c := range []struct{ dir, want string }{
		{".", "changed.md far/ gone/ kept.md mixed/ near/ out/ x.log*"}, {"far", "x"}, {"near", "x"}, {"gone", "x"}, {"mixed", "deep/"}, {"mixed/deep", "b.log*"}, {"out", "deep/"}, {"out/deep", "y*"},
	} {
		if got, err := d.List(c.dir, 99); err != nil || names(got) != c.want {
			t.Errorf("List(%s) = %q, %v, want %q", c.dir, names(got), err, c.want)
		}
	}
	if c, err := d.Read("out/deep/y", Entry{Name: "y"}, 99); err != nil || string(c.Data) != "r/out/deep/y" {
		t.Errorf("Read = %q, %v", c.Data, err)
	}
	for path, want := range map[string]bool{"r/kept.md": true, "r/new.md": false, "r/x.log": true, "r/gone": true, "r/out": true, "nowhere": false} {
		if _, err := s.Mode(path); (err == nil) != want {
			t.Errorf("Mode(%s) = %v, want it there: %v", path, err, want)
		}
	}
	if _, err := s.Open(context.Background(), "r/x.log"); err == nil {
		t.Error("an ignored file opens as a directory")
	}
	if got, err := s.Ask([]string{"r/kept.md", "r/out/anything", "r/new.md", "z.log"}); err != nil || !slices.Equal(got, []bool{false, true, false, true}) {
		t.Errorf("Ask = %v, %v", got, err)
	}
}

func TestParents(t *testing.T) {
	a, b := strings.Repeat("a", 40), strings.Repeat("b", 40)
	got := parents([]byte("tree 1\nparent " + a + "\nparent " + b + "\nauthor x\n\nparent " + a + "\n"))
	if !slices.Equal(got, []string{a, b}) {
		t.Errorf("parents = %q", got)
	}
}
