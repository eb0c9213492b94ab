package source

import (
	"context"
	"sync"

	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/ignore"
	"github.com/stategate/stategate/host/source/presence"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// An Index is what the next commit would hold, and beside it what git ignores in the working tree. Files outside a
// sparse checkout are read from it; those of an unresolved merge are there and cannot be read; names that are only
// intended to be added are not there.
type Index struct {
	opened
	answers *indexAnswers
	rules   *ignore.Rules // without git, asking them fails
	staged  func() (*stagedTree, error)
}

type stagedTree struct {
	*tree.Staged
	listing   *git.Listing
	collector *statefiles.Collector
}

func (w *Workspace) openIndex(ctx context.Context, o Options) (*Index, error) {
	if err := w.needsRepository("the index"); err != nil {
		return nil, err
	}
	disk, err := w.disk()
	if err != nil {
		return nil, err
	}
	x := &Index{opened: w.opened(ctx, o.Limits), answers: w.answers(ctx, o.Predecessors),
		rules: ignore.New(ctx, w.Repo, disk)}
	x.staged = sync.OnceValues(func() (*stagedTree, error) {
		listing, err := x.answers.listing()
		if err != nil {
			return nil, err
		}
		x.rules.Tracked(listing)
		staged := tree.NewStaged(x.listed("", listing), disk, x.rules)
		return &stagedTree{staged, listing, &statefiles.Collector{Tree: staged, Limits: o.Limits, Ignores: staged}}, nil
	})
	x.witness = sync.OnceValue(func() *presence.Witness {
		t, err := x.staged()
		if err != nil {
			return nil
		}
		return presence.Of(ctx, w.Repo, t.Staged)
	})
	return x, nil
}

func (x *Index) Kind() wire.Source { return wire.Index }

func (x *Index) ID() string { return "" }

func (x *Index) Tree() (tree.Tree, error) {
	t, err := x.staged()
	if err != nil {
		return nil, err
	}
	return t.Staged, nil
}

// Find implements Source. If git cannot be asked for ignore rules, the walk records a failure and visits more.
func (x *Index) Find(ctx context.Context, q discover.Query) (*discover.Found, error) {
	t, err := x.staged()
	if err != nil {
		return nil, err
	}
	q.Tree, q.Ignores = t.Staged, t.Staged
	found, err := discover.Find(ctx, q)
	if err != nil {
		return nil, err
	}
	unlessBroken(t.collector, x.rules)
	return found, nil
}

func (x *Index) Read(ctx context.Context, specs *snapshot.Specs, root string) (*statefiles.Instance, error) {
	t, err := x.staged()
	if err != nil {
		return nil, err
	}
	return t.collector.Read(ctx, specs, root)
}

func (x *Index) Covered(paths []string) ([]ignore.Rule, error) { return covered(x.rules, paths) }

func (x *Index) Bases(ctx context.Context, revisions []string, predecessors bool) ([]*Base, error) {
	return x.bases(ctx, revisions, predecessors, history{
		predecessors: func() ([]string, error) { return x.answers.predecessors(ctx, x.repo) },
		changes:      func(base string) ([]git.Change, error) { return x.answers.since(ctx, x.repo, base) },
		listing: func() (*git.Listing, error) {
			t, err := x.staged()
			if err != nil {
				return nil, err
			}
			return t.listing, nil
		},
	})
}

// indexAnswers are what git is being asked about the index. All but listing are nil if it is not compared with HEAD.
type indexAnswers struct {
	listing func() (*git.Listing, error)
	heads   func() ([]string, error)
	changes func() ([]git.Change, error) // against the first of heads
}

func askIndex(ctx context.Context, repo *git.Repo, heads bool) *indexAnswers {
	a := &indexAnswers{listing: async(func() (*git.Listing, error) { return repo.Staged(ctx) })}
	if !heads {
		return a
	}
	a.heads = async(func() ([]string, error) { return repo.Heads(ctx) })
	a.changes = async(func() ([]git.Change, error) {
		ids, err := a.heads()
		if err != nil || len(ids) == 0 {
			return nil, err
		}
		return repo.ChangedInIndex(ctx, ids[0])
	})
	return a
}

func (a *indexAnswers) predecessors(ctx context.Context, repo *git.Repo) ([]string, error) {
	if a.heads != nil {
		return a.heads()
	}
	return repo.Heads(ctx)
}

func (a *indexAnswers) since(ctx context.Context, repo *git.Repo, base string) ([]git.Change, error) {
	if a.heads != nil {
		if ids, err := a.heads(); err == nil && len(ids) > 0 && ids[0] == base {
			return a.changes()
		}
	}
	return repo.ChangedInIndex(ctx, base)
}

// async starts f and returns how to wait for its result.
func async[T any](f func() (T, error)) func() (T, error) {
	wait := sync.OnceValues(f)
	go func() { _, _ = wait() }()
	return wait
}
