package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/edit"
)

// make makes a step. It reports false where the tree is not as the step has it; then nothing is done.
func (s *Store) make(e *entry, n int, data []byte) (done bool, err error) {
	st := &e.steps[n]
	if st.From != "" {
		return s.move(st.From, st.Path)
	}
	if st.Was.file() {
		if _, err := s.stage(e, n, e.header.About.Root); err != nil {
			return false, err
		}
	}
	return s.replace(st.Path, st.Was, st.Is, func() (string, error) {
		fresh := e.temporary(n, true)
		return fresh, s.create(fresh, data, st.Is.attributes())
	})
}

// revert reverts a step if it was made. It reports false if it had to leave what another program made of it.
func (s *Store) revert(e *entry, n int) (done bool, err error) {
	st := &e.steps[n]
	if st.From == "" {
		return s.replace(st.Path, st.Is, st.Was, func() (string, error) { return s.stage(e, n, e.header.About.Root) })
	}
	if done, err = s.move(st.Path, st.From); err == nil && !done && !st.Was.Dir {
		done, err = matches(s.tree, st.From, st.Was)
	}
	return done, err
}

// replace brings a name from one state to another and makes that durable, even if it was there already. source names
// the bytes of a new file. It reports false if neither state is there.
func (s *Store) replace(name string, from, to *state, source func() (string, error)) (done bool, err error) {
	done, err = matches(s.tree, name, to)
	if err == nil && !done {
		done, err = s.swap(name, from, to, source)
	}
	if err != nil || !done {
		return false, err
	}
	return true, s.sync(path.Dir(name))
}

// swap is replace where the name is not in the state that is wanted.
func (s *Store) swap(name string, from, to *state, source func() (string, error)) (done bool, err error) {
	if same, err := matches(s.tree, name, from); err != nil || !same {
		return false, err
	}
	switch {
	case to.file():
		var temporary string
		if temporary, err = source(); err == nil {
			err = s.tree.Rename(temporary, name)
		}
	case to != nil:
		err = s.tree.Mkdir(name, to.attributes())
	default:
		if from.Dir {
			if names, err := s.tree.List(name); err != nil || len(names) > 0 {
				return false, err
			}
		}
		err = s.tree.Remove(name)
	}
	return err == nil, err
}

// move renames unless that is done already, and makes it durable. It reports false if there is nothing to rename, or
// the new name is taken.
func (s *Store) move(from, to string) (done bool, err error) {
	var there [2]bool
	for i, name := range []string{from, to} {
		if there[i], err = s.spelled(name); err != nil {
			return false, err
		}
	}
	if there[0] == there[1] {
		return false, nil
	}
	if there[0] {
		if free, err := s.free(from, to); err != nil || !free {
			return false, err
		}
		if err := s.tree.Rename(from, to); err != nil {
			return false, err
		}
	}
	return true, s.sync(path.Dir(to), path.Dir(from))
}

// free reports whether a name is free for what is at another one, as it is if both spell the same name on a file system
// that ignores case.
func (s *Store) free(from, to string) (bool, error) {
	there, err := s.tree.Lstat(to)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil || edit.Fold(from) != edit.Fold(to) {
		return false, err
	}
	moved, err := s.tree.Lstat(from)
	return err == nil && moved.Same(there), err
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

func (s *Store) create(name string, data []byte, as Attributes) error {
	if err := s.tree.Write(name, data, as); err != nil {
		return err
	}
	return s.sync(path.Dir(name))
}

// sync makes the names in directories durable that are there.
func (s *Store) sync(dirs ...string) error {
	for _, dir := range dirs {
		if err := s.tree.Sync(dir); err != nil && !absent(err) {
			return err
		}
	}
	return nil
}

// stage makes sure that the old bytes of a step have their temporary name, which it returns, in the
// directory that is the root now. A power failure may have lost it, and after Keep there is none.
func (s *Store) stage(e *entry, n int, home string) (backup string, err error) {
	backup = path.Join(home, path.Base(e.temporary(n, false)))
	found, err := matches(s.tree, backup, e.steps[n].Was)
	if err != nil || found {
		return backup, errors.Join(err, s.sync(home))
	}
	data, err := s.backup(e, n)
	if err != nil {
		return "", err
	}
	if err := s.tree.Remove(backup); err != nil && !absent(err) {
		return "", err
	}
	return backup, s.create(backup, data, e.steps[n].Was.attributes())
}

// commit removes the temporary files of a transaction and marks it as committed.
func (s *Store) commit(e *entry) error {
	if err := s.sweep(e); err != nil || e.state == committed {
		return err
	}
	return s.turn(e, committed)
}

// sweep removes the temporary files of a transaction.
func (s *Store) sweep(e *entry) error {
	for _, root := range e.header.roots() {
		names, err := s.tree.List(root)
		if err != nil && !absent(err) {
			return err
		}
		for _, name := range names {
			if id, ok := tree.TemporaryOf(name); !ok || id != e.id {
				continue
			}
			if err := s.tree.Remove(path.Join(root, name)); err != nil {
				return fmt.Errorf("remove a temporary file: %w", err)
			}
		}
	}
	return s.sync(e.header.roots()...)
}

// takeBack rolls back a transaction of this run.
func (s *Store) takeBack(e *entry) error {
	foreign, err := s.rollBack(e)
	s.stuck = err != nil
	if err == nil && len(foreign) > 0 {
		s.entries = append(s.entries, e)
		err = fmt.Errorf("%s was changed by another program meanwhile and was left alone; everything else was "+
			"restored, and the earlier bytes are in %s", strings.Join(foreign, ", "), filepath.Join(s.dir, e.dir()))
	}
	return err
}

// rollBack reverts the steps of a transaction, the last first, and removes its journal, or marks it if it is still
// needed. What another program changed meanwhile is left alone and returned; the journal has its old bytes.
func (s *Store) rollBack(e *entry) (foreign []string, err error) {
	if e.state != open {
		if err := s.turn(e, open); err != nil {
			return nil, err
		}
	}
	for len(e.steps) > 0 {
		n := len(e.steps) - 1
		name := e.steps[n].Path
		done, err := s.revert(e, n)
		if err != nil {
			return foreign, fmt.Errorf("roll back the change of %s: %w", name, err)
		}
		if !done {
			foreign = append(foreign, name)
		}
		if err := s.forget(e); err != nil {
			return foreign, err
		}
	}
	if err := s.sweep(e); err != nil {
		return foreign, err
	}
	if len(foreign) > 0 {
		return foreign, s.turn(e, abandoned)
	}
	return nil, s.drop(e)
}

func (s *Store) forget(e *entry) error {
	e.steps = e.steps[:len(e.steps)-1]
	if err := s.journal.Remove(path.Join(e.dir(), stepName(len(e.steps)))); err != nil && !absent(err) {
		return err
	}
	return s.journal.Sync(e.dir())
}

// follow returns where steps take what is at a path.
func follow(name string, later []step) string {
	for i := range later {
		if s := &later[i]; s.From != "" && slashpath.Holds(s.From, name) {
			name = s.Path + name[len(s.From):]
		}
	}
	return name
}

// matches reports whether what is at a name has the kind and bytes of a state. Nil is the state of nothing.
func matches(disk Disk, name string, s *state) (bool, error) {
	var err error
	if s.file() {
		var data []byte
		if data, _, err = disk.Read(name, maxFile); err == nil {
			return sumOf(data) == s.Sum, nil
		}
	} else {
		var info Info
		if info, err = disk.Lstat(name); err == nil {
			return s != nil && info.Kind == Directory, nil
		}
	}
	if absent(err) {
		return s == nil, nil
	}
	if errors.Is(err, errNotRegular) || errors.Is(err, errTooLarge) {
		return false, nil
	}
	return false, err
}

// absent reports whether nothing is at a name, nor can be, since what should be a directory above it is something else.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, errLink) }
