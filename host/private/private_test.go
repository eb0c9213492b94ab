package private_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stategate/stategate/host/private"
)

// TestKey: processes that ask at the same time get the same key, which only this user can read. Another directory has
// another key.
func TestKey(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "keys")
	keys := make([][]byte, 8)
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() {
			var err error
			if keys[i], err = private.Key(dir); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, key := range keys {
		if len(key) != 32 || !bytes.Equal(key, keys[0]) {
			t.Fatalf("got %x and %x", key, keys[0])
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "key")); err != nil || info.Mode().Perm()&0o077 != 0 &&
		os.PathSeparator == '/' {
		t.Errorf("got %v, %v", info.Mode(), err)
	}
	if other, err := private.Key(t.TempDir()); err != nil || bytes.Equal(other, keys[0]) {
		t.Errorf("another directory: got %x, %v", other, err)
	}
}

func TestInvalidKeyIsRejected(t *testing.T) {
	for want, spoil := range map[string]func(name string) error{
		"has 0 bytes, expected 32: remove it": func(name string) error { return os.WriteFile(name, nil, 0o600) },
		"is not a regular file; remove it":    func(name string) error { return os.Mkdir(name, 0o700) },
	} {
		dir := t.TempDir()
		if err := spoil(filepath.Join(dir, "key")); err != nil {
			t.Fatal(err)
		}
		if _, err := private.Key(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
