package repair

import (
	"context"
	"errors"
	"slices"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/journal"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
)

// maxRounds bounds how often Fix checks again: a remedy may bring to light what another one heals.
const maxRounds = 5

// Fix applies the first safe remedy of every finding and every safe recovery, checks again, and goes on until nothing
// is left to apply, five rounds at most. Remedies that conflict with ones before them are left to the next round, those
// that do not heal, or only exchange one finding for another, are rolled back and left out. An instance that changed
// since the check is left alone and skipped.
//
// again returns the result of each further round, as the caller wants it judged; nil is
// Check with the options of OpenRepair. Like Apply it may return an error beside what it did.
func (r *Repair) Fix(ctx context.Context, res *result.Result, again func(context.Context) (*result.Result, error)) (*result.Fixed, error) {
	if again == nil {
		again = func(ctx context.Context) (*result.Result, error) { return check.Check(ctx, r.options) }
	}
	f := &fixing{repair: r, fixed: &result.Fixed{Result: res}, group: journal.NewGroup(), tried: map[string]bool{}}
	for f.fixed.Rounds < maxRounds {
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
		f.fixed.Rounds++
		now, err := again(ctx)
		if err != nil {
			return f.fixed, err
		}
		f.fixed.Result = now
	}
	return f.fixed, nil
}

// fixing is one call of Fix.
type fixing struct {
	repair *Repair
	fixed  *result.Fixed
	group  string
	tried  map[string]bool // ids that were applied or cannot be
	before int             // how many instances were done when the round began
}

// instance applies the safe remedies of an instance together; if together they do not heal, the first that does by itself. The
// others come in the next round, since the instance is another one then.
func (f *fixing) instance(ctx context.Context, i *result.Instance) error {
	safe := result.Safe(slices.DeleteFunc(i.Offers(), func(o result.Offer) bool { return f.tried[o.ID] }))
	if len(safe) == 0 {
		return nil
	}
	if err := f.repair.open(); err != nil {
		return err
	}
	tries := [][]result.Offer{safe}
	for n := 0; n < len(tries); n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := f.apply(ctx, tries[n])
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

// apply plans and applies. It returns nil if the instance is to be left alone.
func (f *fixing) apply(ctx context.Context, list []result.Offer) (*result.Repaired, error) {
	p, err := f.repair.plan(ctx, list)
	if err == nil {
		p.Unasked = true
		err = f.repair.apply(ctx, p, f.group)
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

// ours reports whether this round itself changed what is at a root, for
// another plugin: then the next round has a check that knows.
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

// note keeps what was done, and gives up on what cannot be.
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
