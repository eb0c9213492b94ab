// Package wholefile makes files appear whole or not at all: whoever reads one sees
// what was there before, or all that is there now.
package wholefile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write gives the file name these bytes and permissions. If it fails, what lay
// there stays.
func Write(name string, data []byte, mode fs.FileMode) error {
	return WriteFrom(name, mode, func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(data))
		return err
	})
}

// WriteFrom is Write of what fill writes. Its own errors name the file, not the
// temporary one beside it.
func WriteFrom(name string, mode fs.FileMode, fill func(io.Writer) error) error {
	err := writeFrom(name, mode, fill)
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

func writeFrom(name string, mode fs.FileMode, fill func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	err = fill(f)
	if err == nil {
		err = errors.Join(f.Chmod(mode), f.Sync())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
