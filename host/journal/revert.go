package journal

import (
	"fmt"
	"path"
)

// revertAll takes back steps of which all but the last were made, the last first.
// It calls reached with the number of steps that are left, before it goes on: then all but
// the last of those are made. What somebody else changed meanwhile is left alone and
// named; the journal has its old bytes.
func (m *maker) revertAll(steps []step, reached func(n int) error) (left []string, err error) {
	for i := len(steps) - 1; i >= 0; i-- {
		kept, err := m.revert(&steps[i])
		if err != nil {
			return left, fmt.Errorf("roll back the change of %s: %w", steps[i].Path, err)
		}
		if kept {
			left = append(left, steps[i].Path)
		}
		if err := reached(i); err != nil {
			return left, err
		}
	}
	return left, m.settle(steps)
}

// settle makes durable what an earlier attempt reverted, before the journal goes.
func (m *maker) settle(steps []step) error {
	for i := range steps {
		for _, name := range []string{steps[i].Path, steps[i].From} {
			if name == "" {
				continue
			}
			if err := m.tree.Sync(path.Dir(name)); err != nil && !absent(err) {
				return err
			}
		}
	}
	return nil
}

// revert takes one step back if it was made. It reports whether it had to leave
// what it found.
func (m *maker) revert(s *step) (kept bool, err error) {
	switch s.Do {
	case put, remove:
		return m.revertFile(s)
	case move:
		return m.revertMove(s)
	case rmdir:
		there, err := m.there(s.Path)
		if err == nil && !there {
			err = m.makeDirectory(s.Path, s.Was)
		}
		return false, err
	}
	return m.revertMkdir(s)
}

func (m *maker) revertFile(s *step) (kept bool, err error) {
	was, err := m.is(s.Path, s.Was)
	if err != nil || was {
		return false, err
	}
	is, err := m.is(s.Path, s.Is) // of remove, Is is nil: nothing lies there
	if err != nil || !is {
		return !is, err
	}
	if s.Was == nil {
		return false, m.gone(s.Path)
	}
	aside, err := m.is(s.Old, s.Was)
	if err != nil {
		return false, err
	}
	if aside {
		return false, m.move(s.Old, s.Path)
	}
	return false, m.fromBackup(s)
}

// fromBackup writes the bytes of the journal, by way of a temporary file.
func (m *maker) fromBackup(s *step) error {
	data, err := m.backup(s.Backup)
	if err != nil {
		return err
	}
	if sumOf(data) != s.Was.Sum {
		return fmt.Errorf("the journal's copy of it is damaged")
	}
	if err := m.gone(s.New); err != nil {
		return err
	}
	if err := m.tree.Write(s.New, data, s.Was.attributes()); err != nil {
		return err
	}
	return m.move(s.New, s.Path)
}

func (m *maker) revertMove(s *step) (kept bool, err error) {
	from, err := m.spelled(s.From)
	if err != nil {
		return false, err
	}
	to, err := m.spelled(s.Path)
	if err != nil {
		return false, err
	}
	switch {
	case to && !from:
		return false, m.move(s.Path, s.From)
	case from && !to:
		return false, nil
	case from && !s.Was.Dir:
		was, err := m.is(s.From, s.Was)
		return !was, err
	}
	return true, nil
}

// spelled reports whether a name lies in its directory in this very spelling:
// where case is ignored, asking for the name finds any.
func (m *maker) spelled(name string) (bool, error) {
	there, err := m.there(name)
	if err != nil || !there {
		return false, err
	}
	names, err := m.tree.List(path.Dir(name))
	if err != nil {
		return false, err
	}
	for _, n := range names {
		if n == path.Base(name) {
			return true, nil
		}
	}
	return false, nil
}

func (m *maker) revertMkdir(s *step) (kept bool, err error) {
	info, err := m.tree.Lstat(s.Path)
	if absent(err) {
		return false, nil
	}
	if err != nil || info.Kind != Directory {
		return err == nil, err
	}
	names, err := m.tree.List(s.Path)
	if err != nil || len(names) > 0 {
		return len(names) > 0, err
	}
	return false, m.gone(s.Path)
}
