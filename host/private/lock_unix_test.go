//go:build unix

package private_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stategate/stategate/host/private"
)

// TestLockFileMustBeRegular: opening a named pipe would block forever, and opening a link would create an empty file
// at its target. Either can arrive in a repository's .git.
func TestLockFileMustBeRegular(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(dir, "outside")
	for what, put := range map[string]func(name string) error{
		"pipe": func(name string) error { return syscall.Mkfifo(name, 0o600) },
		"link": func(name string) error { return os.Symlink(outside, name) },
	} {
		name := filepath.Join(dir, what)
		if err := put(name); err != nil {
			t.Fatal(err)
		}
		if _, err := private.Lock(name, time.Second); err == nil ||
			!strings.Contains(err.Error(), "is not a regular file; remove it") {
			t.Errorf("a %s: %v", what, err)
		}
	}
	if _, err := os.Lstat(outside); err == nil {
		t.Error("a file was made where the link leads")
	}
}
