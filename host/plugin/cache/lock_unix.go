//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cache

import (
	"errors"
	"os"
	"syscall"
)

// lock waits for the lock file at path. The kernel frees the lock when its holder dies.
func lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		f.Close()
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return func() { f.Close() }, nil
}
