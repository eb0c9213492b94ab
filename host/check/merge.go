package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// openMergeBases prepares what the two bases come from, if they are the parents of one merge. It is looked up when
// something stands against one of them only.
func (s *Session) openMergeBases(ctx context.Context) {
	origins := len(s.Options.Bases)
	if s.Options.Predecessors {
		origins++
	}
	if len(s.bases) != 2 || origins != 1 {
		return
	}
	s.mergeBases = sync.OnceValues(func() (list []base, err error) {
		ids, err := s.Workspace.Repo.MergeBases(ctx, s.bases[0].id, s.bases[1].id)
		for _, id := range ids {
			list = append(list, s.newBase(ctx, id))
		}
		return list, err
	})
	if s.changes != nil {
		s.mergedIn = sync.OnceValues(func() ([]git.Change, error) { return s.compare(ctx, s.bases[1].id) })
	}
}

// dropped returns what a merge does to one side without the other: findings that stand against one of two parents only,
// and that the other parent does not have against any merge base. There they would be what that side did on purpose.
func (s *Session) dropped(ctx context.Context, list []*comparison, replies []*exchange.Reply) (lost []finding.Finding) {
	if s.mergeBases == nil || len(list) != 2 {
		return nil
	}
	for k := range list {
		here, other := list[k], list[1-k]
		alone := s.transitions(ctx, here, onlyIn(replies[k].Findings, replies[1-k].Findings))
		if len(alone) == 0 {
			continue
		}
		has, parted := s.doneBy(ctx, s.bases[1-k], other, here.Past)
		if parted == "" {
			continue
		}
		for _, f := range alone {
			if has[keyOf(&f)] {
				continue
			}
			f.Severity = wire.Warning
			f.Message += fmt.Sprintf("; the merge does this: it is so against its parent %.12s, and the other "+
				"parent, %.12s, does not show it since they parted at %.12s",
				s.bases[k].id, s.bases[1-k].id, parted)
			f.Remedies = slices.Clone(f.Remedies)
			for n := range f.Remedies {
				f.Remedies[n].Safety = min(f.Remedies[n].Safety, wire.Review)
			}
			lost = append(lost, f)
		}
	}
	return lost
}

// overruled reports whether a merge, which has a state directory as one parent does, leaves out what the other one has
// changed in it.
func (s *Session) overruled(ctx context.Context, list []*comparison, same int) bool {
	if s.mergeBases == nil || len(list) != 2 {
		return false
	}
	parents, err := s.mergeBases()
	other := list[1-same]
	return err == nil && len(parents) > 0 && !slices.ContainsFunc(parents, func(b base) bool {
		was, err := s.read(ctx, b, other.ActivePlugin, nil, other.Now.Root)
		return err != nil || (was.State == wire.BaseAt) == (other.Past.State == wire.BaseAt) &&
			was.Digest == other.Past.Digest
	})
}

// onlyIn returns the findings that count of list which others lack.
func onlyIn(list, others []finding.Finding) (alone []finding.Finding) {
	has := map[findingKey]int{}
	for i := range others {
		has[keyOf(&others[i])]++
	}
	for _, f := range list {
		if k := keyOf(&f); has[k] > 0 {
			has[k]--
		} else if f.Severity >= wire.Warning {
			alone = append(alone, f)
		}
	}
	return alone
}

// transitions keeps the findings that there would not be without a base. Rules may also be milder about what is new.
func (s *Session) transitions(ctx context.Context, c *comparison, list []finding.Finding) []finding.Finding {
	if len(list) == 0 {
		return nil
	}
	without := *c
	without.Past, without.answers, without.then = &statefiles.Past{State: wire.BaseNone}, nil, nil
	reply, err := s.verdict(ctx, &without)
	if err != nil {
		return nil
	}
	return onlyIn(list, reply.Findings)
}

// doneBy returns what is found of a run in one parent of a merge against every merge base, and the first of these; ""
// if that is not known, or if that side removed the run. known is what the other parent has of the run.
func (s *Session) doneBy(ctx context.Context, side base, c *comparison,
	known *statefiles.Past) (has map[findingKey]bool, parted string) {
	parents, err := s.mergeBases()
	if err != nil || len(parents) == 0 {
		return nil, ""
	}
	ours, err := s.sameRun(ctx, side, c.ActivePlugin, c.Past.Root, known)
	if err != nil {
		return nil, ""
	}
	has = map[findingKey]bool{}
	for _, b := range parents {
		was, err := s.sameRun(ctx, b, c.ActivePlugin, cmp.Or(ours.Root, known.Root), known)
		if err != nil || ours.State != wire.BaseAt && was.State == wire.BaseAt {
			return nil, ""
		}
		if ours.State != wire.BaseAt {
			continue
		}
		reply, err := s.against(ctx, c.ActivePlugin, ours, was)
		if err != nil || reply.Failure != "" || len(reply.RuleFailures) > 0 {
			return nil, ""
		}
		for i := range reply.Findings {
			has[keyOf(&reply.Findings[i])] = true
		}
	}
	return has, parents[0].id
}

// against has a run of one commit examined beside what an earlier one has of it.
func (s *Session) against(ctx context.Context, p *ActivePlugin, now, was *statefiles.Past) (*exchange.Reply, error) {
	ignored, err := s.ignoredGlobs(p, now.Root)
	if err != nil {
		return nil, err
	}
	return s.verdict(ctx, &comparison{ActivePlugin: p, Now: &now.Instance, Past: was, source: wire.Commit,
		ignored: ignored, presence: s.witness(ctx, now.Tree)})
}

// sameRun returns what a commit has at a root, or where another commit has the same run, or in a state directory that
// the latter lacks and that holds the same documents.
func (s *Session) sameRun(ctx context.Context, b base, p *ActivePlugin, root string,
	like *statefiles.Past) (past *statefiles.Past, err error) {
	for _, at := range []string{cmp.Or(root, like.Root), like.Root} {
		if past, err = s.read(ctx, b, p, nil, at); err != nil || past.State == wire.BaseAt {
			return past, err
		}
	}
	runs, err := b.runs()
	if err != nil {
		return nil, err
	}
	for _, i := range runs {
		if i.Plugin != p.Name || holdsRun(like.Tree, i.Root) {
			continue
		}
		other, err := s.read(ctx, b, p, nil, i.Root)
		if err == nil && other.State == wire.BaseAt && like.Likeness(&other.Instance).Moved(like.Root, i.Root) {
			return other, nil
		}
	}
	return past, nil
}

// holdsRun reports whether a commit has anything at the root of a state directory.
func holdsRun(t *tree.Listed, root string) bool { return t != nil && t.Holds(root) }

// droppedRun says that a merge drops a run which one parent has made since the two parted; "" if the other one, which
// lacks it, has removed or moved it, or if that is not known.
func (s *Session) droppedRun(ctx context.Context, other base, p *ActivePlugin, was *statefiles.Past) string {
	if s.mergeBases == nil {
		return ""
	}
	parents, err := s.mergeBases()
	if err != nil || len(parents) == 0 {
		return ""
	}
	for _, b := range append(slices.Clone(parents), other) {
		if past, err := s.sameRun(ctx, b, p, was.Root, was); err != nil || past.State == wire.BaseAt {
			return ""
		}
	}
	return fmt.Sprintf("; the merge does this: the other parent, %.12s, has not removed it since they parted at %.12s",
		other.id, parents[0].id)
}
