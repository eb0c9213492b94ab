package git

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/testdata/gittest"
)

// TestIndexFile: the index file is read as git prints it, or left to git.
func TestIndexFile(t *testing.T) {
	long := strings.Repeat("d/", 2050) + "x" // its length does not fit into the flags
	files := map[string]string{"a/b": "1", "a-b": "2", "a.b": "3", "gone": "", "é/ü": "5", "s/one": "6", "s/two": "7"}
	for i := range 200 {
		files[fmt.Sprintf("many/%d/%d", i%7, i)] = "x"
	}
	for _, c := range []struct {
		name  string
		do    [][]string
		taken bool
	}{
		{"version 2", [][]string{{"update-index", "--index-version=2"}}, true},
		{"version 4", [][]string{{"update-index", "--index-version=4"}}, true},
		{"intended and skipped", [][]string{{"rm", "-q", "--cached", "gone"}, {"add", "-N", "gone"},
			{"update-index", "--skip-worktree", "a/b"}, {"update-index", "--chmod=+x", "a-b"}}, true},
		{"a submodule and a long path", [][]string{{"update-index", "--add", "--cacheinfo",
			"160000," + strings.Repeat("1", 40) + ",m"},
			{"update-index", "--add", "--cacheinfo", "100644," + strings.Repeat("2", 40) + "," + long}}, true},
		{"empty", [][]string{{"rm", "-rqf", "--cached", "."}}, true},
		{"split", [][]string{{"update-index", "--split-index"}}, false},
		{"sparse", [][]string{{"sparse-checkout", "init", "--cone", "--sparse-index"}, {"sparse-checkout", "set", "s"}},
			false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "sparse" && !gittest.Since(t, 2, 34) {
				t.Skip("this git has no sparse index, which came with 2.32")
			}
			dir := gittest.Repository(t, files)
			for _, args := range c.do {
				gittest.Run(t, dir, args...)
			}
			r := find(t, dir)
			got, taken := r.indexFile()
			if taken != c.taken {
				t.Fatalf("taken: %t, want %t", taken, c.taken)
			}
			all, err := r.Index(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if want, err := r.Index(context.Background(), "."); err != nil || !slices.Equal(all.Files, want.Files) ||
				taken && !slices.Equal(got.Files, want.Files) {
				t.Errorf("it holds\n%+v, %v\nwant\n%+v", all, err, want)
			}
		})
	}
}

// TestTreeLike: the listing of a commit is the same whether or not the index equals its tree.
func TestTreeLike(t *testing.T) {
	for _, c := range []struct {
		name string
		do   []string
		same bool
	}{
		{"as committed", []string{"status"}, true},
		{"left out by a sparse checkout", []string{"sparse-checkout", "set", "--no-cone", "a"}, true},
		{"a staged change", []string{"update-index", "--chmod=+x", "a/b"}, false},
		{"a staged removal", []string{"rm", "-q", "--cached", "d"}, false},
		{"an earlier commit", []string{"commit", "-q", "--allow-empty", "-m", "two"}, true},
		{"another commit", []string{"commit", "-qam", "two"}, false},
	} {
		dir := gittest.Repository(t, map[string]string{"a/b": "1", "a/c": "2", "d": "3"})
		id := strings.TrimSpace(gittest.Run(t, dir, "rev-parse", "HEAD"))
		gittest.Write(t, dir, map[string]string{"a/c": "changed"})
		gittest.Run(t, dir, c.do...)
		r := find(t, dir)
		index, err := r.Index(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		want, err := r.Tree(context.Background(), id)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.TreeLike(context.Background(), id, index)
		if err != nil || !slices.Equal(got.Files, want.Files) {
			t.Errorf("%s: %+v, %v, want %+v", c.name, got, err, want)
		}
		tree := strings.TrimSpace(gittest.Run(t, dir, "rev-parse", id+"^{tree}"))
		if same := index.tree == tree; same != c.same {
			t.Errorf("%s: the index is the commit: %t, want %t", c.name, same, c.same)
		}
	}
}

// TestDamagedIndexFile: a truncated file is left to git, unless only a whole extension is missing. Nothing is read
// beyond the end.
func TestDamagedIndexFile(t *testing.T) {
	for _, version := range []string{"2", "4"} {
		dir := gittest.Repository(t, map[string]string{"a/b": "1", "a/c": "2", "d": "3"})
		gittest.Run(t, dir, "update-index", "--index-version="+version)
		good, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
		if err != nil {
			t.Fatal(err)
		}
		whole, ok := parseIndex(slices.Clone(good))
		if !ok {
			t.Fatal("the index is not taken")
		}
		for i := range good {
			if l, ok := parseIndex(slices.Clone(good[:i])); ok && !slices.Equal(l.Files, whole.Files) {
				t.Errorf("the first %d bytes hold %+v", i, l)
			}
			for _, by := range []byte{1, 0x80, 0xff} {
				changed := slices.Clone(good)
				changed[i] ^= by
				if l, ok := parseIndex(changed); ok && len(l.Files) != len(whole.Files) {
					t.Errorf("with byte %d changed it holds %+v", i, l)
				}
			}
		}
	}
	if _, ok := parseIndex([]byte("DIRC\x00\x00\x00\x02\xff\xff\xff\xff" + strings.Repeat("\x00", 1000))); ok {
		t.Error("a count beyond the file is taken")
	}
}

// TestHostileIndexFile: for an entry that is a directory, the listing contains what git would commit, which is the
// directory's content. If git commits the entry itself, that is a failure. A file in place of a directory, which git
// does not commit, is rejected.
func TestHostileIndexFile(t *testing.T) {
	dir := gittest.Repository(t, map[string]string{"a/b": "1", "d-e": "2", "d/f": "3"})
	name := filepath.Join(dir, ".git", "index")
	index, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := hex.DecodeString(strings.TrimSpace(gittest.Run(t, dir, "rev-parse", "HEAD:d")))
	if err != nil {
		t.Fatal(err)
	}
	entries := index[:bytes.Index(index, []byte("TREE"))] // so that git trusts them
	listing := func(old, with string) (string, error) {
		changed := bytes.Replace(entries, []byte(old), []byte(with), 1)
		sum := sha1.Sum(changed)
		if err := os.WriteFile(name, append(changed, sum[:]...), 0o600); err != nil || bytes.Equal(changed, entries) {
			t.Fatalf("%q is not in the index: %v", old, err)
		}
		l, err := find(t, dir).Index(context.Background())
		if err != nil {
			return "", err
		}
		return shownListing(l), nil
	}
	file := entries[indexHead+atMode : indexHead+atFlags] // mode, user, group, size and id of a/b
	got, err := listing(string(file), "\x00\x00\x40\x00"+string(file[4:16])+string(tree))
	want := "100644 a/bf settled\n100644 d-e settled\n100644 d/f settled"
	switch old := !gittest.Since(t, 2, 34); {
	case old && (err == nil || !strings.Contains(err.Error(), `0\ta/b", expected mode, object id and path`)):
		t.Errorf("a directory, which this git commits as it is, holds\n%s, %v", got, err)
	case !old && (err != nil || got != want):
		t.Errorf("a directory holds\n%s, %v\nwant\n%s", got, err, want)
	}
	if got, err := listing("\x00\x03d-e\x00\x00\x00\x00\x00\x00\x00", "\x00\x01d\x00"); err == nil ||
		!strings.Contains(err.Error(), `"d" occurs twice`) {
		t.Errorf("a file in the place of a directory is\n%s, %v", got, err)
	}
}

// TestIndexFileFromEnvironment: "git commit -a" gives its hook a separate index.
func TestIndexFileFromEnvironment(t *testing.T) {
	dir := gittest.Repository(t, map[string]string{"a": "1"})
	r := find(t, dir)
	before, _ := r.indexFile()
	other := filepath.Join(t.TempDir(), "other")
	r.environ = append(r.environ, "GIT_INDEX_FILE="+other)
	if l, ok := r.indexFile(); ok {
		t.Errorf("an index that is not there is %+v", l)
	}
	data, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, data, 0o600); err != nil {
		t.Fatal(err)
	}
	gittest.Run(t, dir, "rm", "-q", "a")
	if l, ok := r.indexFile(); !ok || !reflect.DeepEqual(l, before) {
		t.Errorf("the other index is %+v, %t, want %+v", l, ok, before)
	}
}
