//go:build !unix

package tree

import (
	"errors"
	"io/fs"
	"os"
	"path"
)

// A folder is an open directory. An os.Root follows links that stay inside it, so each component is examined first.
type folder struct{ *os.Root }

func openTop(dir string) (*folder, error) {
	root, err := os.OpenRoot(dir)
	return &folder{root}, err
}

// directory rejects a path with a component that is not a directory.
func (f *folder) directory(name string) error {
	for i := range len(name) + 1 {
		if i < len(name) && name[i] != '/' {
			continue
		}
		if info, err := f.Lstat(name[:i]); err != nil {
			return err
		} else if !info.IsDir() {
			return ErrNotDirectory
		}
	}
	return nil
}

func (f *folder) list(name string, max int) ([]fs.DirEntry, status, error) {
	if err := f.directory(name); err != nil {
		return nil, status{}, err
	}
	dir, err := f.Open(name)
	if err != nil {
		return nil, status{}, err
	}
	defer dir.Close()
	info, err := dir.Stat()
	if err != nil {
		return nil, status{}, err
	}
	found, err := dir.ReadDir(max)
	return found, statusOf(info), err
}

func (f *folder) status(name string) (status, error) {
	if err := f.directory(path.Dir(name)); err != nil {
		return status{}, err
	}
	info, err := f.Lstat(name)
	if err != nil {
		return status{}, err
	}
	return statusOf(info), nil
}

// is reports whether the entry at a path has this status.
func (f *folder) is(name string, this status) bool {
	is, err := f.status(name)
	return err == nil && is == this
}

func (f *folder) read(name string, max int64) (Content, error) {
	is, err := f.status(name)
	if errors.Is(err, ErrNotDirectory) {
		return Content{}, err
	}
	if err != nil || !is.mode.IsRegular() {
		return Content{}, errors.Join(ErrChanged, err)
	}
	file, err := f.Open(name)
	if err != nil {
		return Content{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return Content{}, err
	}
	return newContent(file, statusOf(info), max)
}

func (f *folder) readlink(name string) (string, error) {
	if err := f.directory(path.Dir(name)); err != nil {
		return "", err
	}
	return f.Readlink(name)
}

func statusOf(info fs.FileInfo) status {
	return status{mode: info.Mode(), size: info.Size(), modified: info.ModTime().UnixNano()}
}
