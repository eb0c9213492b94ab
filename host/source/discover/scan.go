package discover

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/source/glob"
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
	w.tell(n.path)
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
			w.dirs.EachLiteral(n.state, name, func(i int) { s.blocked = append(s.blocked, blocked{i, name, mode}) })
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

// resolveLinks says of each link where it leads, from its text alone and without following it anywhere.
func (w *walk) resolveLinks() {
	if len(w.links) == 0 {
		return
	}
	entered := make(map[string]glob.State, len(w.entered))
	for _, n := range w.entered {
		entered[n.path] = n.state
	}
	idle := map[string]bool{} // links to no directory
	for _, n := range w.links {
		target, err := w.tree.Readlink(n.path)
		if err != nil {
			w.fail(n.path, err)
			continue
		}
		leads, dest := w.leads(n.path, target, entered)
		idle[tree.Escaped(n.path)] = leads == NoDirectory
		var plugins, hidden []string
		w.dirs.EachNamed(n.state, func(i int) {
			plugins = append(plugins, w.roots[i].plugin)
			if leads == Walked && w.hides(i, n, dest, entered[dest]) {
				hidden = append(hidden, w.roots[i].plugin)
			}
		})
		if strings.HasPrefix(path.Base(n.path), ".") { // elsewhere it is the same name; a visible one may mean something else
			w.folds.EachNamed(n.fold, func(i int) {
				if p := w.roots[i].plugin; !slices.Contains(plugins, p) && leads != NoDirectory {
					plugins, hidden = append(plugins, p), append(hidden, p)
				}
			})
		}
		slices.Sort(plugins)
		for _, p := range slices.Compact(plugins) {
			l := Link{p, tree.Escaped(n.path), tree.Escaped(target), leads}
			if slices.Contains(hidden, p) {
				l.Leads = Unwalked
			}
			w.found.Links = append(w.found.Links, l)
		}
	}
	w.found.Blocked = slices.DeleteFunc(w.found.Blocked, func(b Blocked) bool { return b.Mode&fs.ModeSymlink != 0 && !idle[b.Path] })
}
