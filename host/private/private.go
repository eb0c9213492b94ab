// Package private protects directories that only this user may write to, because stategate runs their content, or
// writes files according to it.
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

// Check rejects a directory that is a link, is not a directory, is writable by others, or belongs to another user.
// what describes the directory in errors.
func Check(what, dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return fmt.Errorf("open %s: %w", what, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s %s is a symbolic link, expected a directory; remove it", what, dir)
	case !info.IsDir():
		return fmt.Errorf("%s %s is not a directory; remove it", what, dir)
	case writableByOthers(info):
		return fmt.Errorf("%s %s is writable by others (mode %04o), who could make stategate write or run what they "+
			"want: run `chmod go-w` on it", what, dir, info.Mode().Perm())
	case !ownedBy(info, os.Geteuid()):
		return fmt.Errorf("%s %s belongs to another user: run stategate as that user, or remove it", what, dir)
	}
	return nil
}

// ErrLocked means that another process holds a lock.
var ErrLocked = errors.New("another process holds the lock")

// Lock takes the lock that a file in a private directory represents. It waits for at most the given time. The system
// releases the lock when the process ends, for whatever reason. The lock of a killed process may last slightly longer
// if the process had just started a child.
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

// regular rejects an existing entry that is not a file. Opening a named pipe would block, and opening a link would
// create its target.
func regular(name string) error {
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file; remove it", name)
	}
	return nil
}

// Key returns this user's secret, which is kept in the private directory dir. Key creates both on first use.
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
