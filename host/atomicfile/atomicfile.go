// Package atomicfile writes files atomically: a reader sees either the old content or the new, never a mixture. A
// replaced file keeps its permissions.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Write writes data to the file name. A new file gets the permissions that both mode and the umask allow. If Write
// fails, the old file stays.
func Write(name string, data []byte, mode fs.FileMode) error {
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return named(name, err)
	}
	defer root.Close()
	return named(name, replace(root, filepath.Base(name), data, mode))
}

// WriteBelow does what Write does, for a file below root, which it never leaves. It replaces a link instead of
// following it.
func WriteBelow(root *os.Root, name string, data []byte, mode fs.FileMode) error {
	return named(name, replace(root, name, data, mode))
}

// named replaces the name of the temporary file in an error with name.
func named(name string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return &fs.PathError{Op: "write", Path: name, Err: path.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: "write", Path: name, Err: link.Err}
	}
	return err
}

func replace(root *os.Root, name string, data []byte, mode fs.FileMode) error {
	before, err := root.Lstat(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, temporary, err := create(root, name, mode)
	if err != nil {
		return err
	}
	defer root.Remove(temporary)
	_, err = f.Write(data)
	if err == nil && before != nil && before.Mode().IsRegular() {
		err = f.Chmod(before.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return root.Rename(temporary, name)
}

// create creates a temporary file next to name.
func create(root *os.Root, name string, mode fs.FileMode) (f *os.File, temporary string, err error) {
	for range 100 {
		temporary = filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s-%08x", filepath.Base(name), rand.Uint32()))
		f, err = root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return f, temporary, err
}
