package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// A Root is the Disk of a real directory. Every name is reached through handles of its parent directories, and each
// handle is compared with the directory's status from before it was opened. os.Root alone would follow links that
// stay inside.
type Root struct{ root *os.Root }

// OpenRoot opens a directory at an absolute path of the operating system. Close it after use.
func OpenRoot(dir string) (*Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Root{root}, nil
}

func (r *Root) Close() error { return r.root.Close() }

// parent opens the directory that contains a name. The caller closes it.
func (r *Root) parent(name string) (dir *os.Root, base string, err error) {
	if dir, err = r.root.OpenRoot("."); err != nil {
		return nil, "", err
	}
	for {
		first, rest, more := strings.Cut(name, "/")
		if !more {
			return dir, name, nil
		}
		next, err := openStable(dir, first)
		_ = dir.Close()
		if err != nil {
			return nil, "", err
		}
		dir, name = next, rest
	}
}

// openStable opens a directory that is not reached through a link. The "/." keeps a named pipe from blocking.
func openStable(dir *os.Root, name string) (*os.Root, error) {
	before, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errLink}
	}
	next, err := dir.OpenRoot(name + "/.")
	if err != nil {
		return nil, err
	}
	after, err := next.Lstat(".")
	if err == nil && !os.SameFile(before, after) {
		err = &fs.PathError{Op: "open", Path: name, Err: errLink}
	}
	if err != nil {
		_ = next.Close()
		return nil, err
	}
	return next, nil
}

// in calls do with the directory that contains a name. It puts the whole name into errors, because handles know only
// the last component.
func (r *Root) in(name string, do func(dir *os.Root, base string) error) error {
	dir, base, err := r.parent(name)
	if err == nil {
		defer dir.Close()
		err = do(dir, base)
	}
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		err = &fs.PathError{Op: e.Op, Path: name, Err: e.Err}
	}
	return err
}

func (r *Root) Lstat(name string) (info Info, err error) {
	err = r.in(name, func(dir *os.Root, base string) error {
		stat, err := dir.Lstat(base)
		if err == nil {
			info = infoOf(stat)
		}
		return err
	})
	return info, err
}

func infoOf(stat fs.FileInfo) Info {
	i := Info{Sys: stat}
	i.Attributes = Attributes{Mode: stat.Mode() & modeBits(stat.IsDir()), Exact: true, Owner: ownerOf(stat)}
	i.Same = func(other Info) bool { return os.SameFile(stat, other.Sys) }
	switch {
	case stat.Mode().IsRegular():
		i.Kind = Regular
	case stat.IsDir():
		i.Kind = Directory
	case stat.Mode()&fs.ModeSymlink != 0:
		i.Kind = Symlink
	}
	return i
}

func (r *Root) Read(name string, max int64) (data []byte, info Info, err error) {
	err = r.in(name, func(dir *os.Root, base string) error {
		before, err := dir.Lstat(base)
		if err != nil {
			return err
		}
		if !before.Mode().IsRegular() {
			return &fs.PathError{Op: "read", Path: name, Err: errNotRegular}
		}
		f, err := dir.OpenFile(base, os.O_RDONLY|openQuietly, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		stat, err := f.Stat()
		if err != nil {
			return err
		}
		if !os.SameFile(before, stat) {
			return &fs.PathError{Op: "read", Path: name, Err: errNotRegular}
		}
		info = infoOf(stat)
		data, err = readAll(f, max)
		return err
	})
	return data, info, err
}

func readAll(r io.Reader, max int64) ([]byte, error) {
	var b bytes.Buffer
	n, err := b.ReadFrom(io.LimitReader(r, max+1))
	if err == nil && n > max {
		err = errTooLarge
	}
	return b.Bytes(), err
}

func (r *Root) List(name string) (names []string, err error) {
	err = r.at(name, func(dir *os.Root) error {
		f, err := dir.Open(".")
		if err != nil {
			return err
		}
		defer f.Close()
		names, err = f.Readdirnames(-1)
		slices.Sort(names)
		return err
	})
	return names, err
}

// at opens the directory called name and calls do with it.
func (r *Root) at(name string, do func(dir *os.Root) error) error {
	return r.in(path.Join(name, "x"), func(dir *os.Root, _ string) error { return do(dir) })
}

// Write implements Disk. It removes a file that could not be written completely.
func (r *Root) Write(name string, data []byte, as Attributes) error {
	return r.in(name, func(dir *os.Root, base string) error {
		mode := fs.FileMode(0o666)
		if as.Exact {
			mode = as.Mode.Perm() // no other user may read it at any time
		}
		f, err := dir.OpenFile(base, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		if err == nil {
			err = setAttributes(f, as)
		}
		if err == nil {
			err = f.Sync()
		}
		if closed := f.Close(); err == nil {
			err = closed
		}
		if err != nil {
			_ = dir.Remove(base)
		}
		return err
	})
}

// setAttributes sets a file's owner, if the system allows it, and its mode. A user with write access to the directory
// can replace another user's file, but cannot set its owner.
func setAttributes(f *os.File, as Attributes) error {
	if !as.Exact || !exactModes {
		return nil
	}
	if as.Owner != nil {
		_ = f.Chown(as.Owner.User, as.Owner.Group)
	}
	return f.Chmod(as.Mode)
}

func (r *Root) Mkdir(name string, as Attributes) error {
	return r.in(name, func(dir *os.Root, base string) error {
		if err := dir.Mkdir(base, 0o777); err != nil || !as.Exact {
			return err
		}
		f, err := dir.Open(base)
		if err != nil {
			return err
		}
		defer f.Close()
		return setAttributes(f, as)
	})
}

func (r *Root) Remove(name string) error {
	return r.in(name, func(dir *os.Root, base string) error { return dir.Remove(base) })
}

// A place is a name, together with the open directory that contains its last component.
type place struct {
	name string
	dir  *os.Root
	base string
}

func (r *Root) Rename(from, to string) error {
	return r.in(from, func(a *os.Root, base string) error {
		return r.in(to, func(b *os.Root, target string) error {
			err := r.rename(place{from, a, base}, place{to, b, target})
			if e := (*os.LinkError)(nil); errors.As(err, &e) {
				err = e.Err
			}
			if err != nil {
				err = fmt.Errorf("%s to %s: %w", from, to, err)
			}
			return err
		})
	})
}

func (r *Root) Sync(name string) error {
	return r.at(name, syncDirectory)
}
