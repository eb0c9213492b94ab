package repair

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/journal"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/sdk/finding"
)

// Apply carries out the plan, one instance after another. Each instance is one transaction. Apply then checks it
// again: the findings that a remedy fixes must be fixed, and there must be no new error. Otherwise it restores the
// instance, and Repaired.Why holds the reason.
//
// Apply stops at an error (a *ChangedError or a *fault.Failure). The returned Outcome is never nil and contains the
// instances that are done. All others are unchanged.
func (r *Repair) Apply(ctx context.Context, plan *result.Outcome) (*result.Outcome, error) {
	o := &result.Outcome{}
	if err := r.open(); err != nil {
		return o, err
	}
	group := journal.NewGroup()
	for _, p := range plan.Instances {
		if err := ctx.Err(); err != nil {
			return o, err
		}
		if err := r.apply(ctx, &p, group); err != nil {
			return o, err
		}
		if p.Done != result.Planned {
			o.Instances = append(o.Instances, p)
		}
	}
	return o, nil
}

// apply carries out one instance's plan, unless the plan is empty.
func (r *Repair) apply(ctx context.Context, p *result.Repaired, group string) error {
	if len(p.Changes) == 0 {
		return nil
	}
	read, err := r.work.Read(ctx, discover.Instance{Plugin: p.Plugin, Root: p.Root})
	if err != nil {
		return fault.From(err, fault.IO)
	}
	if read.Now.Digest != p.Digest || read.Now.Unstable {
		return newChanged(p.Root)
	}
	about := journal.About{Plugin: p.Plugin, Root: p.Root, To: p.To, Titles: p.Titles}
	for _, f := range p.Files {
		about.Files = append(about.Files, [2]string{f.From, f.To})
	}
	t, err := r.store.Begin(journal.Intent{Group: group, About: about, Changes: p.Changes, Expect: p.Expect})
	if err != nil {
		return cannotApply(err)
	}
	why, err := r.verify(ctx, p)
	if err == nil && why == "" {
		if err := t.Keep(); err != nil {
			return cannotApply(err)
		}
		p.Done = result.Applied
		return nil
	}
	if failed := t.RollBack(); failed != nil {
		return cannotApply(failed)
	}
	if err == nil {
		p.Done, p.Why, p.To = result.RolledBack, why, p.Root
	}
	return err
}

// verify checks an instance after its change. It returns the reason to roll the change back, or "" if the change may
// stay. An error means that ctx is done.
func (r *Repair) verify(ctx context.Context, p *result.Repaired) (string, error) {
	out := r.work.Examine(ctx, discover.Instance{Plugin: p.Plugin, Root: p.To})
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case len(out.Failures) > 0:
		return "afterwards it could not be checked: " + out.Failures[0].Message, nil
	case out.Declined != "":
		return fmt.Sprintf("afterwards it would no longer be recognized as state of %s: %s", p.Plugin, out.Declined),
			nil
	}
	manifest := r.work.Plugins[p.Plugin].Manifest
	was, is := finding.Fold(manifest, p.Before.Found), finding.Fold(manifest, out.Result.Found)
	for _, c := range p.Chosen {
		for _, still := range finding.Unhealed(c.Found(), &c.Remedy.Remedy, is) {
			return fmt.Sprintf("%s does not fix it: %s [%s/%s]", c.Title, still.Message, p.Plugin, still.Rule), nil
		}
	}
	for _, broken := range p.NewErrors(was, is) {
		return fmt.Sprintf("there would be a new error: %s [%s/%s]", broken.Message, p.Plugin, broken.Rule), nil
	}
	if p.Unasked && !p.LeavesLess(was, is) {
		return "it would not reduce the number of findings", nil
	}
	return "", nil
}

// maxRounds limits how often Fix checks again. Several rounds are needed because applying a remedy may reveal a
// finding that another remedy fixes.
const maxRounds = 5

// Fix applies the first safe remedy of every finding and every safe recovery option, checks again, and repeats until
// nothing is left to apply, for at most five rounds. Remedies that conflict with earlier ones wait for the next
// round. Remedies that do not fix their finding, or only replace it with another one, are rolled back and dropped. An
// instance that changed since the check is skipped.
//
// again returns the result of each further round, with the caller's policy applied. Like Apply, Fix can return both
// an error and a list of the changes that it made.
func (r *Repair) Fix(ctx context.Context, res *result.Result,
	again func(context.Context) (*result.Result, error)) (*result.Fixed, error) {
	f := &fixing{Repair: r, fixed: &result.Fixed{Result: res}, group: journal.NewGroup(), tried: map[string]bool{}}
	for range maxRounds {
		f.before = len(f.fixed.Instances)
		for i := range f.fixed.Result.Instances {
			if err := f.instance(ctx, &f.fixed.Result.Instances[i]); err != nil {
				return f.fixed, err
			}
		}
		changed := result.Outcome{Instances: f.fixed.Instances[f.before:]}
		if !changed.Changed() {
			break
		}
		now, err := again(ctx)
		if err != nil {
			return f.fixed, err
		}
		f.fixed.Result = now
	}
	return f.fixed, nil
}

// fixing is the state of one call of Fix.
type fixing struct {
	*Repair
	fixed  *result.Fixed
	group  string
	tried  map[string]bool // ids that were applied or cannot be
	before int             // number of instances that were done when the round began
}

// instance applies an instance's safe remedies together. If together they do not fix their findings, it applies the
// first remedy that does so alone. The others wait for the next round, because the instance has changed by then.
func (f *fixing) instance(ctx context.Context, i *result.Instance) error {
	safe := result.Safe(slices.DeleteFunc(i.Offers(), func(o result.Offer) bool { return f.tried[o.ID] }))
	if len(safe) == 0 {
		return nil
	}
	if err := f.open(); err != nil {
		return err
	}
	tries := [][]result.Offer{safe}
	for n := 0; n < len(tries); n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := f.try(ctx, tries[n])
		switch {
		case err != nil || p == nil:
			return err
		case n == 0 && p.Done == result.RolledBack && len(p.Chosen) > 1:
			for _, c := range p.Chosen {
				tries = append(tries, []result.Offer{c})
			}
			continue
		}
		f.note(p)
		if p.Done == result.Applied {
			return nil
		}
	}
	return nil
}

// try plans and applies remedies. It returns nil if the instance is to be left alone.
func (f *fixing) try(ctx context.Context, list []result.Offer) (*result.Repaired, error) {
	p, err := f.plan(ctx, list)
	if err == nil {
		p.Unasked = true
		err = f.apply(ctx, p, f.group)
	}
	var changed *ChangedError
	if errors.As(err, &changed) {
		if !f.ours(list[0].Instance.Root) {
			f.skip(changed.Message, list...)
		}
		return nil, nil
	}
	return p, err
}

// ours reports whether this round already changed something at a root for another plugin. The next round's check then
// sees the change.
func (f *fixing) ours(root string) bool {
	for _, done := range f.fixed.Instances[f.before:] {
		for _, other := range []string{done.Root, done.To} {
			if done.Done == result.Applied && (slashpath.Holds(root, other) || slashpath.Holds(other, root)) {
				return true
			}
		}
	}
	return false
}

// note records which remedies were applied, and drops those that cannot be applied.
func (f *fixing) note(p *result.Repaired) {
	for _, c := range p.Chosen {
		f.tried[c.ID] = true
	}
	switch p.Done {
	case result.Planned:
		f.skip("it changes nothing", p.Chosen...)
	case result.RolledBack:
		f.skip(p.Why, p.Chosen...)
	}
	if p.Done != result.Planned {
		f.fixed.Instances = append(f.fixed.Instances, *p)
	}
	for _, s := range p.Skipped {
		if !s.Conflict || len(p.Chosen) == 0 {
			f.skip(s.Why, s.Offer)
		}
	}
}

func (f *fixing) skip(why string, list ...result.Offer) {
	for _, c := range list {
		f.tried[c.ID] = true
		f.fixed.Skipped = append(f.fixed.Skipped, result.Skipped{Offer: c, Why: why})
	}
}
