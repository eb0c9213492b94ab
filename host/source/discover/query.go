// Package discover finds the instances of every plugin in one walk of a tree.
//
//  1. Locate determines the workspace, the directory that every path in the output is relative to.
//  2. Find walks it once, level by level, and matches the roots of all plugins along the way.
//  3. A directory that matches a root and contains a marker is an instance.
//
// The walk skips ".git", nested repositories and ignored files, unless a root names an ignored path. It reports what
// it skipped, could not read, or could have reached only by following a link.
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

// A Query says what to find and where. All paths are slash-separated and relative to the workspace; "." is the
// workspace itself.
type Query struct {
	Tree    tree.Tree
	Ignores tree.Ignorer // nil: nothing is ignored
	Only    []string     // as in Workspace; empty means everything
	Changed bool         // Only lists what a change touches, so a repository in it is Nested
	Plugins []Plugin
	Exclude []string // globs relative to the workspace; matching directories are not entered
}

// Found is the result of a walk. Every list is sorted by path components and then by plugin.
type Found struct {
	Instances    []Instance
	Links        []Link
	Obstructions []Obstruction
	Near         []Near
	Excluded     []string  // directories that were skipped because of an exclude glob
	Nested       []Nested  // repositories, worktrees and submodules below the workspace; not entered
	Failures     []Failure // what could not be read; the walk continued without it
}

// An Instance is a directory that matches a plugin's root and contains a marker.
type Instance struct {
	Plugin string
	Root   string
}

// Compare orders instances as in Found.
func (i Instance) Compare(other Instance) int {
	return cmp.Or(ComparePaths(i.Root, other.Root), strings.Compare(i.Plugin, other.Plugin))
}

// A Nested is a repository inside the workspace.
type Nested struct {
	Path string
	// the plugins that expect state at or below Path, because one of their roots names the path without
	// wildcards; sorted
	Plugins   []string
	Submodule bool // it is a submodule that is not checked out
}

// An Obstruction is an entry that takes the place of an expected directory. It has exactly the directory's name, but
// is neither a directory nor a link to one.
type Obstruction struct {
	Plugin string
	Path   string
	Entry  tree.Entry
}

// A Near would be an instance if one of its names did not differ from the root in case or Unicode form. Systems
// that ignore these differences treat it as that instance.
type Near struct {
	Plugin   string
	Root     string // the glob
	Path     string // up to the first name that differs
	Expected string // the same path with the spelling of the root and its markers
	Taken    bool   // Expected also exists
	Both     bool   // both the directory and the marker differ; unless the names are rare, this may be a coincidence
}

// A Link is a symbolic link in the place of a root or of a directory above one.
type Link struct {
	Plugin string
	Path   string
	Target string // the link's text
	Leads  Leads
	State  bool // it leads to state in the workspace; true even if part of the content is unknown
}

// Leads describes a link's target. Links that lead Outside or to NotVisited hide something. Other links hide
// nothing.
type Leads uint8

const (
	Outside Leads = iota // out of the workspace, or unknown from names alone
	// to a directory in the workspace that the walk did not enter, or whose own name matches no root of the plugin
	NotVisited
	// to a directory that the walk entered under its own name, so that it saw the link's target
	Visited
	NoDirectory // to a file in the workspace, or to nothing
)

// A Failure is something that could not be read.
type Failure struct {
	Path    string // valid UTF-8
	Failure *fault.Failure
}

// Find walks the tree once. It returns an error only if the query is invalid (a *fault.UsageError for a malformed
// glob) or ctx is done. Problems with individual paths are in Found.Failures.
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

// scope returns the paths that the check is restricted to, and all directories above them.
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

// sorted sorts a list by the two strings that by returns, and keeps the first of equal elements.
func sorted[T any](list []T, by func(T) [2]string) []T {
	compare := func(a, b T) int {
		x, y := by(a), by(b)
		return cmp.Or(ComparePaths(x[0], y[0]), strings.Compare(x[1], y[1]))
	}
	slices.SortStableFunc(list, compare)
	return slices.CompactFunc(list, func(a, b T) bool { return compare(a, b) == 0 })
}

// ComparePaths compares paths component by component, so that a directory's entries stay together. "." comes first.
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
