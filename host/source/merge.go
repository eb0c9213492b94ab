package source

import (
	"context"

	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/wire"
)

// A Merge is the merge that git would make of one commit into another, created outside the repository. Files that git
// cannot merge are in its tree but cannot be read.
type Merge struct {
	*Commit
	merge *git.Merge
}

func (w *Workspace) openMerge(ctx context.Context, o Options) (*Merge, error) {
	if err := w.needsRepository("--merge"); err != nil {
		return nil, err
	}
	ours, err := w.Repo.Named(ctx, o.Rev)
	if err != nil {
		return nil, err
	}
	theirs, err := w.Repo.Named(ctx, o.Merge)
	if err != nil {
		return nil, err
	}
	m, err := w.Repo.Merge(ctx, ours, theirs)
	if err != nil {
		return nil, err
	}
	merged := *w.Workspace
	merged.Repo = m.Repo
	all := (&Workspace{Workspace: &merged, disk: w.disk}).opened(ctx, wire.Commit, o.Limits)
	list := func() (*git.Listing, error) { return m.Tree(ctx) }
	c := all.commit(m.Commit, list).withRules(o.Policy)
	c.merges = []string{o.Rev, o.Merge}
	return &Merge{c, m}, nil
}

// Close also deletes the merge.
func (m *Merge) Close() {
	m.Commit.Close()
	m.merge.Close()
}
