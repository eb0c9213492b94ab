// Package journal changes files all or nothing. A transaction is a list of steps below one directory, the workspace
// root; killed at any moment, what it did is rolled back by the next [Open], unless it was kept.
//
// # The life of a transaction
//
//  1. [Store.Begin] makes the steps one after the other. A step replaces what is at one path, or moves a file or
//     directory. Before each, the journal gets the step and the old bytes, durably; these get a temporary copy in the
//     tree, too, so that rolling back needs no space: a rename is enough. A step that is refused rolls back those
//     before it.
//  2. The caller checks the outcome and calls [Transaction.Keep] or [Transaction.RollBack].
//  3. Keep removes the temporary files and renames the journal, which stays for [Store.Undo]. That is the same rollback
//     as after an interruption: from the last step to the first, each leaving the journal when it is reverted, so that
//     rolling back may itself be interrupted.
//
// One function brings a path from one state to another, forwards and backwards, and does nothing where that is done
// already. A file that another program changed after an interruption is in neither state: it is left alone and
// reported, and its old bytes stay in the journal.
//
// # The journal
//
// The directory of a workspace's journals belongs to this user, has mode 0700 and holds:
//
//	lock                    held (flock) by the process that applies
//	00000001a2b3c4d5.open/  one transaction: its id, whose first half grows, and its state
//	    record              its header: what it is for
//	    step-00000          the first step; the last one may not be made yet: the tree shows it
//	    old-00000           the bytes that it replaces or removes
//
// The state is new (being written), open (undecided), kept, left (it could not be rolled back everywhere) or gone
// (being removed). It changes by renaming the directory, which needs no space; the next Open rolls back what is open,
// and removes what is new or gone. Header and steps are two lines each: an HMAC of the second one under a key that only
// this user has, and JSON. So a journal that arrives with a repository is refused; and every path is checked as that of
// a new change is.
//
// # Temporary files
//
// They are called .stategate-ID-N.tmp, ID being that of the transaction, and are in its root. Checks do not see them
// (see package tree).
package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/stategate/stategate/host/private"
)

// A Store holds the journals of one workspace and the lock over them. It is not safe for concurrent use.
type Store struct {
	Interrupted []Interrupted // what interrupted runs had left

	applier
	entries []*entry // what is kept or left, the oldest first
	stuck   bool     // an interrupted change could not be rolled back
	close   func()
}

// Interrupted is a transaction that an earlier run had not ended, and that was rolled back.
type Interrupted struct {
	About About
	Paths []string // what another program changed meanwhile, and which was therefore left alone
	Where string   // the directory of the journal that still has the old bytes, if Paths is not empty
}

// Exists reports whether there are journals in a directory at all.
func Exists(journal string) bool {
	_, err := os.Lstat(journal)
	return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
}

// Pending reports whether an earlier run left something to be rolled back, or whether
// that is unknown. It changes nothing and needs no lock.
func Pending(journal string) bool {
	dirs, err := os.ReadDir(journal)
	if err != nil {
		return Exists(journal)
	}
	return slices.ContainsFunc(dirs, func(d os.DirEntry) bool { return strings.HasSuffix(d.Name(), "."+open) })
}

// Open opens the journals of a workspace root, which are kept in the directory journal and sealed with the key
// that is kept in the directory keys; all are absolute. It takes the lock, and ends what earlier runs left. Close it.
//
// It refuses a journal that others may write or that belongs to another user. The
// error is ErrLocked if another process holds the lock.
func Open(root, journal, keys string) (*Store, error) {
	key, err := private.Key(keys)
	if err != nil {
		return nil, fmt.Errorf("get the key of the journal: %w%s", err, fixFor(err))
	}
	unlock, err := sefixFor(journal)
	if err != nil {
		return nil, err
	}
	tree, err := OpenRoot(root)
	if err != nil {
		unlock()
		return nil, err
	}
	records, err := OpenRoot(journal)
	if err != nil {
		_ = tree.Close()
		unlock()
		return nil, err
	}
	s, err := resumed(tree, records, journal, key)
	s.close = func() {
		_, _ = tree.Close(), records.Close()
		unlock()
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// resumed returns a store that has rolled back what was left, the last transaction first.
func resumed(tree, journal Disk, dir string, key []byte) (s *Store, err error) {
	s = &Store{applier: applier{files{tree}, &records{journal, dir, key}}, close: func() {}}
	if s.entries, err = s.records.list(); err != nil {
		return s, err
	}
	for _, e := range slices.Backward(s.entries) {
		if e.state != open {
			continue
		}
		paths, err := s.rollBack(e)
		if err != nil {
			return s, fmt.Errorf("finish an interrupted repair: %w%s", err, fixFor(err))
		}
		s.Interrupted = append(s.Interrupted, Interrupted{e.header.About, paths, filepath.Join(dir, e.dir())})
	}
	s.entries = slices.DeleteFunc(s.entries, func(e *entry) bool { return e.state == removing })
	return s, nil
}

// secure makes the directory, checks who can write to it and takes the lock.
func sefixFor(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the directory of the journal: %w%s", err, fixFor(err))
	}
	if err := private.Check("the journal", dir); err != nil {
		return nil, fmt.Errorf("%w%s", err, fixFor(err))
	}
	unlock, err = private.Lock(filepath.Join(dir, "lock"), patience)
	switch {
	case errors.Is(err, private.ErrLocked):
		return nil, ErrLocked
	case err != nil:
		return nil, fmt.Errorf("open the lock of the journal: %w%s", err, fixFor(err))
	}
	return unlock, nil
}

// patience is how long the lock is waited for: two hooks that run at the same time need no more.
const patience = time.Second

// Close releases the lock. The next Open rolls an unfinished change back.
func (s *Store) Close() { s.close() }
