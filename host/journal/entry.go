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

// The names of a header, by what became of the transaction.
const (
	open    = "open"
	done    = "done"
	kept    = "kept"
	leftOff = "left"
)

const (
	newPrefix  = "new-"
	oldPrefix  = "old-"
	stepPrefix = "step-"
	maxRecord  = 16 << 20
)

var private = Attributes{Mode: 0o600, Exact: true}

// An entry is one transaction of the journal.
type entry struct {
	number int
	name   string // of its directory
	state  string
	header header
	steps  []step // all but the last are made
}

func numbered(n int) string { return fmt.Sprintf("%08d", n) }

func stepName(n int) string { return fmt.Sprintf("%s%05d", stepPrefix, n) }

func backupName(n int) string { return fmt.Sprintf("%s%05d", oldPrefix, n) }

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
			return nil, fmt.Errorf("the undo journal %s is damaged (%w). A repair may be half applied: check the files that it names (backups may be in its state directory as .stategate-*.tmp), then remove that directory", s.path(name), err)
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b entry) int { return a.number - b.number })
	return list, nil
}

// read reads the header and the steps of a transaction.
func (s *Store) read(e *entry) error {
	names, err := s.journal.List(e.name)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(names, func(n string) bool { return slices.Contains([]string{open, done, kept, leftOff}, n) })
	if at < 0 {
		return fmt.Errorf("it has no record")
	}
	e.state = names[at]
	if err := s.load(e, e.state, &e.header); err != nil {
		return err
	}
	if err := e.header.check(); err != nil {
		return err
	}
	for _, name := range names { // sorted
		if !strings.HasPrefix(name, stepPrefix) {
			continue
		}
		if name != stepName(len(e.steps)) {
			return fmt.Errorf("%s is missing", stepName(len(e.steps)))
		}
		var st step
		if err := s.load(e, name, &st); err != nil {
			return err
		}
		if err := e.header.checkStep(&st); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		e.steps = append(e.steps, st)
	}
	return nil
}

// load reads a sealed file of a transaction.
func (s *Store) load(e *entry, name string, v any) error {
	data, _, err := s.journal.Read(join(e.name, name), maxRecord)
	if err != nil {
		return err
	}
	return unseal(data, v)
}

// save writes a sealed file of a transaction, whole and durable.
func (s *Store) save(e *entry, name string, v any) error {
	text, err := seal(v)
	if err != nil {
		return err
	}
	if err := s.journal.Write(join(e.name, "new"), text, private); err != nil {
		return err
	}
	if err := s.rename(join(e.name, "new"), join(e.name, name)); err != nil {
		return err
	}
	return s.journal.Sync(e.name)
}

// path returns the name of something in the journal that a person can use.
func (s *Store) path(name string) string {
	if r, ok := s.journal.(*Root); ok {
		return filepath.Join(r.root.Name(), filepath.FromSlash(name))
	}
	return name
}

// backup reads the old bytes of a step.
func (s *Store) backup(e *entry, n int) ([]byte, error) {
	data, _, err := s.journal.Read(join(e.name, backupName(n)), maxFile)
	if err == nil && sumOf(data) != e.steps[n].Was.Sum {
		err = fmt.Errorf("the journal's copy of %s is damaged", e.steps[n].Path)
	}
	return data, err
}

// create writes the journal of a new transaction. It is there when its directory has
// its final name.
func (s *Store) create(e *entry) error {
	final, e2 := e.name, *e
	e2.name = newPrefix + e.header.ID
	err := s.journal.Mkdir(e2.name, Attributes{Mode: 0o700, Exact: true})
	if err == nil {
		err = s.save(&e2, open, e.header)
	}
	if err == nil {
		err = s.rename(e2.name, final)
	}
	if err != nil {
		_ = s.removeAll(e2.name) // the next Open does it otherwise
		return err
	}
	if err := s.journal.Sync("."); err != nil {
		_ = s.drop(final)
		return err
	}
	return nil
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
	if found, failed := exists(s.journal, to); failed == nil && found {
		return nil
	}
	return err
}

// drop removes a transaction from the journal. A rename does it; removing the
// files is only cleaning up.
func (s *Store) drop(name string) error {
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
		if !slices.Contains(groups, e.header.Group) {
			groups = append(groups, e.header.Group)
		}
	}
	for len(s.entries) > 0 && !slices.Contains(groups[:min(len(groups), keepGroups)], s.entries[0].header.Group) {
		if err := s.drop(s.entries[0].name); err != nil {
			return fmt.Errorf("remove old backups: %w", err)
		}
		s.entries = s.entries[1:]
	}
	return nil
}
