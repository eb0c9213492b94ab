// Package journal changes files all or nothing. A transaction is a list of steps below one directory, the workspace
// root. If the process is killed at any moment, the next [Open] rolls back the transaction, unless it was kept.
//
// # The life of a transaction
//
//  1. [Store.Begin] makes the steps one after another. A step replaces the entry at one path, or moves a file or
//     directory. Before each step, the step and the old bytes are durably written to the journal. The old bytes also
//     get a temporary copy in the tree, so that rolling back takes only a rename and no space. If a step is refused,
//     the steps before it are rolled back.
//  2. The caller checks the outcome and calls [Transaction.Keep] or [Transaction.RollBack].
//  3. Keep removes the temporary files and renames the journal, which stays for [Store.Undo]. Undo is the same
//     rollback as after an interruption. It goes from the last step to the first, and each step is removed from the
//     journal when it is reverted, so that the rollback itself may be interrupted.
//
// A single function changes a path from one state to another, forwards and backwards. It does nothing if the path
// is already in the wanted state. A file that another program changed after an interruption is in neither state. It
// is left alone and reported, and its old bytes stay in the journal.
//
// # The journal
//
// The directory of a workspace's journals belongs to this user, has mode 0700 and contains:
//
//	lock                    held (flock) by the process that applies changes
//	00000001a2b3c4d5.open/  one transaction: its id, whose first half increases, and its state
//	    record              its header, which says what it is for
//	    step-00000          the first step; whether the last one was made is visible in the tree
//	    old-00000           the bytes that it replaces or removes
//
// The state is new (being written), open (undecided), kept, left (could not be rolled back completely) or gone (being
// removed). It is changed by renaming the directory, which needs no space. The next Open rolls back transactions that
// are open, and removes those that are new or gone. A header or step is a file of two lines: JSON on the second line,
// and on the first its HMAC under a key that only this user has. A journal that arrives with a repository is
// therefore rejected. In addition, every path is checked like the paths of a new change.
//
// # Temporary files
//
// They are called .stategate-ID-N.tmp, where ID is the transaction's id, and are in the transaction's root. Checks
// ignore them (see package tree).
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

// A Store holds one workspace's journals and their lock. It is not safe for concurrent use.
type Store struct {
	Interrupted []Interrupted // what interrupted processes left behind

	applier
	entries []*entry // kept or left, oldest first
	stuck   bool     // an interrupted change could not be rolled back
	close   func()
}

// Interrupted is a transaction that an earlier process did not finish. It was rolled back.
type Interrupted struct {
	About About
	Paths []string // what another program changed in the meantime, and was therefore left alone
	Where string   // the journal directory that still contains the old bytes, if Paths is not empty
}

// Exists reports whether a journal directory exists.
func Exists(journal string) bool {
	_, err := os.Lstat(journal)
	return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
}

// Pending reports whether an earlier process left something to roll back. It also returns true if that is
// unknown. It changes nothing and needs no lock.
func Pending(journal string) bool {
	dirs, err := os.ReadDir(journal)
	if err != nil {
		return Exists(journal)
	}
	return slices.ContainsFunc(dirs, func(d os.DirEntry) bool { return strings.HasSuffix(d.Name(), "."+open) })
}

// Open opens the journals of the workspace at root. They are kept in the directory journal and sealed with the key in
// the directory keys. All three are absolute. It takes the lock, and rolls back what earlier processes left
// unfinished. Close the store after use.
//
// It rejects a journal that belongs to another user or that others may write to. The error is ErrLocked if another
// process holds the lock.
func Open(root, journal, keys string) (*Store, error) {
	key, err := private.Key(keys)
	if err != nil {
		return nil, fmt.Errorf("get the key of the journal: %w%s", err, fixFor(err))
	}
	unlock, err := secure(journal)
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

// resumed returns a store after rolling back unfinished transactions, last one first.
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

// secure creates the directory, checks who can write to it and takes the lock.
func secure(dir string) (unlock func(), err error) {
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

// patience is how long to wait for the lock. It is enough for two hooks that run at the same time.
const patience = time.Second

// Close releases the lock. The next Open rolls back an unfinished change.
func (s *Store) Close() { s.close() }
