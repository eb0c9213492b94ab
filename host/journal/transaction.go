package journal

import (
	"errors"
	"fmt"
	"strings"
)

// A Transaction has made its steps and waits to be kept or rolled back.
type Transaction struct {
	store *Store
	entry entry
}

// NewGroup returns a name for the transactions of one call, which are undone together.
func NewGroup() string { return newID() }

// Begin does what the intent says. On an error everything is as it was; if not,
// the error is an *ApplyError that says so. A *ChangedError names files that are not as
// the intent expects them.
func (s *Store) Begin(in Intent) (*Transaction, error) {
	record, err := plan(s.tree, in)
	if err != nil {
		return nil, err
	}
	return s.begin(record)
}

func (s *Store) begin(record *Record) (*Transaction, error) {
	if s.stuck {
		return nil, &ApplyError{Err: errors.New("a change could not be rolled back: run stategate again, which tries that first")}
	}
	if record.Undoes == 0 {
		if err := s.prune(record.Group); err != nil {
			return nil, &ApplyError{Err: err}
		}
	}
	next := 1
	if n := len(s.entries); n > 0 {
		next = s.entries[n-1].number + 1
	}
	t := &Transaction{s, entry{number: next, name: numbered(next), state: opened(0), record: record}}
	if err := s.enter(&t.entry); err != nil {
		return nil, &ApplyError{Err: fmt.Errorf("write the journal, so that the change can be rolled back: %w", err)}
	}
	if err := t.make(); err != nil {
		return nil, err
	}
	for i := range record.Steps { // the bytes are on disk now
		record.Steps[i].data, record.Steps[i].old = nil, nil
	}
	return t, nil
}

// enter writes the journal of a transaction. It is there when its directory has
// its final name.
func (s *Store) enter(e *entry) error {
	dir := newPrefix + e.record.ID
	err := s.write(dir, e.record)
	if err == nil {
		err = s.rename(dir, e.name)
	}
	if err != nil {
		_ = s.removeAll(dir) // the next Open does it otherwise
		return err
	}
	if err := s.journal.Sync("."); err != nil {
		_ = s.drop(e.name)
		return err
	}
	return nil
}

var private = Attributes{Mode: 0o600, Exact: true}

func (s *Store) write(dir string, r *Record) error {
	if err := s.journal.Mkdir(dir, Attributes{Mode: 0o700, Exact: true}); err != nil {
		return err
	}
	for i := range r.Steps {
		if st := &r.Steps[i]; st.Backup != "" {
			if err := s.journal.Write(join(dir, st.Backup), st.old, private); err != nil {
				return err
			}
		}
	}
	text, err := r.encode()
	if err != nil {
		return err
	}
	if err := s.journal.Write(join(dir, opened(0)), text, private); err != nil {
		return err
	}
	return s.journal.Sync(dir)
}

// make makes the steps, or takes back those that were made.
func (t *Transaction) make() error {
	m, steps := t.store.maker(t.entry.name), t.entry.record.Steps
	for i := range steps {
		if err := m.prepare(&steps[i]); err != nil {
			return t.fail(err, nil)
		}
	}
	for i := range steps {
		if err := t.store.mark(&t.entry, opened(i+1)); err != nil {
			return t.fail(err, steps[:i])
		}
		err := m.do(&steps[i])
		var changed *ChangedError
		switch {
		case errors.As(err, &changed):
			return t.fail(err, steps[:i]) // it was refused before anything was done
		case err != nil:
			return t.fail(err, steps[:i+1])
		}
	}
	return nil
}

func (t *Transaction) fail(err error, made []step) error {
	stuck := t.revert(made)
	var changed *ChangedError
	if stuck == nil && errors.As(err, &changed) {
		return changed
	}
	return &ApplyError{err, stuck}
}

// Keep makes the change final; Undo can still take it back. On an error it has
// been rolled back, or it says that the change is made.
func (t *Transaction) Keep() error {
	s, e := t.store, &t.entry
	err := s.mark(e, done)
	if err != nil && e.state != done {
		return &ApplyError{Err: fmt.Errorf("write the journal: %w", err), Stuck: t.back()}
	}
	// From here on, whatever of it reaches the disk before the power fails: the
	// record is open and has every old byte, or it is done.
	if err == nil {
		err = s.settle(e)
	}
	if e.record.Undoes == 0 {
		s.entries = append(s.entries, *e)
	}
	if err != nil {
		return &ApplyError{Err: fmt.Errorf("the change was made, but finishing it failed; the next run of stategate does that: %w", err)}
	}
	return nil
}

// TakeBack brings back what Begin found.
func (t *Transaction) TakeBack() error {
	if err := t.back(); err != nil {
		return &ApplyError{Err: err}
	}
	return nil
}

func (t *Transaction) back() error { return t.revert(t.entry.record.Steps) }

func (t *Transaction) revert(steps []step) error {
	s := t.store
	left, err := s.takeBack(&t.entry, steps)
	s.stuck = err != nil
	if err == nil && len(left) > 0 {
		s.entries = append(s.entries, t.entry)
		err = fmt.Errorf("%s was changed by another program meanwhile and was left alone; everything else was restored, and the earlier bytes are in %s", strings.Join(left, ", "), s.path(t.entry.name))
	}
	return err
}
