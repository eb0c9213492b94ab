package source

import (
	"context"
	"sync"

	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/ignore"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/wire"
)

// An Index provides the files that the next commit would contain, together with the working tree's ignored files.
// It includes files outside a sparse checkout. Files with an unresolved merge exist but cannot be read. Files that
// `git add -N` only marked do not exist.
type Index struct {
	opened
	answers *indexAnswers
}

func (w *Workspace) openIndex(ctx context.Context, o Options) (*Index, error) {
	if err := w.needsRepository("--staged"); err != nil {
		return nil, err
	}
	disk, err := w.disk()
	if err != nil {
		return nil, err
	}
	x := &Index{w.opened(ctx, wire.Index, o.Limits), w.answers(ctx, o.Predecessors)}
	rules := ignore.New(ctx, w.Repo, disk)
	x.view = sync.OnceValues(func() (*view, error) {
		listing, err := x.answers.listing()
		if err != nil {
			return nil, err
		}
		rules.Tracked(listing)
		staged := tree.NewIndex(x.listed("", listing), disk, rules)
		v := x.newView(staged, rules, staged)
		if x.answers.changes != nil {
			v.collector.Removed = removedBy(x.answers.changes)
		}
		v.listing = listing
		return v, nil
	})
	return x, nil
}

// removedBy reports whether changes remove a file. If the changes are unknown, none is removed; a comparison
// then reports the error.
func removedBy(changes func() ([]git.Change, error)) func(path string) bool {
	lost := sync.OnceValue(func() *git.Listing {
		list, err := changes()
		if err != nil {
			return &git.Listing{}
		}
		return git.Lost(list)
	})
	return func(path string) bool {
		_, removed := lost().Find(path)
		return removed
	}
}

func (x *Index) Bases(ctx context.Context, compare Compare) ([]*Base, error) {
	return x.bases(ctx, compare, history{
		predecessors: func() ([]Origin, error) { return heads(x.answers.predecessors(ctx, x.repo)) },
		changes:      func(base string) ([]git.Change, error) { return x.answers.since(ctx, x.repo, base) },
	})
}

// indexAnswers are pending answers from git about the index. If the index is not compared with HEAD, all answers
// except listing are nil.
type indexAnswers struct {
	listing func() (*git.Listing, error)
	heads   func() ([]string, error)
	changes func() ([]git.Change, error) // compared with the first of heads
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

// async starts f and returns a function that waits for its result.
func async[T any](f func() (T, error)) func() (T, error) {
	wait := sync.OnceValues(f)
	go func() { _, _ = wait() }()
	return wait
}
