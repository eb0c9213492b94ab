package journal

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/sdk/engine/edit"
)

// These are the maximum numbers of bytes of one file, and of all files, that one transaction can restore.
const (
	maxFile = 64 << 20
	maxAll  = 256 << 20
)

// keepGroups is the number of calls that can be undone, one after another.
const keepGroups = 20

// An Intent describes a change that a caller wants.
type Intent struct {
	Group string
	About About // a move of its Root is the last change
	// Paths in Changes are slash-separated and relative to the workspace root; a directory's path ends in a slash
	Changes []edit.Change
	// Expect maps paths to hex SHA-256, for files that the caller has read; other files may have any content
	Expect map[string]string
}

// A Transaction has made its steps and is waiting to be kept or rolled back.
type Transaction struct {
	store  *Store
	entry  *entry
	backed int // bytes of backups
}

// NewGroup returns a name for the transactions of one call, which are undone together.
func NewGroup() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Begin carries out an intent. After an error everything is unchanged, unless it is an *ApplyError that says
// otherwise. A *ChangedError names files that differ from what the intent expects.
func (s *Store) Begin(in Intent) (*Transaction, error) {
	if s.stuck {
		return nil,
			&ApplyError{Err: errors.New("a change could not be rolled back: run stategate again, which tries that " +
				"first")}
	}
	if err := s.tree.expect(in.Expect); err != nil {
		return nil, err
	}
	if err := s.prune(in.Group); err != nil {
		return nil, &ApplyError{Err: err}
	}
	last := uint64(0)
	if n := len(s.entries); n > 0 {
		last, _ = strconv.ParseUint(s.entries[n-1].id[:8], 16, 32) // it was checked when it was read
	}
	t := &Transaction{store: s, entry: &entry{
		id: fmt.Sprintf("%08x%.8s", last+1, NewGroup()), state: writing, header: header{format, in.Group, in.About},
	}}
	if err := t.entry.header.check(); err != nil {
		return nil, err
	}
	if err := s.records.begin(t.entry); err != nil {
		return nil, &ApplyError{Err: fmt.Errorf("write the journal, so that the change can be rolled back: %w", err)}
	}
	for _, c := range in.Changes {
		if err := t.change(c); err != nil {
			stuck := s.takeBack(t.entry)
			var changed *ChangedError
			if stuck == nil && errors.As(err, &changed) {
				return nil, changed
			}
			return nil, &ApplyError{err, stuck}
		}
	}
	return t, nil
}

// prune drops the oldest groups, so that keepGroups remain after the next one is added.
func (s *Store) prune(coming string) error {
	groups := []string{coming}
	for _, e := range slices.Backward(s.entries) {
		if !slices.Contains(groups, e.header.Group) {
			groups = append(groups, e.header.Group)
		}
	}
	for len(s.entries) > 0 && !slices.Contains(groups[:min(len(groups), keepGroups)], s.entries[0].header.Group) {
		if err := s.records.drop(s.entries[0]); err != nil {
			return fmt.Errorf("remove old backups: %w", err)
		}
		s.entries = s.entries[1:]
	}
	return nil
}

// Keep makes the change permanent, although Undo can still roll it back. After an error, the change has been rolled
// back.
func (t *Transaction) Keep() error {
	s := t.store
	if err := s.commit(t.entry); err != nil {
		return &ApplyError{fmt.Errorf("finish the change: %w", err), s.takeBack(t.entry)}
	}
	s.entries = append(s.entries, t.entry)
	return nil
}

// RollBack restores the files to their state before Begin.
func (t *Transaction) RollBack() error {
	if err := t.store.takeBack(t.entry); err != nil {
		return &ApplyError{Err: err}
	}
	return nil
}

func (t *Transaction) change(c edit.Change) error {
	name, from := strings.TrimSuffix(c.Path, "/"), strings.TrimSuffix(c.From, "/")
	for _, n := range []string{name, from} {
		if n == "" && c.Kind != edit.Rename {
			continue
		}
		if err := checkName(n); err != nil {
			return err
		}
		if err := guard(t.store.tree, n); err != nil {
			return err
		}
	}
	if c.Kind == edit.Rename {
		return t.move(from, name)
	}
	was, old, err := t.present(name)
	if err != nil {
		return err
	}
	st := step{Path: name, Was: was}
	if c.Kind == edit.Delete {
		if was == nil || was.Dir != (name != c.Path) {
			return &ChangedError{[]string{name}}
		}
	} else {
		if was.dir() {
			return fmt.Errorf("%s is a directory, expected a file; nothing is written there", name)
		}
		st.Is = &state{Sum: sumOf(c.Data)}
		if was != nil {
			st.Is.Attributes = was.Attributes
		}
	}
	if was.file() {
		if err := writable(was.Attributes, name); err != nil {
			return err
		}
	}
	if err := t.holder(name); err != nil {
		return err
	}
	return t.do(st, old, c.Data)
}

// move renames a file or directory to a free name.
func (t *Transaction) move(from, to string) error {
	was, _, err := t.present(from)
	switch {
	case err != nil:
		return err
	case was == nil:
		return &ChangedError{[]string{from}}
	case was.Dir:
		err = noRepository(t.store.tree, from)
	}
	for _, name := range []string{from, to} {
		if err == nil {
			err = t.holder(name)
		}
	}
	if err != nil {
		return err
	}
	return t.do(step{Path: to, From: from, Was: was}, nil, nil)
}

// present returns the state of a path and a file's bytes, or nil if the path does not exist.
func (t *Transaction) present(name string) (*state, []byte, error) {
	info, err := t.store.tree.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	case info.Kind == Directory:
		return &state{Dir: true, Attributes: info.Attributes}, nil, nil
	case info.Kind != Regular:
		return nil, nil, fmt.Errorf("%s is a %s, expected a file or directory; it is neither followed nor changed",
			name, info.Kind)
	}
	data, info, err := t.store.tree.Read(name, maxFile)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", name, err)
	}
	return &state{Sum: sumOf(data), Attributes: info.Attributes}, data, nil
}

// holder rejects a path whose directory must not be changed, and creates missing directories. guard has already
// checked the directories above.
func (t *Transaction) holder(name string) error {
	dir := path.Dir(name)
	info, err := t.store.tree.Lstat(dir)
	switch {
	case err == nil:
		return writable(info.Attributes, dir)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := t.holder(dir); err != nil {
		return err
	}
	return t.do(step{Path: dir, Is: &state{Dir: true, Made: true}}, nil, nil)
}

// writable rejects an entry that is marked read-only. The system would reject only some of the changes later: root,
// or a rename, can change even read-only files.
func writable(as Attributes, name string) error {
	if as.Mode&0o222 == 0 {
		return fmt.Errorf("%s is read-only (mode %04o): make it writable (chmod u+w), then run the command again", name,
			as.Mode.Perm())
	}
	return nil
}

// do writes a step and the bytes that it replaces to the journal, and then makes the step. A *ChangedError means that
// nothing was done.
func (t *Transaction) do(st step, old, data []byte) error {
	s, e, n := t.store, t.entry, len(t.entry.steps)
	if err := e.header.checkStep(&st); err != nil {
		return err
	}
	if t.backed += len(old); t.backed > maxAll {
		return fmt.Errorf("%s: the files to back up exceed %d bytes: %w", st.Path, maxAll, errTooLarge)
	}
	var err error
	if st.From == "" && st.Was.file() {
		err = s.records.disk.Write(path.Join(e.dir(), backupName(n)), old, ownerOnly)
	}
	if err == nil {
		err = s.records.save(e, stepName(n), st)
	}
	if err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	e.steps = append(e.steps, st)
	done, err := s.make(e, n, data)
	if err == nil && !done {
		return errors.Join(&ChangedError{[]string{st.Path}}, s.records.forget(e))
	}
	return err
}
