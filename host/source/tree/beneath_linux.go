package tree

import (
	"slices"

	"golang.org/x/sys/unix"
)

// beneath has the kernel go name by name itself. It does not where it cannot (before 5.6, or where a filter forbids
// it), and where something is wrong that opening the names one by one will tell.
func (f *folder) beneath(name string, flags int) (fd int, ok bool) {
	fd, err := unix.Openat2(int(f.Fd()), name, &unix.OpenHow{Flags: uint64(flags),
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS})
	return fd, err == nil
}

// lasting reports whether a directory is on a file system of this machine that is known to keep the time of every
// change.
func lasting(f *folder) bool {
	var is unix.Statfs_t
	known := []int64{unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
		unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC}
	return unix.Fstatfs(int(f.Fd()), &is) == nil && slices.Contains(known, int64(is.Type))
}
