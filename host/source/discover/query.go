package discover

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/source/glob"
	"github.com/stategate/stategate/host/source/tree"
)

// A Query says what to look for and where. All paths are slash-separated below the anchor, "." is the anchor.
type Query struct {
	Tree    tree.Walkable // of the anchor
	Ignores tree.Ignorer  // nil: nothing is ignored
	Only    []string      // as in Anchor; none is all
	Changed bool          // Only is what a change touches: nobody named it, and a repository in it is Nested
	Plugins []Plugin
	Exclude []string         // globs from the anchor: directories that match are not entered
	Listed  func(dir string) // told of every directory that is listed, concurrently; may be nil
}

// Found is what a walk found. Every list is sorted, by path components and then by plugin.
type Found struct {
	Instances []Instance
	Links     []Link
	Blocked   []Blocked
	Near      []Near
	Excluded  []string  // directories that an exclude glob kept the walk from
	Nested    []Nested  // repositories, worktrees and submodules below the anchor; not entered
	Empty     []Nested  // directories without anything, where a plugin looks for state
	Failures  []Failure // what could not be read; the walk went on without it
}

// An Instance is a directory that is a root of a plugin and holds a marker.
type Instance struct {
	Plugin string
	Root   string
}

// A Nested is a directory in which nothing is found.
type Nested struct {
	Path    string
	Plugins []string // that look for state there or below, because a root spells the path out; sorted
}

// A Blocked is a thing that is no directory, nor a link to one, where a directory is expected under that very name.
type Blocked struct {
	Plugin string
	Path   string
	Mode   fs.FileMode
}

// A Near would make an instance if one name did not differ from what a root says in case or Unicode form. Systems that
// ignore both take it for that instance.
type Near struct {
	Plugin   string
	Root     string // the glob
	Path     string // up to the first name that differs
	Expected string // the same path as the root and its markers spell it
	Taken    bool   // something lies there, too
	Both     bool   // both the directory and the marker differ: chance is likely, unless the names are rare
}

// A Link is a symbolic link that stands where a root, or a directory on the way to one, would match.
type Link struct {
	Plugin string
	Path   string
	Target string // its text
	Leads  Leads
}

// Leads says where a link leads. Links that lead Outside or Unwalked hide something; the others hide nothing.
type Leads uint8

// The places a link leads to.
const (
	Outside     Leads = iota // out of the anchor, or it cannot be told from names
	Unwalked                 // to a directory below the anchor that the walk did not enter, or that is no place of the plugin's under its own name
	Walked                   // to a directory that the walk entered under its own name, where it saw what the link shows
	NoDirectory              // to a file below the anchor, or to nothing
)

// A Failure is something that could not be read.
type Failure struct {
	Path    string // valid UTF-8
	Failure *fault.Failure
}

// Find walks the tree once. An error means that the query cannot be (a *UsageError: a malformed glob) or that ctx is
// done; whatever goes wrong in one place of the tree is in Found.Failures.
func Find(ctx context.Context, q Query) (*Found, error) {
	w, err := newWalk(ctx, q)
	if err != nil {
		return nil, err
	}
	if err := w.run(); err != nil {
		return nil, err
	}
	w.resolveLinks()
	w.found.sort()
	return &w.found, nil
}

func newWalk(ctx context.Context, q Query) (*walk, error) {
	w := &walk{ctx: ctx, tree: q.Tree, ignores: q.Ignores, only: map[string]bool{}, above: map[string]bool{}, tell: q.Listed, unnamed: q.Changed}
	if w.tell == nil {
		w.tell = func(string) {}
	}
	var dirs []string
	for _, p := range q.Plugins {
		for _, r := range p.Roots {
			markers, err := glob.Compile(r.Markers)
			if err != nil {
				return nil, fault.Usagef("plugin %s: marker %v", p.Name, err)
			}
			dirs = append(dirs, r.Dir)
			w.roots = append(w.roots, root{p.Name, r.Dir, markers, markers.Folded()})
		}
	}
	var err error
	if w.dirs, err = glob.Floating(dirs); err != nil {
		return nil, fault.Usagef("root %v", err)
	}
	w.folds = w.dirs.Folded()
	exclude := make([]string, len(q.Exclude))
	for i, e := range q.Exclude {
		exclude[i] = strings.Trim(e, "/")
	}
	if w.exclude, err = glob.Compile(exclude); err != nil {
		return nil, fault.Usagef("exclude: %v", err)
	}
	w.restrict(q.Only)
	return w, nil
}

// restrict notes what was asked about, and what lies above it.
func (w *walk) restrict(only []string) {
	if len(only) == 0 {
		only = []string{"."}
	}
	for _, p := range only {
		w.only[p] = true
		for p != "." {
			p = path.Dir(p)
			w.above[p] = true
		}
	}
}

func (f *Found) sort() {
	slices.SortFunc(f.Instances, func(a, b Instance) int { return byPath(a.Root, b.Root, a.Plugin, b.Plugin) })
	f.Instances = slices.Compact(f.Instances)
	slices.SortFunc(f.Links, func(a, b Link) int { return byPath(a.Path, b.Path, a.Plugin, b.Plugin) })
	f.Links = slices.Compact(f.Links)
	slices.SortFunc(f.Failures, func(a, b Failure) int {
		return byPath(a.Path, b.Path, a.Failure.Message, b.Failure.Message)
	})
	slices.SortFunc(f.Excluded, func(a, b string) int { return byPath(a, b, "", "") })
	for _, list := range [][]Nested{f.Nested, f.Empty} {
		slices.SortFunc(list, func(a, b Nested) int { return ComparePaths(a.Path, b.Path) })
	}
	slices.SortFunc(f.Blocked, func(a, b Blocked) int { return byPath(a.Path, b.Path, a.Plugin, b.Plugin) })
	f.Blocked = slices.Compact(f.Blocked)
	slices.SortFunc(f.Near, func(a, b Near) int { return byPath(a.Path, b.Path, a.Plugin+" "+a.Expected, b.Plugin+" "+b.Expected) })
	f.Near = slices.CompactFunc(f.Near, func(a, b Near) bool { return a.Plugin == b.Plugin && a.Path == b.Path })
}

// byPath compares two paths name by name, so that what lies in a directory stays together, and then two other texts.
func byPath(a, b, otherA, otherB string) int {
	if c := ComparePaths(a, b); c != 0 {
		return c
	}
	return strings.Compare(otherA, otherB)
}

// ComparePaths orders paths name by name; "." is before all.
func ComparePaths(a, b string) int {
	if a == "." || b == "." {
		return strings.Compare(strings.TrimPrefix(a, "."), strings.TrimPrefix(b, "."))
	}
	for {
		nameA, restA, moreA := strings.Cut(a, "/")
		nameB, restB, moreB := strings.Cut(b, "/")
		if c := strings.Compare(nameA, nameB); c != 0 || !moreA && !moreB {
			return c
		}
		if !moreA {
			return -1
		}
		if !moreB {
			return 1
		}
		a, b = restA, restB
	}
}
