package tree

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
)

// A Worktree is a directory on disk. All access goes through one os.Root, so that nothing outside is reached whatever
// happens to the tree meanwhile; within it, what is opened is held against what was there before by identity.
type Worktree struct{ root *os.Root }

// OpenWorktree opens the directory at an absolute path of the operating system. Close it.
func OpenWorktree(dir string) (*Worktree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open work tree: %w", err)
	}
	return &Worktree{root}, nil
}

// Close closes the tree. Open directories stay usable.
func (w *Worktree) Close() error { return w.root.Close() }

// Open implements Tree.
func (w *Worktree) Open(ctx context.Context, dir string) (Dir, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	last, err := w.noLinks(dir)
	if err != nil {
		return nil, err
	}
	// The trailing dot makes dir an inner part of the path, which is opened as a directory only: a named pipe that takes
	// its place does not block.
	root, err := w.root.OpenRoot(dir + "/.")
	if err != nil {
		return nil, err
	}
	opened, err := root.Lstat(".")
	if err == nil && !os.SameFile(last, opened) {
		err = ErrChanged
	}
	if err != nil {
		_ = root.Close()
		return nil, err
	}
	return &worktreeDir{root: root}, nil
}

// noLinks checks that no part of dir is a link and returns the last.
func (w *Worktree) noLinks(dir string) (info fs.FileInfo, err error) {
	for at := 0; at < len(dir); at++ {
		next := strings.IndexByte(dir[at:], '/')
		if next < 0 {
			next = len(dir) - at
		}
		at += next
		if info, err = w.root.Lstat(dir[:at]); err != nil {
			return nil, err
		}
		if !info.IsDir() {
			return nil, ErrNotDirectory
		}
	}
	return info, nil
}

// Scan calls f with what is in dir, in any order, a part at a time so that a huge directory needs little memory. It
// does not check the parts of dir for links: the caller has walked there.
func (w *Worktree) Scan(dir string, f func(name string, mode fs.FileMode)) error {
	d, err := openDir(w.root, dir)
	if err != nil {
		return err
	}
	defer d.Close()
	for {
		entries, err := d.ReadDir(4096)
		for _, e := range entries {
			f(e.Name(), e.Type())
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Mode returns what is at a path, without following a link.
func (w *Worktree) Mode(path string) (fs.FileMode, error) {
	info, err := w.root.Lstat(path)
	if err != nil {
		return 0, err
	}
	return info.Mode().Type(), nil
}

// Executable reports whether a regular file at a path may be run.
func (w *Worktree) Executable(path string) bool {
	info, err := w.root.Lstat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// Readlink returns the text of a symbolic link.
func (w *Worktree) Readlink(path string) (string, error) { return w.root.Readlink(path) }

// openDir opens a directory to be listed.
func openDir(root *os.Root, path string) (*os.File, error) {
	d, err := root.OpenFile(path, os.O_RDONLY|openDirectory, 0)
	if err != nil {
		return nil, err
	}
	l, err := lister(d)
	if err != nil {
		_ = d.Close()
		return nil, err
	}
	return l, nil
}

// coarse is longer than a tick of the clock of any file system in use (FAT has two seconds).
const coarse = 3 * time.Second

func stampOf(info fs.FileInfo) Stamp {
	return Stamp{info: info, fresh: time.Since(info.ModTime()) < coarse}
}

// Fresh reports whether the thing was so new when the stamp was taken that another change right after it need not show.
func (s Stamp) Fresh() bool { return s.fresh }

// Name returns the path that the tree was opened with.
func (w *Worktree) Name() string { return w.root.Name() }
