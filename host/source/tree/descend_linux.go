package tree

import (
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// descend opens a directory below this one: the kernel goes name by name itself. Where it cannot (before 5.6, or where a
// filter forbids it), and to say what is wrong, the names are opened here.
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
