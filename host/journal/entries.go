package journal

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// keepGroups is how many calls can be undone, one after the other.
const keepGroups = 20

// The names of records, by what became of the transaction.
const (
	open    = "open-" // and the number of steps, in five digits
	done    = "done"
	kept    = "kept"
	leftOff = "left"
)

const (
	newPrefix = "new-"
	oldPrefix = "old-"
	maxRecord = 16 << 20
)

// An entry is one transaction of the journal.
type entry struct {
	number int
	name   string // of its directory
	state  string
	record *Record
}

func opened(steps int) string { return fmt.Sprintf("%s%05d", open, steps) }

func numbered(n int) string { return fmt.Sprintf("%08d", n) }

// list returns the transactions, the oldest first. What cannot be read is an
// error: something may have been left half done.
func (s *Store) list() ([]entry, error) {
	names, err := s.journal.List(".")
	if err != nil {
		return nil, fmt.Errorf("list the journal: %w", err)
	}
	var list []entry
	for _, name := range names {
		n, err := strconv.Atoi(name)
		if err != nil || n <= 0 || numbered(n) != name {
			continue
		}
		e := entry{number: n, name: name}
		if err := s.read(&e); err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b entry) int { return a.number - b.number })
	return list, nil
}

func (s *Store) read(e *entry) error {
	names, err := s.journal.List(e.name)
	if err != nil {
		return fmt.Errorf("list the journal: %w", err)
	}
	record := func(name string) bool {
		return strings.HasPrefix(name, open) || name == done || name == kept || name == leftOff
	}
	i := slices.IndexFunc(names, record)
	if i < 0 {
		return s.damaged(e.name, "it has no record")
	}
	e.state = names[i]
	data, _, err := s.journal.Read(join(e.name, e.state), maxRecord)
	if err == nil {
		e.record, err = decode(data)
	}
	if err == nil {
		_, err = e.made()
	}
	if err != nil {
		return s.damaged(e.name, err)
	}
	return nil
}

func (s *Store) damaged(name string, why any) error {
	return fmt.Errorf("the undo journal %s is damaged (%v). A repair may be half applied: check the files that it names (backups may be next to them as .stategate-*.tmp), then remove that directory", s.path(name), why)
}

// made returns the steps that were begun; all but the last of them are made.
func (e *entry) made() ([]step, error) {
	count, ok := strings.CutPrefix(e.state, open)
	if !ok {
		return e.record.Steps, nil
	}
	n, err := strconv.Atoi(count)
	if err != nil || n < 0 || n > len(e.record.Steps) {
		return nil, fmt.Errorf("%q is not a number of steps", e.state)
	}
	return e.record.Steps[:n], nil
}

// path returns the name of something in the journal that a person can use.
func (s *Store) path(name string) string {
	if r, ok := s.journal.(*Root); ok {
		return filepath.Join(r.root.Name(), filepath.FromSlash(name))
	}
	return name
}

func (s *Store) maker(dir string) *maker {
	return &maker{tree: s.tree, backup: func(name string) ([]byte, error) {
		data, _, err := s.journal.Read(join(dir, name), maxFile)
		return data, err
	}}
}

// resume ends what earlier runs left: first the transactions, the last one first,
// then rests of the journal itself.
func (s *Store) resume() error {
	list, err := s.list()
	if err != nil {
		return err
	}
	for _, e := range slices.Backward(list) {
		if err := s.end(&e); err != nil {
			return fmt.Errorf("finish an interrupted repair: %w%s", err, cure(err))
		}
	}
	if len(s.Left) > 0 {
		if list, err = s.list(); err != nil {
			return err
		}
	}
	s.entries = list
	return s.clear()
}

func (s *Store) end(e *entry) error {
	switch e.state {
	default:
		steps, err := e.made()
		if err != nil {
			return err
		}
		left, err := s.takeBack(e, steps)
		s.Left = append(s.Left, Left{About: e.record.About, Paths: left, Where: s.path(e.name)})
		return err
	case done:
		s.Left = append(s.Left, Left{About: e.record.About, Kept: true})
		return s.settle(e)
	case kept, leftOff:
		return nil
	}
}

// takeBack reverts steps and removes the journal, or marks it if it is still needed.
func (s *Store) takeBack(e *entry, steps []step) (left []string, err error) {
	m := s.maker(e.name)
	reached := func(n int) error { return s.mark(e, opened(n)) }
	if left, err = m.revertAll(steps, reached); err != nil {
		return left, err
	}
	if err := m.sweep(e.record.Steps); err != nil {
		return left, err
	}
	if len(left) > 0 {
		return left, s.mark(e, leftOff)
	}
	return nil, s.drop(e.name)
}

// settle finishes a transaction that is kept.
func (s *Store) settle(e *entry) error {
	if err := s.maker(e.name).sweep(e.record.Steps); err != nil {
		return err
	}
	if e.record.Undoes == 0 {
		return s.mark(e, kept)
	}
	undone := func(other entry) bool { return other.number == e.record.Undoes }
	s.entries = slices.DeleteFunc(s.entries, undone)
	if err := s.drop(numbered(e.record.Undoes)); err != nil {
		return err
	}
	return s.drop(e.name)
}

func (s *Store) mark(e *entry, state string) error {
	if err := s.rename(join(e.name, e.state), join(e.name, state)); err != nil {
		return err
	}
	e.state = state
	return s.journal.Sync(e.name)
}

// rename renames in the journal. Network file systems report errors of what they
// did, so that an error is held against the outcome.
func (s *Store) rename(from, to string) error {
	err := s.journal.Rename(from, to)
	if err == nil {
		return nil
	}
	if there, looked := (&maker{tree: s.journal}).there(to); looked == nil && there {
		return nil
	}
	return err
}

// drop removes a transaction from the journal. A rename does it; removing the
// files is only cleaning up.
func (s *Store) drop(name string) error {
	there, err := (&maker{tree: s.journal}).there(name)
	if err != nil || !there {
		return err
	}
	gone := oldPrefix + newID()
	if err := s.rename(name, gone); err != nil {
		return err
	}
	if err := s.journal.Sync("."); err != nil {
		return err
	}
	return s.removeAll(gone)
}

// removeAll removes a directory of the journal with its files.
func (s *Store) removeAll(dir string) error {
	names, err := s.journal.List(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := s.journal.Remove(join(dir, name)); err != nil {
			return err
		}
	}
	return s.journal.Remove(dir)
}

// clear removes what was being written or removed when a run ended.
func (s *Store) clear() error {
	names, err := s.journal.List(".")
	if err != nil {
		return err
	}
	for _, name := range names {
		if !strings.HasPrefix(name, newPrefix) && !strings.HasPrefix(name, oldPrefix) {
			continue
		}
		if err := s.removeAll(name); err != nil {
			return fmt.Errorf("clear the journal: %w", err)
		}
	}
	return nil
}

// prune drops the oldest groups, so that keepGroups remain with the one to come.
func (s *Store) prune(coming string) error {
	groups := []string{coming}
	for _, e := range slices.Backward(s.entries) {
		if !slices.Contains(groups, e.record.Group) {
			groups = append(groups, e.record.Group)
		}
	}
	for len(s.entries) > 0 && !slices.Contains(groups[:min(len(groups), keepGroups)], s.entries[0].record.Group) {
		if err := s.drop(s.entries[0].name); err != nil {
			return fmt.Errorf("remove old backups: %w", err)
		}
		s.entries = s.entries[1:]
	}
	return nil
}
