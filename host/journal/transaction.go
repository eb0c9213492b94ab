package journal

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/stategate/stategate/sdk/edit"
)

// An Intent is what a caller wants changed.
type Intent struct {
	Group   string
	About   About
	Roots   []string          // where paths may be: the instance, and where it goes, which is the last change
	Changes []edit.Change     // paths are slash-separated below the workspace root, those of directories end in a slash
	Expect  map[string]string // hex SHA-256 of files as the caller knows them, by path; others are taken as they are
}

// A Transaction has made its steps and waits to be kept or rolled back.
type Transaction struct {
	store  *Store
	entry  entry
	backed int64 // bytes of backups
}

// newID names a transaction or a group of them.
func newID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// NewGroup returns a name for the transactions of one call, which are undone together.
func NewGroup() string { return newID() }

// Begin does what the intent says. On an error everything is as it was; if not,
// the error is an *ApplyError that says so. A *ChangedError names files that are not as
// the intent expects them.
func (s *Store) Begin(in Intent) (*Transaction, error) {
	if s.stuck {
		return nil, &ApplyError{Err: errors.New("a change could not be rolled back: run stategate again, which tries that first")}
	}
	if err := s.expect(in.Expect); err != nil {
		return nil, err
	}
	if err := s.prune(in.Group); err != nil {
		return nil, &ApplyError{Err: err}
	}
	next := 1
	if n := len(s.entries); n > 0 {
		next = s.entries[n-1].number + 1
	}
	t := &Transaction{store: s, entry: entry{number: next, name: numbered(next), state: open, header: header{
		Format: format, ID: newID(), Group: in.Group, Roots: in.Roots, About: in.About,
	}}}
	if err := t.entry.header.check(); err != nil {
		return nil, err
	}
	if err := s.create(&t.entry); err != nil {
		return nil, &ApplyError{Err: fmt.Errorf("write the journal, so that the change can be rolled back: %w", err)}
	}
	for _, c := range in.Changes {
		if err := t.change(c); err != nil {
			return nil, t.fail(err)
		}
	}
	return t, nil
}

// expect refuses files that are not as the caller knows them.
func (s *Store) expect(sums map[string]string) error {
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if err := checkName(name); err != nil {
			return err
		}
		same, err := matches(s.tree, name, &state{Sum: sums[name]})
		if err != nil {
			return err
		}
		if !same {
			changed = append(changed, name)
		}
	}
	if len(changed) > 0 {
		return &ChangedError{changed}
	}
	return nil
}

// fail rolls back the steps before the one that failed.
func (t *Transaction) fail(err error) error {
	stuck := t.store.rollBack(&t.entry)
	var changed *ChangedError
	if stuck == nil && errors.As(err, &changed) {
		return changed
	}
	return &ApplyError{err, stuck}
}

// Keep makes the change final; Undo can still roll it back. On an error it has
// been rolled back, or the error says that the change is made.
func (t *Transaction) Keep() error {
	s, e := t.store, &t.entry
	err := s.mark(e, done)
	if err != nil && e.state != done {
		return &ApplyError{Err: fmt.Errorf("write the journal: %w", err), Stuck: s.rollBack(e)}
	}
	// From here on, whatever of it reaches the disk before the power fails: the
	// header is open and the journal has every old byte, or it is done.
	if err == nil {
		err = s.finish(e)
	}
	s.entries = append(s.entries, *e)
	if err != nil {
		return &ApplyError{Err: fmt.Errorf("the change was made, but finishing it failed; the next run of stategate does that: %w", err)}
	}
	return nil
}

// RollBack restores what Begin found.
func (t *Transaction) RollBack() error {
	if err := t.store.rollBack(&t.entry); err != nil {
		return &ApplyError{Err: err}
	}
	return nil
}
