package statefiles

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/testdata/gittest"
)

// looks reads a directory repeatedly with what earlier checks stored, as if they had run long ago. It compares each
// result with a read of everything.
type looks struct {
	*testing.T
	dir, kept string
	past      *Past // to compare with; nil if there is none
}

func (l *looks) at(name string) string { return filepath.Join(l.dir, filepath.FromSlash(name)) }

// do makes a change. The changed files get a new change time, and their other times are set back as far as possible.
func (l *looks) do(change func(string) error, name string) {
	l.Helper()
	began := time.Now()
	for probe := began; !probe.After(began.Add(time.Millisecond)); { // the clock of the file system ticks
		if err := os.WriteFile(l.dir+".probe", nil, 0o600); err != nil {
			l.Fatal(err)
		}
		info, err := os.Stat(l.dir + ".probe")
		if err != nil {
			l.Fatal(err)
		}
		probe = info.ModTime()
	}
	if err := change(l.at(name)); err != nil {
		l.Fatal(err)
	}
}

// look returns the digest of the instance, which must equal that of all bytes.
func (l *looks) look(what string, now time.Time) (known bool) {
	l.Helper()
	w, err := tree.OpenWorktree(l.dir)
	if err != nil {
		l.Fatal(err)
	}
	defer w.Close()
	m := w.Recall(l.kept, now)
	read := func(recall bool) *Instance {
		c := Collector{Tree: w, Limits: small, Recall: func() bool { return recall }}
		i, err := c.Read(context.Background(), compiled(l), "s")
		if err != nil {
			l.Fatal(err)
		}
		return i
	}
	got, all := read(true), l.all()
	if got.Unstable || all.Unstable {
		l.Fatalf("%s: it is said to have changed while it was read", what)
	}
	known = got.reread != nil
	if got.Digest != all.Digest {
		l.Fatalf("%s: the digest is\n%s, want\n%s", what, got.Digest, all.Digest)
	}
	if l.past != nil {
		same2(l.T, what+": changed since the commit", l.changed(got), l.changed(all))
	}
	if err := got.Load(context.Background(), nil); err != nil {
		l.Fatal(err)
	}
	same2(l.T, what, shown(got.Files), shown(all.Files))
	if kept := m.Encode(true); kept != "" {
		l.kept = kept
	}
	return known
}

// changed lists the documents that differ from the commit, which contained everything at first.
func (l *looks) changed(now *Instance) []string {
	l.Helper()
	paths, _ := l.past.Changed(now)
	slices.Sort(paths)
	return paths
}

func (l *looks) all() *Instance {
	c := Collector{Tree: worktree(l, l.dir), Limits: small}
	i, err := c.Read(context.Background(), compiled(l), "s")
	if err != nil {
		l.Fatal(err)
	}
	return i
}

func newLooks(t *testing.T) *looks {
	if runtime.GOOS != "linux" {
		t.Skip("digests of files are remembered on Linux alone")
	}
	l := &looks{T: t, dir: filepath.Join(t.TempDir(), "top")}
	for name, text := range map[string]string{"s/state.json": `{"a":1}`, "s/rounds/round-1/reviews/a.md": "one",
		"s/rounds/round-1/discourse.md": "two", "s/scans/x": "three", "s/notes.md": "four"} {
		if err := os.MkdirAll(filepath.Dir(l.at(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(l.at(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// compared commits the initial files, and makes every check also compare with that commit.
func (l *looks) compared() *looks {
	l.Helper()
	gittest.Run(l.T, l.dir, "init", "-q")
	gittest.Run(l.T, l.dir, "add", "-A")
	gittest.Run(l.T, l.dir, "commit", "-q", "-m", "at first")
	past, err := Base(context.Background(), commit(l.T, l.dir, "HEAD"), compiled(l), l.all(), "s", small)
	if err != nil {
		l.Fatal(err)
	}
	l.past = past
	return l
}

func rewrite(name string) error {
	info, err := os.Stat(name)
	if err == nil {
		err = os.WriteFile(name, []byte(fmt.Sprintf("%*d", info.Size(), rand.Uint32())[:info.Size()]), 0o644)
	}
	if err == nil {
		err = os.Chtimes(name, info.ModTime(), info.ModTime())
	}
	return err
}

// TestRecall: no change is missed, even if the size stays the same, the time is set back, the file is changed through
// another name, or another file replaces it.
func TestRecall(t *testing.T) {
	l := newLooks(t)
	later := time.Now().Add(time.Hour)
	l.look("first", later)
	if !l.look("second", later) {
		t.Fatal("nothing is remembered")
	}
	for what, change := range map[string]func(string) error{
		"same size, time set back": rewrite,
		"through another name": func(name string) error {
			other := l.dir + ".other"
			if err := os.Link(name, other); err != nil {
				return err
			}
			defer os.Remove(other)
			l.look("linked", later)
			l.look("linked", later)
			return rewrite(other)
		},
		"another file in its place": func(name string) error {
			info, err := os.Stat(name)
			if err != nil {
				return err
			}
			text := []byte(fmt.Sprintf("%*d", info.Size(), rand.Uint32())[:info.Size()])
			if err := os.WriteFile(l.dir+".new", text, info.Mode()); err != nil {
				return err
			}
			if err := os.Chtimes(l.dir+".new", info.ModTime(), info.ModTime()); err != nil {
				return err
			}
			return os.Rename(l.dir+".new", name)
		},
		"gone and there again": func(name string) error {
			if err := os.Rename(name, l.dir+".gone"); err != nil {
				return err
			}
			l.look("gone", later)
			return os.Rename(l.dir+".gone", name)
		},
		"a directory": func(name string) error {
			if err := os.Remove(name); err != nil {
				return err
			}
			return os.Mkdir(name, 0o755)
		},
		"mode": func(name string) error { return os.Chmod(name, 0o755) },
	} {
		for _, name := range []string{"s/state.json", "s/rounds/round-1/reviews/a.md",
			"s/rounds/round-1/discourse.md"} {
			l := newLooks(t).compared()
			l.look(what, later)
			l.look(what, later)
			l.do(change, name)
			l.look(what+" "+name, later)
			l.look(what+" "+name, later)
		}
	}
}

// TestRecallOfDirectories: no name is missed.
func TestRecallOfDirectories(t *testing.T) {
	later := time.Now().Add(time.Hour)
	for what, change := range map[string]func(string) error{
		"more":    func(name string) error { return os.WriteFile(name+"/new.md", nil, 0o644) },
		"renamed": func(name string) error { return os.Rename(name, name+"x") },
		"a link in its place": func(name string) error {
			if err := os.Rename(name, name+".moved"); err != nil {
				return err
			}
			return os.Symlink(filepath.Base(name)+".moved", name)
		},
		"removed": os.RemoveAll,
	} {
		for _, name := range []string{"s/rounds", "s/rounds/round-1", "s/rounds/round-1/reviews"} {
			l := newLooks(t)
			l.look(what, later)
			l.look(what, later)
			l.do(change, name)
			l.look(what+" "+name, later)
			l.look(what+" "+name, later)
		}
	}
}

// TestRecallRereadsRecentFiles: a file that was changed shortly before a check is read again by the next one, because a
// change right after the check may have the same time.
func TestRecallRereadsRecentFiles(t *testing.T) {
	l := newLooks(t)
	for range 3 {
		if l.look("young", time.Now()) {
			t.Fatal("a file that was just written is remembered")
		}
	}
	for range 200 { // as fast as possible, within the ticks of the clock
		if err := rewrite(l.at("s/state.json")); err != nil {
			t.Fatal(err)
		}
		l.look("rewritten", time.Now())
	}
	if l.look("a clock that was set back", time.Now().Add(-time.Hour)) {
		t.Error("what is younger than now is remembered")
	}
}

// TestRecallIgnoresDamagedData: damaged stored data is ignored or describes something else.
func TestRecallIgnoresDamagedData(t *testing.T) {
	l := newLooks(t)
	later := time.Now().Add(time.Hour)
	l.look("first", later)
	l.look("second", later)
	good := l.kept
	for i := range good {
		l.kept = good[:i]
		l.look("cut", later)
	}
	l.kept = "\xff\xff\xff\xff\x7f" + good
	l.look("a length beyond the end", later)
}
