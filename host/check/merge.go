package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// merges finds what a merge silently undoes on one of its sides.
type merges struct {
	bases    *bases
	examiner *examiner
	scope    *scope
}

// dropped returns the findings that exist against only one of two parents, because the merge undoes what that parent
// did. If the other parent has the same finding against a merge base, it intended the change, and dropped omits the
// finding, except for a document that the other parent removed and the first parent has changed meanwhile. brought
// are the omitted errors, by the id of the first parent. dropped fails if a merge base cannot be read.
func (m *merges) dropped(ctx context.Context, run *Run, verdicts []verdict) (dropped []finding.Finding,
	brought map[string][]finding.Finding, err error) {
	if m.bases.parted == nil || len(run.pairs) != 2 {
		return nil, nil, nil
	}
	brought = map[string][]finding.Finding{}
	for k := range run.pairs {
		here, other := run.pairs[k], run.pairs[1-k]
		alone, err := m.transitions(ctx, here, onlyIn(verdicts[k].Findings, verdicts[1-k].Findings))
		if err != nil {
			return nil, nil, err
		}
		if len(alone) == 0 {
			continue
		}
		has, parted, err := m.doneBy(ctx, m.bases.list[1-k], other, here.Past)
		if err != nil {
			return nil, nil, err
		}
		if parted == "" {
			continue
		}
		for _, f := range alone {
			lost, why := gone(f.Range.Path, here), "has it, and parent %.12s has not changed it since %.12s"
			if has[keyOf(&f)] {
				edited := false
				if lost {
					if edited, err = m.edited(ctx, here, f.Range.Path); err != nil {
						return nil, nil, err
					}
				}
				if !edited {
					if f.Severity == wire.Error {
						brought[m.bases.list[k].ID()] = append(brought[m.bases.list[k].ID()], f)
					}
					continue
				}
				why = "has changed it, and parent %.12s has removed it since %.12s"
			}
			if !lost || has[keyOf(&f)] {
				f.Severity = min(f.Severity, wire.Warning)
			}
			f.Message += fmt.Sprintf("; the merge loses it: parent %.12s "+why, m.bases.list[k].ID(),
				m.bases.list[1-k].ID(), parted)
			f.Remedies = slices.Clone(f.Remedies)
			for n := range f.Remedies {
				f.Remedies[n].Safety = min(f.Remedies[n].Safety, wire.Review)
			}
			dropped = append(dropped, f)
		}
	}
	return dropped, brought, nil
}

// countBrought counts the errors that one side brings into a merge. They are counted like errors that a change does
// not touch, because that side may never have been checked.
func countBrought(c *Checker, r *result.Result, outcomes []Outcome) {
	for _, o := range outcomes {
		for id, found := range o.brought {
			side := &result.Result{Instances: []result.Instance{
				*newInstance(o.run.Plugin, o.Root, &exchange.Reply{Findings: found})}}
			c.Options.Policy.Apply(side, c.Plugins.rules, c.Options.Now)
			result.Pass(r, &side.Instances[0], id)
		}
	}
}

// gone reports whether the merge lacks one of the parent's documents. Only a finding about such a document stays an
// error, unless the other parent removed the document. Other findings are warnings, because the merge had to choose
// one of two values.
func gone(path string, p *pair) bool {
	named := func(f snapshot.File) bool { return f.Path == path }
	return slices.ContainsFunc(p.Past.Files, named) && !slices.ContainsFunc(p.Now.Files, named)
}

// edited reports whether a parent has changed one of its documents since every merge base.
func (m *merges) edited(ctx context.Context, p *pair, path string) (bool, error) {
	parents, err := m.bases.parted()
	if err != nil {
		return false, err
	}
	for _, parent := range parents {
		was, err := m.sameRun(ctx, parent, p.ActivePlugin, p.Past.Root, p.Past)
		if err != nil || was.State != wire.BaseAt {
			return false, err
		}
		if changed, _ := was.Changed(&p.Past.Instance); !slices.Contains(changed, path) {
			return false, nil
		}
	}
	return true, nil
}

// overruled reports whether a merge result that equals one parent's run discards the other parent's changes to it, or
// may discard them because a merge base cannot be read.
func (b *bases) overruled(ctx context.Context, run *Run, same int) bool {
	if b.parted == nil || len(run.pairs) != 2 {
		return false
	}
	parents, err := b.parted()
	other := run.pairs[1-same]
	return err != nil || len(parents) > 0 && !slices.ContainsFunc(parents, func(parent *source.Commit) bool {
		was, err := parent.Past(ctx, other.specs, nil, other.Now.Root)
		return err == nil && (was.State == wire.BaseAt) == (other.Past.State == wire.BaseAt) &&
			was.Digest == other.Past.Digest
	})
}

// onlyIn returns the errors and warnings in list that others lack.
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

// transitions keeps the findings that exist only in comparison with a base. It also considers severity, because a
// rule may be less severe about new content.
func (m *merges) transitions(ctx context.Context, p *pair, list []finding.Finding) ([]finding.Finding, error) {
	if len(list) == 0 {
		return nil, nil
	}
	without := *p
	without.Past, without.wasPresent = nothing(), nil
	v, err := m.examiner.examine(ctx, &without)
	if err != nil {
		return nil, err
	}
	return onlyIn(list, v.Findings), nil
}

// doneBy returns the findings that one parent's run has against every merge base, and the id of the first merge base.
// The id is "" if there is no merge base, or if that side removed the run. known is the other parent's version of the
// run.
func (m *merges) doneBy(ctx context.Context, side *source.Base, p *pair,
	known *statefiles.Past) (has map[findingKey]bool, parted string, err error) {
	parents, err := m.bases.parted()
	if err != nil || len(parents) == 0 {
		return nil, "", err
	}
	ours, err := m.sameRun(ctx, side.Commit, p.ActivePlugin, p.Past.Root, known)
	if err != nil {
		return nil, "", err
	}
	has = map[findingKey]bool{}
	for _, parent := range parents {
		was, err := m.sameRun(ctx, parent, p.ActivePlugin, cmp.Or(ours.Root, known.Root), known)
		if err != nil || ours.State != wire.BaseAt && was.State == wire.BaseAt {
			return nil, "", err
		}
		if ours.State != wire.BaseAt {
			continue
		}
		v, err := m.examiner.against(ctx, p.ActivePlugin, earlier{ours, side.Commit}, earlier{was, parent})
		if err != nil {
			return nil, "", err
		}
		for _, why := range append(ruleFailures(v.RuleFailures), v.Failure) {
			if why != "" {
				return nil, "", fault.Newf(fault.Rule, "comparing commit %.12s with %.12s: %s", side.ID(),
					parent.ID(), why)
			}
		}
		for i := range v.Findings {
			has[keyOf(&v.Findings[i])] = true
		}
	}
	return has, parents[0].ID(), nil
}

// sameRun returns a commit's version of the run that like describes: at root, at like's root, or in a state directory
// that like's commit lacks and that contains the same documents.
func (m *merges) sameRun(ctx context.Context, commit *source.Commit, p *ActivePlugin, root string,
	like *statefiles.Past) (past *statefiles.Past, err error) {
	for _, at := range []string{cmp.Or(root, like.Root), like.Root} {
		if past, err = commit.Past(ctx, p.specs, nil, at); err != nil || past.State == wire.BaseAt {
			return past, err
		}
	}
	q := m.scope.query()
	q.Only = []string{"."}
	runs, err := m.bases.runsIn(ctx, commit, q)
	if err != nil {
		return nil, err
	}
	for _, i := range runs {
		if i.Plugin != p.Name || like.Tree != nil && like.Tree.Holds(i.Root) {
			continue
		}
		other, err := commit.Past(ctx, p.specs, nil, i.Root)
		if err == nil && other.State == wire.BaseAt && like.Likeness(&other.Instance).Moved(like.Root, i.Root) {
			return other, nil
		}
	}
	return past, nil
}

// droppedRun returns the explanation that a merge drops a run that one parent has changed or added since the merge
// base. It returns "" if the other parent moved the run, or removed it unchanged, or if there is no merge base. It
// fails if the merge base or a version of the run cannot be read.
func (m *merges) droppedRun(ctx context.Context, other *source.Base, p *ActivePlugin,
	was *statefiles.Past) (why string, err error) {
	if m.bases.parted == nil {
		return "", nil
	}
	parents, err := m.bases.parted()
	if err != nil || len(parents) == 0 {
		return "", err
	}
	if past, err := m.sameRun(ctx, other.Commit, p, was.Root, was); err != nil || past.State == wire.BaseAt {
		return "", err
	}
	id := other.ID()
	why = fmt.Sprintf("parent %.12s has not removed it", id)
	for _, commit := range parents {
		past, err := m.sameRun(ctx, commit, p, was.Root, was)
		if err != nil {
			return "", err
		}
		if past.State == wire.BaseAt {
			if changed, _ := past.Changed(&was.Instance); len(changed) == 0 {
				return "", nil
			}
			why = fmt.Sprintf("parent %.12s has changed it, and parent %.12s has removed it", was.Tree.ID, id)
		}
	}
	return fmt.Sprintf("; the merge loses it: %s since %.12s", why, parents[0].ID()), nil
}
