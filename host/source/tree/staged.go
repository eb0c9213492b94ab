package tree

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"sync"

	"github.com/stategate/stategate/sdk/snapshot"
)

// An Ignorer returns for each path, slash-separated below the anchor, whether git ignores it. *git.Ignores is one.
type Ignorer interface {
	Ask(paths []string) ([]bool, error)
}

// A Staged is the index, and beside it what git ignores in the work tree: state that is never committed is checked as it
// is there. What is neither in the index nor ignored does not exist.
type Staged struct {
	*Listed
	disk    *Worktree
	ignores Ignorer

	mu      sync.Mutex
	real    map[string]bool // directories of the work tree that were come upon without following a link
	ignored map[string]bool // directories that git ignores
}

// NewStaged puts what git ignores beside the index.
func NewStaged(index *Listed, disk *Worktree, ignores Ignorer) *Staged {
	return &Staged{Listed: index, disk: disk, ignores: ignores, real: map[string]bool{".": true}, ignored: map[string]bool{}}
}

// Ask implements Ignorer: what the index holds is not ignored, and what is in an ignored directory is.
func (s *Staged) Ask(paths []string) ([]bool, error) {
	answers := make([]bool, len(paths))
	var open []string
	var which []int
	for i, p := range paths {
		switch {
		case s.Holds(p):
		case s.within(p):
			answers[i] = true
		default:
			open, which = append(open, p), append(which, i)
		}
	}
	if len(open) == 0 {
		return answers, nil
	}
	said, err := s.ignores.Ask(open)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, i := range which {
		answers[i] = said[k]
		if said[k] {
			s.ignored[paths[i]] = true
		}
	}
	return answers, nil
}

// within reports whether a directory above the path is known to be ignored.
func (s *Staged) within(p string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p = path.Dir(p); p != "."; p = path.Dir(p) {
		if s.ignored[p] {
			return true
		}
	}
	return false
}

// Scan implements Walkable. A directory of the work tree that the index does not have is PassThrough unless it is ignored.
func (s *Staged) Scan(dir string, f func(name string, mode fs.FileMode)) error {
	var listed []string
	err := s.Listed.Scan(dir, func(name string, mode fs.FileMode) {
		listed = append(listed, name)
		f(name, mode)
	})
	s.mu.Lock()
	onDisk := s.real[dir]
	s.mu.Unlock()
	if err != nil || !onDisk || len(listed) == 1 && listed[0] == GitName {
		return err
	}
	slices.Sort(listed)
	var others, dirs []string
	modes := map[string]fs.FileMode{}
	err = s.disk.Scan(dir, func(name string, mode fs.FileMode) {
		if mode.IsDir() {
			dirs = append(dirs, name)
		}
		_, known := slices.BinarySearch(listed, name)
		switch {
		case known || len(listed) > 0 && name == GitName:
		case name == GitName:
			f(name, mode)
		default:
			path := Join(dir, name)
			others, modes[path] = append(others, path), mode
		}
	})
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil // outside a sparse checkout, or gone
		}
		return err
	}
	s.come(dir, dirs)
	ignored, err := s.Ask(others)
	if err != nil {
		return err
	}
	for i, p := range others {
		switch mode := modes[p]; {
		case ignored[i]:
			f(path.Base(p), mode)
		case mode.IsDir():
			f(path.Base(p), mode|PassThrough)
		}
	}
	return nil
}

func (s *Staged) come(dir string, names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range names {
		s.real[Join(dir, n)] = true
	}
}

// Mode implements Walkable.
func (s *Staged) Mode(path string) (fs.FileMode, error) {
	if mode, err := s.Listed.Mode(path); err == nil {
		return mode, nil
	}
	mode, err := s.disk.Mode(path)
	if err != nil || mode.IsDir() {
		return mode, err
	}
	if ignored, err := s.Ask([]string{path}); err != nil || !ignored[0] {
		return 0, errors.Join(fs.ErrNotExist, err)
	}
	return mode, nil
}

// Readlink implements Walkable.
func (s *Staged) Readlink(path string) (string, error) {
	if s.Holds(path) {
		return s.Listed.Readlink(path)
	}
	return s.disk.Readlink(path)
}

// IsRepository implements Walkable.
func (s *Staged) IsRepository(dir string, mode fs.FileMode) bool {
	return s.Holds(dir) || s.disk.IsRepository(dir, mode)
}

// Open implements Tree.
func (s *Staged) Open(ctx context.Context, dir string) (Dir, error) {
	listed, err := s.Listed.Open(ctx, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	disk, failed := s.disk.Open(ctx, dir)
	switch {
	case failed == nil:
	case errors.Is(failed, fs.ErrNotExist), errors.Is(failed, ErrNotDirectory):
		disk = nil
	default:
		return nil, failed
	}
	if listed == nil && disk == nil {
		return nil, fs.ErrNotExist
	}
	return &stagedDir{tree: s, root: dir, listed: listed, disk: disk, real: map[string]bool{".": true}}, nil
}

// A stagedDir is a directory of the index, of the work tree, or of both.
type stagedDir struct {
	tree   *Staged
	root   string
	listed Dir             // nil if the index lacks it
	disk   Dir             // nil if the work tree lacks it
	real   map[string]bool // as in Staged, below the root
}

func (d *stagedDir) Close() error {
	if d.disk == nil {
		return nil
	}
	return d.disk.Close()
}

func (d *stagedDir) List(path string, max int) (Listing, error) {
	var all Listing
	if d.listed != nil {
		var err error
		if all, err = d.listed.List(path, max); err != nil {
			return all, err
		}
	}
	if d.disk == nil || !d.real[path] {
		return all, nil
	}
	beside, err := d.disk.List(path, max)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return all, err
	}
	for _, e := range beside.Entries {
		if e.Kind == snapshot.Directory {
			d.real[Join(path, e.Name)] = true
		}
	}
	all.Stamp = beside.Stamp
	all.Entries, err = d.merge(path, all.Entries, beside.Entries, max)
	return all, err
}

// merge adds what the index does not have and git ignores.
func (d *stagedDir) merge(path string, listed, beside []Entry, max int) ([]Entry, error) {
	var open []Entry
	var paths []string
	for _, e := range beside {
		if _, ok := byName(listed, e.Name); !ok && (e.Name != GitName || len(listed) == 0) {
			open, paths = append(open, e), append(paths, Join(d.root, Join(path, e.Name)))
		}
	}
	ignored, err := d.tree.Ask(paths)
	if err != nil {
		return nil, err
	}
	for i, e := range open {
		keep := ignored[i] || e.Name == GitName
		if !keep && e.Kind == snapshot.Directory {
			if keep, err = d.holdsIgnored(Join(path, e.Name), max); err != nil {
				return nil, err
			}
		}
		if keep {
			listed = append(listed, e)
		}
	}
	return Sorted(listed), nil
}

// holdsIgnored reports whether git ignores something in a directory that it neither tracks nor ignores.
func (d *stagedDir) holdsIgnored(path string, max int) (bool, error) {
	l, err := d.disk.List(path, max)
	if err != nil {
		return false, err
	}
	var paths []string
	for _, e := range l.Entries {
		if e.Name == GitName {
			return false, nil
		}
		paths = append(paths, Join(d.root, Join(path, e.Name)))
	}
	ignored, err := d.tree.Ask(paths)
	if err != nil {
		return false, err
	}
	for i, e := range l.Entries {
		if ignored[i] {
			return true, nil
		}
		if e.Kind == snapshot.Directory {
			if found, err := d.holdsIgnored(Join(path, e.Name), max-len(l.Entries)); found || err != nil {
				return found, err
			}
		}
	}
	return false, nil
}

func (d *stagedDir) Size(path string, e Entry) (int64, error) {
	if e.ID != "" {
		return d.tree.Size(path, e)
	}
	if d.disk == nil {
		return 0, fs.ErrNotExist
	}
	return d.disk.Size(path, e)
}

func (d *stagedDir) Read(path string, e Entry, max int64) (Content, error) {
	if e.ID != "" {
		return d.tree.Read(path, e, max)
	}
	return d.disk.Read(path, e, max)
}

func (d *stagedDir) Unchanged(path string, s Stamp) bool {
	return s.info == nil || d.disk == nil || d.disk.Unchanged(path, s)
}
