package source

import (
	"context"
	"sync"

	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/ignore"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// A Commit is a commit's tree. It never contains ignored files, so if an ignore rule covers a missing path, its
// absence proves nothing.
type Commit struct {
	opened
	rev    string     // the revision that names it
	merges []string   // the revisions that a trial merge combines; nil for an existing commit
	merge  *git.Merge // deleted by Close; nil for an existing commit
	policy string     // object id of another commit whose ignore rules apply; "" if there is none
}

func (w *Workspace) openCommit(ctx context.Context, o Options) (*Commit, error) {
	if err := w.needsRepository("--rev"); err != nil {
		return nil, err
	}
	id, err := w.Repo.Named(ctx, o.Rev)
	if err != nil {
		return nil, err
	}
	all := w.opened(ctx, wire.Commit, o.Limits)
	c := all.commitAt(ctx, id).withRules(o.Policy)
	c.rev = o.Rev
	return c, nil
}

// openMerge opens the merge that git would make of one commit into another, created outside the repository. Files that
// git cannot merge are in its tree but cannot be read.
func (w *Workspace) openMerge(ctx context.Context, o Options) (*Commit, error) {
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
	c := all.commit(m.Commit, func() (*git.Listing, error) { return m.Tree(ctx) }).withRules(o.Policy)
	c.merges, c.merge = []string{o.Rev, o.Merge}, m
	return c, nil
}

// Close also deletes a trial merge.
func (c *Commit) Close() {
	c.opened.Close()
	if c.merge != nil {
		c.merge.Close()
	}
}

// commitAt returns an existing commit.
func (o opened) commitAt(ctx context.Context, id string) *Commit {
	return o.commit(id, func() (*git.Listing, error) { return o.repo.Tree(ctx, id) })
}

// commit returns a commit whose files are listed on demand, without ignore rules.
func (o opened) commit(id string, list func() (*git.Listing, error)) *Commit {
	c := &Commit{opened: o}
	c.kind, c.id = wire.Commit, id
	c.view = sync.OnceValues(func() (*view, error) {
		l, err := list()
		if err != nil {
			return nil, err
		}
		v := c.newView(c.listed(id, l), nil, nil)
		v.listing = l
		return v, nil
	})
	return c
}

// withRules adds the ignore rules that apply to the commit: its own, or those of the policy's commit, so that a
// change cannot hide the files that it deletes.
func (c *Commit) withRules(policy string) *Commit {
	files, rules := async(c.view), func() (*git.Listing, error) { return nil, nil }
	if policy != "" && policy != c.id {
		c.policy = policy
		rules = async(func() (*git.Listing, error) { return c.repo.Tree(c.ctx, policy) })
	}
	c.view = sync.OnceValues(func() (*view, error) {
		v, err := files()
		if err != nil {
			return nil, err
		}
		l, err := rules()
		if err != nil {
			return nil, err
		}
		if l == nil {
			l = v.listing
		} else {
			v.policy = ignore.InTree(c.ctx, c.repo, c.listed(policy, l))
		}
		v.rules = ignore.New(c.ctx, c.repo, c.listed(c.id, l))
		return v, nil
	})
	return c
}

// Past reads the commit's version of root as an earlier state of now. now is nil if the state directory no longer
// exists.
func (c *Commit) Past(ctx context.Context, specs *snapshot.Specs, now *statefiles.Instance,
	root string) (*statefiles.Past, error) {
	v, err := c.view()
	if err != nil {
		return nil, err
	}
	if now == nil {
		now = &statefiles.Instance{}
	}
	return statefiles.Base(ctx, c.listed(c.id, v.listing), specs, now, root, c.limits)
}

// Rules returns the ignore rules that apply to the commit. If they come from the policy, it adds the commit's own,
// because a change may ignore paths that its policy does not.
func (c *Commit) Rules() ([]*ignore.Rules, error) {
	v, err := c.view()
	if err != nil {
		return nil, err
	}
	list := []*ignore.Rules{v.rules}
	if c.policy != "" {
		list = append(list, ignore.New(c.ctx, c.repo, v.tree))
	}
	return list, nil
}

func (c *Commit) Bases(ctx context.Context, compare Compare) ([]*Base, error) {
	return c.bases(ctx, compare, history{
		predecessors: c.parents,
		changes:      func(base string) ([]git.Change, error) { return c.repo.ChangedInCommit(ctx, base, c.id) },
	})
}

// parents lists the commit's parents. For a trial merge, these are the two revisions to merge.
func (c *Commit) parents() ([]Origin, error) {
	ids, err := c.objects.Parents(c.id)
	rev := parentOf(c.rev)
	if c.merges != nil {
		rev = func(n int) string { return c.merges[n] }
	}
	return origins(Parent, ids, rev), err
}

// MergeBases returns the merge bases of this commit and another one, or none if their histories are unrelated. In a
// shallow clone, finding none is a failure, because they may be missing.
func (c *Commit) MergeBases(ctx context.Context, other *Commit) (list []*Commit, err error) {
	ids, err := c.repo.MergeBases(ctx, c.id, other.id)
	for _, id := range ids {
		list = append(list, c.earlier(ctx, id))
	}
	return list, err
}

// Switch returns the argument that makes git switch check out the commit that a revision names: the branch with that
// name, or the commit itself. It returns nil if the commit is HEAD or a trial merge.
func (c *Commit) Switch(ctx context.Context, revision string) []string {
	if c.merge != nil {
		return nil
	}
	return c.repo.Switch(ctx, revision, c.id)
}
