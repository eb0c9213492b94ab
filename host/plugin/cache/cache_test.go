package cache

import (
	"bytes"
	"errors"
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

// TestMain lets the test binary be a process that compiles, which prints a line when it does.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "compile" {
		compileIn(os.Args[2])
		return
	}
	if len(os.Args) == 4 && os.Args[1] == "keep" {
		fmt.Fprintln(os.Stderr, keepForEver(os.Args[2], os.Args[3]))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func compileIn(dir string) {
	c, err := Open(dir, false)
	if err != nil {
		panic(err)
	}
	_, err = c.Get("key", func(dir string) error {
		fmt.Println("compiled")
		time.Sleep(50 * time.Millisecond)
		return os.WriteFile(filepath.Join(dir, "code"), []byte("machine code"), 0o600)
	})
	if err != nil {
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

// get returns an entry and whether it already existed. It consists of two files, one of size bytes.
func get(t *testing.T, c *Cache, key string, size int) (e *Entry, found bool) {
	t.Helper()
	found = true
	e, err := c.Get(key, func(dir string) error {
		found = false
		write(t, filepath.Join(dir, "version", "code"), bytes.Repeat([]byte{7}, size))
		write(t, filepath.Join(dir, "version", "kernel"), []byte("kernel"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return e, found
}

// fill creates an entry with some files.
func fill(t *testing.T, c *Cache, key string, size int) {
	t.Helper()
	if _, found := get(t, c, key, size); found {
		t.Fatalf("%s already exists", key)
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

func TestGet(t *testing.T) {
	c := open(t)
	fill(t, c, "key", 1000)
	e, found := get(t, c, "key", 1)
	if !found || e.Warning != "" {
		t.Fatalf("entry %+v, want it found", e)
	}
	if code, err := os.ReadFile(filepath.Join(e.Dir, "version", "code")); err != nil || len(code) != 1000 {
		t.Errorf("%d bytes, %v", len(code), err)
	}
	failure := errors.New("it does not compile")
	for range 2 { // nothing is kept after a failure
		if _, err := c.Get("other", func(string) error { return failure }); !errors.Is(err, failure) {
			t.Errorf("Get = %v, want the error of fill", err)
		}
	}
	if _, err := c.Get("empty", func(string) error { return nil }); err == nil {
		t.Error("an entry without files is kept")
	}
	left, _ := filepath.Glob(filepath.Join(c.dir, tmpPrefix+"*"))
	if len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	for _, bad := range []string{"", "..", "a/b", tmpPrefix + "x"} {
		if _, err := c.Get(bad, nil); err == nil {
			t.Errorf("Get(%q) is accepted", bad)
		}
	}
	e.Drop()
	if _, found := get(t, c, "key", 1); found {
		t.Error("an entry that was dropped is found")
	}
}

// TestDamage: every single flipped byte and every truncation of every file in an entry is detected, removed and
// reported once.
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
	if e, found := get(t, c, "key", 1); found || !strings.Contains(e.Warning, "damaged") {
		t.Fatalf("a damaged entry is taken: %+v", e)
	}
	if e, found := get(t, c, "key", 1); !found || e.Warning != "" {
		t.Fatalf("removed: %+v, want it found without a warning", e)
	}
}

// TestAdded: a file that was added to an entry is detected.
func TestAdded(t *testing.T) {
	c := open(t)
	fill(t, c, "key", 10)
	e, _ := get(t, c, "key", 10)
	write(t, filepath.Join(e.Dir, "version", "other"), []byte("code"))
	if e, found := get(t, c, "key", 10); found || !strings.Contains(e.Warning, "not the ones on its checksum list") {
		t.Errorf("entry %+v, want it made again with a warning", e)
	}
}

// TestForeignCache: a cache that others can write to or replace is not used.
func TestForeignCache(t *testing.T) {
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
		"": "not an absolute path", "relative": "not an absolute path", path("file"): "directory",
		path("link"): "symbolic link",
		path("all"):  "writable by others", path("group"): "writable by others", path("file") + "/below": "create",
	} {
		if runtime.GOOS == "windows" && says == "writable by others" {
			continue
		}
		if _, err := Open(dir, false); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("Open(%q) = %v, want an error with %q", dir, err, says)
		}
	}
}

// TestOneCompiles: only one of eight processes that start without a cache compiles.
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

// TestEvict: the least recently used entries are removed, but never the newest. Unused entries, entries of another
// version and what killed processes left behind are also removed.
func TestEvict(t *testing.T) {
	c := open(t)
	age := func(name string, hours int) {
		t.Helper()
		then := time.Now().Add(time.Duration(-hours) * time.Hour)
		if err := os.Chtimes(filepath.Join(c.dir, name), then, then); err != nil {
			t.Fatal(err)
		}
	}
	entries := map[string]int{
		"a-version1": 100, "b-version1": 99, "c-version1": 98, "d-version1": 97, "used-version2": 23,
		"unused-version2": 25, "old-version1": 31 * 24,
	}
	for key := range entries {
		fill(t, c, key, 100)
	}
	for key, hours := range entries {
		if key != "a-version1" { // remove the checksum list, whose time is that of the last use
			age(filepath.Join(key, sumsName), hours)
		} else if err := os.Remove(filepath.Join(c.dir, key, sumsName)); err != nil {
			t.Fatal(err)
		}
	}
	for name, hours := range map[string]int{"x": 31 * 24, "y": 29 * 24} {
		if !c.FirstAsked(name) || c.FirstAsked(name) {
			t.Errorf("%s is asked for the first time once", name)
		}
		age(askedPrefix+name, hours)
	}
	if err := os.Mkdir(filepath.Join(c.dir, tmpPrefix+"killed"), 0o700); err != nil {
		t.Fatal(err)
	}
	age(tmpPrefix+"killed", 2)
	if _, found := get(t, c, "b-version1", 1); !found || c.FirstAsked("b-version1") { // it was just used
		t.Fatal("b is gone already")
	}
	c.size = 450
	fill(t, c, "e-version1", 100)
	for name, want := range map[string]bool{
		"a-version1": false, "b-version1": true, "c-version1": false, "d-version1": true, "e-version1": true,
		"used-version2":   true,
		"unused-version2": false, "old-version1": false, tmpPrefix + "killed": false, askedPrefix + "x": false,
		askedPrefix + "y": true,
	} {
		if _, err := os.Stat(filepath.Join(c.dir, name)); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
}
