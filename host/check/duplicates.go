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

// An identified is a state directory that says which run it is.
type identified struct {
	discover.Instance
	id      runID
	isNew   bool // there is a base, and no base has it
	inScope bool // it is part of the check
	mayCopy bool // and the change, or its first check, may have made it a copy of another one
}

func newIdentified(i discover.Instance, identity string, list []*comparison) *identified {
	run := &identified{Instance: i, id: runID{i.Plugin, identity}, isNew: true}
	for _, c := range list {
		run.isNew = run.isNew && c.Past.State == wire.BaseNew
		run.mayCopy = run.mayCopy || c.Past.State != wire.BaseAt
	}
	return run
}

// duplicates reports runs that are kept in two places. Where not everything is checked, the other places are
// examined, too, if a run that is checked may be a copy.
func (s *Session) duplicates(ctx context.Context, list []*identified) error {
	if len(list) > 0 && s.partial() {
		others, err := s.others(ctx, list)
		if err != nil {
			return err
		}
		list = append(list, others...)
	}
	slices.SortFunc(list, func(a, b *identified) int { return discover.ComparePaths(a.Root, b.Root) })
	same := map[runID][]*identified{}
	for _, run := range list {
		same[run.id] = append(same[run.id], run)
	}
	for _, copies := range same {
		if len(copies) > 1 {
			s.duplicate(copies)
		}
	}
	return nil
}

// partial reports whether there may be state directories that are not checked.
func (s *Session) partial() bool { return s.Options.Changed || !s.Workspace.IsWhole() }

// duplicate reports the copies of a run, sorted by path, but for the one that stays: the first that is not new. If no
// other is part of the check, it is reported itself.
func (s *Session) duplicate(copies []*identified) {
	stays := max(0, slices.IndexFunc(copies, func(run *identified) bool { return !run.isNew }))
	reported := false
	for i, run := range copies {
		if i != stays && run.inScope {
			s.reportDuplicate(run, copies[stays])
			reported = true
		}
	}
	if run := copies[stays]; !reported && run.inScope && run.mayCopy {
		s.reportDuplicate(run, copies[(stays+1)%len(copies)])
	}
}

func (s *Session) reportDuplicate(run, other *identified) {
	noun := s.Plugins[run.Plugin].Manifest.Identity
	d := hostFinding(run.Plugin, wire.RuleDuplicate, wire.Error, run.Root,
		fmt.Sprintf("this is the %s %q, and so is %s: keep one of the two directories, or make this one a %s of its own", noun, run.id.identity, other.Root, noun))
	d.Related = []result.Related{{Place: result.Place{Path: other.Root}, Message: "the same " + noun}}
	for n := range s.result.Instances {
		if i := &s.result.Instances[n]; i.Plugin == run.Plugin && i.Root == run.Root {
			i.Diagnostics = append(i.Diagnostics, d)
			return
		}
	}
}

// others examines the state directories that are not checked, of plugins of which a run that is checked may be a copy.
func (s *Session) others(ctx context.Context, list []*identified) (others []*identified, err error) {
	known, wanted := map[discover.Instance]bool{}, map[string]bool{}
	for _, run := range list {
		known[run.Instance] = true
		wanted[run.Plugin] = wanted[run.Plugin] || run.mayCopy
	}
	q := s.query(s.tree)
	q.Only, q.Ignores = nil, s.rules
	q.Plugins = slices.DeleteFunc(q.Plugins, func(p discover.Plugin) bool { return !wanted[p.Name] })
	if len(q.Plugins) == 0 {
		return nil, nil
	}
	found, err := discover.Find(ctx, q)
	if err != nil {
		return nil, err
	}
	var lock sync.Mutex
	rest := slices.DeleteFunc(found.Instances, func(i discover.Instance) bool { return known[i] })
	s.each(rest, func(i discover.Instance) {
		run, err := s.identify(ctx, i)
		lock.Lock()
		defer lock.Unlock()
		if err != nil {
			s.note(fmt.Sprintf("%s could not be examined, so it is unknown whether it is also the %s of another directory: %v", i.Root, s.Plugins[i.Plugin].Manifest.Identity, err))
		} else if run.id.identity != "" {
			others = append(others, run)
		}
	})
	return others, nil
}

// identify asks a state directory for its identity and nothing else.
func (s *Session) identify(ctx context.Context, i discover.Instance) (*identified, error) {
	p := s.Plugins[i.Plugin]
	now, err := s.collector.Read(ctx, p.specs, i.Root)
	if err != nil {
		return nil, err
	}
	list, err := s.comparisons(ctx, p, now)
	if err != nil {
		return nil, err
	}
	reply, err := s.verdict(ctx, list[0])
	if err != nil {
		return nil, err
	}
	return newIdentified(i, reply.Identity, list), nil
}

// identified returns what a checked state directory says it is, nil if it does not.
func (s *Session) identified(ctx context.Context, i discover.Instance, identity string, list []*comparison) *identified {
	if identity == "" {
		return nil
	}
	run := newIdentified(i, identity, list)
	run.inScope = true
	run.mayCopy = run.mayCopy || s.partial() && s.renamed(ctx, identity, list[0])
	return run
}

// renamed reports whether a state directory that the base has says that it is another run now.
func (s *Session) renamed(ctx context.Context, identity string, c *comparison) bool {
	if c.Past.Unchanged(c.Now) {
		return false
	}
	reply, err := s.alone(ctx, c.ActivePlugin, &c.Past.Instance)
	return err == nil && reply.Identity != identity
}
