package host

import (
	"cmp"
	"context"
	"path"
	"slices"

	"github.com/stategate/stategate/host/collect"
	"github.com/stategate/stategate/host/discover"
	"github.com/stategate/stategate/host/git"
	"github.com/stategate/stategate/host/tree"
	"github.com/stategate/stategate/sdk/wire"
)

// follow finds what the base has and the present lacks: instances that lie
// elsewhere now are followed, the others are gone.
func (l *look) follow(ctx context.Context, found *discover.Found) error {
	l.moved, l.gone, l.unseen = map[discover.Instance]string{}, map[discover.Instance]bool{}, map[discover.Instance]bool{}
	defer l.missed(found)
	if len(l.bases) == 0 {
		return nil
	}
	changes, err := l.changes()
	lost := git.Lost(changes)
	if err != nil || len(lost.Files) == 0 {
		return err
	}
	were, err := discover.Find(ctx, discover.Query{
		Tree: tree.NewListed(wire.Commit, lost, l.objects, l.anchor.Path), Only: l.anchor.Only, Plugins: l.roots(), Exclude: l.options.Exclude,
	})
	if err != nil {
		return err
	}
	for _, i := range were.Instances {
		l.gone[i] = true
	}
	for _, i := range found.Instances {
		delete(l.gone, i)
	}
	if len(l.gone) == 0 {
		return nil
	}
	return l.pair(ctx, found)
}

// A move is an instance that may be one that is gone from another root.
type move struct {
	from, to discover.Instance
	like     collect.Likeness
}

// pair finds for each instance that is new the one that it was, by its documents.
func (l *look) pair(ctx context.Context, found *discover.Found) error {
	pasts := map[string][]*collect.Past{}
	for _, i := range sortedInstances(l.gone) {
		past, err := collect.Base(ctx, l.bases[0], l.parties[i.Plugin].specs, &collect.Instance{}, i.Root, l.collector.Limits)
		if err != nil {
			return err
		}
		pasts[i.Plugin] = append(pasts[i.Plugin], past)
	}
	var moves []move
	for _, i := range found.Instances {
		if len(pasts[i.Plugin]) == 0 {
			continue
		}
		some, err := l.moves(ctx, i, pasts[i.Plugin])
		if err != nil {
			return err
		}
		moves = append(moves, some...)
	}
	l.settle(moves)
	return nil
}

// moves gives the instances that are gone and that i, if it is new, may be.
func (l *look) moves(ctx context.Context, i discover.Instance, pasts []*collect.Past) (list []move, err error) {
	specs := l.parties[i.Plugin].specs
	before, err := collect.Base(ctx, l.bases[0], specs, &collect.Instance{}, i.Root, l.collector.Limits)
	if err != nil || before.State == wire.BaseAt {
		return nil, err
	}
	now, err := l.collector.Read(ctx, specs, i.Root)
	if err != nil {
		return nil, nil // the look itself says so
	}
	for _, past := range pasts {
		if like := past.Likeness(now); past.State == wire.BaseAt && like.Moved(past.Root, i.Root) {
			list = append(list, move{discover.Instance{Plugin: i.Plugin, Root: past.Root}, i, like})
		}
	}
	return list, nil
}

// settle gives every instance one past at most, and every past one instance; the
// likest first.
func (l *look) settle(moves []move) {
	sameName := func(m move) int {
		if path.Base(m.from.Root) == path.Base(m.to.Root) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(moves, func(a, b move) int {
		return cmp.Or(cmp.Compare(b.like.Exact, a.like.Exact), cmp.Compare(sameName(b), sameName(a)), cmp.Compare(b.like.Shared, a.like.Shared),
			discover.ComparePaths(a.to.Root, b.to.Root), discover.ComparePaths(a.from.Root, b.from.Root))
	})
	for _, m := range moves {
		if _, taken := l.moved[m.to]; !taken && l.gone[m.from] {
			l.moved[m.to] = m.from.Root
			delete(l.gone, m.from)
		}
	}
}

func sortedInstances(set map[discover.Instance]bool) []discover.Instance {
	var list []discover.Instance
	for i := range set {
		list = append(list, i)
	}
	slices.SortFunc(list, func(a, b discover.Instance) int {
		return cmp.Or(discover.ComparePaths(a.Root, b.Root), cmp.Compare(a.Plugin, b.Plugin))
	})
	return list
}
