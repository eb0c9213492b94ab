package journal

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/source/tree"
)

// rollBack reverts a transaction of this run.
func (s *Store) rollBack(e *entry) error {
	left, err := s.revertAll(e)
	s.stuck = err != nil
	if err == nil && len(left) > 0 {
		s.entries = append(s.entries, *e)
		err = fmt.Errorf("%s was changed by another program meanwhile and was left alone; everything else was restored, and the earlier bytes are in %s", strings.Join(left, ", "), s.path(e.name))
	}
	return err
}

// revertAll reverts the steps of a transaction, the last first, and removes its journal, or marks it if it is still
// needed. What another program changed meanwhile is left alone and returned; the journal has its old bytes.
func (s *Store) revertAll(e *entry) (left []string, err error) {
	for len(e.steps) > 0 {
		n := len(e.steps) - 1
		st := &e.steps[n]
		foreign, err := s.revert(e, n)
		if err == nil {
			err = s.durable(st)
		}
		if err != nil {
			return left, fmt.Errorf("roll back the change of %s: %w", st.Path, err)
		}
		if foreign {
			left = append(left, st.Path)
		}
		if err := s.forget(e); err != nil {
			return left, err
		}
	}
	if err := s.sweep(e); err != nil {
		return left, err
	}
	if len(left) > 0 {
		return left, s.mark(e, leftOff)
	}
	return nil, s.drop(e.name)
}

// forget removes the last step from the journal.
func (s *Store) forget(e *entry) error {
	e.steps = e.steps[:len(e.steps)-1]
	if err := s.journal.Remove(join(e.name, stepName(len(e.steps)))); err != nil && !absent(err) {
		return err
	}
	return s.journal.Sync(e.name)
}

// durable makes durable what an earlier attempt may have reverted, before the step leaves the journal.
func (s *Store) durable(st *step) error {
	for _, name := range []string{st.Path, st.From} {
		if name == "" {
			continue
		}
		if err := s.tree.Sync(path.Dir(name)); err != nil && !absent(err) {
			return err
		}
	}
	return nil
}

// revert reverts one step if it was made. It reports whether it had to leave
// what it found.
func (s *Store) revert(e *entry, n int) (foreign bool, err error) {
	switch st := &e.steps[n]; st.Do {
	case put, remove:
		return s.revertFile(e, n)
	case move:
		return s.revertMove(st)
	case rmdir:
		found, err := exists(s.tree, st.Path)
		if err == nil && !found {
			err = makeDirectory(s.tree, st.Path, st.Was.attributes())
		}
		return false, err
	default:
		return s.revertMkdir(st.Path)
	}
}

func (s *Store) revertFile(e *entry, n int) (foreign bool, err error) {
	st := &e.steps[n]
	was, err := matches(s.tree, st.Path, st.Was)
	if err != nil || was {
		return false, err
	}
	is, err := matches(s.tree, st.Path, st.Is) // of remove, Is is nil: nothing is there
	if err != nil || !is {
		return !is, err
	}
	if st.Was == nil {
		return false, unlink(s.tree, st.Path)
	}
	if err := s.stage(e, n, e.header.Roots[0]); err != nil {
		return false, err
	}
	return false, rename(s.tree, e.header.temporary(n, false), st.Path)
}

// stage makes sure that the old bytes of a step are beside the tree's own under their temporary name, in the
// directory that is the first root now. A power failure may have lost it, and after Keep there is none.
func (s *Store) stage(e *entry, n int, home string) error {
	aside := join(home, path.Base(e.header.temporary(n, false)))
	found, err := matches(s.tree, aside, e.steps[n].Was)
	if err != nil || found {
		return err
	}
	data, err := s.backup(e, n)
	if err != nil {
		return err
	}
	if err := unlink(s.tree, aside); err != nil {
		return err
	}
	return create(s.tree, aside, data, e.steps[n].Was.attributes())
}

func (s *Store) revertMove(st *step) (foreign bool, err error) {
	from, err := s.spelled(st.From)
	if err != nil {
		return false, err
	}
	to, err := s.spelled(st.Path)
	if err != nil {
		return false, err
	}
	switch {
	case to && !from:
		return false, rename(s.tree, st.Path, st.From)
	case from && !to:
		return false, nil
	case from && !st.Was.Dir:
		was, err := matches(s.tree, st.From, st.Was)
		return !was, err
	}
	return true, nil
}

// spelled reports whether a name is in its directory in this very spelling:
// where case is ignored, asking for the name finds any.
func (s *Store) spelled(name string) (bool, error) {
	names, err := s.tree.List(path.Dir(name))
	if absent(err) {
		return false, nil
	}
	return slices.Contains(names, path.Base(name)), err
}

func (s *Store) revertMkdir(dir string) (foreign bool, err error) {
	info, err := s.tree.Lstat(dir)
	if absent(err) {
		return false, nil
	}
	if err != nil || info.Kind != Directory {
		return err == nil, err
	}
	names, err := s.tree.List(dir)
	if err != nil || len(names) > 0 {
		return len(names) > 0, err
	}
	return false, unlink(s.tree, dir)
}

// sweep removes the temporary files of a transaction.
func (s *Store) sweep(e *entry) error {
	for _, root := range e.header.Roots {
		names, err := s.tree.List(root)
		if err != nil && !absent(err) {
			return err
		}
		for _, name := range names {
			if id, ok := tree.TemporaryOf(name); !ok || id != e.header.ID {
				continue
			}
			if err := unlink(s.tree, join(root, name)); err != nil {
				return fmt.Errorf("remove a temporary file: %w", err)
			}
		}
	}
	return nil
}
