package journal

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/engine/edit"
)

// Undo rolls back the last group's transactions, last one first, and returns those that it rolled back. If files have
// changed since then, it does nothing and returns a *ChangedError that names them.
func (s *Store) Undo() (undone []About, err error) {
	var list []*entry
	var steps []step
	for _, e := range slices.Backward(s.entries) {
		if e.state != committed {
			continue
		}
		if len(list) > 0 && e.header.Group != list[0].header.Group {
			break
		}
		list, steps = append(list, e), slices.Concat(e.steps, steps)
	}
	changed, err := s.tree.changed(steps)
	if err != nil {
		return nil, err
	}
	if len(changed) > 0 {
		return nil, &ChangedError{changed}
	}
	for _, e := range list {
		if err := s.undo(e); err != nil {
			return undone, err
		}
		undone = append(undone, e.header.About)
	}
	return undone, nil
}

// undo rolls back one transaction. It first stages the old bytes of all files. If there is no space for them, nothing
// has changed yet.
func (s *Store) undo(e *entry) error {
	err := s.records.turn(e, open)
	home := follow(e.header.About.Root, e.steps)
	for n := range e.steps {
		if err == nil && e.steps[n].From == "" && e.steps[n].Was.file() {
			_, err = s.stage(e, n, home)
		}
	}
	if err != nil {
		failed := s.commit(e)
		s.stuck = failed != nil
		return &ApplyError{fmt.Errorf("restore the earlier bytes: %w", err), failed}
	}
	s.entries = slices.DeleteFunc(s.entries, func(other *entry) bool { return other == e })
	if err := s.takeBack(e); err != nil {
		return &ApplyError{Err: err}
	}
	return nil
}

// takeBack rolls back a transaction of this process.
func (s *Store) takeBack(e *entry) error {
	foreign, err := s.rollBack(e)
	s.stuck = err != nil
	if err == nil && len(foreign) > 0 {
		s.entries = append(s.entries, e)
		err = fmt.Errorf("%s was changed by another program meanwhile and was left alone; everything else was "+
			"restored, and the earlier bytes are in %s", strings.Join(foreign, ", "),
			filepath.Join(s.records.dir, e.dir()))
	}
	return err
}

// final returns the states of the steps' paths after the last step; nil means that the path does not exist.
func final(steps []step) map[string]*state {
	list := map[string]*state{}
	for i, s := range steps {
		now := func(name string) string { return follow(name, steps[i+1:]) }
		if s.From == "" {
			list[now(s.Path)] = s.Is
			continue
		}
		if to := now(s.Path); list[to] == nil { // otherwise an earlier step in the list determines it
			list[to] = s.Was
		}
		if edit.Fold(s.From) != edit.Fold(s.Path) {
			list[now(s.From)] = nil
		}
	}
	return list
}
