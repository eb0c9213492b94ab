package ignore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/testdata/gittest"
)

func of(t *testing.T, ctx context.Context, top string) *Rules {
	t.Helper()
	w, err := tree.OpenWorktree(top)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return New(ctx, git.Find(top, git.Settings{Environ: gittest.Environ(), Dir: top}), w)
}

func TestIgnores(t *testing.T) {
	top := gittest.Repository(t, map[string]string{".gitignore": "out/\ndir/\n*.log\n!keep.log\n", "a/x": "",
		"sub/keep": ""})
	gittest.Write(t, top, map[string]string{"out/tracked": "", "dir/x": ""})
	gittest.Run(t, top, "add", "-f", "out/tracked")
	gittest.Run(t, top, "init", "-q", "module")
	gittest.Run(t, filepath.Join(top, "module"), "commit", "-q", "--allow-empty", "-m", "x")
	gittest.Run(t, top, "add", "module")
	if err := os.RemoveAll(filepath.Join(top, "module", ".git")); err != nil {
		t.Fatal(err)
	}
	gittest.Write(t, top, map[string]string{"module/inner": ""})
	if err := os.Symlink("a", filepath.Join(top, "link")); err != nil {
		t.Fatal(err)
	}
	g := of(t, t.Context(), top)
	cases := []struct {
		path string
		want bool
	}{
		{"a", false}, {"dir", true}, {"dir/new", true}, {"out", false}, {"out/new", true}, {"out/tracked", false},
		{"a/b.log", true}, {"a/keep.log", false}, {"module", false},
		{"module/inner", false}, {"module/inner.log", false}, {"link/x.log", false}, {":!x", false},
		{":(top)x.log", true}, {"a\nb.log", true},
		{"\xff.log", true}, {" b.log", true}, {"-v.log", true}, {"link", false}, {"gone/x.log", true},
	}
	var paths []string
	for _, c := range cases {
		paths = append(paths, c.path)
	}
	for range 2 {
		got, err := g.Ask(paths)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range cases {
			if got[i] != c.want {
				t.Errorf("%q is ignored: %v, want %v", c.path, got[i], c.want)
			}
		}
	}
}

// TestPathsBeyondLinkAreNotIgnored: paths beyond a link are not ignored, whatever their names.
func TestPathsBeyondLinkAreNotIgnored(t *testing.T) {
	top := gittest.Repository(t, map[string]string{".gitignore": "*.log\n", "a/x": ""})
	if err := os.Symlink("a", filepath.Join(top, "link")); err != nil {
		t.Fatal(err)
	}
	g := of(t, t.Context(), top)
	paths := []string{"a/b.log", "link"}
	for i := range 200 {
		paths = append(paths, fmt.Sprintf("link/%d.log", i), fmt.Sprintf("link/sub/%d.log", i),
			fmt.Sprintf("links/%d.log", i))
	}
	got, err := g.Ask(paths)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range paths {
		if want := strings.HasSuffix(p, ".log") && !strings.HasPrefix(p, "link/"); got[i] != want {
			t.Errorf("%q is ignored: %v, want %v", p, got[i], want)
		}
	}
}

// TestManyQuestions asks about many long paths.
func TestManyQuestions(t *testing.T) {
	top := gittest.Repository(t, map[string]string{".gitignore": "*.log\n"})
	g := of(t, t.Context(), top)
	paths := make([]string, 5000)
	for i := range paths {
		paths[i] = strings.Repeat("long directory name/", 10) + "x.log"
	}
	got, err := g.Ask(paths)
	if err != nil || len(got) != len(paths) || slices.Contains(got, false) {
		t.Errorf("Ask = %d answers, %v", len(got), err)
	}
}

// TestDeepPaths: everything in an ignored directory is ignored at any depth.
func TestDeepPaths(t *testing.T) {
	top := gittest.Repository(t, map[string]string{".gitignore": "out/\n"})
	g := of(t, t.Context(), top)
	gittest.Write(t, top, map[string]string{"out/x": ""})
	deep := strings.Repeat("d/", 60)
	got, err := g.Ask([]string{"a", deep + "x", "out/" + deep + "x", "b", deep + "y", "out"})
	want := []bool{false, false, true, false, false, true}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("Ask = %v, %v, want %v", got, err, want)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := of(t, ctx, gittest.Repository(t, nil))
	cancel()
	if _, err := r.Ask([]string{"x"}); fault.From(err, "").Kind != fault.Cancelled {
		t.Errorf("Ask = %v, want a cancelled failure", err)
	}
}
