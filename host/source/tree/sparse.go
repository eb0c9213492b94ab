package tree

import (
	"errors"
	"io/fs"
)

// A Sparse is a working tree together with the files that its sparse checkout omits. These files are not
// missing, so the Sparse takes them from the index. Files on disk take precedence.
type Sparse struct {
	*Worktree
	left *Listed
}

// NewSparse combines a working tree with the files that only the index has.
func NewSparse(disk *Worktree, left *Listed) *Sparse { return &Sparse{disk, left} }

// OnDisk returns the working tree inside a tree, or nil if there is none.
func OnDisk(t Tree) *Worktree {
	switch t := t.(type) {
	case *Worktree:
		return t
	case *Sparse:
		return t.Worktree
	}
	return nil
}

// LeavesOut reports whether the sparse checkout omits a file, so that only the index has it.
func (s *Sparse) LeavesOut(name string) bool {
	_, err := s.Worktree.Stat(name)
	return errors.Is(err, fs.ErrNotExist) && s.left.Holds(name)
}

func (s *Sparse) List(dir string, max int) (Listing, error) {
	all, err := s.Worktree.List(dir, max)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return all, err
	}
	left, missing := s.left.List(dir, max)
	if missing != nil {
		return all, err
	}
	names := make(map[string]bool, len(all.Entries))
	for _, e := range all.Entries {
		names[e.Name] = true
	}
	for _, e := range left.Entries {
		if !names[e.Name] {
			all.Entries = append(all.Entries, e)
		}
	}
	all.Entries = sorted(all.Entries)
	return all, nil
}

func (s *Sparse) Stat(name string) (Entry, error) {
	e, err := s.Worktree.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return s.left.Stat(name)
	}
	return e, err
}

func (s *Sparse) Size(name string, e Entry) (int64, error) {
	return holder(e, s.left, s.Worktree).Size(name, e)
}

func (s *Sparse) Read(name string, e Entry, max int64) (Content, error) {
	return holder(e, s.left, s.Worktree).Read(name, e, max)
}

func (s *Sparse) Readlink(name string) (string, error) {
	if s.LeavesOut(name) {
		return s.left.Readlink(name)
	}
	return s.Worktree.Readlink(name)
}
