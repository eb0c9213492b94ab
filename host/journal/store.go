package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// A Store holds the journals of one workspace and the lock over them. It is not
// safe for concurrent use.
type Store struct {
	Left []Left // what interrupted runs had left

	tree    Disk
	journal Disk
	entries []entry // what is kept, the oldest first
	stuck   bool    // what was begun could not be rolled back
	close   func()
}

// Left is what became of a transaction that an earlier run had not ended.
type Left struct {
	About About
	Kept  bool     // it had been decided to keep it; else it was rolled back
	Paths []string // what another program changed meanwhile, and which was therefore left alone
	Where string   // the directory of the journal that still has the old bytes, if Paths is not empty
}

// Exists reports whether there are journals in a directory at all.
func Exists(journal string) bool {
	_, err := os.Lstat(journal)
	return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
}

// Pending reports whether an earlier run left something to be ended, or whether
// that is unknown. It changes nothing and needs no lock.
func Pending(journal string) bool {
	dirs, err := os.ReadDir(journal)
	if err != nil {
		return Exists(journal)
	}
	return slices.ContainsFunc(dirs, func(d os.DirEntry) bool {
		n, err := strconv.Atoi(d.Name())
		if err != nil || numbered(n) != d.Name() {
			return false
		}
		ended := func(state string) bool { return Exists(filepath.Join(journal, d.Name(), state)) }
		return !ended(kept) && !ended(leftOff)
	})
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
	s, err := resumed(tree, records)
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

// resumed returns a store that has ended what was left.
func resumed(tree, journal Disk) (*Store, error) {
	s := &Store{tree: tree, journal: journal, close: func() {}}
	return s, s.resume()
}

// resume ends what earlier runs left: first the transactions, the last one first,
// then rests of the journal itself.
func (s *Store) resume() error {
	list, err := s.list()
	if err != nil {
		return err
	}
	for _, e := range slices.Backward(list) {
		switch e.state {
		case open:
			left := Left{About: e.header.About, Where: s.path(e.name)}
			left.Paths, err = s.revertAll(&e)
			s.Left = append(s.Left, left)
		case done:
			s.Left = append(s.Left, Left{About: e.header.About, Kept: true})
			err = s.finish(&e)
		}
		if err != nil {
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

// finish finishes a transaction that is kept.
func (s *Store) finish(e *entry) error {
	if err := s.sweep(e); err != nil {
		return err
	}
	return s.mark(e, kept)
}

// secure makes the directory, checks who can write to it and takes the lock.
func secure(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the directory of the journal: %w%s", err, cure(err))
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, fmt.Errorf("open the journal: %w%s", err, cure(err))
	}
	switch {
	case !info.IsDir():
		return nil, fmt.Errorf("the journal %s is not a directory: remove it", dir)
	case writableByOthers(info):
		return nil, fmt.Errorf("the journal %s is writable by others (mode %04o), who could make stategate write what they want: run `chmod 700` on it", dir, info.Mode().Perm())
	case !ownedByUs(info):
		return nil, fmt.Errorf("the journal %s belongs to another user: run stategate as that user, or remove the directory", dir)
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE|openQuietly, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the lock of the journal: %w%s", err, cure(err))
	}
	if err := waitFor(f); err != nil {
		_ = f.Close()
		if errors.Is(err, ErrLocked) {
			return nil, err
		}
		return nil, fmt.Errorf("lock the journal %s: %w", dir, err)
	}
	return func() { _ = f.Close() }, nil
}

// patience is how long a lock is waited for. A process that was killed can hold it a
// moment longer: through a child that it had just begun to start. Two hooks that
// run at the same time need no more either.
const patience = time.Second

// waitFor takes the lock, or returns ErrLocked when patience has ended.
func waitFor(f *os.File) error {
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if err := lockFile(f); !errors.Is(err, ErrLocked) || time.Now().After(end) {
			return err
		}
	}
}

// Close releases the lock. What was begun and not ended is rolled back by the
// next Open.
func (s *Store) Close() { s.close() }
