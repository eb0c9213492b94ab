package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"slices"

	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/edit"
)

// Undone is one transaction that was undone.
type Undone struct {
	About   About
	Changes []edit.Change // what it had done, without bytes
}

// Undo rolls back the transactions of the last group, the last first, and returns those that it rolled back. A
// *ChangedError names what is not as the group left it; then nothing was done.
func (s *Store) Undo() ([]Undone, error) {
	var list []entry
	for _, e := range slices.Backward(s.entries) {
		if e.state == kept && (len(list) == 0 || e.header.Group == list[0].header.Group) {
			list = append(list, e)
		} else if e.state == kept {
			break
		}
	}
	var changed []string
	for i := range list {
		names, err := s.changedSince(&list[i], list[:i])
		if err != nil {
			return nil, err
		}
		changed = append(changed, names...)
	}
	if len(changed) > 0 {
		return nil, &ChangedError{changed}
	}
	var undone []Undone
	for i := range list {
		u := Undone{list[i].header.About, list[i].changes()}
		if err := s.undo(&list[i]); err != nil {
			return undone, err
		}
		undone = append(undone, u)
	}
	return undone, nil
}

// undo rolls back one transaction. What that needs space for is done first.
func (s *Store) undo(e *entry) error {
	changed, err := s.changedSince(e, nil)
	if err == nil && len(changed) > 0 {
		err = &ChangedError{changed}
	}
	if err != nil {
		return err
	}
	if err := s.mark(e, open); err != nil {
		return &ApplyError{Err: fmt.Errorf("write the journal: %w", err)}
	}
	if err := s.stageAll(e); err != nil {
		failed := s.finish(e)
		s.stuck = failed != nil
		return &ApplyError{err, failed}
	}
	undone := func(other entry) bool { return other.number == e.number }
	s.entries = slices.DeleteFunc(s.entries, undone)
	if err := s.rollBack(e); err != nil {
		return &ApplyError{Err: err}
	}
	return nil
}

func (s *Store) stageAll(e *entry) error {
	home := follow(e.header.Roots[0], e.steps)
	for n := range e.steps {
		if st := &e.steps[n]; st.Was == nil || st.Do != put && st.Do != remove {
			continue
		}
		if err := s.stage(e, n, home); err != nil {
			return err
		}
	}
	return nil
}

// changedSince returns the paths that are not as a transaction left them. Those that later ones changed are
// compared when these are undone.
func (s *Store) changedSince(e *entry, later []entry) (changed []string, err error) {
	was := map[string]string{}
	if err := s.load(e, after, &was); err != nil {
		return nil, fmt.Errorf("the undo journal %s is damaged: %w", s.path(e.name), err)
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if slices.ContainsFunc(later, func(l entry) bool { return l.touches(name) }) {
			continue
		}
		sum, err := s.sum(name, was)
		if err != nil {
			return nil, err
		}
		if sum != was[name] {
			changed = append(changed, name)
		}
	}
	return changed, nil
}

// paths returns what the steps of a transaction are about, where it is after all of them.
func (e *entry) paths() []string {
	var list []string
	for i, s := range e.steps {
		list = append(list, follow(s.Path, e.steps[i+1:]))
		if s.Do == move {
			list = append(list, follow(s.From, e.steps[i+1:]))
		}
	}
	return list
}

func (e *entry) touches(name string) bool {
	return slices.ContainsFunc(e.paths(), func(p string) bool { return slashpath.Holds(p, name) || slashpath.Holds(name, p) })
}

// sums returns what is at the paths of a transaction.
func (s *Store) sums(e *entry) (map[string]string, error) {
	all := map[string]string{}
	for _, name := range e.paths() {
		all[name] = ""
	}
	for name := range all {
		sum, err := s.sum(name, all)
		if err != nil {
			return nil, err
		}
		all[name] = sum
	}
	return all, nil
}

// sum returns a digest of what is at a path, "" if nothing is; of a directory without the paths that have one of their
// own.
func (s *Store) sum(name string, own map[string]string) (string, error) {
	info, err := s.tree.Lstat(name)
	switch {
	case absent(err):
		return "", nil
	case err != nil:
		return "", err
	}
	c := &census{disk: s.tree, own: own, sum: sha256.New()}
	if info.Kind != Directory {
		return c.of(name, info)
	}
	if err := c.add(name); err != nil || c.entries > maxCensus {
		return "too many", err
	}
	return hex.EncodeToString(c.sum.Sum(nil)), nil
}

// maxCensus is the number of entries beyond which a directory is moved without
// knowing later whether something in it changed.
const maxCensus = 100_000

// A census sums names, kinds, modes and bytes. It refuses a repository.
type census struct {
	disk    Disk
	own     map[string]string // paths that are left out
	sum     hash.Hash
	entries int
	read    int64 // bytes
}

func (c *census) add(dir string) error {
	names, err := c.disk.List(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		full := join(dir, name)
		if name == tree.GitName {
			return repository(c.disk, dir)
		}
		if _, own := c.own[full]; own || tree.Temporary(name) {
			continue
		}
		if c.entries++; c.entries > maxCensus {
			return nil
		}
		info, err := c.disk.Lstat(full)
		if err != nil {
			return err
		}
		text, err := c.of(full, info)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.sum, "%q %o %s\n", full, info.Mode, text)
		if info.Kind == Directory {
			err = c.add(full)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// of returns the sum of a file; of what is beyond a limit or may not be read, size and time; of others the kind.
func (c *census) of(name string, info Info) (string, error) {
	if info.Kind != Regular {
		return info.Kind.String(), nil
	}
	if c.read += info.Size; info.Size <= maxFile && c.read <= maxAll {
		data, _, err := c.disk.Read(name, maxFile)
		if !errors.Is(err, fs.ErrPermission) {
			return sumOf(data), err
		}
	}
	return fmt.Sprint(info.Size, info.ModTime.UnixNano()), nil
}

// changes returns the steps as changes, directories made on the way left out.
func (e *entry) changes() []edit.Change {
	var list []edit.Change
	for i := range e.steps {
		c := edit.Change{Kind: edit.Delete, Path: e.steps[i].Path}
		switch s := &e.steps[i]; s.Do {
		case put:
			c.Kind = edit.Write
		case rmdir:
			c.Path += "/"
		case mkdir:
			continue
		case move:
			c.Kind, c.From = edit.Rename, s.From
			if s.Was.Dir {
				c.Path, c.From = c.Path+"/", c.From+"/"
			}
		}
		list = append(list, c)
	}
	return list
}
