package journal

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stategate/stategate/sdk/engine/edit"
)

// small mounts a file system of 256 KiB, which requires root.
func small(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("no small file system: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// fill uses up all free space.
func fill(t *testing.T, dir string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "ballast"))
	must(t, err)
	defer f.Close()
	for block := make([]byte, 4096); ; {
		if _, err := f.Write(block); err != nil {
			return
		}
	}
}

// moveTo creates the stories' tree on another file system.
func moveTo(t *testing.T, workspace, dir string) string {
	t.Helper()
	to := filepath.Join(dir, "tree")
	must(t, os.CopyFS(to, os.DirFS(workspace)))
	return to
}

func TestDiskFull(t *testing.T) {
	for _, where := range []string{"the tree", "the journal"} {
		t.Run(where, func(t *testing.T) {
			workspace, journal := disk(t)
			dir := small(t)
			if where == "the tree" {
				workspace = moveTo(t, workspace, dir)
			} else {
				journal = filepath.Join(dir, "journal")
				opens(t, workspace, journal).Close()
			}
			fill(t, dir)
			before := listed(t, workspace)
			s := opens(t, workspace, journal)
			defer s.Close()
			for _, changes := range [][]edit.Change{
				{write("w/state.json", strings.Repeat("x", 8000)), write("w/plan.md", "y")},
				{{Kind: edit.Rename, From: "w/plan.md", Path: "w/old.md"},
					write("w/new/new.md", strings.Repeat("x", 8000))},
			} {
				_, err := s.Begin(intent(changes))
				if err == nil || !strings.Contains(err.Error(), "no space left on device; free some space") {
					t.Errorf("got %v", err)
				}
				if got := listed(t, workspace); !slices.Equal(got, before) {
					t.Errorf("the tree changed:\n%s", strings.Join(got, "\n"))
				}
			}
			must(t, os.Remove(filepath.Join(dir, "ballast")))
			must(t, begin(t, s, everything()...).Keep())
			_, err := s.Undo()
			must(t, err)
		})
	}
}

// TestReadOnlyFileSystem mounts the tree, or the journal, read-only.
func TestReadOnlyFileSystem(t *testing.T) {
	for _, where := range []string{"the tree", "the journal"} {
		t.Run(where, func(t *testing.T) {
			workspace, journal := disk(t)
			dir := small(t)
			if where == "the tree" {
				workspace = moveTo(t, workspace, dir)
			} else {
				journal = filepath.Join(dir, "journal")
			}
			must(t, syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
			before := listed(t, workspace)
			s, err := Open(workspace, journal, journal+"-key")
			if err == nil {
				defer s.Close()
				_, err = s.Begin(intent(everything()))
			}
			if err == nil || !strings.Contains(err.Error(), "read-only") ||
				!strings.Contains(err.Error(), "run the command again") {
				t.Errorf("got %v", err)
			}
			if got := listed(t, workspace); !slices.Equal(got, before) {
				t.Errorf("the tree changed:\n%s", strings.Join(got, "\n"))
			}
		})
	}
}
