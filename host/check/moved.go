package check

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/wire"
)

// findLost finds the runs that an earlier state has but the present one lacks. It records the new path of each moved
// run in bases.moved, and returns the other runs.
func (c *copies) findLost(ctx context.Context, found *discover.Found,
	r *result.Result) (lost map[discover.Instance]*statefiles.Past, err error) {
	lost = map[discover.Instance]*statefiles.Past{}
	for n, b := range c.bases.list {
		if n > 0 && c.bases.parted == nil {
			break
		}
		if err := c.findLostSince(ctx, found, b, lost, r); err != nil {
			return nil, err
		}
	}
	if len(lost) == 0 {
		return nil, nil
	}
	p := &pairing{copies: c, unpaired: map[discover.Instance]*statefiles.Instance{}, lost: maps.Clone(lost)}
	maps.DeleteFunc(p.lost, func(_ discover.Instance, past *statefiles.Past) bool { return past.State != wire.BaseAt })
	if err := p.readNew(ctx, found); err != nil {
		return nil, err
	}
	for _, moves := range []func(context.Context) []move{p.byBytes, p.byText, p.byIdentity} {
		for _, m := range p.choose(moves(ctx)) {
			c.bases.moved[m.to] = m.from.Root
			delete(lost, m.from)
		}
	}
	r.Notices = append(r.Notices, p.notices...)
	return lost, nil
}

// findLostSince adds the runs that one base has but the present state lacks. A notice names the runs that cannot be
// compared, such as those whose paths are not UTF-8.
func (c *copies) findLostSince(ctx context.Context, found *discover.Found, b *source.Base,
	lost map[discover.Instance]*statefiles.Past, r *result.Result) error {
	were, err := b.Gone(ctx, c.scope.query())
	if err != nil {
		return err
	}
	for _, f := range were.Failures {
		now := func(other discover.Failure) bool { return other.Path == f.Path }
		if !slices.ContainsFunc(found.Failures, now) {
			r.Notices = append(r.Notices, fmt.Sprintf("%s in commit %.12s could not be read, so its runs were not "+
				"compared", f.Path, b.ID()))
		}
	}
	for _, i := range were.Instances {
		if isFound(found, i) || lost[i] != nil {
			continue
		}
		if lost[i], err = b.Past(ctx, c.plugins[i.Plugin].specs, nil, i.Root); err != nil {
			return err
		}
	}
	return nil
}

// A move pairs a lost run with a new run that may be the same.
type move struct {
	from, to discover.Instance
	like     statefiles.Likeness
	near     int // number of documents with nearly the same content
}

// maxPairs limits comparisons by content: it is the maximum product of the numbers of lost and new
// state directories.
const maxPairs = 1 << 14

// A pairing pairs lost runs with new ones: by their documents' bytes, by similar text, and by identity.
type pairing struct {
	*copies
	unpaired map[discover.Instance]*statefiles.Instance // new ones
	lost     map[discover.Instance]*statefiles.Past     // not paired yet
	notices  []string
}

// readNew reads the state directories that the first base lacks, for plugins that lost one.
func (p *pairing) readNew(ctx context.Context, found *discover.Found) error {
	plugins := map[string]bool{}
	for i := range p.lost {
		plugins[i.Plugin] = true
	}
	for _, i := range found.Instances {
		if !plugins[i.Plugin] {
			continue
		}
		specs := p.plugins[i.Plugin].specs
		before, err := p.bases.list[0].Past(ctx, specs, nil, i.Root)
		if err != nil {
			return err
		}
		if before.State == wire.BaseAt {
			continue
		}
		if now, err := p.source.Read(ctx, specs, i.Root); err == nil { // on error, examining it reports the error
			p.unpaired[i] = now
		}
	}
	return nil
}

func (p *pairing) byBytes(context.Context) (list []move) {
	for to, now := range p.unpaired {
		for from, past := range p.lost {
			if like := past.Likeness(now); from.Plugin == to.Plugin && like.Moved(from.Root, to.Root) {
				list = append(list, move{from: from, to: to, like: like})
			}
		}
	}
	return list
}

// byText pairs runs with similar text, so that an added line feed does not turn a moved run into a new one.
func (p *pairing) byText(ctx context.Context) (list []move) {
	if len(p.unpaired)*len(p.lost) > maxPairs {
		p.notices = append(p.notices, fmt.Sprintf("%d runs are missing and %d are new, which is too many to detect "+
			"moves: these runs are not compared with their earlier state", len(p.lost), len(p.unpaired)))
		return nil
	}
	before := map[discover.Instance]statefiles.Sketch{}
	for from, past := range p.lost {
		before[from], _ = past.Sketch(ctx) // an unreadable document resembles nothing
	}
	for to, now := range p.unpaired {
		sketch, err := now.Sketch(ctx)
		if err != nil {
			continue // examining it reports the error
		}
		for from := range p.lost {
			if near, moved := sketch.Near(before[from]); moved && from.Plugin == to.Plugin {
				list = append(list, move{from: from, to: to, near: near})
			}
		}
	}
	return list
}

func (p *pairing) byIdentity(ctx context.Context) (list []move) {
	if len(p.unpaired) == 0 {
		return nil
	}
	were := map[runID]discover.Instance{}
	for _, i := range sorted(maps.Keys(p.lost)) {
		if plugin := p.plugins[i.Plugin]; plugin.Manifest.Identity != "" {
			if v, err := p.examiner.alone(ctx, plugin, p.lost[i]); err == nil && v.Identity != "" {
				were[runID{i.Plugin, v.Identity}] = i
			}
		}
	}
	if len(were) == 0 {
		return nil
	}
	for i := range p.unpaired {
		if p.plugins[i.Plugin].Manifest.Identity == "" {
			continue
		}
		if d, err := p.identify(ctx, i); err == nil {
			if from, ok := were[d.id]; ok {
				list = append(list, move{from: from, to: i})
			}
		}
	}
	return list
}

// choose pairs every new run with at most one past run and every past run with at most one new run, best match first.
func (p *pairing) choose(moves []move) (chosen []move) {
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
		if p.unpaired[m.to] != nil && p.lost[m.from] != nil {
			chosen = append(chosen, m)
			delete(p.unpaired, m.to)
			delete(p.lost, m.from)
		}
	}
	return chosen
}
