package tree

import (
	"slices"

	"golang.org/x/sys/unix"
)

// beneath lets the kernel resolve the whole path. It reports false if the kernel cannot do that, because it is
// older than 5.6 or a filter forbids it. It also reports false if opening the components one by one will return a
// more specific error.
func (f *folder) beneath(name string, flags int) (fd int, ok bool) {
	fd, err := unix.Openat2(int(f.Fd()), name, &unix.OpenHow{Flags: uint64(flags),
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS})
	return fd, err == nil
}

// lasting reports whether a directory is on a local file system that is known to record the time of every change.
func lasting(f *folder) bool {
	var is unix.Statfs_t
	known := []int64{unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
		unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC}
	return unix.Fstatfs(int(f.Fd()), &is) == nil && slices.Contains(known, int64(is.Type))
}
