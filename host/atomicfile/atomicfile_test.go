package atomicfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stategate/stategate/host/atomicfile"
)

func TestWriteIsAtomic(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	for _, text := range []string{"first", "the second, longer", ""} {
		if err := atomicfile.Write(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("got %q, %v, want %q", got, err, text)
		}
	}
	if err := atomicfile.Write(name, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("temporary files are left: %v, %v", entries, err)
	}
	if err := atomicfile.Write(filepath.Join(dir, "nowhere", "file"), nil, 0o600); err == nil {
		t.Error("a file is written where there is no directory")
	}
}

// TestModes: a new file gets the permissions that the umask allows, a replaced file keeps its own, and a link is
// replaced by a regular file.
func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such permissions")
	}
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	fresh := filepath.Join(dir, "fresh")
	if err := os.WriteFile(fresh, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	usual := modeOf(t, fresh)
	writers := map[string]func(name string) error{
		"Write":      func(name string) error { return atomicfile.Write(filepath.Join(dir, name), []byte("x"), 0o666) },
		"WriteBelow": func(name string) error { return atomicfile.WriteBelow(root, name, []byte("x"), 0o666) },
	}
	for name, write := range writers {
		file := filepath.Join(dir, name)
		if err := write(name); err != nil || modeOf(t, file) != usual {
			t.Errorf("%s: a new file: %v, mode %o, want %o", name, err, modeOf(t, file), usual)
		}
		for _, mode := range []os.FileMode{0o600, 0o640, 0o755, 0o666} {
			if err := os.Chmod(file, mode); err != nil {
				t.Fatal(err)
			}
			if err := write(name); err != nil || modeOf(t, file) != mode {
				t.Errorf("%s: a file of mode %o: %v, mode %o", name, mode, err, modeOf(t, file))
			}
		}
		if err := errors.Join(os.Remove(file), os.Symlink("fresh", file), write(name)); err != nil ||
			modeOf(t, file) != usual {
			t.Errorf("%s: a link: %v, mode %o, want %o", name, err, modeOf(t, file), usual)
		}
	}
	if err := atomicfile.WriteBelow(root, "../outside", nil, 0o666); err == nil {
		t.Error("it writes outside of the directory")
	}
}

func modeOf(t *testing.T, name string) os.FileMode {
	t.Helper()
	info, err := os.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}
