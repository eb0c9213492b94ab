package discover

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/engine/snapshot"
)

// maxDepth limits how deeply nested directories are entered.
const maxDepth = 256

type walk struct {
	ctx        context.Context
	tree       tree.Tree
	ignores    tree.Ignorer
	dirs       *glob.Set // the roots of all plugins
	foldedDirs *glob.Set // the same, ignoring case and Unicode form
	roots      []root    // by glob in dirs
	except     *glob.Set // the exceptions of all roots
	exceptOf   []int     // each exception's root, by glob in except
	exclude    *glob.Set
	only       map[string]bool // what the check is restricted to
	above      map[string]bool // the directories above it
	unnamed    bool            // the user did not name a repository
	entered    []node          // every directory that was read and not skipped
	links      []node          // links whose paths match a root
	found      Found
}

type root struct {
	plugin  string
	dir     string
	unique  bool
	markers *glob.Set
	folded  *glob.Set // the same, ignoring case and Unicode form
}

// A node is a directory to read, or a link.
type node struct {
	path    string
	state   glob.State // of dirs
	fold    glob.State // of foldedDirs
	except  glob.State
	exclude glob.State
	inside  bool // it is within what the check is restricted to
	named   bool // the check is restricted to it, or to something in it
	ignored bool // git ignores it, but a root names it
	free    bool // it is in an ignored directory that the user named, so git is no longer asked
}

// run reads level by level, so that git can be asked about a whole level at once.
func (w *walk) run() error {
	level := []node{{path: ".", state: w.dirs.Start(), fold: w.foldedDirs.Start(), except: w.except.Start(),
		exclude: w.exclude.Start(), inside: w.only["."], named: true}}
	for depth := 0; len(level) > 0; depth++ {
		if depth > maxDepth {
			w.fail(level[0].path, fault.Newf(fault.Limit,
				"read %s: more than %d directories inside each other: exclude it in the configuration",
				tree.Escaped(level[0].path), maxDepth))
			return nil
		}
		scans := w.scanAll(level)
		if err := w.ctx.Err(); err != nil {
			return err
		}
		var next, unsure []node
		for i := range scans {
			sure, ask := w.enter(level[i], &scans[i])
			next, unsure = append(next, sure...), append(unsure, ask...)
		}
		if err := w.ctx.Err(); err != nil { // matching the globs of a hostile manifest may take a long time
			return err
		}
		level = append(next, w.notIgnored(unsure)...)
	}
	return nil
}

// scanAll reads directories on all cores, because half of a walk's time is spent in the kernel.
func (w *walk) scanAll(level []node) []scan {
	scans := make([]scan, len(level))
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (len(level)+15)/16) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(level) && w.ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				scans[i] = w.scan(level[i])
			}
		})
	}
	all.Wait()
	return scans
}

// enter records a scan's results and returns the directories to enter. Those in sure are entered in any case, and
// those in ask only if git does not ignore them.
func (w *walk) enter(n node, s *scan) (sure, ask []node) {
	for _, f := range s.failures {
		w.fail(f.path, f.err)
	}
	if s.nested && n.path != "." && (w.unnamed || !n.named || s.submodule) {
		w.found.Nested = append(w.found.Nested, Nested{tree.Escaped(n.path), w.pluginsNaming(n), s.submodule})
		return nil, nil
	}
	if !s.read {
		return nil, nil
	}
	w.entered = append(w.entered, n)
	s.marked = slices.DeleteFunc(s.marked, func(i int) bool { return isMisnamed(w.roots, s, i) })
	for _, i := range s.marked {
		w.instance(n.path, w.roots[i].plugin)
	}
	w.nearMisses(n, s)
	for _, name := range s.links {
		if child, ok := w.child(n, name); ok && w.foldedDirs.Named(child.fold) {
			w.links = append(w.links, child)
		}
	}
	for _, name := range s.dirs {
		child, ok := w.child(n, name)
		switch {
		case !ok:
		case w.ignores == nil || child.free:
			sure = append(sure, child)
		case !n.ignored || child.named:
			ask = append(ask, child)
		case w.foldedDirs.Named(child.fold):
			child.ignored = true
			sure = append(sure, child)
		}
	}
	return sure, ask
}

// child returns the node for a child. It reports false if the child is excluded or outside the paths that
// the check is restricted to.
func (w *walk) child(n node, name string) (node, bool) {
	if w.ctx.Err() != nil {
		return node{}, false
	}
	c := node{path: tree.Join(n.path, name), free: n.free}
	c.inside, c.named = n.inside || w.only[c.path], w.only[c.path] || w.above[c.path]
	if !c.inside && !c.named {
		return node{}, false
	}
	c.exclude = w.exclude.Step(n.exclude, name)
	if w.exclude.Accepts(c.exclude) {
		w.found.Excluded = append(w.found.Excluded, tree.Escaped(c.path))
		return node{}, false
	}
	c.except = w.except.Step(n.except, name)
	if c.fold = w.foldedDirs.Step(n.fold, name); w.foldedDirs.Idle(c.fold) {
		c.state = w.dirs.Start() // an exact match also matches without regard to case
	} else {
		c.state = w.dirs.Step(n.state, name)
	}
	return c, true
}

// pluginsNaming returns the plugins that expect state in a directory or below it because a root names its path
// without wildcards.
func (w *walk) pluginsNaming(n node) (plugins []string) {
	for i := range w.dirs.EachNamed(n.state) {
		if !w.excepted(i, n.except) {
			plugins = append(plugins, w.roots[i].plugin)
		}
	}
	slices.Sort(plugins)
	return slices.Compact(plugins)
}

// excepted reports whether a directory is one of a root's exceptions.
func (w *walk) excepted(root int, st glob.State) bool {
	for i := range w.except.Each(st) {
		if w.exceptOf[i] == root {
			return true
		}
	}
	return false
}

// isMisnamed reports whether a directory matches a root through a wildcard, although its name is another spelling of
// the plugin's unique root. The workflow's own tool looks only for the unique name. If the name has no leading dot, a
// project may have chosen it.
func isMisnamed(roots []root, s *scan, marked int) bool {
	return slices.ContainsFunc(s.near, func(h *hunt) bool {
		near := roots[h.root]
		return near.unique && !h.plain && strings.HasPrefix(path.Base(near.dir), ".") &&
			near.plugin == roots[marked].plugin && !roots[marked].unique
	})
}

// nearMisses records entries that take the place of an instance but are not instances.
func (w *walk) nearMisses(n node, s *scan) {
	for _, b := range s.blocked {
		if child, ok := w.child(n, b.entry.Name); ok {
			w.found.Obstructions = append(w.found.Obstructions,
				Obstruction{w.roots[b.root].plugin, tree.Escaped(child.path), b.entry})
		}
	}
	for _, h := range s.near {
		same := func(i int) bool { return w.roots[i].plugin == w.roots[h.root].plugin }
		if tree.Valid(h.near) && !slices.ContainsFunc(s.marked, same) {
			w.nearby(n, h)
		}
	}
}

// notIgnored returns the nodes that git does not ignore, that a root names, or that the caller named.
func (w *walk) notIgnored(nodes []node) []node {
	if len(nodes) == 0 {
		return nil
	}
	paths := make([]string, len(nodes))
	for i, n := range nodes {
		paths[i] = n.path
	}
	ignored, err := w.ignores.Ask(paths)
	if err != nil {
		w.fail(".", tree.Failure(".", err))
		w.ignores = nil // rather check too much than too little
		return nodes
	}
	kept := nodes[:0]
	for i, n := range nodes {
		switch {
		case !ignored[i] || w.above[n.path]:
		case w.only[n.path]:
			n.free = true
		case w.foldedDirs.Named(n.fold):
			n.ignored = true
		default:
			continue
		}
		kept = append(kept, n)
	}
	return kept
}

func (w *walk) instance(path, plugin string) {
	if !tree.Valid(path) {
		w.fail(path, fault.Newf(fault.IO, "read %s: the path is not UTF-8, so it cannot be passed to a plugin: "+
			"rename it", tree.Escaped(path)))
		return
	}
	w.found.Instances = append(w.found.Instances, Instance{plugin, path})
}

// fail records a failure. It ignores entries that disappear during the walk.
func (w *walk) fail(path string, err error) {
	if path != "." && errors.Is(err, fs.ErrNotExist) {
		return
	}
	w.found.Failures = append(w.found.Failures, Failure{tree.Escaped(path), tree.Failure(tree.Escaped(path), err)})
}

// maxListed limits the number of names in one directory.
const maxListed = 1 << 24

// A scan is the content of one directory.
type scan struct {
	read      bool
	nested    bool // it is a nested repository
	submodule bool // nested, and not checked out
	dirs      []string
	links     []string
	blocked   []blocked
	marked    []int   // the roots that it matches and has a marker for
	near      []*hunt // the roots that it would match with a marker if case were ignored
	failures  []failed
}

// A blocked is an entry that takes the place of a directory that a root names.
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
	for _, e := range list.Entries {
		switch {
		case e.Name == tree.GitName:
			s.nested, s.submodule = n.path != "." && w.tree.IsRepository(n.path, e), e.IsSubmodule()
			continue
		case e.Walkable():
			s.dirs = append(s.dirs, e.Name)
		case e.Kind == snapshot.Symlink:
			s.links = append(s.links, e.Name)
			fallthrough // a link that does not lead to a directory is in the way
		default:
			for i := range w.dirs.EachLiteral(n.state, e.Name) {
				if !w.excepted(i, w.except.Step(n.except, e.Name)) {
					s.blocked = append(s.blocked, blocked{i, e})
				}
			}
		}
		for _, h := range wanted {
			h.see(place{n.path, h.markers.Start(), h.folded.Start()}, e)
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
