package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// merges tells what a merge does to one side without the other.
type merges struct {
	bases    *bases
	examiner *examiner
	scope    *scope
}

// dropped returns what a merge does to one side without the other: findings that stand against one of two
// parents only, and that the other parent does not have against any merge base. On that side they would be intentional.
func (m *merges) dropped(ctx context.Context, run *Run, verdicts []verdict) (dropped []finding.Finding) {
	if m.bases.parted == nil || len(run.pairs) != 2 {
		return nil
	}
	for k := range run.pairs {
		here, other := run.pairs[k], run.pairs[1-k]
		alone := m.transitions(ctx, here, onlyIn(verdicts[k].Findings, verdicts[1-k].Findings))
		if len(alone) == 0 {
			continue
		}
		has, parted := m.doneBy(ctx, m.bases.list[1-k], other, here.Past)
		if parted == "" {
			continue
		}
		for _, f := range alone {
			if has[keyOf(&f)] {
				continue
			}
			if !gone(f.Range.Path, here) {
				f.Severity = min(f.Severity, wire.Warning)
			}
			f.Message += fmt.Sprintf("; the merge loses it: parent %.12s has it, and parent %.12s has not "+
				"changed it since %.12s", m.bases.list[k].ID(), m.bases.list[1-k].ID(), parted)
			f.Remedies = slices.Clone(f.Remedies)
			for n := range f.Remedies {
				f.Remedies[n].Safety = min(f.Remedies[n].Safety, wire.Review)
			}
			dropped = append(dropped, f)
		}
	}
	return dropped
}

// gone reports whether the merge lacks a document of the parent. Other findings are warnings, because choosing one of
// two values settles them; no choice settles a missing document.
func gone(path string, p *pair) bool {
	named := func(f snapshot.File) bool { return f.Path == path }
	return slices.ContainsFunc(p.Past.Files, named) && !slices.ContainsFunc(p.Now.Files, named)
}

// overruled reports whether a merge, which has a run as one parent does, leaves out what the other one has changed in
// it.
func (b *bases) overruled(ctx context.Context, run *Run, same int) bool {
	if b.parted == nil || len(run.pairs) != 2 {
		return false
	}
	parents, err := b.parted()
	other := run.pairs[1-same]
	return err == nil && len(parents) > 0 && !slices.ContainsFunc(parents, func(parent *source.Commit) bool {
		was, err := parent.Past(ctx, other.specs, nil, other.Now.Root)
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

// transitions keeps the findings that exist only because of a base. Rules may also be less severe about new content.
func (m *merges) transitions(ctx context.Context, p *pair, list []finding.Finding) []finding.Finding {
	if len(list) == 0 {
		return nil
	}
	without := *p
	without.Past, without.wasPresent = nothing(), nil
	v, err := m.examiner.examine(ctx, &without)
	if err != nil {
		return nil
	}
	return onlyIn(list, v.Findings)
}

// doneBy returns what is found of a run in one parent of a merge against every merge base, and the first of these; ""
// if that is not known, or if that side removed the run. known is what the other parent has of the run.
func (m *merges) doneBy(ctx context.Context, side *source.Base, p *pair,
	known *statefiles.Past) (has map[findingKey]bool, parted string) {
	parents, err := m.bases.parted()
	if err != nil || len(parents) == 0 {
		return nil, ""
	}
	ours, err := m.sameRun(ctx, side.Commit, p.ActivePlugin, p.Past.Root, known)
	if err != nil {
		return nil, ""
	}
	has = map[findingKey]bool{}
	for _, parent := range parents {
		was, err := m.sameRun(ctx, parent, p.ActivePlugin, cmp.Or(ours.Root, known.Root), known)
		if err != nil || ours.State != wire.BaseAt && was.State == wire.BaseAt {
			return nil, ""
		}
		if ours.State != wire.BaseAt {
			continue
		}
		v, err := m.examiner.against(ctx, p.ActivePlugin, earlier{ours, side.Commit}, earlier{was, parent})
		if err != nil || v.Failure != "" || len(v.RuleFailures) > 0 {
			return nil, ""
		}
		for i := range v.Findings {
			has[keyOf(&v.Findings[i])] = true
		}
	}
	return has, parents[0].ID()
}

// sameRun returns what a commit has at a root, or where another commit has the same run, or in a state directory that
// the latter lacks and that holds the same documents.
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
		if i.Plugin != p.Name || holds(like.Tree, i.Root) {
			continue
		}
		other, err := commit.Past(ctx, p.specs, nil, i.Root)
		if err == nil && other.State == wire.BaseAt && like.Likeness(&other.Instance).Moved(like.Root, i.Root) {
			return other, nil
		}
	}
	return past, nil
}

// holds reports whether a commit has anything at the root of a state directory.
func holds(t *tree.Listed, root string) bool { return t != nil && t.Holds(root) }

// droppedRun says that a merge drops a run which one parent has made since the two parted; "" if the other one, which
// lacks it, has removed or moved it, or if that is not known.
func (m *merges) droppedRun(ctx context.Context, other *source.Base, p *ActivePlugin, was *statefiles.Past) string {
	if m.bases.parted == nil {
		return ""
	}
	parents, err := m.bases.parted()
	if err != nil || len(parents) == 0 {
		return ""
	}
	for _, commit := range append(slices.Clone(parents), other.Commit) {
		if past, err := m.sameRun(ctx, commit, p, was.Root, was); err != nil || past.State == wire.BaseAt {
			return ""
		}
	}
	return fmt.Sprintf("; the merge loses it: parent %.12s has not removed it since %.12s",
		other.ID(), parents[0].ID())
}
