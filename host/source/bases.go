package source

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
)

// A Base is an earlier commit that a source is compared with.
type Base struct {
	*Commit
	changes func() ([]git.Change, error) // of the source since; nil if they are not known
	paths   func() ([]string, error)
}

func newBase(c *Commit, changes func() ([]git.Change, error)) *Base {
	return &Base{c, changes, sync.OnceValues(func() (paths []string, err error) {
		list, err := changes()
		for _, c := range list {
			paths = append(paths, c.Path)
		}
		return paths, err
	})}
}

// ChangesKnown reports whether it is known what the source has changed since.
func (b *Base) ChangesKnown() bool { return b.changes != nil }

// Changed returns the paths that differ in the source, sorted; none if ChangesKnown is false. They are not to be
// changed.
func (b *Base) Changed() ([]string, error) {
	if b.changes == nil {
		return nil, nil
	}
	return b.paths()
}

// Gone finds the state directories among the files that the source no longer has, or in all of the base if that is not
// known.
func (b *Base) Gone(ctx context.Context, q discover.Query) (*discover.Found, error) {
	if b.changes == nil {
		return b.Find(ctx, q)
	}
	changes, err := b.changes()
	if err != nil {
		return nil, err
	}
	q.Tree = b.listed("", git.Lost(changes))
	return discover.Find(ctx, q)
}

// A history is what one source adds to how its bases are found.
type history struct {
	predecessors func() ([]string, error)
	changes      func(base string) ([]git.Change, error) // since a commit; nil if that is not known
}

func (o *opened) bases(ctx context.Context, revisions []string, predecessors bool,
	h history) (list []*Base, err error) {
	if len(revisions) == 0 && !predecessors {
		return nil, nil
	}
	if err := o.workspace.needsRepository("a base revision"); err != nil {
		return nil, err
	}
	var ids []string
	for _, rev := range revisions {
		some, err := o.resolve(ctx, rev)
		if err != nil {
			return nil, err
		}
		ids = append(ids, some...)
	}
	if predecessors {
		before, err := h.predecessors()
		if err != nil {
			return nil, err
		}
		ids = append(ids, before...)
	}
	for i, id := range ids {
		if !slices.Contains(ids[:i], id) {
			list = append(list, o.base(ctx, id, h, len(list) == 0))
		}
	}
	return list, nil
}

// base opens one base. What the first one holds follows from the source and what has changed since, if that is known.
func (o *opened) base(ctx context.Context, id string, h history, first bool) *Base {
	if h.changes == nil {
		return newBase(o.earlier(ctx, id), nil)
	}
	changes := func() ([]git.Change, error) { return h.changes(id) }
	if !first {
		return newBase(o.earlier(ctx, id), sync.OnceValues(changes))
	}
	changes = async(changes)
	commit := o.commit(id, func() (*git.Listing, error) {
		since, err := changes()
		if err != nil {
			return nil, err
		}
		now, err := o.view()
		if err != nil {
			return nil, err
		}
		return now.listing.Before(since)
	})
	return newBase(commit, changes)
}

// earlier opens a commit that something is compared with.
func (o *opened) earlier(ctx context.Context, id string) *Commit {
	return o.commit(id, async(func() (*git.Listing, error) { return o.repo.Tree(ctx, id) }))
}

// resolve returns the commits that a base revision stands for.
func (o *opened) resolve(ctx context.Context, rev string) ([]string, error) {
	if child, ok := strings.CutSuffix(rev, "^@"); ok {
		id, err := o.repo.Commit(ctx, child)
		if err != nil {
			return nil, err
		}
		return o.objects.Parents(id)
	}
	name, parted := strings.CutSuffix(rev, "...")
	id, err := o.repo.Commit(ctx, name)
	if err != nil || !parted {
		return []string{id}, err
	}
	checked := o.id
	if checked == "" {
		if checked, err = o.repo.Commit(ctx, "HEAD"); err != nil {
			return nil, err
		}
	}
	id, err = o.repo.MergeBase(ctx, id, checked)
	return []string{id}, err
}
