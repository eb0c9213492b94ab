package journal

import (
	"fmt"
	"slices"
	"time"

	"github.com/stategate/stategate/sdk/edit"
)

// last returns the transactions that Undo rolls back, the last first.
func (s *Store) last() []entry {
	var list []entry
	for _, e := range slices.Backward(s.entries) {
		if e.state != kept {
			continue
		}
		if len(list) > 0 && e.record.Group != list[0].record.Group {
			break
		}
		list = append(list, e)
	}
	return list
}

// Undo takes back the transactions of the last group, the last first, each as a
// transaction of its own, and gives those that it took back. A *ChangedError names what
// is not as the group left it; then nothing was done.
func (s *Store) Undo(now time.Time) ([]Undone, error) {
	list := s.last()
	if err := s.undoable(list); err != nil {
		return nil, err
	}
	var undone []Undone
	for _, e := range list {
		if err := s.undo(&e, now); err != nil {
			return undone, err
		}
		undone = append(undone, Undone{e.record.About, e.record.changes()})
	}
	return undone, nil
}

// Undone is one transaction that was rolled back, or found.
type Undone struct {
	About   About
	Changes []edit.Change // what it had done, without bytes
}

func (s *Store) undo(e *entry, now time.Time) error {
	record, err := s.inverse(e, now)
	if err != nil {
		return err
	}
	t, err := s.begin(record)
	if err != nil {
		return err
	}
	return t.Keep()
}

// inverse plans the way back. What is found must be what the transaction left.
func (s *Store) inverse(e *entry, now time.Time) (*Record, error) {
	p := &planner{tree: s.tree, record: &Record{
		Format: format, ID: newID(), Group: newID(), Time: now, Roots: e.record.Roots, About: e.record.About, Undoes: e.number,
	}}
	for i := range slices.Backward(e.record.Steps) {
		if err := p.back(e.record, &e.record.Steps[i], s.maker(e.name)); err != nil {
			return nil, err
		}
	}
	return p.finish()
}

// back plans the way back of one step.
func (p *planner) back(r *Record, s *step, m *maker) error {
	switch s.Do {
	case put, remove:
		return p.backFile(s, m)
	case move:
		return p.backMove(r, s)
	case mkdir:
		return p.backMkdir(s)
	}
	if err := p.holder(s.Path); err != nil {
		return err
	}
	p.add(step{Do: mkdir, Path: s.Path, Was: s.Was})
	return nil
}

func (p *planner) backFile(s *step, m *maker) error {
	was, _, err := p.file(s.Path)
	if err != nil {
		return err
	}
	if (was == nil) != (s.Is == nil) || was != nil && was.Sum != s.Is.Sum {
		p.changed = append(p.changed, s.Path)
		return nil
	}
	if s.Was == nil {
		return p.remove(s.Path)
	}
	data, err := m.backup(s.Backup)
	if err == nil && sumOf(data) != s.Was.Sum {
		err = fmt.Errorf("it is damaged")
	}
	if err != nil {
		return fmt.Errorf("read the backup of %s: %w", s.Path, err)
	}
	return p.put(s.Path, data, s.Was.attributes())
}

func (p *planner) backMove(r *Record, s *step) error {
	_, origin, made, err := p.find(s.Path)
	if absent(err) {
		p.changed = append(p.changed, s.Path)
		return nil
	}
	if err != nil {
		return err
	}
	same, err := p.asMoved(r, s, origin, made)
	if err != nil {
		return err
	}
	if !same {
		p.changed = append(p.changed, origin)
		return nil
	}
	return p.move(s.Path, s.From)
}

// asMoved reports whether what was moved is still what it was.
func (p *planner) asMoved(r *Record, s *step, origin string, made bool) (bool, error) {
	switch {
	case made || s.Was.Sum == "":
		return true, nil
	case s.Was.Dir:
		sum, err := censusOf(p.tree, origin, r.touched(s))
		return sum == s.Was.Sum, err
	}
	data, _, err := p.tree.Read(origin, maxFile)
	return sumOf(data) == s.Was.Sum, err
}

func (p *planner) backMkdir(s *step) error {
	if _, _, _, err := p.find(s.Path); absent(err) {
		return nil // whoever removed it did what undoing does
	}
	if err := p.empties(s.Path); err != nil {
		return err
	}
	return p.rmdir(s.Path)
}

// empties notes a directory in which something lies that no step takes away.
func (p *planner) empties(dir string) error {
	_, origin, made, err := p.find(dir)
	if err != nil || made {
		return err
	}
	names, err := p.tree.List(origin)
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, _, _, err := p.find(join(dir, name)); absent(err) {
			continue
		}
		p.changed = append(p.changed, join(origin, name))
	}
	return nil
}

// undoable refuses a group of which something changed since. What is checked is
// the last that was written to a path, where later steps took it. The rest is checked
// when its turn comes.
func (s *Store) undoable(list []entry) error {
	var steps []*step
	for _, e := range slices.Backward(list) {
		for i := range e.record.Steps {
			steps = append(steps, &e.record.Steps[i])
		}
	}
	var changed []string
	m := s.maker("")
	for i, st := range steps {
		if st.Do != put {
			continue
		}
		name, there := follow(st.Path, steps[i+1:])
		if !there {
			continue
		}
		if is, err := m.is(name, st.Is); err == nil && !is {
			changed = append(changed, name)
		}
	}
	if len(changed) > 0 {
		return &ChangedError{changed}
	}
	return nil
}

// follow gives where later steps take a file, unless one replaces or removes it.
func follow(name string, later []*step) (string, bool) {
	for _, s := range later {
		switch {
		case s.Do == move && within(name, []string{s.From}):
			name = s.Path + name[len(s.From):]
		case s.Path == name:
			return "", false
		}
	}
	return name, true
}

// changes returns the steps as changes, directories made on the way left out.
func (r *Record) changes() []edit.Change {
	var list []edit.Change
	for i := range r.Steps {
		switch s := &r.Steps[i]; s.Do {
		case put:
			list = append(list, edit.Change{Kind: edit.Write, Path: s.Path})
		case remove:
			list = append(list, edit.Change{Kind: edit.Delete, Path: s.Path})
		case rmdir:
			list = append(list, edit.Change{Kind: edit.Delete, Path: s.Path + "/"})
		case move:
			c := edit.Change{Kind: edit.Rename, Path: s.Path, From: s.From}
			if s.Was.Dir {
				c.Path, c.From = s.Path+"/", s.From+"/"
			}
			list = append(list, c)
		}
	}
	return list
}
