//go:build unix

package tree

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"golang.org/x/sys/unix"
)

type folder struct{ *os.File }

func openTop(dir string) (*folder, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY, 0)
	return &folder{f}, err
}

// at opens a path, one component after another. None may be a link, including the last one. It never blocks.
func (f *folder) at(name string, flags int) (fd int, err error) {
	flags |= unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd = int(f.Fd())
	for more := true; more; {
		var base string
		if base, name, more = strings.Cut(name, "/"); base == ".." {
			err = unix.EINVAL
		}
		above, wanted := fd, flags
		if more {
			wanted |= unix.O_DIRECTORY
		}
		if err == nil {
			err = again(func() (err error) {
				fd, err = unix.Openat(above, base, wanted, 0)
				return err
			})
		}
		if above != int(f.Fd()) {
			_ = unix.Close(above)
		}
		switch {
		case isOther(err) && more:
			return -1, ErrNotDirectory
		case err != nil:
			return -1, pathError("open", base, err)
		}
	}
	return fd, nil
}

// again repeats a call that a signal interrupted.
func again(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

func pathError(op, name string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// isOther reports whether an error means that the entry is not of the kind that was to be opened.
func isOther(err error) bool {
	return errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) || errors.Is(err, unix.EMLINK) ||
		errors.Is(err, unix.ENXIO)
}

func (f *folder) directory(name string) (int, error) {
	fd, err := f.at(name, unix.O_DIRECTORY)
	if isOther(err) {
		err = ErrNotDirectory
	}
	return fd, err
}

func (f *folder) list(name string, max int) ([]fs.DirEntry, status, error) {
	fd, err := f.directory(name)
	if err != nil {
		return nil, status{}, err
	}
	// the name is needed if the file system reports no types
	dir := os.NewFile(uintptr(fd), f.Name()+"/"+name)
	defer dir.Close()
	is, err := statusOf("stat", ".", func(st *unix.Stat_t) error { return unix.Fstat(fd, st) })
	if err != nil {
		return nil, is, err
	}
	found, err := dir.ReadDir(max)
	return found, is, err
}

// above calls do with the open parent directory of a path and with the path's last component.
func (f *folder) above(name string, do func(dir int, base string) error) error {
	dir, base := path.Split(name)
	if dir == "" {
		return do(int(f.Fd()), base)
	}
	fd, err := f.directory(strings.TrimSuffix(dir, "/"))
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return do(fd, base)
}

func (f *folder) status(name string) (is status, err error) {
	err = f.above(name, func(dir int, base string) (err error) {
		is, err = lstat(dir, base)
		return err
	})
	return is, err
}

func lstat(dir int, name string) (status, error) {
	return statusOf("lstat", name, func(st *unix.Stat_t) error {
		return unix.Fstatat(dir, name, st, unix.AT_SYMLINK_NOFOLLOW)
	})
}

// is reports whether the entry at a path has this status. It may follow links on the way, because an entry
// elsewhere has another status.
func (f *folder) is(name string, this status) bool {
	is, err := lstat(int(f.Fd()), name)
	return err == nil && is == this
}

func (f *folder) read(name string, max int64) (Content, error) {
	fd, err := f.at(name, unix.O_NONBLOCK|unix.O_NOCTTY)
	if isOther(err) {
		return Content{}, ErrChanged
	}
	if err != nil {
		return Content{}, err
	}
	defer unix.Close(fd)
	is, err := statusOf("stat", name, func(st *unix.Stat_t) error { return unix.Fstat(fd, st) })
	if err != nil {
		return Content{}, err
	}
	return newContent(reader(fd), is, max)
}

// A reader reads a descriptor that the runtime does not poll.
type reader int

func (r reader) Read(p []byte) (n int, err error) {
	err = again(func() (err error) {
		n, err = unix.Read(int(r), p)
		return err
	})
	if err == nil && n == 0 {
		err = io.EOF
	}
	return max(n, 0), err
}

func (f *folder) readlink(name string) (text string, err error) {
	err = f.above(name, func(dir int, base string) error {
		to := make([]byte, 4<<10) // more than a path may have
		n, err := unix.Readlinkat(dir, base, to)
		text = string(to[:max(n, 0)])
		return pathError("readlink", base, err)
	})
	return text, err
}

var kinds = map[uint32]fs.FileMode{
	unix.S_IFREG: 0, unix.S_IFDIR: fs.ModeDir, unix.S_IFLNK: fs.ModeSymlink, unix.S_IFIFO: fs.ModeNamedPipe,
	unix.S_IFSOCK: fs.ModeSocket, unix.S_IFCHR: fs.ModeDevice, unix.S_IFBLK: fs.ModeDevice,
}

func statusOf(op, name string, call func(*unix.Stat_t) error) (status, error) {
	var st unix.Stat_t
	if err := again(func() error { return call(&st) }); err != nil {
		return status{}, pathError(op, name, err)
	}
	kind, ok := kinds[uint32(st.Mode)&unix.S_IFMT]
	if !ok {
		kind = fs.ModeIrregular
	}
	return status{kind | fs.FileMode(st.Mode)&fs.ModePerm, st.Size, st.Mtim.Nano(), st.Ctim.Nano(), uint64(st.Dev),
		uint64(st.Ino)}, nil
}
