package check

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/sdk/wire"
)

// A bearer is an instance that says which run it is.
type bearer struct {
	discover.Instance
	identity  string
	isNew     bool // there is a base, and no base has it
	asked     bool // it is part of the look
	mayDouble bool // and the change, or the first look at it, may have made it a copy of another one
}

// newBearer returns what is kept of an instance that says which run it is: nothing of its documents.
func newBearer(i discover.Instance, identity string, views []*view) *bearer {
	b := &bearer{Instance: i, identity: identity, isNew: true}
	for _, v := range views {
		b.isNew = b.isNew && v.Past.State == wire.BaseNew
		b.mayDouble = b.mayDouble || v.Past.State != wire.BaseAt
	}
	return b
}

// duplicates reports runs that are kept in two places. Where the look is not at everything, the other places are
// examined, too, if a run in it may be a copy.
func (l *Session) duplicates(ctx context.Context, pool *worker.Pool, list []*bearer) error {
	if len(list) > 0 && l.partial() {
		others, err := l.others(ctx, pool, list)
		if err != nil {
			return err
		}
		list = append(list, others...)
	}
	slices.SortFunc(list, func(a, b *bearer) int { return discover.ComparePaths(a.Root, b.Root) })
	type run struct{ plugin, identity string }
	same := map[run][]*bearer{}
	for _, b := range list {
		same[run{b.Plugin, b.identity}] = append(same[run{b.Plugin, b.identity}], b)
	}
	for _, copies := range same {
		if len(copies) > 1 {
			l.duplicate(copies)
		}
	}
	return nil
}

// partial reports whether there may be instances that the look is not at.
func (l *Session) partial() bool {
	return l.Options.Changed || len(l.Anchor.Only) != 1 || l.Anchor.Only[0] != "."
}

// duplicate reports the copies of a run, sorted by path, but for the one that stays: the first that is not new. If no
// other is part of the look, it is reported itself.
func (l *Session) duplicate(copies []*bearer) {
	stays := max(0, slices.IndexFunc(copies, func(b *bearer) bool { return !b.isNew }))
	reported := false
	for i, b := range copies {
		if i != stays && b.asked {
			l.reportDuplicate(b, copies[stays])
			reported = true
		}
	}
	if b := copies[stays]; !reported && b.asked && b.mayDouble {
		l.reportDuplicate(b, copies[(stays+1)%len(copies)])
	}
}

func (l *Session) reportDuplicate(b, other *bearer) {
	noun := l.Parties[b.Plugin].Manifest.Identity
	d := hostFinding(b.Plugin, wire.RuleDuplicate, wire.Error, b.Root,
		fmt.Sprintf("this is the %s %q, and so is %s: keep one of the two directories, or make this one a %s of its own", noun, b.identity, other.Root, noun))
	d.Related = []result.Related{{Place: result.Place{Path: other.Root}, Message: "the same " + noun}}
	at := slices.IndexFunc(l.result.Instances, func(i result.Instance) bool { return i.Plugin == b.Plugin && i.Root == b.Root })
	if at >= 0 {
		l.result.Instances[at].Diagnostics = append(l.result.Instances[at].Diagnostics, d)
	}
}

// others examines the instances that the look is not at, of plugins of which it has a run that may be a copy.
func (l *Session) others(ctx context.Context, pool *worker.Pool, list []*bearer) (others []*bearer, err error) {
	known, wanted := map[discover.Instance]bool{}, map[string]bool{}
	for _, b := range list {
		known[b.Instance] = true
		wanted[b.Plugin] = wanted[b.Plugin] || b.mayDouble
	}
	q := discover.Query{Tree: l.tree, Ignores: l.rules, Exclude: l.Options.Exclude}
	for _, p := range l.roots() {
		if wanted[p.Name] {
			q.Plugins = append(q.Plugins, p)
		}
	}
	if len(q.Plugins) == 0 {
		return nil, nil
	}
	found, err := discover.Find(ctx, q)
	if err != nil {
		return nil, err
	}
	var lock sync.Mutex
	rest := slices.DeleteFunc(found.Instances, func(i discover.Instance) bool { return known[i] })
	l.each(rest, func(i discover.Instance) {
		b, err := l.bearer(ctx, pool, i)
		lock.Lock()
		defer lock.Unlock()
		if err != nil {
			l.result.Notices = append(l.result.Notices, fmt.Sprintf("%s could not be examined, so it is unknown whether it is also the %s of another directory: %v", i.Root, l.Parties[i.Plugin].Manifest.Identity, err))
		} else if b.identity != "" {
			others = append(others, b)
		}
	})
	return others, nil
}

// bearer asks an instance for its identity and nothing else.
func (l *Session) bearer(ctx context.Context, pool *worker.Pool, i discover.Instance) (*bearer, error) {
	p := l.Parties[i.Plugin]
	now, err := l.collector.Read(ctx, p.specs, i.Root)
	if err != nil {
		return nil, err
	}
	views, err := l.views(ctx, p, now)
	if err != nil {
		return nil, err
	}
	reply, err := l.verdict(ctx, pool, views[0], &examination{})
	if err != nil {
		return nil, err
	}
	return newBearer(i, reply.Identity, views), nil
}

// bears returns the bearer that an instance of the look is, nil if it does not say which run it is.
func (l *Session) bears(ctx context.Context, pool *worker.Pool, i discover.Instance, identity string, views []*view) *bearer {
	if identity == "" {
		return nil
	}
	b := newBearer(i, identity, views)
	b.asked = true
	b.mayDouble = b.mayDouble || l.partial() && l.renamed(ctx, pool, identity, views[0])
	return b
}

// renamed reports whether an instance that the base has says that it is another run now.
func (l *Session) renamed(ctx context.Context, pool *worker.Pool, identity string, v *view) bool {
	if v.Past.Unchanged(v.Now) {
		return false
	}
	reply, err := l.alone(ctx, pool, v.Party, &v.Past.Instance)
	return err == nil && reply.Identity != identity
}
