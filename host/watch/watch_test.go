package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// soon waits for nothing longer than a test needs: a change is told or the test fails.
var soon = Options{Quiet: 5 * time.Millisecond, Patience: 50 * time.Millisecond, Every: time.Hour}

// deadline is generous: a busy machine is not a fault.
const deadline = 30 * time.Second

func watching(t *testing.T, o Options, dirs ...string) *Watcher {
	t.Helper()
	w := New(o)
	t.Cleanup(w.Close)
	w.Set(dirs)
	if w.Polling() != "" {
		t.Fatalf("it polls: %s", w.Polling())
	}
	changed(t, w) // that it began
	return w
}

// changed fails unless a change is told.
func changed(t *testing.T, w *Watcher) Change {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	c, err := w.Wait(ctx, 0)
	if err != nil || !c.All && len(c.Paths) == 0 {
		t.Fatalf("no change is told: %v, %v", c, err)
	}
	return c
}

// silence is how long nothing must be told.
const silence = 150 * time.Millisecond

// quiet fails if a change is told.
func quiet(t *testing.T, w *Watcher) {
	t.Helper()
	start := time.Now()
	if c, err := w.Wait(context.Background(), silence); err != nil || time.Since(start) < silence {
		t.Fatalf("a change is told where there is none: %v, %v", c, err)
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	check(t, os.WriteFile(path, []byte(text), 0o644))
}

func check(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// TestTells: whatever changes in a watched directory is told, and nothing else.
func TestTells(t *testing.T) {
	for name, do := range map[string]func(t *testing.T, dir, outside string){
		"write":  func(t *testing.T, dir, _ string) { write(t, dir+"/file", "new") },
		"create": func(t *testing.T, dir, _ string) { write(t, dir+"/other", "") },
		"remove": func(t *testing.T, dir, _ string) { check(t, os.Remove(dir+"/file")) },
		"replace": func(t *testing.T, dir, out string) {
			write(t, out+"/t", "new")
			check(t, os.Rename(out+"/t", dir+"/file"))
		},
		"rename":   func(t *testing.T, dir, _ string) { check(t, os.Rename(dir+"/file", dir+"/name")) },
		"move out": func(t *testing.T, dir, out string) { check(t, os.Rename(dir+"/file", out+"/name")) },
		"mkdir":    func(t *testing.T, dir, _ string) { check(t, os.Mkdir(dir+"/new", 0o755)) },
		"rmdir":    func(t *testing.T, dir, _ string) { check(t, os.Remove(dir+"/sub")) },
		"move a dir in": func(t *testing.T, dir, out string) {
			check(t, os.Mkdir(out+"/d", 0o755), os.Rename(out+"/d", dir+"/d"))
		},
		"move a dir out": func(t *testing.T, dir, out string) { check(t, os.Rename(dir+"/sub", out+"/d")) },
		"symlink":        func(t *testing.T, dir, _ string) { check(t, os.Symlink("file", dir+"/link")) },
		"chmod":          func(t *testing.T, dir, _ string) { check(t, os.Chmod(dir+"/file", 0o600)) },
		"remove itself":  func(t *testing.T, dir, _ string) { check(t, os.RemoveAll(dir)) },
		"move itself":    func(t *testing.T, dir, out string) { check(t, os.Rename(dir, out+"/d")) },
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && name == "chmod" {
				t.Skip("Windows has no modes")
			}
			t.Parallel()
			dir, outside := filepath.Join(t.TempDir(), "dir"), t.TempDir()
			check(t, os.MkdirAll(dir+"/sub", 0o755))
			write(t, dir+"/file", "old")
			w := watching(t, soon, dir)
			write(t, outside+"/noise", "")
			quiet(t, w)
			do(t, dir, outside)
			changed(t, w)
			quiet(t, w)
		})
	}
}

// TestMoved: a directory that moved is watched under its new name, and another one
// that takes the old name, too.
func TestMoved(t *testing.T) {
	root := t.TempDir()
	a, b := root+"/a", root+"/b"
	check(t, os.MkdirAll(a+"/in", 0o755))
	w := watching(t, soon, root, a, a+"/in")
	check(t, os.Rename(a, b))
	changed(t, w)
	w.Set([]string{root, b, b + "/in"})
	changed(t, w)
	write(t, b+"/in/file", "1")
	changed(t, w)
	w.Set([]string{root, b, b + "/in"}) // a file is new: the watches stay
	quiet(t, w)
	check(t, os.MkdirAll(a+"/in", 0o755))
	changed(t, w)
	w.Set([]string{root, a, a + "/in", b, b + "/in"})
	changed(t, w)
	for _, file := range []string{a + "/in/file", b + "/in/file"} {
		write(t, file, "2")
		changed(t, w)
	}
}

// TestReplaced: a directory is taken away and another one put in its place, so that
// the set of names stays the same.
func TestReplaced(t *testing.T) {
	root := t.TempDir()
	a := root + "/a"
	check(t, os.Mkdir(a, 0o755))
	w := watching(t, soon, root, a)
	for i := range 5 {
		check(t, os.RemoveAll(a), os.Mkdir(a, 0o755))
		changed(t, w)
		w.Set([]string{root, a})
		changed(t, w) // what happened before the new one was watched
		quiet(t, w)
		write(t, a+"/file", fmt.Sprint(i))
		changed(t, w)
		w.Set([]string{a, root})
		quiet(t, w)
	}
}

// TestSame: the same set again costs nothing and tells nothing.
func TestSame(t *testing.T) {
	root := t.TempDir()
	w := watching(t, soon, root)
	for range 3 {
		w.Set([]string{root, root})
		quiet(t, w)
	}
	write(t, root+"/file", "")
	changed(t, w)
	w.Set([]string{root}) // no directory came or went
	quiet(t, w)
}

// TestNotThere: directories that never come do not keep the caller looking.
func TestNotThere(t *testing.T) {
	root := t.TempDir()
	w := watching(t, soon, root)
	for range maxMisses + 1 {
		w.Set([]string{root, root + "/gone"})
		changed(t, w)
	}
	w.Set([]string{root, root + "/gone"})
	quiet(t, w)
	check(t, os.Mkdir(root+"/gone", 0o755))
	changed(t, w)
	w.Set([]string{root, root + "/gone"})
	changed(t, w)
	write(t, root+"/gone/file", "")
	changed(t, w)
}

// TestUnreadable: one directory that may not be read does not end watching.
func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("this user may read everything")
	}
	root := t.TempDir()
	check(t, os.Mkdir(root+"/a", 0o000))
	w := watching(t, soon, root, root+"/a")
	check(t, os.Chmod(root+"/a", 0o755))
	changed(t, w)
}

// TestPatience: what never gets quiet is told all the same.
func TestPatience(t *testing.T) {
	o := soon
	o.Quiet = time.Hour
	w := newWatcher(o, openSystem)
	defer w.Close()
	w.Set([]string{t.TempDir()})
	changed(t, w)
}

// TestWaitEnds: a cancelled context ends it at once, wherever it is.
func TestWaitEnds(t *testing.T) {
	o := soon
	o.Quiet, o.Patience = time.Hour, time.Hour
	w := newWatcher(o, openSystem)
	defer w.Close()
	for _, prepare := range []func(){
		func() {},
		func() { w.Set([]string{t.TempDir()}) },
		func() { w.Rest(time.Hour) },
	} {
		prepare()
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(20*time.Millisecond, cancel)
		if _, err := w.Wait(ctx, 0); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

// TestBurst: two thousand changes are told as a few, and the last one is among them.
func TestBurst(t *testing.T) {
	root := t.TempDir()
	w := watching(t, soon, root)
	const n = 2000
	done := make(chan error, 1)
	go func() {
		for i := range n {
			err := errors.Join(os.WriteFile(root+"/t", []byte(fmt.Sprint(i+1)), 0o644), os.Rename(root+"/t", root+"/file"))
			if err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	looks, last := 0, ""
	for last != fmt.Sprint(n) {
		changed(t, w)
		looks++
		text, err := os.ReadFile(root + "/file")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		last = string(text)
		w.Set([]string{root})
	}
	check(t, <-done)
	if looks > n/4 {
		t.Errorf("%d changes are told as %d", n, looks)
	}
}

// A look is what a caller sees: every path with its text, and every directory.
func look(root string) (seen map[string]string, dirs []string) {
	seen = map[string]string{}
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case d.IsDir():
			dirs = append(dirs, path)
			seen[path] = "/"
		default:
			text, _ := os.ReadFile(path)
			seen[path] = string(text)
		}
		return nil
	})
	return seen, dirs
}

// TestFollows: whoever looks when told so has seen the last state of a tree after
// any number of creations, moves, replacements and removals, at any depth.
func TestFollows(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			o := soon
			o.Quiet = time.Millisecond
			w := watching(t, o, root)
			done := make(chan struct{})
			go func() {
				churn(rand.New(rand.NewPCG(seed, 7)), root, 400)
				close(done)
				_ = os.WriteFile(root+"/end", nil, 0o644) // told, should the last step have changed nothing
			}()
			ctx, cancel := context.WithTimeout(context.Background(), deadline)
			defer cancel()
			seen, dirs := look(root)
			for !over(done) || !maps.Equal(seen, truth(root)) {
				w.Set(dirs)
				if _, err := w.Wait(ctx, 0); err != nil {
					t.Fatalf("the last state was not told:\nseen  %v\ntruth %v", seen, truth(root))
				}
				seen, dirs = look(root)
			}
		})
	}
}

// TestFollowsPaths: so has whoever looks only at what is told to have changed.
func TestFollowsPaths(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			o := soon
			o.Quiet = time.Millisecond
			w := watching(t, o, root)
			done := make(chan struct{})
			go func() {
				churn(rand.New(rand.NewPCG(seed, 8)), root, 400)
				close(done)
				_ = os.WriteFile(root+"/end", nil, 0o644) // told, should the last step have changed nothing
			}()
			ctx, cancel := context.WithTimeout(context.Background(), deadline)
			defer cancel()
			seen, _ := look(root)
			for !over(done) || !maps.Equal(seen, truth(root)) {
				w.Set(dirsOf(seen))
				c, err := w.Wait(ctx, 0)
				if err != nil {
					t.Fatalf("the last state was not told:\nseen  %v\ntruth %v", seen, truth(root))
				}
				if c.All {
					c.Paths = []string{root}
				}
				for _, path := range c.Paths {
					maps.DeleteFunc(seen, func(p, _ string) bool { return p == path || strings.HasPrefix(p, path+"/") })
					new, _ := look(path)
					maps.Copy(seen, new)
				}
			}
		})
	}
}

func dirsOf(seen map[string]string) (dirs []string) {
	for path, text := range seen {
		if text == "/" {
			dirs = append(dirs, path)
		}
	}
	return dirs
}

// TestPaths: a change of a file, or a new directory, is told as just that; a directory
// that is no longer what it was puts everything in doubt.
func TestPaths(t *testing.T) {
	root := t.TempDir()
	check(t, os.MkdirAll(root+"/a/b", 0o755))
	w := watching(t, soon, root, root+"/a", root+"/a/b")
	told := func(want ...string) {
		t.Helper()
		c := changed(t, w)
		slices.Sort(c.Paths)
		if got := slices.Compact(c.Paths); c.All != (want == nil) || !slices.Equal(got, want) {
			t.Errorf("told are %v, want %v", c, want)
		}
	}
	write(t, root+"/a/file", "1")
	told(root + "/a/file")
	write(t, root+"/a/b/tmp", "2")
	check(t, os.Rename(root+"/a/b/tmp", root+"/a/b/file"))
	told(root+"/a/b/file", root+"/a/b/tmp")
	check(t, os.Mkdir(root+"/c", 0o755))
	told(root + "/c")
	w.Set([]string{root, root + "/a", root + "/a/b", root + "/c"})
	told(root + "/c") // what happened before it was watched
	check(t, os.Rename(root+"/a/b", root+"/c/b"))
	told()
	w.Set([]string{root, root + "/a", root + "/c", root + "/c/b"})
	told()
	for i := range maxPaths + 1 {
		w.tell(fmt.Sprint(root, i))
	}
	told()
}

func truth(root string) map[string]string {
	seen, _ := look(root)
	return seen
}

func over(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// churn changes a tree at random. What cannot be done is left undone.
func churn(r *rand.Rand, root string, steps int) {
	name := func() string { return string(rune('a' + r.IntN(3))) }
	path := func() string {
		p := root
		for range 1 + r.IntN(3) {
			p = filepath.Join(p, name())
		}
		return p
	}
	for i := range steps {
		switch p := path(); r.IntN(7) {
		case 0, 1:
			_ = os.MkdirAll(p, 0o755)
		case 2, 3:
			_ = os.WriteFile(p, []byte(fmt.Sprint(i)), 0o644)
		case 4:
			if os.WriteFile(p+".tmp", []byte(fmt.Sprint("r", i)), 0o644) == nil && os.Rename(p+".tmp", p) != nil {
				_ = os.Remove(p + ".tmp")
			}
		case 5:
			_ = os.Rename(p, path())
		case 6:
			_ = os.RemoveAll(p)
		}
	}
}
