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

// A runID identifies a run by what its state directory contains, not by its path.
type runID struct{ plugin, identity string }

// An identity is the run that a state directory claims to be, with facts that distinguish a copy from the original.
type identity struct {
	discover.Instance
	id      runID
	isNew   bool // there is a base, but no base has it
	inScope bool // it is part of the check
	mayCopy bool // the change, or the run's first check, may have made it a copy of another run
	goesOn  bool // it can be continued
}

func newIdentity(i discover.Instance, name string, run *Run) *identity {
	d := &identity{Instance: i, id: runID{i.Plugin, name}, isNew: true}
	for _, p := range run.pairs {
		d.isNew = d.isNew && p.Past.State == wire.BaseNew
		d.mayCopy = d.mayCopy || p.Past.State != wire.BaseAt
	}
	return d
}

// copies finds runs that exist in two directories.
type copies struct {
	*reader
	examiner *examiner
	scope    *scope
}

// identityOf returns the identity of a checked state directory, or nil if name is empty.
func (c *copies) identityOf(ctx context.Context, run *Run, name string, touched bool) *identity {
	if name == "" {
		return nil
	}
	d := newIdentity(discover.Instance{Plugin: run.Plugin.Name, Root: run.Now.Root}, name, run)
	d.inScope = !c.scope.changed || touched
	d.mayCopy = d.mayCopy || c.scope.partial() && c.renamed(ctx, name, run)
	return d
}

// renamed reports whether a state directory had another identity in the base.
func (c *copies) renamed(ctx context.Context, name string, run *Run) bool {
	was := run.Past()
	if was.Unchanged(run.Now) {
		return false
	}
	v, err := c.examiner.alone(ctx, run.Plugin, was)
	return err == nil && v.Identity != name
}

// identify examines a state directory outside the check, only to learn its identity.
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

// report reports runs that exist in two directories. If only some PATHs are checked and one of their runs may be a
// copy, it also examines the state directories outside them.
func (c *copies) report(ctx context.Context, outcomes []Outcome, r *result.Result) error {
	var list []*identity
	for _, o := range outcomes {
		if d := o.identity; d != nil {
			d.goesOn = o.Result != nil && slices.ContainsFunc(o.Result.Runs(), result.Run.InProgress)
			list = append(list, d)
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

// A duplicate is a run with the same identity as another run.
type duplicate struct{ copy, other *identity }

func (d duplicate) finding(noun string) result.Diagnostic {
	f := hostFinding(d.copy.Plugin, wire.RuleDuplicate, wire.Error, d.copy.Root,
		fmt.Sprintf("this is the %s %q, and %s is too: keep one of the two directories, or make this one a %s of its "+
			"own", noun, d.copy.id.identity, d.other.Root, noun))
	f.Related = []result.Related{{Place: result.Place{Path: d.other.Root}, Message: "the same " + noun}}
	f.Remedies = []result.Remedy{f.ByHand("Keep one of the two directories", "Compare "+d.other.Root+" with "+
		d.copy.Root+". Copy what only one of them has to the one that you keep, and delete the other.")}
	return f
}

// duplicates returns every run's copies. The original is the first run by path that is not new. If the check covers
// only the original, duplicates returns the original instead. It also does if only the original can be continued,
// because a session that resumes it must see the finding.
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
		if d := all[stays]; d.goesOn && d.inScope {
			over := func(d *identity) bool { return !d.goesOn && d.inScope }
			if n := slices.IndexFunc(all, over); n >= 0 {
				stays = n
			}
		}
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

// identifyOthers examines the state directories outside the check, for each plugin with a checked run that may be a
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
