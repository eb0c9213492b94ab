package source

import (
	"context"
	"slices"
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
		v.collector.Before = x.before(ctx, listing)
		v.listing = listing
		return v, nil
	})
	return x, nil
}

// before returns the commits that the index is based on. They are read when something is asked.
func (x *Index) before(ctx context.Context, now *git.Listing) *before {
	return &before{commits: sync.OnceValues(func() (list []*Commit, err error) {
		ids, err := x.answers.predecessors(ctx, x.repo)
		for n, id := range ids {
			if n > 0 {
				list = append(list, x.earlier(ctx, id))
				continue
			}
			list = append(list, x.commit(id, func() (*git.Listing, error) {
				since, err := x.answers.since(ctx, x.repo, id)
				if err != nil {
					return nil, err
				}
				return now.Before(since)
			}))
		}
		return list, err
	})}
}

// before implements statefiles.Before with HEAD and the commits that are being merged into it.
type before struct {
	commits func() ([]*Commit, error)
}

// Has implements statefiles.Before. If HEAD cannot be read, it has nothing; a comparison then reports the error.
func (b *before) Has(path string) bool {
	list, err := b.commits()
	if err != nil || len(list) == 0 {
		return false
	}
	v, err := list[0].view()
	if err != nil {
		return false
	}
	_, has := v.listing.Find(path)
	return has
}

// Ignores implements statefiles.Before.
func (b *before) Ignores(path string) bool {
	list, err := b.commits()
	return err != nil || slices.ContainsFunc(list, func(c *Commit) bool {
		ignored, err := c.Ignored([]string{path})
		return err != nil || ignored[0]
	})
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
