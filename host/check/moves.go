package check

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"path"
	"slices"

	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/wire"
)

// findLost finds what an earlier state has and the present lacks. What has moved is paired with where it is now; the
// rest is lost.
func (s *Session) findLost(ctx context.Context) error {
	s.moved, s.lost = map[discover.Instance]string{}, map[discover.Instance]*statefiles.Past{}
	if len(s.bases) == 0 {
		return nil
	}
	if err := s.findLostSince(ctx, s.bases[0], s.changes); err != nil {
		return err
	}
	if s.mergeBases != nil {
		if err := s.findLostSince(ctx, s.bases[1], s.mergedIn); err != nil {
			return err
		}
	}
	if len(s.lost) == 0 {
		return nil
	}
	return s.findMoves(ctx)
}

// findLostSince finds what one base has and the present lacks. What has changed since may not be known.
func (s *Session) findLostSince(ctx context.Context, b base, since func() ([]git.Change, error)) error {
	then := b.tree
	if since != nil {
		then = func() (*tree.Listed, error) {
			changes, err := since()
			return tree.NewListed("", git.Lost(changes), s.objects, s.Workspace.Path), err
		}
	}
	gone, err := then()
	if err != nil {
		return err
	}
	were, err := discover.Find(ctx, s.query(gone))
	if err != nil {
		return err
	}
	for _, i := range were.Instances {
		if s.isFound(i) || s.lost[i] != nil {
			continue
		}
		if s.lost[i], err = s.read(ctx, b, s.Plugins[i.Plugin], nil, i.Root); err != nil {
			return err
		}
	}
	return nil
}

// A move is a pair of what is lost and what is new that may be the same run.
type move struct {
	from, to discover.Instance
	like     statefiles.Likeness
	near     int // documents that say nearly the same
}

// maxPairs is how many lost state directories, times those that are new, are compared by what their documents say.
const maxPairs = 1 << 14

// A pairing pairs what is lost with what is new: by its documents, by what they say, and by identity.
type pairing struct {
	*Session
	fresh map[discover.Instance]*statefiles.Instance // new, and not paired yet
	past  map[discover.Instance]*statefiles.Past     // lost, and not paired yet
}

func (s *Session) findMoves(ctx context.Context) error {
	p := &pairing{s, map[discover.Instance]*statefiles.Instance{}, maps.Clone(s.lost)}
	maps.DeleteFunc(p.past, func(_ discover.Instance, past *statefiles.Past) bool { return past.State != wire.BaseAt })
	if err := p.findFresh(ctx); err != nil {
		return err
	}
	p.resolve(p.byBytes())
	p.resolve(p.byText(ctx))
	p.resolve(p.byIdentity(ctx))
	return nil
}

// findFresh reads the state directories that the first base does not have, of plugins of which it has others.
func (p *pairing) findFresh(ctx context.Context) error {
	plugins := map[string]bool{}
	for i := range p.past {
		plugins[i.Plugin] = true
	}
	for _, i := range p.found.Instances {
		plugin := p.Plugins[i.Plugin]
		if !plugins[i.Plugin] {
			continue
		}
		before, err := p.read(ctx, p.bases[0], plugin, nil, i.Root)
		if err != nil {
			return err
		}
		if before.State == wire.BaseAt {
			continue
		}
		if now, err := p.collector.Read(ctx, plugin.specs, i.Root); err == nil { // otherwise examining it reports that
			p.fresh[i] = now
		}
	}
	return nil
}

func (p *pairing) byBytes() (list []move) {
	for to, now := range p.fresh {
		for from, past := range p.past {
			if like := past.Likeness(now); from.Plugin == to.Plugin && like.Moved(from.Root, to.Root) {
				list = append(list, move{from: from, to: to, like: like})
			}
		}
	}
	return list
}

// byText pairs by what documents say: a line feed more must not make another run of one.
func (p *pairing) byText(ctx context.Context) (list []move) {
	if len(p.fresh)*len(p.past) > maxPairs {
		p.note(fmt.Sprintf("%d runs are gone and %d are new, too many to detect moves among them: they are not "+
			"compared with their earlier state", len(p.past), len(p.fresh)))
		return nil
	}
	before := map[discover.Instance]statefiles.Sketch{}
	for from, past := range p.past {
		before[from], _ = past.Sketch(ctx) // what cannot be read is like nothing
	}
	for to, now := range p.fresh {
		sketch, err := now.Sketch(ctx)
		if err != nil {
			continue // examining it reports that
		}
		for from := range p.past {
			if near, moved := sketch.Near(before[from]); moved && from.Plugin == to.Plugin {
				list = append(list, move{from: from, to: to, near: near})
			}
		}
	}
	return list
}

// byIdentity pairs by which run state directories say they are.
func (p *pairing) byIdentity(ctx context.Context) (list []move) {
	if len(p.fresh) == 0 {
		return nil
	}
	were := map[runID]discover.Instance{}
	for _, i := range sorted(maps.Keys(p.past)) {
		if plugin := p.Plugins[i.Plugin]; plugin.Manifest.Identity != "" {
			if reply, err := p.alone(ctx, plugin, &p.past[i].Instance); err == nil && reply.Identity != "" {
				were[runID{i.Plugin, reply.Identity}] = i
			}
		}
	}
	if len(were) == 0 {
		return nil
	}
	for i := range p.fresh {
		if p.Plugins[i.Plugin].Manifest.Identity == "" {
			continue
		}
		if run, err := p.identify(ctx, i); err == nil {
			if from, ok := were[run.id]; ok {
				list = append(list, move{from: from, to: i})
			}
		}
	}
	return list
}

// resolve gives everything new one past at most, and every past one successor; the likest first.
func (p *pairing) resolve(moves []move) {
	sameName := func(m move) int {
		if path.Base(m.from.Root) == path.Base(m.to.Root) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(moves, func(a, b move) int {
		return cmp.Or(cmp.Compare(b.like.Exact, a.like.Exact), cmp.Compare(sameName(b), sameName(a)),
			cmp.Compare(b.like.Shared, a.like.Shared), cmp.Compare(b.near, a.near),
			discover.ComparePaths(a.to.Root, b.to.Root), discover.ComparePaths(a.from.Root, b.from.Root))
	})
	for _, m := range moves {
		if p.fresh[m.to] != nil && p.past[m.from] != nil {
			p.moved[m.to] = m.from.Root
			delete(p.lost, m.from)
			delete(p.fresh, m.to)
			delete(p.past, m.from)
		}
	}
}

func sorted(set iter.Seq[discover.Instance]) []discover.Instance {
	return slices.SortedFunc(set, compareInstances)
}

// compareInstances has the order of discover.Found.
func compareInstances(a, b discover.Instance) int {
	return cmp.Or(discover.ComparePaths(a.Root, b.Root), cmp.Compare(a.Plugin, b.Plugin))
}

func (s *Session) isFound(i discover.Instance) bool {
	_, found := slices.BinarySearchFunc(s.found.Instances, i, compareInstances)
	return found
}
