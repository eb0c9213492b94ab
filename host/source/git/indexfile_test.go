package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/testdata/gittest"
)

// TestIndexFile holds that the file of the index is read as git prints it, or left to git.
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
		{"intended and skipped", [][]string{{"rm", "-q", "--cached", "gone"}, {"add", "-N", "gone"}, {"update-index", "--skip-worktree", "a/b"}, {"update-index", "--chmod=+x", "a-b"}}, true},
		{"a submodule and a long path", [][]string{{"update-index", "--add", "--cacheinfo", "160000," + strings.Repeat("1", 40) + ",m"},
			{"update-index", "--add", "--cacheinfo", "100644," + strings.Repeat("2", 40) + "," + long}}, true},
		{"empty", [][]string{{"rm", "-rqf", "--cached", "."}}, true},
		{"split", [][]string{{"update-index", "--split-index"}}, false},
		{"sparse", [][]string{{"sparse-checkout", "init", "--cone", "--sparse-index"}, {"sparse-checkout", "set", "s"}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
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
			if want, err := r.Index(context.Background(), "."); err != nil || !slices.Equal(all.Files, want.Files) || taken && !slices.Equal(got.Files, want.Files) {
				t.Errorf("it holds\n%+v, %v\nwant\n%+v", all, err, want)
			}
		})
	}
}

// TestDamagedIndexFile: where it is cut it is left to git, unless an extension is missing as a whole. Nothing is read beyond the end.
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

// TestIndexFileOfTheEnvironment: "git commit -a" has its hook look at an index of its own.
func TestIndexFileOfTheEnvironment(t *testing.T) {
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
