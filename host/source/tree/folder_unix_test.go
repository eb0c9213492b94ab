//go:build unix

package tree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestAt: no component of a path may be a link.
func TestAt(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "real", "in", "x"), "x")
	for name, target := range map[string]string{"near": "real", "far": t.TempDir(), "real/link": "in/x"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	w := open(t, dir)
	for path, want := range map[string]error{"real": nil, "real/in/x": nil, ".": nil, "near/in/x": ErrNotDirectory,
		"far": unix.ELOOP, "real/link": unix.ELOOP, "real/in/x/y": ErrNotDirectory, "gone/x": fs.ErrNotExist,
		"real/../real": unix.EINVAL, "..": unix.EINVAL} {
		fd, err := w.top.at(path, unix.O_NONBLOCK)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
		if err == nil {
			_ = unix.Close(fd)
		}
	}
}
