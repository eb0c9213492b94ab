// Package private is for directories that only this user may write to: their content is run, or decides what is
// written.
package private

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/stategate/stategate/host/atomicfile"
)

// System describes to Check a directory that may be the administrator's as well.
const System = "the system cache"

// Check refuses a directory that is a link, no directory, writable by others or another user's. what names it in
// errors.
func Check(what, dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return fmt.Errorf("open %s: %w", what, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s %s is a symbolic link, expected a directory; remove it", what, dir)
	case !info.IsDir():
		return fmt.Errorf("%s %s is not a directory; remove it", what, dir)
	}
	return own(what, dir, info)
}

// CheckWithin refuses a directory, and what is in it, as far as it is writable by others or another user's.
func CheckWithin(what, dir string) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return own(what, name, info)
	})
}

func own(what, name string, info fs.FileInfo) error {
	switch {
	case writableByOthers(info):
		return fmt.Errorf("%s %s is writable by others (mode %04o), who could make stategate write or run what they "+
			"want: run `chmod go-w` on it", what, name, info.Mode().Perm())
	case !ownedBy(info, os.Geteuid()) && (what != System || !ownedBy(info, 0)):
		return fmt.Errorf("%s %s belongs to another user: run stategate as that user, or remove it", what, name)
	}
	return nil
}

// ErrLocked means that another process holds a lock.
var ErrLocked = errors.New("another process holds the lock")

// Lock takes the lock that a file in such a directory stands for, and waits for it for a while. The system releases it
// when the process ends, however it ends; a process that was killed can hold it a moment longer, through a child that
// it had just begun to start.
func Lock(file string, wait time.Duration) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	if err := regular(file); err != nil {
		return nil, err
	}
	l := flock.New(file, flock.SetPermissions(0o600))
	if _, err = l.TryLockContext(ctx, 10*time.Millisecond); errors.Is(err, context.DeadlineExceeded) {
		err = ErrLocked
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return func() { _ = l.Close() }, nil
}

// regular refuses an existing entry that is not a file: opening a named pipe would not end, and a link would create
// its target.
func regular(name string) error {
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file; remove it", name)
	}
	return nil
}

// Key returns the secret of this user that is kept in such a directory, both made when they are first needed.
func Key(dir string) ([]byte, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := Check("the directory of the key", dir); err != nil {
		return nil, err
	}
	name := filepath.Join(dir, "key")
	if err := regular(name); err != nil {
		return nil, err
	}
	key, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		var unlock func()
		if unlock, err = Lock(filepath.Join(dir, "key-lock"), time.Second); err != nil {
			return nil, err
		}
		defer unlock()
		if key, err = os.ReadFile(name); errors.Is(err, fs.ErrNotExist) {
			key = make([]byte, sha256.Size)
			_, _ = rand.Read(key) // never fails
			err = atomicfile.Write(name, key, 0o600)
		}
	}
	if err == nil && len(key) != sha256.Size {
		err = fmt.Errorf("%s has %d bytes, expected %d: remove it; changes from before can then no longer be undone",
			name, len(key), sha256.Size)
	}
	return key, err
}
