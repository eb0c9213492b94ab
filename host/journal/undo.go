package journal

import (
	"fmt"
	"maps"
	"slices"

	"github.com/stategate/stategate/host/slashpath"
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
// compared when these are undone. What is in a moved directory goes back with it, changed or not.
func (s *Store) changedSince(e *entry, later []entry) (changed []string, err error) {
	left := e.left()
	for _, name := range slices.Sorted(maps.Keys(left)) {
		if slices.ContainsFunc(later, func(l entry) bool { return l.touches(name) }) {
			continue
		}
		same, err := s.isAs(name, left)
		if err != nil {
			return nil, err
		}
		if !same {
			changed = append(changed, name)
		}
	}
	return changed, nil
}

// left returns what a transaction left at the paths of its steps, nil for nothing. A directory that it made has the
// sum "made".
func (e *entry) left() map[string]*state {
	list := map[string]*state{}
	for i, s := range e.steps {
		now := func(name string) string { return follow(name, e.steps[i+1:]) }
		switch s.Do {
		case put:
			list[now(s.Path)] = s.Is
		case mkdir:
			list[now(s.Path)] = &state{Dir: true, Sum: "made"}
		case remove, rmdir:
			list[now(s.Path)] = nil
		case move:
			if final := now(s.Path); list[final] == nil { // else it is what a step before made of it
				list[final] = s.Was
			}
			if edit.Fold(s.From) != edit.Fold(s.Path) {
				list[now(s.From)] = nil
			}
		}
	}
	return list
}

func (e *entry) touches(name string) bool {
	for p := range e.left() {
		if slashpath.Holds(p, name) || slashpath.Holds(name, p) {
			return true
		}
	}
	return false
}

// isAs reports whether a path is as a transaction left it.
func (s *Store) isAs(name string, left map[string]*state) (bool, error) {
	want := left[name]
	if want == nil || !want.Dir {
		return matches(s.tree, name, want)
	}
	info, err := s.tree.Lstat(name)
	if absent(err) || err == nil && info.Kind != Directory {
		return false, nil
	}
	if err != nil || want.Sum == "" {
		return err == nil, err
	}
	names, err := s.tree.List(name)
	foreign := func(inner string) bool { return left[join(name, inner)] == nil }
	return !slices.ContainsFunc(names, foreign), err
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
