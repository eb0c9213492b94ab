package discover

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/engine/snapshot"
)

// A linkResolver determines, after a walk, where links lead.
type linkResolver struct {
	*walk
	entered map[string]glob.State // the directories that the walk read and did not skip, by path
}

// resolveLinks determines where each link leads from its text alone, without following it.
func (w *walk) resolveLinks() {
	if len(w.links) == 0 {
		return
	}
	l := linkResolver{w, make(map[string]glob.State, len(w.entered))}
	for _, n := range w.entered {
		l.entered[n.path] = n.state
	}
	idle := map[string]bool{} // links that do not lead to a directory
	for _, n := range w.links {
		target, err := w.tree.Readlink(n.path)
		if err != nil {
			w.fail(n.path, err)
			continue
		}
		leads, dest := l.leads(n.path, target)
		name := tree.Escaped(n.path)
		idle[name] = leads == NoDirectory
		plugins, state := map[string]Leads{}, map[string]bool{}
		for i := range w.dirs.EachNamed(n.state) {
			p := w.roots[i].plugin
			if w.excepted(i, n.except) {
				continue
			}
			if leads == Visited && l.hides(i, n, dest) {
				plugins[p] = NotVisited
			} else if _, known := plugins[p]; !known {
				plugins[p] = leads
			}
			state[p] = state[p] || plugins[p] == NotVisited && l.leadsToState(i, n, dest)
		}
		// without a leading dot, the same name in another case may mean something else
		if leads != NoDirectory && strings.HasPrefix(path.Base(n.path), ".") {
			for i := range w.foldedDirs.EachNamed(n.fold) {
				if _, known := plugins[w.roots[i].plugin]; !known && !w.excepted(i, n.except) {
					plugins[w.roots[i].plugin], state[w.roots[i].plugin] = NotVisited, true
				}
			}
		}
		for p, leads := range plugins {
			w.found.Links = append(w.found.Links, Link{p, name, tree.Escaped(target), leads, state[p]})
		}
	}
	w.found.Obstructions = slices.DeleteFunc(w.found.Obstructions,
		func(b Obstruction) bool { return b.Entry.Kind == snapshot.Symlink && !idle[b.Path] })
}

func (l *linkResolver) leads(link, target string) (_ Leads, dest string) {
	dest, ok := tree.Destination(l.tree, link, target)
	if !ok {
		return Outside, ""
	}
	if _, ok := l.entered[dest]; ok {
		return Visited, dest
	}
	e, err := l.tree.Stat(dest)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, tree.ErrNotDirectory):
		return l.missing(dest), dest
	case err != nil:
		return Outside, dest
	case e.Kind == snapshot.Symlink || e.Walkable():
		return NotVisited, dest
	}
	return NoDirectory, dest
}

// hides reports whether a link leads to state that the walk did not find. The walk does not find it if none of the
// plugin's roots matches the target's own name, unless the target is a part of an instance.
func (l *linkResolver) hides(root int, link node, dest string) bool {
	more := l.dirs.Remaining(root, link.state)
	for i := range l.roots {
		if l.roots[i].plugin == l.roots[root].plugin {
			more &^= l.dirs.Remaining(i, l.entered[dest])
		}
	}
	if more != 1 {
		return more != 0
	}
	s := l.scan(node{path: dest, state: link.state, fold: link.fold})
	return !s.read || slices.Contains(s.marked, root) && !l.within(root, dest)
}

// within reports whether a link's target is a part of an instance of the same root, which reads all the markers there:
// the link is only a second name for that part.
func (l *linkResolver) within(root int, dest string) bool {
	return slices.ContainsFunc(l.found.Instances, func(i Instance) bool {
		name, below := strings.CutPrefix(dest, i.Root+"/")
		return below && i.Plugin == l.roots[root].plugin &&
			slices.Contains(slices.Collect(l.dirs.Each(l.dirs.After(i.Root))), root) && l.covers(root, dest, name)
	})
}

// covers reports whether each marker of a root below the path dest is also a marker of the instance in which dest has
// the path name.
func (l *linkResolver) covers(root int, dest, name string) bool {
	markers := l.roots[root].markers
	type node struct {
		path      string
		link, own glob.State // of the markers, from dest and from the instance
	}
	level := []node{{dest, markers.Start(), markers.After(name)}}
	for n := 0; n < len(level); n++ {
		at := level[n]
		found, err := l.tree.List(at.path, maxListed)
		if err != nil || n == maxBehind {
			return false
		}
		for _, e := range found.Entries {
			link, own := markers.Step(at.link, e.Name), markers.Step(at.own, e.Name)
			if marks(markers, link, e) && !marks(markers, own, e) ||
				e.Kind == snapshot.Symlink && markers.Below(link) && !markers.Below(own) {
				return false
			}
			if e.Walkable() && markers.Below(link) {
				level = append(level, node{tree.Join(at.path, e.Name), link, own})
			}
		}
	}
	return true
}

// At a link's target, these limits apply to the number of directories searched and of consecutive
// links.
const (
	maxBehind = 10_000
	maxHops   = 8
)

// leadsToState reports whether a tool that follows the link would find one of a plugin's roots there, under the
// link's name.
func (l *linkResolver) leadsToState(root int, link node, dest string) bool {
	for hops := 0; ; hops++ {
		e, err := l.tree.Stat(dest)
		if err != nil || e.Kind != snapshot.Symlink {
			break
		}
		target, err := l.tree.Readlink(dest)
		next, inside := tree.Destination(l.tree, dest, target)
		if err != nil || !inside || hops == maxHops {
			return true // unknown counts as state
		}
		dest = next
	}
	level := []node{{path: dest, state: link.state, fold: link.fold, except: link.except}}
	for n := 0; len(level) > 0; n++ {
		if n == maxBehind {
			return true
		}
		at := level[0]
		s := l.scan(at)
		if slices.Contains(s.marked, root) || len(s.failures) > 0 {
			return true
		}
		for _, name := range s.dirs {
			below := node{path: tree.Join(at.path, name), state: l.dirs.Step(at.state, name),
				fold: l.foldedDirs.Step(at.fold, name), except: l.except.Step(at.except, name)}
			if l.dirs.Remaining(root, below.state) != 0 {
				level = append(level, below)
			}
		}
		level = level[1:]
	}
	return false
}

// missing distinguishes a path whose end does not exist from a path that goes through another link.
func (l *linkResolver) missing(dest string) Leads {
	for dest = path.Dir(dest); dest != "."; dest = path.Dir(dest) {
		if e, err := l.tree.Stat(dest); err == nil {
			if e.Kind == snapshot.Symlink {
				return NotVisited
			}
			break
		}
	}
	return NoDirectory
}
