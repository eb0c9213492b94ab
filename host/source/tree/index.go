package tree

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/stategate/stategate/sdk/engine/snapshot"
)

// An Ignorer reports whether git ignores each path. Paths are slash-separated and relative to the workspace.
// *ignore.Rules implements it.
type Ignorer interface {
	Ask(paths []string) ([]bool, error)
}

// An Index is the index together with the working tree's ignored files, because state that is never committed
// exists only on disk. A file that is neither in the index nor ignored does not exist. A directory of the
// working tree that the index does not have is PassThrough unless it is ignored.
type Index struct {
	*Listed
	disk    Tree
	ignores Ignorer
}

// NewIndex combines the index with the working tree's ignored files.
func NewIndex(index *Listed, disk *Worktree, ignores Ignorer) *Index {
	return &Index{Listed: index, disk: disk, ignores: ignores}
}

// Ask implements Ignorer. Files in the index are not ignored.
func (s *Index) Ask(paths []string) ([]bool, error) {
	answers := make([]bool, len(paths))
	var open []string
	var which []int
	for i, p := range paths {
		if !s.Holds(p) {
			open, which = append(open, p), append(which, i)
		}
	}
	if len(open) == 0 {
		return answers, nil
	}
	ignored, err := s.ignores.Ask(open)
	if err != nil {
		return nil, err
	}
	for k, i := range which {
		answers[i] = ignored[k]
	}
	return answers, nil
}

func (s *Index) List(dir string, max int) (Listing, error) {
	all, err := s.Listed.List(dir, max)
	if err != nil && !errors.Is(err, fs.ErrNotExist) || len(all.Entries) == 1 && all.Entries[0].Name == GitName {
		return all, err
	}
	disk, failed := s.disk.List(dir, max)
	switch {
	case errors.Is(failed, fs.ErrNotExist), errors.Is(failed, ErrNotDirectory): // as outside a sparse checkout
		return all, err
	case failed != nil:
		return all, failed
	}
	var beside []Entry
	var paths []string
	for _, e := range disk.Entries {
		_, held := slices.BinarySearchFunc(all.Entries, e, byName)
		if !held && (e.Name != GitName || len(all.Entries) == 0) {
			beside, paths = append(beside, e), append(paths, Join(dir, e.Name))
		}
	}
	if all.Stamp = disk.Stamp; len(beside) == 0 {
		return all, nil
	}
	ignored, err := s.Ask(paths)
	if err != nil {
		return all, err
	}
	for i, e := range beside {
		e.PassThrough = !ignored[i] && e.Name != GitName
		if !e.PassThrough || e.Kind == snapshot.Directory {
			all.Entries = append(all.Entries, e)
		}
	}
	all.Entries = sorted(all.Entries)
	return all, nil
}

// Existing is like List, but omits PassThrough directories unless they contain something that is part of the tree.
func Existing(t Tree, dir string, max int) (Listing, error) {
	l, err := t.List(dir, max)
	kept := l.Entries[:0]
	for _, e := range l.Entries {
		if e.PassThrough {
			below, err := Existing(t, Join(dir, e.Name), max-len(l.Entries))
			if err != nil {
				return l, err
			}
			if len(below.Entries) == 0 || slices.ContainsFunc(below.Entries,
				func(e Entry) bool { return e.Name == GitName }) {
				continue
			}
			e.PassThrough = false
		}
		kept = append(kept, e)
	}
	l.Entries = kept
	return l, err
}

func (s *Index) Stat(path string) (Entry, error) {
	if e, err := s.Listed.Stat(path); err == nil {
		return e, nil
	}
	e, err := s.disk.Stat(path)
	if err != nil || e.Kind == snapshot.Directory {
		return e, err
	}
	if ignored, err := s.Ask([]string{path}); err != nil || !ignored[0] {
		return Entry{}, errors.Join(fs.ErrNotExist, err)
	}
	return e, nil
}

// holder returns the one of two trees that contains an entry. Only a listing knows object ids.
func holder(e Entry, listed *Listed, disk Tree) Tree {
	if e.ID != "" {
		return listed
	}
	return disk
}

func (s *Index) Size(path string, e Entry) (int64, error) {
	return holder(e, s.Listed, s.disk).Size(path, e)
}

func (s *Index) Read(path string, e Entry, max int64) (Content, error) {
	return holder(e, s.Listed, s.disk).Read(path, e, max)
}

func (s *Index) Readlink(path string) (string, error) {
	if s.Holds(path) {
		return s.Listed.Readlink(path)
	}
	return s.disk.Readlink(path)
}

func (s *Index) Unchanged(path string, is Stamp) bool { return s.disk.Unchanged(path, is) }

func (s *Index) IsRepository(dir string, e Entry) bool {
	return s.Holds(dir) || s.disk.IsRepository(dir, e)
}
