package discover

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/stategate/stategate/host/failure"
	"github.com/stategate/stategate/host/glob"
	"github.com/stategate/stategate/host/tree"
)

// maxSearched is how many entries below one directory are looked at for a marker.
const maxSearched = 100_000

// A scan is what one directory holds.
type scan struct {
	read     bool
	nested   bool // a repository of its own
	dirs     []string
	links    []string
	marked   []int // the roots that it is, of which it holds a marker
	failures []failed
}

type failed struct {
	path string
	err  error
}

func (w *walk) scan(n node) scan {
	var s scan
	var wanted []*hunt
	w.dirs.Each(n.state, func(i int) bool {
		wanted = append(wanted, &hunt{root: i, markers: w.roots[i].markers})
		return true
	})
	w.tell(n.path)
	err := w.tree.Scan(n.path, func(name string, mode fs.FileMode) {
		switch {
		case name == tree.GitName:
			s.nested = n.path != "." && w.tree.IsRepository(n.path, mode)
			return
		case mode.IsDir():
			s.dirs = append(s.dirs, name)
		case mode&fs.ModeSymlink != 0:
			s.links = append(s.links, name)
		}
		for _, h := range wanted {
			h.see(h.markers.Start(), n.path, name, mode)
		}
	})
	s.read = err == nil
	if err != nil {
		s.failures = append(s.failures, failed{n.path, err})
	}
	for _, h := range wanted {
		s.failures = append(s.failures, w.finish(h)...)
		if h.hit {
			s.marked = append(s.marked, h.root)
		}
	}
	return s
}

// A hunt looks for a marker of one root in one directory.
type hunt struct {
	root     int
	markers  *glob.Set
	hit      bool
	searched int
	below    []node // directories that may hold one
}

// see looks at one entry of the directory that has come as far as from.
func (h *hunt) see(from glob.State, dir, name string, mode fs.FileMode) {
	if h.hit {
		return
	}
	st := h.markers.Step(from, name)
	link, transit := mode&fs.ModeSymlink != 0, mode&tree.Transit != 0
	h.markers.Each(st, func(i int) bool {
		h.hit = !transit && (!h.markers.DirOnly(i) || mode.IsDir() || link)
		return !h.hit
	})
	if h.hit || !h.markers.Below(st) {
		return
	}
	if mode.IsDir() {
		h.below = append(h.below, node{path: join(dir, name), state: st})
	}
	if link && h.markers.Named(st) {
		_, h.hit = h.markers.Towards(from, name)
	}
}

// finish searches what lies below, nearest first, until there is a marker.
func (w *walk) finish(h *hunt) (list []failed) {
	for !h.hit && len(h.below) > 0 {
		n := h.below[0]
		h.below = h.below[1:]
		h.searched++
		w.tell(n.path)
		err := w.tree.Scan(n.path, func(name string, mode fs.FileMode) {
			h.searched++
			h.see(n.state, n.path, name, mode)
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			list = append(list, failed{n.path, err})
		}
		if h.searched > maxSearched && !h.hit {
			return append(list, failed{n.path, failure.Newf(failure.Limit,
				"look for a marker of plugin %s in %s: more than %d entries: exclude it in the configuration",
				w.roots[h.root].plugin, tree.Escaped(n.path), maxSearched)})
		}
		if w.ctx.Err() != nil {
			return list
		}
	}
	return list
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
	for _, n := range w.links {
		target, err := w.tree.Readlink(n.path)
		if err != nil {
			w.fail(n.path, err)
			continue
		}
		leads, dest := w.leads(n.path, target, entered)
		var plugins, hidden []string
		w.dirs.EachNamed(n.state, func(i int) {
			plugins = append(plugins, w.roots[i].plugin)
			if leads == Walked && w.hides(i, n.state, dest, entered[dest]) {
				hidden = append(hidden, w.roots[i].plugin)
			}
		})
		slices.Sort(plugins)
		for _, p := range slices.Compact(plugins) {
			l := Link{p, tree.Escaped(n.path), tree.Escaped(target), leads}
			if slices.Contains(hidden, p) {
				l.Leads = Unwalked
			}
			w.found.Links = append(w.found.Links, l)
		}
	}
}
