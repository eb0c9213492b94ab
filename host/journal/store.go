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
	Left []Left // what interrupted runs had left

	tree    Disk
	journal Disk
	dir     string   // of the journal
	entries []*entry // what is kept or left, the oldest first
	stuck   bool     // what was begun could not be rolled back
	close   func()
}

// Left is a transaction that an earlier run had not ended, and that was rolled back.
type Left struct {
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

// Open opens the journals of a workspace root, which are kept in the directory journal;
// both are absolute. It takes the lock, and ends what earlier runs left. Close it.
//
// It refuses a journal that others may write or that belongs to another user. The
// error is ErrLocked if another process holds the lock.
func Open(root, journal string) (*Store, error) {
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
	s, err := resumed(tree, records, journal)
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
func resumed(tree, journal Disk, dir string) (s *Store, err error) {
	s = &Store{tree: tree, journal: journal, dir: dir, close: func() {}}
	if s.entries, err = s.list(); err != nil {
		return s, err
	}
	for _, e := range slices.Backward(s.entries) {
		if e.state != open {
			continue
		}
		paths, err := s.rollBack(e)
		if err != nil {
			return s, fmt.Errorf("finish an interrupted repair: %w%s", err, cure(err))
		}
		s.Left = append(s.Left, Left{e.header.About, paths, filepath.Join(dir, e.dir())})
	}
	s.entries = slices.DeleteFunc(s.entries, func(e *entry) bool { return e.state == gone })
	return s, nil
}

// secure makes the directory, checks who can write to it and takes the lock.
func secure(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the directory of the journal: %w%s", err, cure(err))
	}
	if err := private.Check("the journal", dir); err != nil {
		return nil, fmt.Errorf("%w%s", err, cure(err))
	}
	unlock, err = private.Lock(filepath.Join(dir, "lock"), patience)
	switch {
	case errors.Is(err, private.ErrLocked):
		return nil, ErrLocked
	case err != nil:
		return nil, fmt.Errorf("open the lock of the journal: %w%s", err, cure(err))
	}
	return unlock, nil
}

// patience is how long the lock is waited for: two hooks that run at the same time need no more.
const patience = time.Second

// Close releases the lock. What was begun and not ended is rolled back by the next Open.
func (s *Store) Close() { s.close() }
