package cache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestReadOnly: a caller that must leave no trace finds existing entries and changes nothing. It takes no lock, sets no
// times, and removes no damaged entry.
func TestReadOnly(t *testing.T) {
	c := open(t)
	fill(t, c, "key", 10)
	fill(t, c, "torn", 10)
	if err := os.WriteFile(filepath.Join(c.dir, "torn", sumsName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := store{t, c.dir}
	s.put(verdict(1, 1, "said"))
	old := time.Now().Add(-2 * touchEvery)
	for _, name := range []string{filepath.Join(c.dir, "key", sumsName), s.file()} {
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	before := trace(t, c.dir)

	r, err := Open(c.dir, true)
	if err != nil {
		t.Fatal(err)
	}
	fails := func(string) error { t.Error("an entry is made"); return nil }
	e, err := r.Get("key", fails)
	if err != nil {
		t.Fatal(err)
	}
	e.Drop()
	for _, key := range []string{"torn", "none"} {
		if _, err := r.Get(key, fails); !errors.Is(err, ErrNotCached) {
			t.Errorf("%s: %v, want ErrNotCached", key, err)
		}
	}
	v, err := OpenVerdicts(c.dir, "tree", true)
	if err != nil {
		t.Fatal(err)
	}
	if said, ok := v.Get([32]byte{1}); !ok || string(said) != "said" {
		t.Errorf("verdict = %q, %v", said, ok)
	}
	v.Put([32]byte{2}, [8]byte{2}, []byte("new"))
	if err := v.Close(); err != nil {
		t.Error(err)
	}
	if after := trace(t, c.dir); after != before {
		t.Errorf("it leaves\n%s\nof\n%s", after, before)
	}
	if _, err := Open(filepath.Join(c.dir, "none"), true); err == nil {
		t.Error("a cache that is missing is opened")
	}
}

// trace lists the names and times below dir.
func trace(t *testing.T, dir string) (all string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			all += path + " " + info.ModTime().String() + "\n"
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
