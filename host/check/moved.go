package check

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/wire"
)

// follow finds what the base has and the present lacks: instances that lie
// elsewhere now are followed, the others are gone.
func (l *Session) follow(ctx context.Context, found *discover.Found) error {
	l.moved, l.gone, l.unseen = map[discover.Instance]string{}, map[discover.Instance]bool{}, map[discover.Instance]bool{}
	l.near = found.Near
	defer l.missingSinceLast(found)
	for _, n := range found.Nested {
		l.nested = append(l.nested, n.Path)
	}
	if len(l.bases) == 0 {
		return nil
	}
	changes, err := l.changes()
	lost := git.Lost(changes)
	if err != nil || len(lost.Files) == 0 {
		return err
	}
	were, err := discover.Find(ctx, discover.Query{
		Tree: tree.NewListed(lost, l.objects, l.Anchor.Path), Only: l.Anchor.Only, Plugins: l.roots(), Exclude: l.Options.Exclude,
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
	like     statefiles.Likeness
	near     int // documents that say nearly the same
}

// maxPairs is how many runs that are gone, times those that are new, are compared by what their documents say.
const maxPairs = 1 << 14

// pair finds for each instance that is new the one that it was: by its documents, by what they say, and by identity.
func (l *Session) pair(ctx context.Context, found *discover.Found) error {
	pasts := map[discover.Instance]*statefiles.Past{}
	for _, i := range sortedInstances(l.gone) {
		past, err := statefiles.Base(ctx, l.bases[0], l.Parties[i.Plugin].specs, &statefiles.Instance{}, i.Root, l.collector.Limits)
		if err != nil {
			return err
		}
		if past.State == wire.BaseAt {
			pasts[i] = past
		}
	}
	fresh, err := l.fresh(ctx, found, pasts)
	if err != nil {
		return err
	}
	l.settle(l.byBytes(fresh, pasts))
	l.settle(l.byText(ctx, fresh, pasts))
	return l.settleIdentities(ctx, fresh, pasts)
}

// settleIdentities pairs the instances that are left by which run they say they are.
func (l *Session) settleIdentities(ctx context.Context, fresh map[discover.Instance]*statefiles.Instance, pasts map[discover.Instance]*statefiles.Past) error {
	left := func(i discover.Instance) bool { return l.Parties[i.Plugin].Manifest.Identity != "" }
	maps.DeleteFunc(fresh, func(i discover.Instance, _ *statefiles.Instance) bool { return l.moved[i] != "" || !left(i) })
	maps.DeleteFunc(pasts, func(i discover.Instance, _ *statefiles.Past) bool { return !l.gone[i] || !left(i) })
	if len(fresh) == 0 || len(pasts) == 0 {
		return nil
	}
	pool, err := l.workers()
	if err != nil {
		return err
	}
	type run struct{ plugin, identity string }
	were := map[run]discover.Instance{}
	for _, i := range sortedInstances(l.gone) {
		past := pasts[i]
		if past == nil {
			continue
		}
		if reply, err := l.alone(ctx, pool, l.Parties[i.Plugin], &past.Instance); err == nil && reply.Identity != "" {
			were[run{i.Plugin, reply.Identity}] = i
		}
	}
	var list []move
	for i := range fresh {
		if b, err := l.bearer(ctx, pool, i); err == nil && b.identity != "" {
			if from, ok := were[run{i.Plugin, b.identity}]; ok {
				list = append(list, move{from: from, to: i})
			}
		}
	}
	l.settle(list)
	return nil
}

// fresh reads the instances that the first base has not, of plugins of which it has others.
func (l *Session) fresh(ctx context.Context, found *discover.Found, pasts map[discover.Instance]*statefiles.Past) (map[discover.Instance]*statefiles.Instance, error) {
	lost, fresh := map[string]bool{}, map[discover.Instance]*statefiles.Instance{}
	for i := range pasts {
		lost[i.Plugin] = true
	}
	for _, i := range found.Instances {
		if !lost[i.Plugin] {
			continue
		}
		specs := l.Parties[i.Plugin].specs
		before, err := statefiles.Base(ctx, l.bases[0], specs, &statefiles.Instance{}, i.Root, l.collector.Limits)
		if err != nil {
			return nil, err
		}
		if before.State == wire.BaseAt {
			continue
		}
		if now, err := l.collector.Read(ctx, specs, i.Root); err == nil { // otherwise the look itself says so
			fresh[i] = now
		}
	}
	return fresh, nil
}

// byBytes pairs instances by documents that are the same to the byte.
func (l *Session) byBytes(fresh map[discover.Instance]*statefiles.Instance, pasts map[discover.Instance]*statefiles.Past) (list []move) {
	for to, now := range fresh {
		for from, past := range pasts {
			if like := past.Likeness(now); from.Plugin == to.Plugin && like.Moved(from.Root, to.Root) {
				list = append(list, move{from: from, to: to, like: like})
			}
		}
	}
	return list
}

// byText pairs the instances that are left by what their documents say: a line feed more must not make another run of one.
func (l *Session) byText(ctx context.Context, fresh map[discover.Instance]*statefiles.Instance, pasts map[discover.Instance]*statefiles.Past) (list []move) {
	maps.DeleteFunc(fresh, func(i discover.Instance, _ *statefiles.Instance) bool { return l.moved[i] != "" })
	maps.DeleteFunc(pasts, func(i discover.Instance, _ *statefiles.Past) bool { return !l.gone[i] })
	if len(fresh)*len(pasts) > maxPairs {
		l.result.Notices = append(l.result.Notices, fmt.Sprintf("%d runs are gone and %d are new, too many to detect moves among them: they are not compared with their earlier state", len(pasts), len(fresh)))
		return nil
	}
	before := map[discover.Instance]statefiles.Sketch{}
	for from, past := range pasts {
		before[from], _ = past.Sketch(ctx) // what cannot be read is like nothing
	}
	for to, now := range fresh {
		sketch, err := now.Sketch(ctx)
		if err != nil {
			continue // the look itself says so
		}
		for from := range pasts {
			if near, moved := sketch.Near(before[from]); moved && from.Plugin == to.Plugin {
				list = append(list, move{from: from, to: to, near: near})
			}
		}
	}
	return list
}

// settle returns every instance one past at most, and every past one instance; the
// likest first.
func (l *Session) settle(moves []move) {
	sameName := func(m move) int {
		if path.Base(m.from.Root) == path.Base(m.to.Root) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(moves, func(a, b move) int {
		return cmp.Or(cmp.Compare(b.like.Exact, a.like.Exact), cmp.Compare(sameName(b), sameName(a)), cmp.Compare(b.like.Shared, a.like.Shared), cmp.Compare(b.near, a.near),
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
