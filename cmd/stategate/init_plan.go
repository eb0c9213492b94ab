package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/stategate/stategate/host/atomicfile"
	"github.com/stategate/stategate/host/result"
)

// A setup is what init is going to write. Nothing is written before all of it is
// known.
type setup struct {
	writes  []fileWrite
	same    []string // files that have it already
	asks    []string // what only a person can decide or do
	notes   []string // what was not recognised, and the flag that settles it
	next    []string // what to do afterwards
	dry     bool
	version string // of a release, "" for a development build
}

// A fileWrite replaces or makes one file below a directory that it never leaves.
type fileWrite struct {
	dir    string // absolute
	name   string // slash-separated, below dir
	shown  string // for people
	before []byte // nil if it is new
	after  []byte
	mode   fs.FileMode
	added  string // what an existing file gets, for people
}

// read returns the bytes of a file below dir, nil if there is none. It refuses
// what is not a regular file: what a link leads to is not this repository's.
func read(dir, name string) ([]byte, fs.FileMode, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	info, err := root.Lstat(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s is not a regular file; replace it with one, or edit its target yourself", name)
	}
	text, err := root.ReadFile(filepath.FromSlash(name))
	if text == nil {
		text = []byte{}
	}
	return text, info.Mode().Perm(), err
}

// apply writes all that is planned.
func (s *setup) apply() error {
	for _, w := range s.writes {
		if err := w.apply(); err != nil {
			return brokenf("write %s: %v", w.shown, err)
		}
	}
	return nil
}

// apply writes the file as a whole. One that came into being meanwhile is not replaced.
func (w *fileWrite) apply() error {
	root, err := os.OpenRoot(w.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	name := filepath.FromSlash(w.name)
	if dir := path.Dir(w.name); dir != "." {
		if err := root.MkdirAll(filepath.FromSlash(dir), 0o755); err != nil {
			return err
		}
	}
	if w.before == nil {
		return create(root, name, w.after, w.mode)
	}
	if now, err := root.ReadFile(name); err != nil || !bytes.Equal(now, w.before) {
		return errors.Join(errors.New("it changed meanwhile; try again"), err)
	}
	return atomicfile.WriteBelow(root, name, w.after, w.mode)
}

func create(root *os.Root, name string, text []byte, mode fs.FileMode) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Close())
	if err != nil {
		return errors.Join(err, root.Remove(name))
	}
	return nil
}

// changes are the writes as a difference shows them.
func (s *setup) changes() []result.FileChange {
	var list []result.FileChange
	for _, w := range s.writes {
		c := result.FileChange{From: w.shown, To: w.shown, Before: w.before, After: w.after}
		if w.before == nil {
			c.From = ""
		}
		list = append(list, c)
	}
	return list
}
