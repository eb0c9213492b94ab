package cache

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMain lets the test binary be a process that compiles: it says so when it does.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "compile" {
		compileIn(os.Args[2])
		return
	}
	os.Exit(m.Run())
}

func compileIn(dir string) {
	c, err := Open(dir, false)
	if err != nil {
		panic(err)
	}
	e, err := c.Entry("key")
	if err != nil {
		panic(err)
	}
	if !e.Found {
		fmt.Println("compiled")
		time.Sleep(50 * time.Millisecond)
		if err := os.WriteFile(filepath.Join(e.Dir, "code"), []byte("machine code"), 0o600); err != nil {
			panic(err)
		}
	}
	if err := e.Keep(); err != nil {
		panic(err)
	}
}

func open(t *testing.T) *Cache {
	t.Helper()
	c, err := Open(filepath.Join(t.TempDir(), "a", "cache"), false)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func entry(t *testing.T, c *Cache, key string) *Entry {
	t.Helper()
	e, err := c.Entry(key)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// fill makes an entry with some files.
func fill(t *testing.T, c *Cache, key string, size int) {
	t.Helper()
	e := entry(t, c, key)
	if e.Found {
		t.Fatalf("%s is there already", key)
	}
	write(t, filepath.Join(e.Dir, "version", "code"), bytes.Repeat([]byte{7}, size))
	write(t, filepath.Join(e.Dir, "version", "kernel"), []byte("kernel"))
	if err := e.Keep(); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestEntry(t *testing.T) {
	c := open(t)
	fill(t, c, "key", 1000)
	e := entry(t, c, "key")
	if !e.Found || e.Warning != "" {
		t.Fatalf("entry %+v, want it found", e)
	}
	if code, err := os.ReadFile(filepath.Join(e.Dir, "version", "code")); err != nil || len(code) != 1000 {
		t.Errorf("%d bytes, %v", len(code), err)
	}
	if other := entry(t, c, "other"); other.Found {
		t.Error("found what nobody made")
	} else {
		other.Drop()
	}
	left, _ := filepath.Glob(filepath.Join(c.dir, tmpPrefix+"*"))
	if len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	for _, bad := range []string{"", "..", "a/b", tmpPrefix + "x"} {
		if _, err := c.Entry(bad); err == nil {
			t.Errorf("Entry(%q) is accepted", bad)
		}
	}
}

// TestDamage holds that every single flipped byte and every truncation of every file of an entry is found, healed and told once.
func TestDamage(t *testing.T) {
	c := open(t)
	fill(t, c, "key", 40)
	whole := map[string][]byte{}
	dir := filepath.Join(c.dir, "key")
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			whole[path], err = os.ReadFile(path)
		}
		return err
	})
	if len(whole) != 3 {
		t.Fatalf("files %v, want three", whole)
	}
	for path, data := range whole {
		t.Run(filepath.Base(path), func(t *testing.T) {
			damages := [][]byte{nil}
			for i := range data {
				flipped := bytes.Clone(data)
				flipped[i] ^= 1
				damages = append(damages, flipped, data[:i])
			}
			for _, damaged := range damages {
				os.RemoveAll(dir)
				for p, d := range whole {
					write(t, p, d)
				}
				if damaged == nil {
					os.Remove(path)
				} else {
					write(t, path, damaged)
				}
				heal(t, c)
			}
		})
	}
}

func heal(t *testing.T, c *Cache) {
	t.Helper()
	e := entry(t, c, "key")
	if e.Found || !strings.Contains(e.Warning, "damaged") {
		t.Fatalf("a damaged entry is taken: %+v", e)
	}
	write(t, filepath.Join(e.Dir, "code"), []byte("new"))
	if err := e.Keep(); err != nil {
		t.Fatal(err)
	}
	if e := entry(t, c, "key"); !e.Found || e.Warning != "" {
		t.Fatalf("healed: %+v, want it found without a warning", e)
	}
}

// TestReseal holds that a file which the engine adds to a found entry does not read as damage.
// TestAdded holds that a file which the engine has added to an entry is noticed, by who uses the entry and by the next.
func TestAdded(t *testing.T) {
	c := open(t)
	fill(t, c, "key", 10)
	e := entry(t, c, "key")
	if !e.Unchanged() {
		t.Error("the entry is found changed before anything was written to it")
	}
	write(t, filepath.Join(e.Dir, "version", "other"), []byte("code"))
	if e.Unchanged() {
		t.Error("a file that was added is not noticed")
	}
	if e := entry(t, c, "key"); e.Found || !strings.Contains(e.Warning, "not on its list") {
		t.Errorf("entry %+v, want it made again with a warning", e)
	}
}

func TestRefused(t *testing.T) {
	base := t.TempDir()
	path := func(name string) string { return filepath.Join(base, name) }
	write(t, path("file"), nil)
	for name, mode := range map[string]fs.FileMode{"all": 0o777, "group": 0o770} {
		if err := os.Mkdir(path(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path(name), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(t.TempDir(), path("link")); err != nil {
		t.Fatal(err)
	}
	for dir, says := range map[string]string{
		"": "not an absolute path", "relative": "not an absolute path", path("file"): "directory", path("link"): "symbolic link",
		path("all"): "writable by others", path("group"): "writable by others", path("file") + "/below": "create",
	} {
		if runtime.GOOS == "windows" && says == "writable by others" {
			continue
		}
		if _, err := Open(dir, false); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("Open(%q) = %v, want an error with %q", dir, err, says)
		}
	}
}

// TestOneCompiles holds that of eight cold processes one compiles.
func TestOneCompiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	var said [8]bytes.Buffer
	var all sync.WaitGroup
	for i := range said {
		cmd := exec.Command(os.Args[0], "compile", dir)
		cmd.Stdout, cmd.Stderr = &said[i], &said[i]
		all.Go(func() {
			if err := cmd.Run(); err != nil {
				t.Errorf("%v: %s", err, said[i].String())
			}
		})
	}
	all.Wait()
	compiled := 0
	for i := range said {
		compiled += strings.Count(said[i].String(), "compiled")
	}
	if compiled != 1 {
		t.Errorf("%d processes compiled, want 1", compiled)
	}
}

// TestEvict holds that the least recently used entries go, never the newest, and that what killed processes left goes, too.
func TestEvict(t *testing.T) {
	c := open(t)
	c.size = 350
	for i, key := range []string{"a", "b", "c", "d"} {
		fill(t, c, key, 100)
		used := time.Now().Add(time.Duration(i-100) * time.Hour)
		if err := os.Chtimes(filepath.Join(c.dir, key, sumsName), used, used); err != nil && key != "a" {
			t.Fatal(err)
		}
	}
	stale := filepath.Join(c.dir, tmpPrefix+"killed")
	if err := os.Mkdir(stale, 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * staleAfter)
	if err := os.Chtimes(stale, old, old); err != nil {
		t.Fatal(err)
	}
	if e := entry(t, c, "b"); !e.Found { // used just now
		t.Fatal("b is gone already")
	}
	fill(t, c, "e", 100)
	for key, want := range map[string]bool{"a": false, "b": true, "c": false, "d": true, "e": true, tmpPrefix + "killed": false} {
		if _, err := os.Stat(filepath.Join(c.dir, key)); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", key, err == nil, want)
		}
	}
}
