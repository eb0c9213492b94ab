package discover

import (
	"io/fs"

	"github.com/stategate/stategate/host/source/tree"
)

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
	root int
	name string
	mode fs.FileMode
}

type failed struct {
	path string
	err  error
}

func (w *walk) scan(n node) scan {
	var s scan
	wanted := w.hunts(n)
	s.empty = true
	err := w.tree.Scan(n.path, func(name string, mode fs.FileMode) {
		s.empty = false
		switch {
		case name == tree.GitName:
			s.nested = n.path != "." && w.tree.IsRepository(n.path, mode)
			return
		case mode.IsDir():
			s.dirs = append(s.dirs, name)
		case mode&fs.ModeSymlink != 0:
			s.links = append(s.links, name)
			fallthrough // one that leads to no directory is in its way
		default:
			for i := range w.dirs.EachLiteral(n.state, name) {
				s.blocked = append(s.blocked, blocked{i, name, mode})
			}
		}
		for _, h := range wanted {
			h.see(h.start(n.path), name, mode)
		}
	})
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
