//go:build unix

package cache

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipesAreNotRead: a named pipe in place of a cache file counts as missing, and nothing waits for its other end.
func TestPipesAreNotRead(t *testing.T) {
	s := newStore(t)
	s.open()
	if err := syscall.Mkfifo(s.file(), 0o600); err != nil {
		t.Fatal(err)
	}
	if v := s.open(); len(v.records) != 0 || v.Seen() != "" {
		t.Error("a pipe has verdicts")
	}
	v := s.open()
	v.Put([32]byte{1}, [8]byte{1}, []byte("one"))
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	v = s.open() // of a file that is replaced with a pipe afterwards
	if err := errors.Join(os.Remove(s.file()), syscall.Mkfifo(s.file(), 0o600)); err != nil {
		t.Fatal(err)
	}
	v.Put([32]byte{2}, [8]byte{2}, []byte("two"))
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := s.found(1, 2), "1:one 2:two "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "code"), []byte("code"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := seal(dir); err != nil || verify(dir) != nil {
		t.Fatalf("a whole entry: %v, %v", err, verify(dir))
	}
	for _, name := range []string{"code", sumsName} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
		if verify(dir) == nil {
			t.Errorf("%s is a pipe, and the entry is taken", name)
		}
	}
}
