package tree

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"time"

	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/engine/snapshot"
)

// A Worktree is a directory on disk. Its entries are opened relative to its top, and no component may be a link.
// Nothing outside can be reached, even if the tree changes at the same time.
type Worktree struct {
	top     *folder
	memory  *Memory           // of earlier checks; nil if there is none
	unsaved map[string][]byte // by path: what Read returns instead of the content on disk
	// Index returns the files that git tracks, or nil if they are unknown. List calls it when it finds an empty
	// directory. The field may be nil.
	Index func() *git.Listing
}

// OpenWorktree opens the directory at an absolute path of the operating system. Close it after use.
func OpenWorktree(dir string) (*Worktree, error) {
	top, err := openTop(dir)
	if err != nil {
		return nil, fmt.Errorf("open working tree: %w", err)
	}
	return &Worktree{top: top}, nil
}

func (w *Worktree) Close() error { return w.top.Close() }

func (w *Worktree) Name() string { return w.top.Name() }

// Overlay sets the unsaved contents of files that are open in an editor, which Read returns. Names, kinds and
// listings still come from the disk, so Read still fails unless the path is a regular file there. It must be called
// before anything is read.
func (w *Worktree) Overlay(unsaved map[string][]byte) { w.unsaved = unsaved }

// List implements Tree. A submodule that is not checked out is listed as a submodule rather than as the empty
// directory that git creates.
func (w *Worktree) List(dir string, max int) (Listing, error) {
	l, err := w.list(dir, max)
	if err != nil || len(l.Entries) > 0 || w.Index == nil {
		return l, err
	}
	if index := w.Index(); index != nil {
		if f, ok := index.Find(dir); ok && f.Mode == git.Gitlink {
			return repository(), nil
		}
	}
	return l, nil
}

func (w *Worktree) list(dir string, max int) (Listing, error) {
	var files []Entry
	if w.memory != nil {
		l, unchanged, of := w.memory.list(w, dir)
		if unchanged && len(l.Entries) <= max {
			return l, nil
		}
		files = of
	}
	found, is, err := w.top.list(dir, max+1)
	if err != nil && !errors.Is(err, io.EOF) {
		return Listing{}, err
	}
	if len(found) > max {
		return Listing{}, fmt.Errorf("%w: more than %d", ErrTooMany, max)
	}
	entries := make([]Entry, len(found))
	for i, e := range found {
		entries[i] = EntryOf(e.Name(), e.Type())
	}
	slices.SortFunc(entries, byName)
	l := Listing{entries, newStamp(is)}
	if w.memory != nil {
		w.memory.note(dir, l, files)
	}
	return l, nil
}

func (w *Worktree) Stat(name string) (Entry, error) {
	is, err := w.top.status(name)
	return EntryOf(path.Base(name), is.mode), err
}

// Executable reports whether the file at a path is a regular file with execute permission.
func (w *Worktree) Executable(name string) bool {
	is, err := w.top.status(name)
	return err == nil && is.mode.IsRegular() && is.mode&0o111 != 0
}

func (w *Worktree) Size(name string, _ Entry) (int64, error) {
	is, err := w.top.status(name)
	if err == nil && !is.mode.IsRegular() {
		err = ErrChanged
	}
	if text, ok := w.unsaved[name]; ok {
		is.size = int64(len(text))
	}
	return is.size, err
}

func (w *Worktree) Read(name string, _ Entry, max int64) (c Content, err error) {
	if text, ok := w.unsaved[name]; ok {
		c.Size = int64(len(text))
		if c.Size <= max {
			c.Data = text
		}
		return c, nil
	}
	return w.top.read(name, max)
}

// readAll reads to the end of a file, but at most one byte more than max. It does not rely on the size, because
// some files grow and others report a wrong size. If the file ends at its reported size, no further read is
// needed.
func readAll(r io.Reader, size, max int64) ([]byte, error) {
	data := make([]byte, 0, min(size, max)+1)
	for int64(len(data)) <= max {
		n, err := r.Read(data[len(data):min(int64(cap(data)), max+1)])
		data = data[:len(data)+n]
		switch {
		case errors.Is(err, io.EOF), err == nil && size > 0 && int64(len(data)) == size:
			return data, nil
		case err != nil:
			return nil, err
		}
		data = slices.Grow(data, 1)
	}
	return data, nil
}

// newContent reads a file's content.
func newContent(r io.Reader, is status, max int64) (c Content, err error) {
	if !is.mode.IsRegular() {
		return c, ErrChanged
	}
	c = Content{Size: is.size, Stamp: newStamp(is)}
	if c.Size > max {
		return c, nil
	}
	if c.Data, err = readAll(r, c.Size, max); int64(len(c.Data)) > max {
		c.Data = nil
	}
	return c, err
}

func (w *Worktree) Readlink(name string) (string, error) { return w.top.readlink(name) }

func (w *Worktree) Unchanged(name string, s Stamp) bool {
	return s == (Stamp{}) || w.top.is(name, s.status)
}

// IsRepository implements Tree. Git treats a ".git" that is not a repository as an ordinary name, so it must not hide
// the state next to it.
func (w *Worktree) IsRepository(dir string, e Entry) bool {
	if e.IsSubmodule() {
		return true
	}
	at := Join(dir, GitName)
	switch e.Kind {
	case snapshot.Directory:
		kind := func(name string) (snapshot.Kind, error) {
			e, err := w.Stat(at + "/" + name)
			return e.Kind, err
		}
		head, err := kind("HEAD")
		objects, err2 := kind("objects")
		refs, err3 := kind("refs")
		return errors.Join(err, err2, err3) == nil && head == snapshot.Regular && objects != snapshot.Regular &&
			refs != snapshot.Regular
	case snapshot.Regular:
		c, err := w.Read(at, e, 8<<10)
		_, ok := git.ParseGitFile(c.Data)
		return err == nil && ok
	}
	return false
}

// A status is the system's record of a file or directory. If two statuses are equal, they describe the same,
// unchanged entry.
type status struct {
	mode              fs.FileMode
	size              int64 // in bytes
	modified, changed int64 // in nanoseconds
	device, inode     uint64
}

// coarse is longer than the clock resolution of any file system in use. FAT's resolution is two
// seconds.
const coarse = 3 * time.Second

func newStamp(is status) Stamp {
	return Stamp{status: is, fresh: time.Now().UnixNano()-is.modified < int64(coarse)}
}

// Fresh reports whether the entry had changed so recently when the stamp was taken that another change might not
// affect the stamp.
func (s Stamp) Fresh() bool { return s.fresh }
