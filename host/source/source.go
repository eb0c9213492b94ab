// Package source gives a check a single view of the files that it reads: the working tree, the index, a commit, or
// the merge of two commits. Only this package and those below it use git.
//
//   - Locate finds the Workspace of a call, and Workspace.Open opens one of the four sources in it.
//   - Source.Find lists state directories, and Source.Read reads one.
//   - Source.Bases opens the earlier commits that the source is compared with, which are also sources.
//
// The packages below do the work: tree lists and reads files, git runs the git command, ignore matches ignore rules,
// discover walks, and statefiles reads one state directory.
package source

import (
	"context"
	"slices"
	"sync"

	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/ignore"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// A Source is one state of the workspace. It is safe for concurrent use. Close it after use.
//
// Opening a source starts the git commands that will be needed without waiting for the answers. Tree and the
// reading methods wait. An error is a *fault.UsageError if, for example, the revision does not exist. Any other
// error is a failure. If this clone lacks an object, the failure says how to fetch it.
type Source interface {
	// Kind returns the kind of source. A merge is a commit, because it has no working tree.
	Kind() wire.Source
	// ID returns the object id of the commit or merge, or "" for the working tree and the index.
	ID() string
	// Tree returns the files: kinds, links, submodules, sizes, and bytes up to a limit. If git has a file, its entry
	// contains the object id, which identifies the bytes.
	Tree() (tree.Tree, error)
	// Find walks the tree once for the state directories of all plugins. It ignores the query's Tree and Ignores and
	// uses the source's own.
	Find(ctx context.Context, q discover.Query) (*discover.Found, error)
	// Read reads the state directory at a root. Files in git are represented by their object ids until they are
	// loaded.
	Read(ctx context.Context, specs *snapshot.Specs, root string) (*statefiles.Instance, error)
	// Ignored reports whether the ignore files in the source, and those of its policy, ignore each path, whether or
	// not git tracks the path. The user's own rules do not count, because another clone has others.
	Ignored(paths []string) ([]bool, error)
	// Present answers whether each path that a plugin asks for exists, for a comparison with a base, which may be nil.
	Present(paths []string, base *Commit) []wire.Answer
	// Same reports whether a file is known to have the same content in a base.
	Same(base *Commit, path string) bool
	// Bases opens the commits that the source is compared with, each once.
	Bases(ctx context.Context, c Compare) ([]*Base, error)
	// Close ends the git processes that are still running.
	Close()
}

// Options select a source.
type Options struct {
	Source wire.Source
	Rev    string // the commit, if Source is a commit
	Merge  string // with a commit: merge this revision into it, and open the merge
	Policy string // object id of the commit whose ignore rules apply to a commit; "" for its own
	Limits statefiles.Limits
	// Recall reports whether the digests that an earlier check stored can replace reading unchanged documents of
	// the working tree. If Recall is nil, everything is read.
	Recall func() bool
}

// Open opens a source. Its git commands end with ctx.
func (w *Workspace) Open(ctx context.Context, o Options) (Source, error) {
	if err := w.refuseBare(o.Source); err != nil {
		return nil, err
	}
	switch o.Source {
	case wire.Index:
		return w.openIndex(ctx, o)
	case wire.Commit:
		if o.Merge != "" {
			return w.openMerge(ctx, o)
		}
		return w.openCommit(ctx, o)
	}
	return w.OpenWorktree(ctx, o)
}

// opened holds the fields that the four sources share.
type opened struct {
	ctx       context.Context
	workspace *Workspace
	repo      *git.Repo    // nil outside a repository
	objects   *git.Objects // nil outside a repository
	limits    statefiles.Limits
	kind      wire.Source
	id        string
	view      func() (*view, error)
	index     func() *git.Listing // of the working tree; nil if it is unknown or not needed
}

// A view is a source whose content git has listed.
type view struct {
	tree      tree.Tree
	listing   *git.Listing  // nil for the working tree
	rules     *ignore.Rules // that apply to the tree; nil if there are none
	ignores   tree.Ignorer  // what is ignored in the tree; nil if nothing is
	collector *statefiles.Collector
	witness   func() *witness
	policy    *ignore.Rules // of the policy's tree; nil if the tree's own rules apply
}

func (w *Workspace) opened(ctx context.Context, kind wire.Source, limits statefiles.Limits) opened {
	o := opened{ctx: ctx, workspace: w, repo: w.Repo, kind: kind, limits: limits,
		index: func() *git.Listing { return nil }}
	if w.Repo != nil {
		o.objects = w.Repo.Objects(ctx)
	}
	return o
}

func (o *opened) newView(t tree.Tree, rules *ignore.Rules, ignores tree.Ignorer) *view {
	return &view{tree: t, rules: rules, ignores: ignores,
		collector: &statefiles.Collector{Tree: t, Limits: o.limits, Ignores: ignores},
		witness:   sync.OnceValue(func() *witness { return newWitness(o.ctx, o.repo, t) })}
}

func (o *opened) listed(id string, l *git.Listing) *tree.Listed {
	return tree.NewListed(id, l, o.objects, o.workspace.Path)
}

func (o *opened) Kind() wire.Source { return o.kind }

func (o *opened) ID() string { return o.id }

func (o *opened) Tree() (tree.Tree, error) {
	v, err := o.view()
	if err != nil {
		return nil, err
	}
	return v.tree, nil
}

// Find implements Source. If git cannot provide ignore rules, the walk records a failure and visits more.
func (o *opened) Find(ctx context.Context, q discover.Query) (*discover.Found, error) {
	v, err := o.view()
	if err != nil {
		return nil, err
	}
	q.Tree, q.Ignores = v.tree, v.ignores
	found, err := discover.Find(ctx, q)
	if err == nil && v.rules != nil && v.rules.Broken() != nil {
		v.collector.Ignores = nil
	}
	return found, err
}

func (o *opened) Read(ctx context.Context, specs *snapshot.Specs, root string) (*statefiles.Instance, error) {
	v, err := o.view()
	if err != nil {
		return nil, err
	}
	return v.collector.Read(ctx, specs, root)
}

func (o *opened) Ignored(paths []string) ([]bool, error) {
	v, err := o.view()
	if err != nil {
		return nil, err
	}
	all := slices.Repeat([]bool{true}, len(paths))
	for _, rules := range []*ignore.Rules{v.witness().ignored, v.policy} {
		if rules == nil {
			continue
		}
		list, err := rules.Covered(paths)
		if err != nil {
			return nil, err
		}
		for i, rule := range list {
			all[i] = all[i] && rule.Ignores()
		}
	}
	return all, nil
}

func (o *opened) Present(paths []string, base *Commit) []wire.Answer {
	v, err := o.view()
	if err != nil {
		return snapshot.Unknown(paths)
	}
	var was *witness
	if base != nil {
		if then, err := base.view(); err == nil {
			was = then.witness()
		}
	}
	return v.witness().answer(paths, was, v.policy)
}

func (o *opened) Same(base *Commit, path string) bool {
	now, err := o.view()
	if err != nil {
		return false
	}
	was, err := base.view()
	if err != nil {
		return false
	}
	then := was.witness().id(path, 0)
	return then != "" && now.witness().id(path, len(then)) == then
}

func (o *opened) Close() {
	if o.objects != nil {
		o.objects.Close()
	}
}
