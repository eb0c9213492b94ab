package tree

import (
	"slices"

	"golang.org/x/sys/unix"
)

// lasting reports whether a directory is on a local file system that is known to record the time of every change.
func lasting(f *folder) bool {
	var is unix.Statfs_t
	known := []int64{unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
		unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC}
	return unix.Fstatfs(int(f.Fd()), &is) == nil && slices.Contains(known, int64(is.Type))
}
