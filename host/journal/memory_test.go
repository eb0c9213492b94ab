package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"syscall"
)

// A memory is a Disk that loses everything that was not durable when the power fails. A file's bytes are durable once
// written, and the names in a directory once it is synced. Of the name changes that were not durable, the first few
// survive, as on a journaling file system.
type memory struct {
	top     *node
	pending []naming // name changes that are not durable yet
	fuse    *fuse
	folds   bool // names that differ only in case are the same
}

type node struct {
	kind  Kind
	data  []byte
	mode  fs.FileMode
	names map[string]*node // of a directory, now
	safe  map[string]*node // of a directory, after a power failure
}

// A naming sets several names at once. A rename sets two.
type naming []struct {
	dir  *node
	name string
	to   *node // nil removes the name
}

// A fuse triggers a failure at the nth change.
type fuse struct {
	left int  // changes until the failure
	how  fate // the kind of failure
	used int  // changes so far
	fail error
}

type fate int

const (
	never fate = iota
	dies       // the process ends before the change
	tears      // the process ends halfway through a write
	fails      // this change fails, later ones do not
	full       // this change and all later ones that need space fail
	dead       // this change and all later ones fail
	lies       // this change succeeds but is reported as failed
)

// crash is the panic value of a process that dies.
type crash struct{}

func newMemory(f *fuse) *memory {
	top := newNode(Directory)
	return &memory{top: top, fuse: f}
}

func newNode(kind Kind) *node {
	n := &node{kind: kind, mode: 0o644}
	if kind == Directory {
		n.mode, n.names, n.safe = 0o755, map[string]*node{}, map[string]*node{}
	}
	return n
}

// change counts a change against the fuse and makes it unless it must fail.
func (m *memory) change(needsSpace bool, make func() error) error {
	f := m.fuse
	f.used++
	if f.how == never || f.used < f.left {
		return make()
	}
	now := f.used == f.left
	switch {
	case f.how == dies && now:
		panic(crash{})
	case f.how == lies && now:
		if err := make(); err != nil {
			return err
		}
		return f.fail
	case f.how == dead, f.how == full && needsSpace, f.how == fails && now:
		return f.fail
	}
	return make()
}

func (m *memory) find(name string) (*node, error) {
	n := m.top
	if name == "." {
		return n, nil
	}
	for part := range strings.SplitSeq(name, "/") {
		if n.kind != Directory {
			return nil, &fs.PathError{Op: "open", Path: name, Err: errLink}
		}
		next := n.names[m.spelling(n, part)]
		if next == nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		n = next
	}
	return n, nil
}

// spelling returns a name as the directory spells it, or the name itself.
func (m *memory) spelling(dir *node, name string) string {
	for there := range dir.names {
		if m.folds && strings.EqualFold(there, name) {
			return there
		}
	}
	return name
}

func (m *memory) set(n naming) {
	for _, one := range n {
		if one.to == nil {
			delete(one.dir.names, one.name)
		} else {
			one.dir.names[one.name] = one.to
		}
	}
	m.pending = append(m.pending, n)
}

func (m *memory) Lstat(name string) (Info, error) {
	n, err := m.find(name)
	if err != nil {
		return Info{}, err
	}
	return n.info(), nil
}

// identity distinguishes a memory's files.
type identity struct {
	fs.FileInfo
	n *node
}

func (n *node) info() Info {
	i := Info{Kind: n.kind, Attributes: Attributes{Mode: n.mode, Exact: true}, Sys: identity{n: n}}
	i.Same = func(other Info) bool { return other.Sys == i.Sys }
	return i
}

func (m *memory) Read(name string, max int64) ([]byte, Info, error) {
	n, err := m.find(name)
	switch {
	case err != nil:
		return nil, Info{}, err
	case n.kind != Regular:
		return nil, Info{}, &fs.PathError{Op: "read", Path: name, Err: errNotRegular}
	case int64(len(n.data)) > max:
		return nil, Info{}, errTooLarge
	}
	return bytes.Clone(n.data), n.info(), nil
}

func (m *memory) List(name string) ([]string, error) {
	n, err := m.find(name)
	if err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(n.names)), nil
}

// place returns the directory for a new name.
func (m *memory) place(name string) (*node, string, error) {
	dir, err := m.find(path.Dir(name))
	if err == nil && dir.kind != Directory {
		err = errLink
	}
	return dir, path.Base(name), err
}

func (m *memory) fresh(name string) (*node, string, error) {
	dir, base, err := m.place(name)
	if err == nil && dir.names[m.spelling(dir, base)] != nil {
		err = &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
	}
	return dir, base, err
}

func (m *memory) Write(name string, data []byte, as Attributes) error {
	write := func(data []byte) error {
		dir, base, err := m.fresh(name)
		if err != nil {
			return err
		}
		n := newNode(Regular)
		n.data = bytes.Clone(data)
		if as.Exact {
			n.mode = as.Mode
		}
		m.set(naming{{dir, base, n}})
		return nil
	}
	if m.fuse.how == tears && m.fuse.used+1 == m.fuse.left {
		_ = write(data[:len(data)/2])
		panic(crash{})
	}
	return m.change(true, func() error { return write(data) })
}

func (m *memory) Rename(from, to string) error {
	return m.change(false, func() error {
		n, err := m.find(from)
		if err != nil {
			return err
		}
		a, base, _ := m.place(from)
		b, target, err := m.place(to)
		if err != nil {
			return err
		}
		base = m.spelling(a, base)
		if there := b.names[m.spelling(b, target)]; there != nil && there != n &&
			(n.kind == Directory || there.kind == Directory) && len(there.names) > 0 {
			return &fs.PathError{Op: "rename", Path: to, Err: syscall.ENOTEMPTY}
		}
		if b.names[target] == n {
			return nil // as the system does if both names are the same file
		}
		if old := m.spelling(b, target); old != target && old != base {
			target = old // the file is replaced under its existing name
		}
		m.set(naming{{b, target, n}, {a, base, nil}})
		return nil
	})
}

func (m *memory) Remove(name string) error {
	return m.change(false, func() error {
		n, err := m.find(name)
		if err != nil {
			return err
		}
		if len(n.names) > 0 {
			return &fs.PathError{Op: "remove", Path: name, Err: syscall.ENOTEMPTY}
		}
		dir, base, _ := m.place(name)
		m.set(naming{{dir, m.spelling(dir, base), nil}})
		return nil
	})
}

func (m *memory) Mkdir(name string, as Attributes) error {
	return m.change(true, func() error {
		dir, base, err := m.fresh(name)
		if err != nil {
			return err
		}
		n := newNode(Directory)
		if as.Exact {
			n.mode = as.Mode
		}
		m.set(naming{{dir, base, n}})
		return nil
	})
}

func (m *memory) Sync(name string) error {
	return m.change(false, func() error {
		dir, err := m.find(name)
		if err != nil {
			return err
		}
		var rest []naming
		for _, n := range m.pending {
			if slices.ContainsFunc(n, func(one struct {
				dir  *node
				name string
				to   *node
			}) bool {
				return one.dir == dir
			}) {
				n.settle()
			} else {
				rest = append(rest, n)
			}
		}
		m.pending = rest
		return nil
	})
}

// settle makes a naming durable.
func (n naming) settle() {
	for _, one := range n {
		if one.to == nil {
			delete(one.dir.safe, one.name)
		} else {
			one.dir.safe[one.name] = one.to
		}
	}
}

// powerFails drops all but the first few changes that were not durable. It reports whether there were more to drop.
func (m *memory) powerFails(keep int) {
	for i, n := range m.pending {
		if i < keep {
			n.settle()
		}
	}
	m.pending = nil
	m.top.forget(map[*node]bool{})
}

func (n *node) forget(seen map[*node]bool) {
	if n.kind != Directory || seen[n] {
		return
	}
	seen[n] = true
	n.names = maps.Clone(n.safe)
	for _, inner := range n.names {
		inner.forget(seen)
	}
}

// restart gives the disk to another process: all names are durable, and there is a new fuse.
func (m *memory) restart(f *fuse) {
	m.fuse = f
	for _, n := range m.pending {
		n.settle()
	}
	m.pending = nil
}

// show lists everything in the tree, with modes and bytes.
func show(d Disk) []string {
	var list []string
	var walk func(dir string)
	walk = func(dir string) {
		names, err := d.List(dir)
		if err != nil {
			list = append(list, dir+": "+err.Error())
		}
		for _, name := range names {
			at := path.Join(dir, name)
			info, err := d.Lstat(at)
			if err != nil {
				list = append(list, at+": "+err.Error())
			}
			switch info.Kind {
			case Directory:
				list = append(list, fmt.Sprintf("%s/ %04o", at, info.Mode))
				walk(at)
			case Regular:
				data, _, err := d.Read(at, 1<<20)
				list = append(list, fmt.Sprintf("%s %04o %q %v", at, info.Mode, data, err))
			default:
				list = append(list, at+" "+info.Kind.String())
			}
		}
	}
	walk(".")
	return list
}

var errInjected = errors.New("injected")
