//go:build unix

package journal

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// openQuietly never waits for the other end of a pipe.
const openQuietly = syscall.O_NONBLOCK | syscall.O_NOFOLLOW

// exactModes: modes and owners are worth restoring.
const exactModes = true

func ownerOf(stat fs.FileInfo) *Owner {
	s, ok := stat.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return &Owner{int(s.Uid), int(s.Gid)}
}

// rename works on the descriptors of open directories: between the check and the
// change, no name is looked up again.
func (*Root) rename(from, to place) error {
	return atBoth(from.dir, to.dir, func(a, b int) error { return unix.Renameat(a, from.base, b, to.base) })
}

func (*Root) link(from, to place) error {
	return atBoth(from.dir, to.dir, func(a, b int) error { return unix.Linkat(a, from.base, b, to.base, 0) })
}

func atBoth(a, b *os.Root, do func(a, b int) error) error {
	x, err := a.Open(".")
	if err != nil {
		return err
	}
	defer x.Close()
	y, err := b.Open(".")
	if err != nil {
		return err
	}
	defer y.Close()
	return do(int(x.Fd()), int(y.Fd()))
}

// syncDirectory leaves file systems alone that know no such thing.
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

func writableByOthers(info fs.FileInfo) bool { return info.Mode().Perm()&0o022 != 0 }

func ownedByUs(info fs.FileInfo) bool {
	owner := ownerOf(info)
	return owner != nil && owner.User == os.Geteuid()
}
