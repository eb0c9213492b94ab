// Package discover finds the instances of every plugin in one walk of a working tree.
//
//  1. Locate decides the workspace, the directory that every path in the output is relative to.
//  2. Find walks it once, level by level, and steps the roots of all plugins along.
//  3. A directory that matches a root and holds a marker is an instance.
//
// The walk goes around ".git", nested repositories and what git ignores, unless a root names what is ignored. What it
// went around, could not read or would have had to follow a link for, it reports.
package discover

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/glob"
)

// A Query says what to find and where. All paths are slash-separated below the workspace, "." is the workspace itself.
type Query struct {
	Tree    tree.Tree
	Ignores tree.Ignorer // nil: nothing is ignored
	Only    []string     // as in Workspace; none is all
	Changed bool         // Only is what a change touches, not what the user named: a repository in it is Nested
	Plugins []Plugin
	Exclude []string // globs from the workspace: directories that match are not entered
}

// Found is what a walk found. Every list is sorted, by path components and then by plugin.
type Found struct {
	Instances    []Instance
	Links        []Link
	Obstructions []Obstruction
	Near         []Near
	Excluded     []string  // directories that an exclude glob kept the walk from
	Nested       []Nested  // repositories, worktrees and submodules below the workspace; not entered
	Failures     []Failure // what could not be read; the walk went on without it
}

// An Instance is a directory that is a root of a plugin and holds a marker.
type Instance struct {
	Plugin string
	Root   string
}

// A Nested is a repository of its own.
type Nested struct {
	Path      string
	Plugins   []string // that look for state there or below, because a root spells the path out; sorted
	Submodule bool     // it is a submodule that is not checked out
}

// An Obstruction is an entry that is neither a directory nor a link to one, where a directory is expected under that
// very name.
type Obstruction struct {
	Plugin string
	Path   string
	Entry  tree.Entry
}

// A Near would make an instance if one name did not differ from what a root spells in case or Unicode form. Systems
// that ignore both take it for that instance.
type Near struct {
	Plugin   string
	Root     string // the glob
	Path     string // up to the first name that differs
	Expected string // the same path as the root and its markers spell it
	Taken    bool   // something with that name is there, too
	Both     bool   // both the directory and the marker differ: chance is likely, unless the names are rare
}

// A Link is a symbolic link that stands where a root, or a directory on the way to one, would match.
type Link struct {
	Plugin string
	Path   string
	Target string // its text
	Leads  Leads
	State  bool // it leads to state, within the workspace; also if some of its content is unknown
}

// Leads is where a link leads. Links that lead Outside or to what was NotVisited hide something; the others hide
// nothing.
type Leads uint8

// The places a link leads to.
const (
	Outside Leads = iota // out of the workspace, or unknown from names alone
	// to a directory below the workspace that the walk did not enter, or where no root of the plugin is under its own
	// name
	NotVisited
	// to a directory that the walk entered under its own name, where it saw what the link shows
	Visited
	NoDirectory // to a file below the workspace, or to nothing
)

// A Failure is something that could not be read.
type Failure struct {
	Path    string // valid UTF-8
	Failure *fault.Failure
}

// Find walks the tree once. An error means that the query cannot be (a *fault.UsageError: a malformed glob) or that ctx
// is done; whatever goes wrong in one place of the tree is in Found.Failures.
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
	w := &walk{ctx: ctx, tree: q.Tree, ignores: q.Ignores, unnamed: q.Changed}
	w.only, w.above = scope(q.Only)
	var dirs, except []string
	for _, p := range q.Plugins {
		for _, r := range p.Roots {
			markers, err := glob.Compile(r.Markers)
			if err != nil {
				return nil, fault.Usagef("plugin %s: marker %v", p.Name, err)
			}
			for _, e := range r.Except {
				except = append(except, e)
				w.exceptOf = append(w.exceptOf, len(dirs))
			}
			dirs = append(dirs, r.Dir)
			w.roots = append(w.roots, root{p.Name, r.Dir, r.Unique, markers, markers.Folded()})
		}
	}
	var err error
	if w.dirs, err = glob.Floating(dirs); err != nil {
		return nil, fault.Usagef("root %v", err)
	}
	if w.except, err = glob.Floating(except); err != nil {
		return nil, fault.Usagef("root except %v", err)
	}
	w.foldedDirs = w.dirs.Folded()
	exclude := make([]string, len(q.Exclude))
	for i, e := range q.Exclude {
		exclude[i] = strings.Trim(e, "/")
	}
	if w.exclude, err = glob.Compile(exclude); err != nil {
		return nil, fault.Usagef("exclude: %v", err)
	}
	return w, nil
}

// scope returns what the check is restricted to, and what is above it.
func scope(restricted []string) (only, above map[string]bool) {
	only, above = map[string]bool{}, map[string]bool{}
	if len(restricted) == 0 {
		restricted = []string{"."}
	}
	for _, p := range restricted {
		only[p] = true
		for p != "." {
			p = path.Dir(p)
			above[p] = true
		}
	}
	return only, above
}

func (f *Found) sort() {
	f.Instances = sorted(f.Instances, func(i Instance) [2]string { return [2]string{i.Root, i.Plugin} })
	f.Links = sorted(f.Links, func(l Link) [2]string { return [2]string{l.Path, l.Plugin} })
	f.Failures = sorted(f.Failures, func(x Failure) [2]string { return [2]string{x.Path, x.Failure.Message} })
	f.Excluded = sorted(f.Excluded, func(dir string) [2]string { return [2]string{dir} })
	f.Nested = sorted(f.Nested, func(n Nested) [2]string { return [2]string{n.Path} })
	f.Obstructions = sorted(f.Obstructions, func(b Obstruction) [2]string { return [2]string{b.Path, b.Plugin} })
	slices.SortFunc(f.Near, func(a, b Near) int { return strings.Compare(a.Expected, b.Expected) })
	f.Near = sorted(f.Near, func(n Near) [2]string { return [2]string{n.Path, n.Plugin} })
}

// sorted orders a list by a path and another text, and keeps the first of those that agree in both.
func sorted[T any](list []T, by func(T) [2]string) []T {
	compare := func(a, b T) int {
		x, y := by(a), by(b)
		return cmp.Or(ComparePaths(x[0], y[0]), strings.Compare(x[1], y[1]))
	}
	slices.SortStableFunc(list, compare)
	return slices.CompactFunc(list, func(a, b T) bool { return compare(a, b) == 0 })
}

// ComparePaths orders paths name by name, so that what is in a directory stays together; "." is before all.
func ComparePaths(a, b string) int {
	if a == "." || b == "." {
		return strings.Compare(strings.TrimPrefix(a, "."), strings.TrimPrefix(b, "."))
	}
	for i := range min(len(a), len(b)) {
		switch {
		case a[i] == b[i]:
		case a[i] == '/':
			return -1
		case b[i] == '/':
			return 1
		default:
			return cmp.Compare(a[i], b[i])
		}
	}
	return cmp.Compare(len(a), len(b))
}
