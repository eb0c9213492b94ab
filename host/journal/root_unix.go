//go:build unix

package journal

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// openQuietly prevents open from waiting for the other end of a pipe.
const openQuietly = syscall.O_NONBLOCK | syscall.O_NOFOLLOW

// exactModes is true because modes and owners must be restored.
const exactModes = true

func ownerOf(stat fs.FileInfo) *Owner {
	s, ok := stat.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return &Owner{int(s.Uid), int(s.Gid)}
}

// rename uses descriptors of open directories, so that no name is looked up again between the check and the change.
func (*Root) rename(from, to place) error {
	x, err := from.dir.Open(".")
	if err != nil {
		return err
	}
	defer x.Close()
	y, err := to.dir.Open(".")
	if err != nil {
		return err
	}
	defer y.Close()
	return unix.Renameat(int(x.Fd()), from.base, int(y.Fd()), to.base)
}

// syncDirectory ignores errors from file systems that cannot sync directories.
func syncDirectory(dir *os.Root) error {
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
		return err
	}
	return nil
}
