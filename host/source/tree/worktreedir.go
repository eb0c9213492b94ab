package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// A worktreeDir keeps the directories that were listed open: to begin at the root for each file of theirs would take
// three times as many calls of the kernel.
type worktreeDir struct {
	root *os.Root
	open map[string]*os.Root // by path
}

// maxOpen bounds the directories that one worktreeDir keeps open.
const maxOpen = 32

func (d *worktreeDir) Close() error {
	for _, sub := range d.open {
		_ = sub.Close()
	}
	return d.root.Close()
}

// near returns the nearest open directory above a path, and the rest of the path.
func (d *worktreeDir) near(at string) (*os.Root, string) {
	for i := strings.LastIndexByte(at, '/'); i > 0; i = strings.LastIndexByte(at[:i], '/') {
		if sub, ok := d.open[at[:i]]; ok {
			return sub, at[i+1:]
		}
	}
	return d.root, at
}

// keep opens a directory that will be listed, if there is room.
func (d *worktreeDir) keep(at string) (*os.Root, string) {
	root, rest := d.near(at)
	if old, ok := d.open[at]; ok {
		_ = old.Close()
		delete(d.open, at)
	}
	if at == "." || len(d.open) >= maxOpen {
		return root, rest
	}
	sub, err := root.OpenRoot(rest + "/.") // see Worktree.Open
	if err != nil {
		return root, rest // whatever it is, listing reports it
	}
	if d.open == nil {
		d.open = map[string]*os.Root{}
	}
	d.open[at] = sub
	return sub, "."
}

func (d *worktreeDir) List(path string, max int) (Listing, error) {
	root, rest := d.keep(path)
	f, err := openDir(root, rest)
	if err != nil {
		return Listing{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Listing{}, err
	}
	found, err := f.ReadDir(max + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return Listing{}, err
	}
	if len(found) > max {
		return Listing{}, fmt.Errorf("%w: more than %d", ErrTooMany, max)
	}
	entries := make([]Entry, len(found))
	for i, e := range found {
		entries[i].Name = e.Name()
		entries[i].Kind, entries[i].Detail = kindOf(e.Type())
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return Listing{entries, stampOf(info)}, nil
}

func (d *worktreeDir) Size(path string, _ Entry) (int64, error) {
	root, rest := d.near(path)
	info, err := root.Lstat(rest)
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, ErrChanged
	}
	return info.Size(), nil
}

func (d *worktreeDir) Read(path string, _ Entry, max int64) (Content, error) {
	root, rest := d.near(path)
	before, err := root.Lstat(rest)
	if err != nil {
		return Content{}, err
	}
	if !before.Mode().IsRegular() {
		return Content{}, ErrChanged
	}
	f, err := root.OpenFile(rest, os.O_RDONLY|openQuietly, 0)
	if err != nil {
		return Content{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Content{}, err
	}
	if !os.SameFile(before, info) || !info.Mode().IsRegular() {
		return Content{}, ErrChanged
	}
	c := Content{Size: info.Size(), Stamp: stampOf(info)}
	if c.Size > max {
		return c, nil
	}
	if c.Data, err = readAll(f, c.Size, max); err != nil {
		return Content{}, err
	}
	if int64(len(c.Data)) > max {
		c.Data = nil
	}
	return c, nil
}

// readAll reads to the end, or to one byte more than max. Some files grow, and some report a wrong size.
func readAll(r io.Reader, size, max int64) ([]byte, error) {
	var data bytes.Buffer
	data.Grow(int(size) + bytes.MinRead)
	_, err := data.ReadFrom(io.LimitReader(r, max+1))
	return data.Bytes(), err
}

func (d *worktreeDir) Unchanged(at string, s Stamp) bool {
	if s.info == nil {
		return true
	}
	root, rest := d.near(at)
	now, err := root.Lstat(rest)
	return err == nil && os.SameFile(s.info, now) && now.Mode() == s.info.Mode() && now.Size() == s.info.Size() && now.ModTime().Equal(s.info.ModTime())
}
