package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/stategate/stategate/sdk/edit"
)

// The most bytes that one transaction can restore, and of one file.
const (
	maxFile = 64 << 20
	maxAll  = 256 << 20
)

// change makes the steps of one change.
func (t *Transaction) change(c edit.Change) error {
	name, dir := strings.CutSuffix(c.Path, "/")
	from := strings.TrimSuffix(c.From, "/")
	for _, n := range []string{name, from} {
		if n == "" && c.Kind != edit.Rename {
			continue
		}
		if err := checkName(n); err != nil {
			return err
		}
		if err := guard(t.store.tree, n); err != nil {
			return err
		}
	}
	switch {
	case c.Kind == edit.Delete && dir:
		return t.rmdir(name)
	case c.Kind == edit.Delete:
		return t.remove(name)
	case c.Kind == edit.Rename:
		return t.move(from, name)
	case c.Kind == edit.Write && !dir:
		return t.put(name, c.Data)
	}
	return fmt.Errorf("internal error: unknown kind of change for %q", c.Path)
}

// do writes a step into the journal, with the bytes that it replaces, and makes it. make gets the number of the step. Its
// *ChangedError means that nothing was done.
func (t *Transaction) do(s step, old []byte, make func(n int) error) error {
	store, e, n := t.store, &t.entry, len(t.entry.steps)
	if err := e.header.checkStep(&s); err != nil {
		return err
	}
	if s.Was != nil && (s.Do == put || s.Do == remove) {
		if err := store.journal.Write(join(e.name, backupName(n)), old, private); err != nil {
			return fmt.Errorf("write the journal: %w", err)
		}
	}
	if err := store.save(e, stepName(n), s); err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	e.steps = append(e.steps, s)
	err := make(n)
	var changed *ChangedError
	if errors.As(err, &changed) {
		return errors.Join(changed, store.forget(e))
	}
	return err
}

// file reads the file at a path for its backup, nil if there is none.
func (t *Transaction) file(name string) (*state, []byte, error) {
	info, err := t.store.tree.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	case info.Kind != Regular:
		return nil, nil, fmt.Errorf("%s is a %s, expected a file; it is neither followed nor changed", name, info.Kind)
	}
	if err := writable(info, name); err != nil {
		return nil, nil, err
	}
	data, info, err := t.store.tree.Read(name, maxFile)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", name, err)
	}
	if t.backed += int64(len(data)); t.backed > maxAll {
		return nil, nil, fmt.Errorf("%s: the files to back up exceed %d bytes: %w", name, maxAll, errTooLarge)
	}
	return &state{Sum: sumOf(data), Attributes: info.Attributes}, data, nil
}

// holder refuses a directory in which nothing may be changed, and makes the
// missing ones. What is above it guard has checked.
func (t *Transaction) holder(name string) error {
	dir := path.Dir(name)
	info, err := t.store.tree.Lstat(dir)
	if !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			return err
		}
		return writable(info, dir)
	}
	if err := t.holder(dir); err != nil {
		return err
	}
	return t.do(step{Do: mkdir, Path: dir}, nil, func(int) error { return makeDirectory(t.store.tree, dir, Attributes{}) })
}

// writable refuses what is marked read-only. The system would refuse most of it
// later, and let root, or a rename, do the rest.
func writable(info Info, name string) error {
	if info.Mode&0o222 == 0 {
		return fmt.Errorf("%s is read-only (mode %04o): make it writable (chmod u+w), then run this again", name, info.Mode.Perm())
	}
	return nil
}

// put makes a file, or replaces its bytes and keeps its mode and owner.
func (t *Transaction) put(name string, data []byte) error {
	was, old, err := t.file(name)
	if err != nil {
		return err
	}
	if err := t.holder(name); err != nil {
		return err
	}
	is := &state{Sum: sumOf(data)}
	if was != nil {
		is.Attributes = was.Attributes
	}
	disk, h := t.store.tree, &t.entry.header
	return t.do(step{Do: put, Path: name, Was: was, Is: is}, old, func(n int) error {
		fresh := h.temporary(n, true)
		if err := create(disk, fresh, data, is.attributes()); err != nil {
			return err
		}
		if err := setAside(disk, name, h.temporary(n, false), was); err != nil {
			return err
		}
		return rename(disk, fresh, name)
	})
}

// setAside gives the old bytes a second name, without a copy if it can be, so
// that the path always has one or the other. What was set aside is what is replaced: it is that which must be as expected.
func setAside(disk Disk, name, aside string, was *state) error {
	if was != nil && disk.Link(name, aside) != nil {
		data, info, err := disk.Read(name, maxFile)
		if err == nil {
			err = create(disk, aside, data, info.Attributes)
		}
		if err != nil && !absent(err) {
			return err
		}
	}
	if was == nil {
		aside = name // which must be free
	}
	same, err := matches(disk, aside, was)
	if err == nil && !same {
		return &ChangedError{[]string{name}}
	}
	if err == nil && was != nil {
		err = disk.Sync(path.Dir(aside))
	}
	return err
}

func (t *Transaction) remove(name string) error {
	was, old, err := t.file(name)
	if err == nil && was == nil {
		err = &ChangedError{[]string{name}}
	}
	if err == nil {
		err = t.holder(name)
	}
	if err != nil {
		return err
	}
	disk := t.store.tree
	return t.do(step{Do: remove, Path: name, Was: was}, old, func(n int) error {
		same, err := matches(disk, name, was)
		if err == nil && !same {
			err = &ChangedError{[]string{name}}
		}
		if err != nil {
			return err
		}
		return rename(disk, name, t.entry.header.temporary(n, false))
	})
}

func (t *Transaction) rmdir(name string) error {
	info, err := t.store.tree.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Kind != Directory {
		return &ChangedError{[]string{name}}
	}
	if err == nil {
		err = t.holder(name)
	}
	if err != nil {
		return err
	}
	return t.do(step{Do: rmdir, Path: name, Was: &state{Dir: true, Attributes: info.Attributes}}, nil,
		func(int) error { return unlink(t.store.tree, name) })
}

// move renames what is a file or a directory, to a name that is free.
func (t *Transaction) move(from, to string) error {
	disk := t.store.tree
	info, err := disk.Lstat(from)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &ChangedError{[]string{from}}
	case err != nil:
		return err
	case info.Kind == Special || info.Kind == Symlink:
		return fmt.Errorf("%s is a %s, expected a file or directory; it is not moved", from, info.Kind)
	}
	was := &state{Dir: info.Kind == Directory, Attributes: info.Attributes}
	if was.Dir {
		err = noRepository(disk, from)
	} else if data, _, failed := disk.Read(from, maxFile); failed != nil {
		err = fmt.Errorf("read %s: %w", from, failed)
	} else {
		was.Sum = sumOf(data)
	}
	if err == nil {
		err = t.holder(from)
	}
	if err == nil {
		err = t.holder(to)
	}
	if err != nil {
		return err
	}
	return t.do(step{Do: move, From: from, Path: to, Was: was}, nil, func(int) error {
		if err := free(disk, from, to, info); err != nil {
			return err
		}
		return rename(disk, from, to)
	})
}

// free refuses a name that is taken, which renaming would replace, but for that of the same file in another
// spelling, as file systems that ignore case have it.
func free(disk Disk, from, to string, info Info) error {
	found, err := disk.Lstat(to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case edit.Fold(from) == edit.Fold(to) && info.Same != nil && info.Same(found):
		return nil
	}
	return &ChangedError{[]string{to}}
}

// create writes a new file and makes its name durable.
func create(disk Disk, name string, data []byte, as Attributes) error {
	if err := disk.Write(name, data, as); err != nil {
		return err
	}
	return disk.Sync(path.Dir(name))
}

// rename renames and makes both directories durable.
func rename(disk Disk, from, to string) error {
	if err := disk.Rename(from, to); err != nil {
		return err
	}
	if err := disk.Sync(path.Dir(to)); err != nil {
		return err
	}
	if path.Dir(from) == path.Dir(to) {
		return nil
	}
	return disk.Sync(path.Dir(from))
}

func makeDirectory(disk Disk, name string, as Attributes) error {
	if err := disk.Mkdir(name, as); err != nil {
		return err
	}
	return disk.Sync(path.Dir(name))
}

// unlink removes a file or an empty directory, which need not be there any more.
func unlink(disk Disk, name string) error {
	err := disk.Remove(name)
	if absent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return disk.Sync(path.Dir(name))
}
