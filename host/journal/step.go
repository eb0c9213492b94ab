package journal

import (
	"errors"
	"fmt"
	"path"

	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/tree"
)

// An applier makes and reverts the steps of transactions that are in its records.
type applier struct {
	tree    files
	records *records
}

// make makes a step. It reports false, and does nothing, if the tree differs from what the step expects.
func (a applier) make(e *entry, n int, data []byte) (done bool, err error) {
	st := &e.steps[n]
	if st.From != "" {
		return a.tree.move(st.From, st.Path)
	}
	if st.Was.file() {
		if _, err := a.stage(e, n, e.header.About.Root); err != nil {
			return false, err
		}
	}
	return a.tree.replace(st.Path, st.Was, st.Is, func() (string, error) {
		fresh := e.temporary(n, true)
		return fresh, a.tree.create(fresh, data, st.Is.attributes())
	})
}

// revert reverts a step if it was made. It reports false if another program changed the result, which then stays.
func (a applier) revert(e *entry, n int) (done bool, err error) {
	st := &e.steps[n]
	if st.From == "" {
		old := func() (string, error) { return a.stage(e, n, e.header.About.Root) }
		return a.tree.replace(st.Path, st.Is, st.Was, old)
	}
	if done, err = a.tree.move(st.Path, st.From); err == nil && !done && !st.Was.Dir {
		done, err = matches(a.tree, st.From, st.Was)
	}
	return done, err
}

// stage ensures that a step's old bytes are in their temporary file, and returns the file's name, which is in the
// current root. A power failure may have lost the file, and after Keep there is none.
func (a applier) stage(e *entry, n int, home string) (backup string, err error) {
	backup = path.Join(home, path.Base(e.temporary(n, false)))
	found, err := matches(a.tree, backup, e.steps[n].Was)
	if err != nil || found {
		return backup, errors.Join(err, a.tree.sync(home))
	}
	data, err := a.records.backup(e, n)
	if err != nil {
		return "", err
	}
	if err := a.tree.Remove(backup); err != nil && !absent(err) {
		return "", err
	}
	return backup, a.tree.create(backup, data, e.steps[n].Was.attributes())
}

// commit removes a transaction's temporary files and marks it as committed.
func (a applier) commit(e *entry) error {
	if err := a.sweep(e); err != nil || e.state == committed {
		return err
	}
	return a.records.turn(e, committed)
}

// sweep removes a transaction's temporary files.
func (a applier) sweep(e *entry) error {
	for _, root := range e.header.roots() {
		names, err := a.tree.List(root)
		if err != nil && !absent(err) {
			return err
		}
		for _, name := range names {
			if id, ok := tree.TemporaryOf(name); !ok || id != e.id {
				continue
			}
			if err := a.tree.Remove(path.Join(root, name)); err != nil {
				return fmt.Errorf("remove a temporary file: %w", err)
			}
		}
	}
	return a.tree.sync(e.header.roots()...)
}

// rollBack reverts a transaction's steps, last one first, and removes its journal. If another program changed
// a file in the meantime, rollBack leaves it alone and returns it, and the journal keeps the old bytes.
func (a applier) rollBack(e *entry) (foreign []string, err error) {
	if e.state != open {
		if err := a.records.turn(e, open); err != nil {
			return nil, err
		}
	}
	for len(e.steps) > 0 {
		n := len(e.steps) - 1
		name := e.steps[n].Path
		done, err := a.revert(e, n)
		if err != nil {
			return foreign, fmt.Errorf("roll back the change of %s: %w", name, err)
		}
		if !done {
			foreign = append(foreign, name)
		}
		if err := a.records.forget(e); err != nil {
			return foreign, err
		}
	}
	if err := a.sweep(e); err != nil {
		return foreign, err
	}
	if len(foreign) > 0 {
		return foreign, a.records.turn(e, abandoned)
	}
	return nil, a.records.drop(e)
}

// follow returns the path to which later steps move the entry at name.
func follow(name string, later []step) string {
	for i := range later {
		if s := &later[i]; s.From != "" && slashpath.Holds(s.From, name) {
			name = s.Path + name[len(s.From):]
		}
	}
	return name
}
