package source

import (
	"context"
	"slices"
	"sync"

	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/ignore"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/wire"
)

// An Index provides the files that the next commit would contain, together with the working tree's ignored files.
// It includes files outside a sparse checkout. Files with an unresolved merge exist but cannot be read. Files that
// `git add -N` only marked do not exist.
type Index struct {
	opened
	heads   func() ([]string, error)
	changes func() ([]git.Change, error) // compared with the first of heads
}

func (w *Workspace) openIndex(ctx context.Context, o Options) (*Index, error) {
	if err := w.needsRepository("--staged"); err != nil {
		return nil, err
	}
	disk, err := w.disk()
	if err != nil {
		return nil, err
	}
	x := &Index{opened: w.opened(ctx, wire.Index, o.Limits)}
	staged := async(func() (*git.Listing, error) { return w.Repo.Staged(ctx) })
	x.heads = async(func() ([]string, error) { return w.Repo.Heads(ctx) })
	x.changes = async(func() ([]git.Change, error) {
		ids, err := x.heads()
		if err != nil || len(ids) == 0 {
			return nil, err
		}
		return w.Repo.ChangedInIndex(ctx, ids[0])
	})
	rules := ignore.New(ctx, w.Repo, disk)
	x.view = sync.OnceValues(func() (*view, error) {
		listing, err := staged()
		if err != nil {
			return nil, err
		}
		rules.Tracked(listing)
		files := tree.NewIndex(x.listed("", listing), disk, rules)
		v := x.newView(files, rules, files)
		v.collector.Before = x.before(ctx)
		v.listing = listing
		return v, nil
	})
	return x, nil
}

// before answers questions about HEAD and the commits that are being merged into it. It reads them on demand. If HEAD
// cannot be read, no file exists in it; a comparison then reports the error.
func (x *Index) before(ctx context.Context) *statefiles.Before {
	commits := sync.OnceValues(func() (list []*Commit, err error) {
		ids, err := x.heads()
		for _, id := range ids {
			list = append(list, x.commitAt(ctx, id))
		}
		return list, err
	})
	return &statefiles.Before{
		Has: func(path string) bool {
			list, err := commits()
			if err != nil || len(list) == 0 {
				return false
			}
			v, err := list[0].view()
			if err != nil {
				return false
			}
			_, has := v.listing.Find(path)
			return has
		},
		Ignores: func(path string) bool {
			list, err := commits()
			return err != nil || slices.ContainsFunc(list, func(c *Commit) bool {
				ignored, err := c.Ignored([]string{path})
				return err != nil || ignored[0]
			})
		},
	}
}

func (x *Index) Bases(ctx context.Context, compare Compare) ([]*Base, error) {
	return x.bases(ctx, compare, history{
		predecessors: func() ([]Origin, error) { return heads(x.heads()) },
		changes: func(base string) ([]git.Change, error) {
			if ids, err := x.heads(); err == nil && len(ids) > 0 && ids[0] == base {
				return x.changes()
			}
			return x.repo.ChangedInIndex(ctx, base)
		},
	})
}

// async starts f and returns a function that waits for its result.
func async[T any](f func() (T, error)) func() (T, error) {
	wait := sync.OnceValues(f)
	go func() { _, _ = wait() }()
	return wait
}
