package check

import (
	"context"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/wire"
)

// openBases opens the earlier revisions that transition rules compare with.
func (l *Session) openBases(ctx context.Context) error {
	o := l.Options
	if len(o.Bases) == 0 && !o.Predecessors {
		return nil
	}
	if err := l.openObjects(ctx, "a base revision"); err != nil {
		return err
	}
	var ids []string
	for _, rev := range o.Bases {
		some, err := l.resolve(ctx, rev)
		if err != nil {
			return err
		}
		ids = append(ids, some...)
	}
	if o.Predecessors {
		before, err := l.predecessors(ctx)
		if err != nil {
			return err
		}
		ids = append(ids, before...)
	}
	for _, id := range ids {
		if slices.Contains(l.result.Base, id) {
			continue
		}
		c, err := tree.OpenCommit(l.objects, id)
		if err != nil {
			return l.Anchor.Repo.Lacks(ctx, id, err)
		}
		l.bases, l.result.Base = append(l.bases, c), append(l.result.Base, id)
	}
	return nil
}

// resolve returns the commits that a base stands for: of REV^@ every parent, of REV... where REV and what is checked
// parted.
func (l *Session) resolve(ctx context.Context, rev string) ([]string, error) {
	repo := l.Anchor.Repo
	if child, ok := strings.CutSuffix(rev, "^@"); ok {
		id, err := repo.Commit(ctx, child)
		if err != nil {
			return nil, err
		}
		return l.parents(id)
	}
	name, parted := strings.CutSuffix(rev, "...")
	id, err := repo.Commit(ctx, name)
	if err != nil || !parted {
		return []string{id}, err
	}
	ours := l.result.Revision
	if ours == "" {
		if ours, err = repo.Commit(ctx, "HEAD"); err != nil {
			return nil, err
		}
	}
	id, err = repo.MergeBase(ctx, id, ours)
	return []string{id}, err
}

// predecessors returns what the source comes from.
func (l *Session) predecessors(ctx context.Context) ([]string, error) {
	if l.Options.Source == wire.Commit {
		return l.parents(l.result.Revision)
	}
	if l.early.heads != nil {
		return l.early.heads()
	}
	return l.Anchor.Repo.Heads(ctx)
}

func (l *Session) parents(id string) ([]string, error) {
	c, err := tree.OpenCommit(l.objects, id)
	if err != nil {
		return nil, err
	}
	return c.Parents, nil
}

// pasts returns what every base has of an instance, each state of it once. A base that has nothing to say, because git
// ignores the instance, counts only if all are such.
func (l *Session) pasts(ctx context.Context, p *Party, now *statefiles.Instance) ([]*statefiles.Past, error) {
	var list []*statefiles.Past
	for _, base := range l.bases {
		past, err := l.past(ctx, base, p, now)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(list, past.Equal) {
			list = append(list, past)
		}
	}
	some := slices.DeleteFunc(slices.Clone(list), func(p *statefiles.Past) bool { return p.State == wire.BaseNone })
	switch {
	case len(some) > 0:
		return some, nil
	case l.last != nil:
		past, err := l.lastPast(ctx, p, now)
		return []*statefiles.Past{past}, err
	case len(list) > 0:
		return list[:1], nil
	}
	return []*statefiles.Past{{State: wire.BaseNone}}, nil
}

// past returns what a base has of an instance, at another root if it has moved.
func (l *Session) past(ctx context.Context, base *tree.Commit, p *Party, now *statefiles.Instance) (*statefiles.Past, error) {
	past, err := statefiles.Base(ctx, base, p.specs, now, now.Root, l.collector.Limits)
	from, moved := l.moved[discover.Instance{Plugin: p.Name, Root: now.Root}]
	if err != nil || !moved || past.State == wire.BaseAt {
		return past, err
	}
	return statefiles.Base(ctx, base, p.specs, now, from, l.collector.Limits)
}

// touched reports whether an instance is part of the change: no base has its documents as they are. What git ignores is
// part of no commit; in the work tree nobody can tell whether it has changed.
func (l *Session) touched(now *statefiles.Instance, pasts []*view) bool {
	if now.Ignored() || l.Options.Source == wire.Worktree && now.SomeIgnored() {
		return l.Options.Source == wire.Worktree
	}
	for _, v := range pasts {
		if v.Past.State == wire.BaseAt && v.Past.Unchanged(now) && v.Past.Root == now.Root {
			return false
		}
	}
	return true
}
