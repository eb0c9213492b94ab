package check

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/wire"
)

// openBases opens the earlier revisions that transition rules compare with.
func (s *Session) openBases(ctx context.Context) error {
	o := s.Options
	if len(o.Bases) == 0 && !o.Predecessors {
		return nil
	}
	if err := s.openObjects(ctx, "a base revision"); err != nil {
		return err
	}
	var ids []string
	for _, rev := range o.Bases {
		some, err := s.resolve(ctx, rev)
		if err != nil {
			return err
		}
		ids = append(ids, some...)
	}
	if o.Predecessors {
		before, err := s.predecessors(ctx)
		if err != nil {
			return err
		}
		ids = append(ids, before...)
	}
	for _, id := range ids {
		if slices.Contains(s.result.Base, id) {
			continue
		}
		s.result.Base = append(s.result.Base, id)
		s.bases = append(s.bases, s.newBase(ctx, id))
	}
	s.openMergeBases(ctx)
	return nil
}

// A base is an earlier revision.
type base struct {
	id   string                       // object id of the commit
	tree func() (*tree.Listed, error) // call it after find
	runs func() ([]discover.Instance, error)
}

// newBase lists a commit. The first one follows from what is checked and what has changed since, if that is known to
// git.
func (s *Session) newBase(ctx context.Context, id string) base {
	list := func() (*git.Listing, error) { return s.Workspace.Repo.Tree(ctx, id) }
	if len(s.bases) > 0 || s.Options.Source == wire.Worktree {
		list = async(list)
	} else {
		s.changes = async(func() ([]git.Change, error) { return s.compare(ctx, id) })
		list = func() (*git.Listing, error) {
			changes, err := s.changes()
			if err != nil {
				return nil, err
			}
			return s.listing.Before(changes)
		}
	}
	listed := sync.OnceValues(func() (*tree.Listed, error) {
		listing, err := list()
		return tree.NewListed(id, listing, s.objects, s.Workspace.Path), err
	})
	return base{id, listed, sync.OnceValues(func() ([]discover.Instance, error) {
		t, err := listed()
		if err != nil {
			return nil, err
		}
		q := s.query(t)
		q.Only = []string{"."}
		found, err := discover.Find(ctx, q)
		if err != nil {
			return nil, err
		}
		return found.Instances, nil
	})}
}

// resolve returns the commits that a base stands for: of REV^@ every parent, of REV... the merge base of REV and what
// is checked.
func (s *Session) resolve(ctx context.Context, rev string) ([]string, error) {
	repo := s.Workspace.Repo
	if child, ok := strings.CutSuffix(rev, "^@"); ok {
		id, err := repo.Commit(ctx, child)
		if err != nil {
			return nil, err
		}
		return s.parents(ctx, id)
	}
	name, parted := strings.CutSuffix(rev, "...")
	id, err := repo.Commit(ctx, name)
	if err != nil || !parted {
		return []string{id}, err
	}
	ours := s.result.Revision
	if ours == "" {
		if ours, err = repo.Commit(ctx, "HEAD"); err != nil {
			return nil, err
		}
	}
	id, err = repo.MergeBase(ctx, id, ours)
	return []string{id}, err
}

func (s *Session) predecessors(ctx context.Context) ([]string, error) {
	switch {
	case s.Options.Source == wire.Commit:
		return s.parents(ctx, s.result.Revision)
	case s.index != nil && s.index.heads != nil:
		return s.index.heads()
	}
	return s.Workspace.Repo.Heads(ctx)
}

// parents returns the parents of a commit, which are in this clone.
func (s *Session) parents(ctx context.Context, id string) ([]string, error) {
	list, err := s.objects.Parents(id)
	for _, p := range list {
		if _, err := s.objects.Parents(p); err != nil {
			return nil, s.Workspace.Repo.Lacks(ctx, p, err)
		}
	}
	return list, err
}

// earlier returns what every base has of a state directory, each state of it once. A base that can have nothing,
// because git ignores the directory, counts only if all are such.
func (s *Session) earlier(ctx context.Context, p *ActivePlugin, now *statefiles.Instance) ([]*statefiles.Past, error) {
	var some, none []*statefiles.Past
	for _, b := range s.bases {
		past, err := s.inBase(ctx, b, p, now)
		switch {
		case err != nil:
			return nil, err
		case past.State == wire.BaseNone:
			none = append(none, past)
		case len(p.Manifest.Paths) > 0 || !slices.ContainsFunc(some, past.Equal):
			// besides, the rest of the workspace may differ
			some = append(some, past)
		}
	}
	switch {
	case len(some) > 0:
		return some, nil
	case len(none) > 0:
		return none[:1], nil
	}
	return []*statefiles.Past{{State: wire.BaseNone}}, nil
}

// inBase returns what a base has of a state directory, at another root if it has moved.
func (s *Session) inBase(ctx context.Context, b base, p *ActivePlugin,
	now *statefiles.Instance) (*statefiles.Past, error) {
	past, err := s.read(ctx, b, p, now, now.Root)
	from, moved := s.moved[discover.Instance{Plugin: p.Name, Root: now.Root}]
	if err != nil || !moved || past.State == wire.BaseAt {
		return past, err
	}
	return s.read(ctx, b, p, now, from)
}

// read returns what a base has at a root. now is what is there now; nil for nothing.
func (s *Session) read(ctx context.Context, b base, p *ActivePlugin, now *statefiles.Instance,
	root string) (*statefiles.Past, error) {
	if now == nil {
		now = &statefiles.Instance{}
	}
	t, err := b.tree()
	if err != nil {
		return nil, err
	}
	return statefiles.Base(ctx, t, p.specs, now, root, s.collector.Limits)
}

// touched reports whether a state directory is part of the change: no base has its documents as they are, or a merge
// has those of one parent although the other one has changed them. What git ignores is part of no commit; in the work
// tree whether it has changed is unknown.
func (s *Session) touched(ctx context.Context, now *statefiles.Instance, list []*comparison) bool {
	if now.Ignored() || s.Options.Source == wire.Worktree && now.SomeIgnored() {
		return s.Options.Source == wire.Worktree
	}
	same := slices.IndexFunc(list, func(c *comparison) bool {
		return c.Past.State == wire.BaseAt && c.Past.Unchanged(now) && c.Past.Root == now.Root
	})
	return same < 0 || s.overruled(ctx, list, same)
}
