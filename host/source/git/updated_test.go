package git

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestUpdated: a directory's time is that of the last commit that changed it or, if the working tree differs, of its
// newest file. The working tree differs by a changed, new, ignored or deleted file.
func TestUpdated(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := Settings{Environ: append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=a",
		"GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"), Dir: top}
	git := func(date string, args ...string) {
		t.Helper()
		c := exec.Command("git", args...)
		c.Dir, c.Env = top, append(s.Environ, "GIT_COMMITTER_DATE="+date)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	long := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	n := 0
	write := func(name string) {
		t.Helper()
		n++ // all sizes differ, because git may compare only sizes
		full := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(name+strings.Repeat("x", n)), 0o644); err != nil {
			t.Fatal(err)
		}
		for ; full != top; full = filepath.Dir(full) {
			if err := os.Chtimes(full, long, long); err != nil {
				t.Fatal(err)
			}
		}
	}
	git("", "init", "-q")
	write("x/one/a b")
	write("x/two/ä\n")
	write("x/three/a")
	write("x/four/a")
	write("top/a")
	git("2026-01-01T00:00:00Z", "add", "-A")
	git("2026-01-01T00:00:00Z", "commit", "-qm", "first")
	write("x/two/b")
	git("", "add", "-A")
	git("2026-02-02T00:00:00Z", "commit", "-qm", "second")
	write("x/three/a") // changed
	write("x/four/new")
	write("x/five/a")
	write(".gitignore")
	if err := os.WriteFile(filepath.Join(top, ".gitignore"), []byte("hidden\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	write("hidden/six/a")
	dirs := []string{"x/one", "x/two", "x/three", "x/four", "x/five", "hidden/six", "top", "gone"}
	first, second := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 2, 2, 0, 0, 0, 0, time.UTC)
	want := map[string]Update{
		"x/one": {At: first, By: "a"}, "x/two": {At: second, By: "a"}, "top": {At: first, By: "a"}, "gone": {},
		"x/three":    {At: long, Uncommitted: true, Files: []string{"x/three/a"}},
		"x/four":     {At: long, Uncommitted: true, Files: []string{"x/four/new"}},
		"x/five":     {At: long, Uncommitted: true, Files: []string{"x/five"}},
		"hidden/six": {At: long, Uncommitted: true},
	}
	got := Updated(context.Background(), 10*time.Second, Find(top, s), top, "", dirs)
	for _, d := range dirs {
		if !got[d].At.Equal(want[d].At) || got[d].Uncommitted != want[d].Uncommitted || got[d].By != want[d].By ||
			!slices.Equal(got[d].Files, want[d].Files) {
			t.Errorf("%s: %v, want %v", d, got[d], want[d])
		}
	}
	all := Updated(context.Background(), 10*time.Second, Find(top, s), top, "", []string{"x/two", "x/five", "."})
	if !all["x/two"].At.Equal(second) || all["x/two"].Uncommitted || !all["x/five"].Uncommitted ||
		!all["."].Uncommitted {
		t.Errorf("with the top itself: %v", all)
	}
	old := Updated(context.Background(), 10*time.Second, Find(top, s), top, "HEAD~1",
		[]string{"x/two", "x/three", "x/five"})
	if !old["x/two"].At.Equal(first) || !old["x/three"].At.Equal(first) || !old["x/five"].At.IsZero() {
		t.Errorf("of a commit: %v", old)
	}
	without := Updated(context.Background(), 10*time.Second, nil, top, "", []string{"x/one"})
	if !without["x/one"].At.Equal(long) || without["x/one"].Uncommitted {
		t.Errorf("without git: %v", without)
	}
}
