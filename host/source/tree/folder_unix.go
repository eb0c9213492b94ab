//go:build unix

package tree

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// A folder is an open directory.
type folder struct{ *os.File }

func openTop(dir string) (*folder, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY, 0)
	return &folder{f}, err
}

// at opens what has a name, which is never followed if it is a link. It never waits.
func (f *folder) at(name string, flags int) (fd int, err error) {
	if name == ".." {
		return -1, pathError("open", name, unix.EINVAL)
	}
	err = again(func() (err error) {
		fd, err = unix.Openat(int(f.Fd()), name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|flags, 0)
		return err
	})
	return fd, pathError("open", name, err)
}

// again repeats what a signal has interrupted.
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

// isOther reports whether an error means that there is something else than what was to be opened.
func isOther(err error) bool {
	return errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) || errors.Is(err, unix.EMLINK) ||
		errors.Is(err, unix.ENXIO)
}

func (f *folder) open(name string) (*folder, error) {
	fd, err := f.at(name, unix.O_DIRECTORY)
	if isOther(err) {
		return nil, ErrNotDirectory
	}
	if err != nil {
		return nil, err
	}
	// of which the name is needed where a file system lists no types
	return &folder{os.NewFile(uintptr(fd), f.Name()+"/"+name)}, nil
}

// list lists a folder that has just been opened.
func (f *folder) list(max int) ([]fs.DirEntry, status, error) {
	is, err := statusOf("stat", ".", func(st *unix.Stat_t) error { return unix.Fstat(int(f.Fd()), st) })
	if err != nil {
		return nil, is, err
	}
	found, err := f.ReadDir(max)
	return found, is, err
}

func (f *folder) status(name string) (status, error) {
	return statusOf("lstat", name, func(st *unix.Stat_t) error {
		return unix.Fstatat(int(f.Fd()), name, st, unix.AT_SYMLINK_NOFOLLOW)
	})
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

func (f *folder) readlink(name string) (string, error) {
	text := make([]byte, 4<<10) // more than a path may have
	n, err := unix.Readlinkat(int(f.Fd()), name, text)
	return string(text[:max(n, 0)]), pathError("readlink", name, err)
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
