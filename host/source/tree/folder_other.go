//go:build !unix

package tree

import (
	"errors"
	"io/fs"
	"os"
)

// A folder is an open directory. An os.Root follows links that stay inside it, so that each name is looked at first.
type folder struct{ *os.Root }

func openTop(dir string) (*folder, error) {
	root, err := os.OpenRoot(dir)
	return &folder{root}, err
}

func (f *folder) open(name string) (*folder, error) {
	is, err := f.status(name)
	if err != nil {
		return nil, err
	}
	if !is.mode.IsDir() {
		return nil, ErrNotDirectory
	}
	root, err := f.OpenRoot(name)
	return &folder{root}, err
}

// list lists a folder that has just been opened.
func (f *folder) list(max int) ([]fs.DirEntry, status, error) {
	dir, err := f.Open(".")
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
	info, err := f.Lstat(name)
	if err != nil {
		return status{}, err
	}
	return statusOf(info), nil
}

func (f *folder) read(name string, max int64) (Content, error) {
	if is, err := f.status(name); err != nil || !is.mode.IsRegular() {
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

func (f *folder) readlink(name string) (string, error) { return f.Readlink(name) }

func statusOf(info fs.FileInfo) status {
	return status{mode: info.Mode(), size: info.Size(), modified: info.ModTime().UnixNano()}
}
