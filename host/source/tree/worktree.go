package tree

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/engine/snapshot"
)

// A Worktree is a directory on disk. Directories are opened from its top, and none of the names on the way may be a
// link: nothing outside is reached, whatever happens to the tree meanwhile.
type Worktree struct {
	top    *folder
	kept   map[string]*folder // of a view: the directories that were opened, by path
	listed *sync.Map          // what the walk has listed, by path
	memory *Memory            // of earlier looks; nil for none

	unsaved map[string][]byte // what Read answers in place of what is on disk, by path
}

// maxKept bounds the directories that a view keeps open.
const maxKept = 32

// OpenWorktree opens the directory at an absolute path of the operating system. Close it.
func OpenWorktree(dir string) (*Worktree, error) {
	top, err := openTop(dir)
	if err != nil {
		return nil, fmt.Errorf("open work tree: %w", err)
	}
	return &Worktree{top: top, listed: &sync.Map{}}, nil
}

// Close closes the tree and its views.
func (w *Worktree) Close() error { return w.top.Close() }

func (w *Worktree) Name() string { return w.top.Name() }

// View implements Tree: to begin at the top for each file would take three times as many calls of the kernel.
func (w *Worktree) View() (Tree, func()) {
	v := &Worktree{w.top, map[string]*folder{}, w.listed, w.memory, w.unsaved}
	return v, func() {
		for _, f := range v.kept {
			_ = f.Close()
		}
	}
}

// Overlay has files read as an editor holds them that has not saved them yet. Names, kinds and listings stay those on
// disk: what is no regular file there is never read. It comes before all reading.
func (w *Worktree) Overlay(unsaved map[string][]byte) { w.unsaved = unsaved }

// Remember has the first view that lists one of these directories take the listing for its own. Whether it still holds
// is seen in its stamp.
func (w *Worktree) Remember(listings map[string]Listing) {
	for dir, l := range listings {
		w.listed.Store(dir, l)
	}
}

// open opens a directory anew. The caller closes it.
func (w *Worktree) open(dir string) (*folder, error) {
	at, rest := w.top, dir
	for i := strings.LastIndexByte(dir, '/'); i > 0; i = strings.LastIndexByte(dir[:i], '/') {
		if f := w.kept[dir[:i]]; f != nil {
			at, rest = f, dir[i+1:]
			break
		}
	}
	return at.descend(rest)
}

// stepwise opens a directory below this one, name by name.
func (f *folder) stepwise(dir string) (*folder, error) {
	at := f
	var between *folder
	for name := range strings.SplitSeq(dir, "/") {
		next, err := at.open(name)
		if between != nil {
			_ = between.Close()
		}
		if err != nil {
			return nil, err
		}
		at, between = next, next
	}
	return at, nil
}

// inside calls f with the directory that a path is in, and the last name of the path.
func (w *Worktree) inside(name string, f func(in *folder, name string) error) error {
	dir, base := path.Split(name)
	dir = strings.TrimSuffix(dir, "/")
	if dir == "" {
		return f(w.top, base)
	}
	if in := w.kept[dir]; in != nil {
		return f(in, base)
	}
	in, err := w.open(dir)
	if err != nil {
		return err
	}
	if !w.keep(dir, in) {
		defer in.Close()
	}
	return f(in, base)
}

// keep keeps a directory open until the view ends, in place of what was opened for it before, and reports whether it
// does.
func (w *Worktree) keep(dir string, in *folder) bool {
	old := w.kept[dir]
	if w.kept == nil || old == nil && len(w.kept) >= maxKept {
		return false
	}
	if old != nil {
		_ = old.Close()
	}
	w.kept[dir] = in
	return true
}

func (w *Worktree) List(dir string, max int) (Listing, error) {
	if w.kept != nil {
		if l, ok := w.listed.LoadAndDelete(dir); ok && len(l.(Listing).Entries) <= max {
			return l.(Listing), nil
		}
	}
	var files []Entry
	if w.memory != nil {
		l, known, of := w.memory.list(w, dir)
		if known && len(l.Entries) <= max {
			return l, nil
		}
		files = of
	}
	in, err := w.open(dir)
	if err != nil {
		return Listing{}, err
	}
	if !w.keep(dir, in) {
		defer in.Close()
	}
	found, is, err := in.list(max + 1)
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

func (w *Worktree) status(name string) (is status, err error) {
	err = w.inside(name, func(in *folder, base string) (err error) {
		is, err = in.status(base)
		return err
	})
	return is, err
}

func (w *Worktree) Stat(name string) (Entry, error) {
	is, err := w.status(name)
	return EntryOf(path.Base(name), is.mode), err
}

// Executable reports whether a regular file at a path may be run.
func (w *Worktree) Executable(name string) bool {
	is, err := w.status(name)
	return err == nil && is.mode.IsRegular() && is.mode&0o111 != 0
}

func (w *Worktree) Size(name string, _ Entry) (int64, error) {
	is, err := w.status(name)
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
	err = w.inside(name, func(in *folder, base string) (err error) {
		c, err = in.read(base, max)
		return err
	})
	return c, err
}

// readAll reads to the end, or to one byte more than max. Some files grow, and some report a wrong size; one that ends
// where it says need not be asked again.
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

// newContent is what was read of a file.
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

func (w *Worktree) Readlink(name string) (text string, err error) {
	err = w.inside(name, func(in *folder, base string) (err error) {
		text, err = in.readlink(base)
		return err
	})
	return text, err
}

func (w *Worktree) Unchanged(name string, s Stamp) bool {
	if s == (Stamp{}) {
		return true
	}
	is, err := w.status(name)
	return err == nil && is == s.status
}

// IsRepository implements Tree. Git takes a ".git" that is nothing of the sort for an ordinary name, so that state
// cannot hide beside one.
func (w *Worktree) IsRepository(dir string, e Entry) bool {
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

// A status is what the system knows of a file or directory. Two that are equal are of the same one, unchanged.
type status struct {
	mode              fs.FileMode
	size              int64 // bytes
	modified, changed int64 // nanoseconds
	device, inode     uint64
}

// coarse is longer than a tick of the clock of any file system in use (FAT has two seconds).
const coarse = 3 * time.Second

func newStamp(is status) Stamp {
	return Stamp{status: is, fresh: time.Now().UnixNano()-is.modified < int64(coarse)}
}

// Fresh reports whether the thing was so new when the stamp was taken that another change right after it need not show.
func (s Stamp) Fresh() bool { return s.fresh }
