package tree

import (
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// descend opens a directory below this one: the kernel goes name by name itself. Where it cannot (before 5.6, or where
// a filter forbids it), and to say what is wrong, the names are opened here.
func (f *folder) descend(dir string) (*folder, error) {
	if !strings.Contains(dir, "/") || slices.Contains(strings.Split(dir, "/"), "..") {
		return f.stepwise(dir)
	}
	fd, err := unix.Openat2(int(f.Fd()), dir, &unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	})
	if err != nil {
		return f.stepwise(dir)
	}
	return &folder{os.NewFile(uintptr(fd), f.Name()+"/"+dir)}, nil
}

// lasting reports whether a directory is on a file system of this machine that is known to keep the time of every
// change.
func lasting(f *folder) bool {
	var is unix.Statfs_t
	known := []int64{unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
		unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC}
	return unix.Fstatfs(int(f.Fd()), &is) == nil && slices.Contains(known, int64(is.Type))
}
