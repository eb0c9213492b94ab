package discover

import (
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/engine/snapshot"
)

// maxSearched limits the entries below one directory that are searched for a marker.
const maxSearched = 100_000

// A hunt searches one directory for a marker of one root.
type hunt struct {
	root     int
	markers  *glob.Set
	folded   *glob.Set
	plain    bool   // the directory has the root's name, including case
	hit      bool   // it is plain and contains a marker
	near     string // the first marker that matches if case is ignored
	exact    bool   // near matches exactly, including case
	searched int
	below    []place // directories that may contain a marker
}

type place struct {
	path        string
	state, fold glob.State // of the markers
}

// hunts returns a hunt for every root that a directory matches, exactly or without regard to case.
func (w *walk) hunts(n node) []*hunt {
	var list []*hunt
	for i := range w.foldedDirs.Each(n.fold) {
		list = append(list, &hunt{root: i, markers: w.roots[i].markers, folded: w.roots[i].folded})
	}
	at := 0
	for i := range w.dirs.Each(n.state) {
		for list[at].root != i {
			at++
		}
		list[at].plain = true
	}
	return slices.DeleteFunc(list, func(h *hunt) bool { return w.excepted(h.root, n.except) })
}

// see checks one entry of a place. A name that differs from a pattern only in case does not match.
func (h *hunt) see(in place, e tree.Entry) {
	if h.hit {
		return
	}
	fold := h.folded.Step(in.fold, e.Name)
	if fold.Dead() {
		return
	}
	st := h.markers.Step(in.state, e.Name)
	found := marks(h.markers, st, e)
	switch {
	case found && h.plain:
		h.hit = true
		return
	case h.near == "" && (found || marks(h.folded, fold, e)):
		h.near, h.exact = tree.Join(in.path, e.Name), found
	}
	if !h.folded.Below(fold) {
		return
	}
	if e.Walkable() {
		h.below = append(h.below, place{tree.Join(in.path, e.Name), st, fold})
	}
	if e.Kind == snapshot.Symlink && h.plain && h.markers.Named(st) {
		h.hit = h.markers.Towards(in.state, e.Name) >= 0
	}
}

func marks(markers *glob.Set, st glob.State, e tree.Entry) bool {
	for i := range markers.Each(st) {
		if !e.PassThrough && (!markers.DirOnly(i) || e.Walkable() || e.Kind == snapshot.Symlink) {
			return true
		}
	}
	return false
}

// finish searches the directories below, nearest first, until it finds a marker.
func (w *walk) finish(h *hunt) (list []failed) {
	for !h.hit && len(h.below) > 0 {
		in := h.below[0]
		h.below = h.below[1:]
		h.searched++
		found, err := w.tree.List(in.path, maxListed)
		for _, e := range found.Entries {
			h.searched++
			if e.Name == tree.GitName && h.plain && w.roots[h.root].unique && w.tree.IsRepository(in.path, e) {
				h.hit = true // a repository in place of state; reading it reports that
			}
			h.see(in, e)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			list = append(list, failed{in.path, err})
		}
		if h.searched > maxSearched && !h.hit {
			if !h.plain {
				return list // the name differs from the root, so a missing marker needs no report
			}
			return append(list, failed{in.path, fault.Newf(fault.Limit,
				"look for a marker of plugin %s in %s: more than %d entries: exclude it in the configuration",
				w.roots[h.root].plugin, tree.Escaped(in.path), maxSearched)})
		}
		if w.ctx.Err() != nil {
			return list
		}
	}
	return list
}

// nearby records a directory that would be an instance if the case of names were ignored.
func (w *walk) nearby(n node, h *hunt) {
	expected := n.path
	if !h.plain {
		expected = w.dirs.Spell(h.root, n.path)
	}
	marker := slashpath.Below(n.path, h.near)
	if !h.exact {
		marker = h.markers.SpellAny(marker)
	}
	near := Near{Plugin: w.roots[h.root].plugin, Root: w.roots[h.root].dir, Both: !h.plain && !h.exact}
	near.Path, near.Expected = slashpath.Parting(h.near, tree.Join(expected, marker))
	near.Taken = holds(w.tree, near.Expected)
	w.found.Near = append(w.found.Near, near)
}

// holds reports whether a path exists with exactly that name.
func holds(t tree.Tree, file string) bool {
	list, _ := t.List(path.Dir(file), maxListed)
	return slices.ContainsFunc(list.Entries, func(e tree.Entry) bool { return e.Name == path.Base(file) })
}
