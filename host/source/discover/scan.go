package discover

import (
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/snapshot"
)

// maxListed bounds the names in one directory.
const maxListed = 1 << 24

// A scan is what one directory holds.
type scan struct {
	read     bool
	nested   bool // a repository of its own
	empty    bool
	dirs     []string
	links    []string
	blocked  []blocked
	marked   []int   // the roots that it is, of which it holds a marker
	near     []*hunt // those that it would be, and hold a marker, were it not for the case of a name
	failures []failed
}

// A blocked is something in the place of a directory that a root spells out.
type blocked struct {
	root  int
	entry tree.Entry
}

type failed struct {
	path string
	err  error
}

func (w *walk) scan(n node) scan {
	var s scan
	wanted := w.hunts(n)
	list, err := w.tree.List(n.path, maxListed)
	s.empty = len(list.Entries) == 0
	for _, e := range list.Entries {
		switch {
		case e.Name == tree.GitName:
			s.nested = n.path != "." && w.tree.IsRepository(n.path, e)
			continue
		case e.Walkable():
			s.dirs = append(s.dirs, e.Name)
		case e.Kind == snapshot.Symlink:
			s.links = append(s.links, e.Name)
			fallthrough // one that leads to no directory is in its way
		default:
			for i := range w.dirs.EachLiteral(n.state, e.Name) {
				s.blocked = append(s.blocked, blocked{i, e})
			}
		}
		for _, h := range wanted {
			h.see(h.start(n.path), e)
		}
	}
	s.read = err == nil
	if err != nil {
		s.failures = append(s.failures, failed{n.path, err})
	}
	for _, h := range wanted {
		s.failures = append(s.failures, w.finish(h)...)
		switch {
		case h.hit:
			s.marked = append(s.marked, h.root)
		case h.near != "":
			s.near = append(s.near, h)
		}
	}
	return s
}
