package journal

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/stategate/stategate/sdk/engine/edit"
)

// files changes the files of a workspace from one state to another.
type files struct{ Disk }

// replace changes the entry called name from one state to another. It makes the change durable even if the entry is
// already in the new state. source returns the name of a file that contains the new bytes. replace reports false if
// the entry is in neither state.
func (f files) replace(name string, from, to *state, source func() (string, error)) (done bool, err error) {
	done, err = matches(f, name, to)
	if err == nil && !done {
		done, err = f.swap(name, from, to, source)
	}
	if err != nil || !done {
		return false, err
	}
	return true, f.sync(path.Dir(name))
}

// swap is like replace, but for an entry that is not in the new state yet.
func (f files) swap(name string, from, to *state, source func() (string, error)) (done bool, err error) {
	if same, err := matches(f, name, from); err != nil || !same {
		return false, err
	}
	switch {
	case to.file():
		var temporary string
		if temporary, err = source(); err == nil {
			err = f.Rename(temporary, name)
		}
	case to != nil:
		err = f.Mkdir(name, to.attributes())
	default:
		if from.Dir {
			if names, err := f.List(name); err != nil || len(names) > 0 {
				return false, err
			}
		}
		err = f.Remove(name)
	}
	return err == nil, err
}

// move renames from to to, unless that is already done, and makes the change durable. It reports false if from
// does not exist, or if to is taken.
func (f files) move(from, to string) (done bool, err error) {
	var there [2]bool
	for i, name := range []string{from, to} {
		if there[i], err = f.spelled(name); err != nil {
			return false, err
		}
	}
	if there[0] == there[1] {
		return false, nil
	}
	if there[0] {
		if free, err := f.free(from, to); err != nil || !free {
			return false, err
		}
		if err := f.Rename(from, to); err != nil {
			return false, err
		}
	}
	return true, f.sync(path.Dir(to), path.Dir(from))
}

// free reports whether a new name is free. It is also free if both names refer to the same entry on a file system
// that ignores case.
func (f files) free(from, to string) (bool, error) {
	there, err := f.Lstat(to)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil || edit.Fold(from) != edit.Fold(to) {
		return false, err
	}
	moved, err := f.Lstat(from)
	return err == nil && moved.Same(there), err
}

// spelled reports whether a directory contains exactly this name. If the file system ignores case, a lookup finds any
// spelling.
func (f files) spelled(name string) (bool, error) {
	names, err := f.List(path.Dir(name))
	if absent(err) {
		return false, nil
	}
	return slices.Contains(names, path.Base(name)), err
}

func (f files) create(name string, data []byte, as Attributes) error {
	if err := f.Write(name, data, as); err != nil {
		return err
	}
	return f.sync(path.Dir(name))
}

// sync makes the existing names in directories durable.
func (f files) sync(dirs ...string) error {
	for _, dir := range dirs {
		if err := f.Sync(dir); err != nil && !absent(err) {
			return err
		}
	}
	return nil
}

// changed returns the paths whose state has changed since the steps were made. Files in a moved directory move back
// with it, whether or not they changed.
func (f files) changed(steps []step) (changed []string, err error) {
	after := final(steps)
	for _, name := range slices.Sorted(maps.Keys(after)) {
		same, err := matches(f, name, after[name])
		if err == nil && same && after[name] != nil && after[name].Made {
			var names []string
			names, err = f.List(name)
			same = !slices.ContainsFunc(names, func(inner string) bool { return after[path.Join(name, inner)] == nil })
		}
		if err != nil {
			return nil, err
		}
		if !same {
			changed = append(changed, name)
		}
	}
	return changed, nil
}

// expect rejects files that differ from what the caller expects.
func (f files) expect(sums map[string]string) error {
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if err := checkName(name); err != nil {
			return err
		}
		same, err := matches(f, name, &state{Sum: sums[name]})
		if err != nil {
			return err
		}
		if !same {
			changed = append(changed, name)
		}
	}
	if len(changed) > 0 {
		return &ChangedError{changed}
	}
	return nil
}

// matches reports whether the entry called name has the kind and bytes of s. A nil s means that there is no entry.
func matches(disk Disk, name string, s *state) (bool, error) {
	var err error
	if s.file() {
		var data []byte
		if data, _, err = disk.Read(name, maxFile); err == nil {
			return sumOf(data) == s.Sum, nil
		}
	} else {
		var info Info
		if info, err = disk.Lstat(name); err == nil {
			return s != nil && info.Kind == Directory, nil
		}
	}
	if absent(err) {
		return s == nil, nil
	}
	if errors.Is(err, errNotRegular) || errors.Is(err, errTooLarge) {
		return false, nil
	}
	return false, err
}

// absent reports whether an error means that a name does not exist, perhaps because a parent is not a directory.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, errLink) }
