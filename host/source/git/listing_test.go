package git

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/testdata/gittest"
)

func shownListing(l *Listing) string {
	var lines []string
	for _, f := range l.Files {
		state := "settled"
		if f.Unmerged {
			state = "unmerged"
		}
		lines = append(lines, f.Mode+" "+f.Path+" "+state)
	}
	return strings.Join(lines, "\n")
}

// TestListings lists the index, as the next commit would contain it, and a commit, in both kinds of repository.
func TestListings(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		dir := t.TempDir()
		gittest.Run(t, dir, "init", "-q", "-b", "main", "--object-format="+format)
		gittest.Write(t, dir, map[string]string{"a/b": "1", "a-b": "2", "a.b": "3", "gone": "4", "...x/..y": "5"})
		if err := os.Symlink("a", filepath.Join(dir, "link")); err != nil {
			t.Fatal(err)
		}
		gittest.Run(t, dir, "add", "-A")
		gittest.Run(t, dir, "commit", "-q", "-m", "one")
		r := find(t, dir)
		id, err := r.Commit(context.Background(), "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		committed, err := r.Tree(context.Background(), id)
		if err != nil {
			t.Fatal(err)
		}
		want := "100644 ...x/..y settled\n100644 a-b settled\n100644 a.b settled\n100644 a/b settled\n100644 gone " +
			"settled\n120000 link settled"
		if got := shownListing(committed); got != want {
			t.Errorf("%s: the commit holds\n%s\nwant\n%s", format, got, want)
		}
		gittest.Run(t, dir, "rm", "-q", "gone")
		gittest.Write(t, dir, map[string]string{"untracked": ""})
		staged, err := r.Index(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if got := shownListing(staged); got != strings.Replace(want, "100644 gone settled\n", "", 1) {
			t.Errorf("%s: the index holds\n%s", format, got)
		}
	}
}

func TestUnmerged(t *testing.T) {
	dir := gittest.Repository(t, map[string]string{"x": "1", "y": "1"})
	gittest.Run(t, dir, "checkout", "-q", "-b", "other")
	gittest.Write(t, dir, map[string]string{"x": "2"})
	gittest.Run(t, dir, "commit", "-qam", "two")
	gittest.Run(t, dir, "checkout", "-q", "main")
	gittest.Write(t, dir, map[string]string{"x": "3"})
	gittest.Run(t, dir, "commit", "-qam", "three")
	r := find(t, dir)
	_, _, _ = r.run(context.Background(), "-c", "user.name=a", "-c", "user.email=a@b", "merge", "-q", "other")
	l, err := r.Index(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := shownListing(l), "100644 x unmerged\n100644 y settled"; got != want {
		t.Errorf("the index holds\n%s\nwant\n%s", got, want)
	}
}

func TestListingLookups(t *testing.T) {
	l := &Listing{Files: []File{{Path: "a-b"}, {Path: "a.b"}, {Path: "a/b/c"}, {Path: "a/d"}, {Path: "a0"},
		{Path: "sub", Mode: Gitlink}}}
	for path, want := range map[string]bool{"a": true, "a/b": true, "a/b/c": true, "a/b/c/d": false, "a/": false,
		"b": false, "sub": true, "sub/x/y": true, "a0": true, "a-": false} {
		if got := l.Holds(path); got != want {
			t.Errorf("Holds(%q) = %v, want %v", path, got, want)
		}
	}
	if from, to := l.Within("a"); from != 2 || to != 4 {
		t.Errorf("Within(a) = %d, %d, want 2, 4", from, to)
	}
	if from, to := l.Within("."); from != 0 || to != 6 {
		t.Errorf("Within(.) = %d, %d, want 0, 6", from, to)
	}
}

// debug is what "ls-files --debug" prints after a path.
const debug = "  ctime: 1:2\n  mtime: 1:2\n  dev: 1\tino: 1\n  uid: 0\tgid: 0\n  size: 1\tflags: 0\n"

// TestHostileListings: git's output must have the expected form.
func TestHostileListings(t *testing.T) {
	id := strings.Repeat("1", 40)
	r := newRepo(process{Top: "/top"})
	for _, out := range []string{"x", "100644 " + id + " 0\tx", "100644 zz 0\tx\x00", "100644 " + id + " 0\t../x\x00",
		"100644 " + id + " 0\ta/../x\x00", "100644 " + id + " 0\ta/.\x00",
		"100644 " + id + " 0\t/x\x00", "100644 " + id + " 0\tx/\x00", "100644 " + id + " 0\t\x00",
		"100644 " + id + " 0\ta//b\x00", "100644 " + id + " 4\tx\x00", "\x00"} {
		if l, err := r.listing("ls-files", strings.ReplaceAll(out, "\x00", "\x00"+debug), indexLine); err == nil {
			t.Errorf("%q is taken: %+v", out, l.Files)
		}
	}
	good := "100644 " + id + " 0\tx\x00"
	for _, out := range []string{good, good + debug[:len(debug)-1], good + "\n" + debug, good + debug + "x",
		good + strings.Replace(debug, "0\n", "x\n", 5)} {
		if l, err := r.listing("ls-files", out, indexLine); err == nil {
			t.Errorf("%q is taken: %+v", out, l.Files)
		}
	}
	if l, err := r.listing("ls-files", good+debug, indexLine); err != nil || len(l.Files) != 1 {
		t.Errorf("listing = %+v, %v", l, err)
	}
	l, err := r.listing("ls-tree", "100644 blob "+id+"\tb\x00100644 blob "+id+"\ta\x00", treeLine)
	if err != nil || l.Files[0].Path != "a" {
		t.Errorf("listing = %+v, %v, want it sorted", l, err)
	}
}

// TestUnwritableTrees: paths that no checkout can write are rejected at any depth and in any order.
func TestUnwritableTrees(t *testing.T) {
	dir := gittest.Repository(t, map[string]string{"good": "1", "bad": "2"})
	good, bad := gittest.Run(t, dir, "rev-parse", "HEAD:good"), gittest.Run(t, dir, "rev-parse", "HEAD:bad")
	object := func(entries ...string) string {
		var data []byte
		for _, e := range entries {
			head, id, _ := strings.Cut(e, "=")
			raw, err := hex.DecodeString(id)
			if err != nil {
				t.Fatal(err)
			}
			data = append(append(append(data, head...), 0), raw...)
		}
		gittest.Write(t, dir, map[string]string{"object": string(data)})
		return gittest.Run(t, dir, "hash-object", "-w", "--literally", "-t", "tree", "object")
	}
	one, two := object("100644 x="+good), object("100644 y="+bad)
	for what, c := range map[string]struct {
		id   string
		says string
	}{
		"nothing wrong": {object("100644 a="+good, "100644 a-b="+good, "40000 a.b="+one,
			"100644 digits="+good, "100644 .gitignore="+good), ""},
		"a file twice": {object("100644 x="+good, "100644 x="+bad), `"x" occurs twice`},
		"a file twice, apart": {object("100644 x="+good, "100644 y="+good, "100644 x="+bad),
			`"x" occurs twice`},
		"a directory twice": {object("40000 d="+one, "40000 d="+two), `"d" occurs twice`},
		"a file and a directory": {object("100644 d="+good, "100644 d-e="+good, "40000 d="+one),
			`"d" occurs twice`},
		"further down": {object("40000 d=" + object("100644 x="+good, "120000 x="+bad)),
			`"d/x" occurs twice`},
		"a file called .git": {object("40000 d=" + object("100644 .git="+good, "100644 x="+good)),
			`"d/.git" has a name`},
		"a directory called .GIT":     {object("40000 .GIT=" + one), `".GIT" has a name`},
		"git's own by its short name": {object("100644 git~1=" + good), `"git~1" has a name`},
		"git's own on HFS+":           {object("100644 .g\u200cit=" + good), `has a name`},
	} {
		_, err := find(t, dir).Tree(context.Background(), c.id)
		var f *fault.Failure
		if c.says == "" && err != nil || c.says != "" &&
			(!errors.As(err, &f) || f.Kind != fault.Source || !strings.Contains(f.Message, c.says)) {
			t.Errorf("%s: got %v, want %q", what, err, c.says)
		}
	}
}

func TestParents(t *testing.T) {
	a, b := strings.Repeat("a", 40), strings.Repeat("b", 40)
	got := parents("tree 1\nparent " + a + "\nparent " + b + "\nauthor x\n\nparent " + a + "\n")
	if !slices.Equal(got, []string{a, b}) {
		t.Errorf("parents = %q", got)
	}
}

// TestLost: the removed files are listed with their former content.
func TestLost(t *testing.T) {
	dir := gittest.Repository(t, map[string]string{"kept": "1", "a/gone": "3", "file": "4", "dir/x": "5"})
	gittest.Run(t, dir, "rm", "-q", "-r", "a/gone", "file", "dir")
	gittest.Write(t, dir, map[string]string{"file/x": "4", "dir": "5", "new": ""})
	gittest.Run(t, dir, "add", "-A")
	changes, err := find(t, dir).ChangedInIndex(t.Context(), gittest.Run(t, dir, "rev-parse", "HEAD"))
	if err != nil {
		t.Fatal(err)
	}
	if got := shownListing(Lost(changes)); got != "100644 a/gone settled\n100644 dir/x settled\n100644 file settled" {
		t.Errorf("lost are\n%s", got)
	}
}

// TestNestedTreeBombIsRejected: nested directories with ten entries each, nine levels deep, give a billion paths in a
// few kilobytes. They are rejected before they use up the memory.
func TestNestedTreeBombIsRejected(t *testing.T) {
	top := gittest.Repository(t, map[string]string{"d/x": "x"})
	tree := gittest.Run(t, top, "rev-parse", "HEAD:d")
	for range 9 {
		var entries strings.Builder
		for i := range 10 {
			fmt.Fprintf(&entries, "040000 tree %s\t%s%d\n", tree, strings.Repeat("a-long-name-", 20), i)
		}
		name := filepath.Join(top, "entries")
		if err := os.WriteFile(name, []byte(entries.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		tree = gittest.Run(t, top, "-c", "alias.tree=!git mktree < '"+name+"'", "tree")
	}
	r := find(t, top)
	r.most = 1 << 20
	if _, err := r.Tree(context.Background(), tree); err == nil ||
		!strings.Contains(err.Error(), "printed more than 1 MiB") {
		t.Errorf("got %v", err)
	}
}
