package check

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/sdk/wire"
)

// A runID is the run that a state directory says it is.
type runID struct{ plugin, identity string }

// An identity is which run a state directory says it is, and what is known of copies of it.
type identity struct {
	discover.Instance
	id      runID
	isNew   bool // there is a base, and no base has it
	inScope bool // it is part of the check
	mayCopy bool // and the change, or its first check, may have made it a copy of another one
}

func newIdentity(i discover.Instance, name string, run *Run) *identity {
	d := &identity{Instance: i, id: runID{i.Plugin, name}, isNew: true}
	for _, p := range run.pairs {
		d.isNew = d.isNew && p.Past.State == wire.BaseNew
		d.mayCopy = d.mayCopy || p.Past.State != wire.BaseAt
	}
	return d
}

// copies finds runs that are kept in two places.
type copies struct {
	*reader
	examiner *examiner
	scope    *scope
}

// identityOf returns what a checked state directory says it is, nil if it does not.
func (c *copies) identityOf(ctx context.Context, run *Run, name string, touched bool) *identity {
	if name == "" {
		return nil
	}
	d := newIdentity(discover.Instance{Plugin: run.Plugin.Name, Root: run.Now.Root}, name, run)
	d.inScope = !c.scope.changed || touched
	d.mayCopy = d.mayCopy || c.scope.partial() && c.renamed(ctx, name, run)
	return d
}

// renamed reports whether a state directory that the base has says that it is another run now.
func (c *copies) renamed(ctx context.Context, name string, run *Run) bool {
	was := run.Past()
	if was.Unchanged(run.Now) {
		return false
	}
	v, err := c.examiner.alone(ctx, run.Plugin, was)
	return err == nil && v.Identity != name
}

// identify asks a state directory that is not part of the check for its identity and nothing else.
func (c *copies) identify(ctx context.Context, i discover.Instance) (*identity, error) {
	run, err := c.read(ctx, i)
	if err != nil {
		return nil, err
	}
	v, err := c.examiner.examine(ctx, run.pairs[0])
	if err != nil {
		return nil, err
	}
	return newIdentity(i, v.Identity, run), nil
}

// report reports runs that are kept in two places. If only some PATHs are checked, the other places are examined, too,
// if a run that is checked may be a copy.
func (c *copies) report(ctx context.Context, outcomes []Outcome, r *result.Result) error {
	var list []*identity
	for _, o := range outcomes {
		if o.identity != nil {
			list = append(list, o.identity)
		}
	}
	if len(list) > 0 && !c.scope.IsWhole() {
		others, notices, err := c.identifyOthers(ctx, list)
		if err != nil {
			return err
		}
		list, r.Notices = append(list, others...), append(r.Notices, notices...)
	}
	for _, d := range duplicates(list) {
		noun := c.plugins[d.copy.Plugin].Manifest.Identity
		for n := range r.Instances {
			if i := &r.Instances[n]; i.Plugin == d.copy.Plugin && i.Root == d.copy.Root {
				i.Diagnostics = append(i.Diagnostics, d.finding(noun))
				break
			}
		}
	}
	return nil
}

// A duplicate is a run that is kept in another place, too.
type duplicate struct{ copy, other *identity }

func (d duplicate) finding(noun string) result.Diagnostic {
	f := hostFinding(d.copy.Plugin, wire.RuleDuplicate, wire.Error, d.copy.Root,
		fmt.Sprintf("this is the %s %q, and so is %s: keep one of the two directories, or make this one a %s of its "+
			"own", noun, d.copy.id.identity, d.other.Root, noun))
	f.Related = []result.Related{{Place: result.Place{Path: d.other.Root}, Message: "the same " + noun}}
	return f
}

// duplicates returns the copies of each run except the one that stays: the first by path that is not new. If no other
// copy is part of the check, that one is reported itself.
func duplicates(list []*identity) (found []duplicate) {
	slices.SortFunc(list, func(a, b *identity) int { return discover.ComparePaths(a.Root, b.Root) })
	same := map[runID][]*identity{}
	for _, d := range list {
		same[d.id] = append(same[d.id], d)
	}
	for _, all := range same {
		if len(all) == 1 {
			continue
		}
		stays := max(0, slices.IndexFunc(all, func(d *identity) bool { return !d.isNew }))
		reported := false
		for i, d := range all {
			if i != stays && d.inScope {
				found = append(found, duplicate{d, all[stays]})
				reported = true
			}
		}
		if d := all[stays]; !reported && d.inScope && d.mayCopy {
			found = append(found, duplicate{d, all[(stays+1)%len(all)]})
		}
	}
	return found
}

// identifyOthers examines the state directories that are not checked, of plugins with a checked run that may be a
// copy.
func (c *copies) identifyOthers(ctx context.Context, list []*identity) (others []*identity, notices []string,
	err error) {
	known, wanted := map[discover.Instance]bool{}, map[string]bool{}
	for _, d := range list {
		known[d.Instance] = true
		wanted[d.Plugin] = wanted[d.Plugin] || d.mayCopy
	}
	q := c.scope.query()
	q.Only = nil
	q.Plugins = slices.DeleteFunc(q.Plugins, func(p discover.Plugin) bool { return !wanted[p.Name] })
	if len(q.Plugins) == 0 {
		return nil, nil, nil
	}
	found, err := c.source.Find(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	var lock sync.Mutex
	rest := slices.DeleteFunc(found.Instances, func(i discover.Instance) bool { return known[i] })
	each(c.examiner.jobs, rest, func(i discover.Instance) {
		d, err := c.identify(ctx, i)
		lock.Lock()
		defer lock.Unlock()
		if err != nil {
			notices = append(notices, fmt.Sprintf("%s could not be examined, so it is unknown whether it is also the "+
				"%s of another directory: %v", i.Root, c.plugins[i.Plugin].Manifest.Identity, err))
		} else if d.id.identity != "" {
			others = append(others, d)
		}
	})
	return others, notices, nil
}
