package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/stategate/stategate/sdk/edit"
)

// A maker makes and reverts steps. Every method leaves what it did durable.
type maker struct {
	tree   Disk
	backup func(name string) ([]byte, error) // a file of the journal
}

// prepare writes the new bytes of a step beside their target.
func (m *maker) prepare(s *step) error {
	if s.Do != put {
		return nil
	}
	if err := m.tree.Write(s.New, s.data, s.Is.attributes()); err != nil {
		return err
	}
	return m.tree.Sync(path.Dir(s.New))
}

// do makes a step.
func (m *maker) do(s *step) error {
	switch s.Do {
	case mkdir:
		return m.makeDirectory(s.Path, s.Was)
	case rmdir:
		return m.gone(s.Path)
	case move:
		if err := m.free(s); err != nil {
			return err
		}
		return m.move(s.From, s.Path)
	case remove:
		if err := m.holds(s.Path, s.Was); err != nil {
			return err
		}
		return m.move(s.Path, s.Old)
	}
	return m.put(s)
}

// free refuses a name that was taken meanwhile: renaming would replace it.
func (m *maker) free(s *step) error {
	there, err := m.there(s.Path)
	if err != nil || !there || edit.Fold(s.From) == edit.Fold(s.Path) {
		return err
	}
	return &ChangedError{[]string{s.Path}}
}

func (m *maker) put(s *step) error {
	if s.Was == nil {
		if err := m.free(s); err != nil {
			return err
		}
		return m.move(s.New, s.Path)
	}
	if err := m.setAside(s); err != nil {
		return err
	}
	// What was set aside is what is replaced: look at that, not at the path.
	if err := m.holds(s.Old, s.Was); err != nil {
		return changedOr(err, s.Path)
	}
	return m.move(s.New, s.Path)
}

// setAside returns the old bytes a second name, without a copy if it can be, so
// that the path always holds one or the other.
func (m *maker) setAside(s *step) error {
	if err := m.holds(s.Path, s.Was); err != nil {
		return err
	}
	if err := m.tree.Link(s.Path, s.Old); err == nil {
		return m.tree.Sync(path.Dir(s.Old))
	}
	data, info, err := m.tree.Read(s.Path, maxFile)
	if err != nil {
		return err
	}
	if err := m.tree.Write(s.Old, data, info.Attributes); err != nil {
		return err
	}
	return m.tree.Sync(path.Dir(s.Old))
}

// changedOr returns a ChangedError where nothing else went wrong.
func changedOr(err error, name string) error {
	var changed *ChangedError
	if err == nil || errors.As(err, &changed) {
		return &ChangedError{[]string{name}}
	}
	return err
}

// holds refuses a file that is not in a state.
func (m *maker) holds(name string, s *state) error {
	is, err := m.is(name, s)
	if err == nil && !is {
		err = &ChangedError{[]string{name}}
	}
	return err
}

// is reports whether a file with the bytes of a state lies at a name. Nil is the
// state of nothing.
func (m *maker) is(name string, s *state) (bool, error) {
	if s == nil {
		there, err := m.there(name)
		return !there, err
	}
	data, _, err := m.tree.Read(name, maxFile)
	if absent(err) || errors.Is(err, errNotRegular) || errors.Is(err, errTooLarge) {
		return false, nil
	}
	return err == nil && sumOf(data) == s.Sum, err
}

// absent reports whether nothing lies at a name, nor can, since what should be a
// directory above it is something else.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, errLink) }

func (m *maker) there(name string) (bool, error) {
	_, err := m.tree.Lstat(name)
	if absent(err) {
		return false, nil
	}
	return err == nil, err
}

// move renames and makes both directories durable.
func (m *maker) move(from, to string) error {
	if err := m.tree.Rename(from, to); err != nil {
		return err
	}
	if err := m.tree.Sync(path.Dir(to)); err != nil {
		return err
	}
	if path.Dir(from) == path.Dir(to) {
		return nil
	}
	return m.tree.Sync(path.Dir(from))
}

func (m *maker) makeDirectory(name string, was *state) error {
	var as Attributes
	if was != nil {
		as = was.attributes()
	}
	if err := m.tree.Mkdir(name, as); err != nil {
		return err
	}
	return m.tree.Sync(path.Dir(name))
}

// gone removes a file or an empty directory, which need not be there any more.
func (m *maker) gone(name string) error {
	err := m.tree.Remove(name)
	if absent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return m.tree.Sync(path.Dir(name))
}

// sweep removes the temporary files of steps.
func (m *maker) sweep(steps []step) error {
	for i := range steps {
		for _, name := range []string{steps[i].New, steps[i].Old} {
			if name == "" {
				continue
			}
			if there, err := m.there(name); err != nil || !there {
				continue // its directory is out of reach, and a later sweep comes here again only if it must
			}
			if err := m.gone(name); err != nil {
				return fmt.Errorf("remove a temporary file: %w", err)
			}
		}
	}
	return nil
}
