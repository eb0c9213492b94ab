package repair

import (
	"context"
	"errors"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/journal"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/sdk/wire"
)

// maxRounds bounds how often Fix checks again: a remedy may bring to light what
// another one heals.
const maxRounds = 5

// Fix applies the first safe remedy of every finding and every safe recovery,
// checks again, and goes on until nothing is left to apply, five rounds at most.
// Remedies that conflict with ones before them are left to the next round, those
// that do not heal, or only exchange one finding for another, are rolled back and left out. An instance that changed since the check
// is left alone and skipped.
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
		if err := f.round(ctx); err != nil {
			return f.fixed, err
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

// round fixes every instance of the last check.
func (f *fixing) round(ctx context.Context) error {
	for i := range f.fixed.Result.Instances {
		instance := &f.fixed.Result.Instances[i]
		list := f.safe(instance)
		if len(list) == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.repair.open(); err != nil {
			return err
		}
		if err := f.instance(ctx, instance, list); err != nil {
			return err
		}
	}
	return nil
}

// safe lists what is applied without asking: of alternatives the first safe one.
func (f *fixing) safe(i *result.Instance) (list []result.Choice) {
	var last *result.Diagnostic
	for c, d := range choices(i) {
		if c.Safety == wire.Safe && !f.tried[c.ID] && (d == nil || d != last) {
			list, last = append(list, c), d
		}
	}
	return list
}

// instance applies remedies together; if together they do not heal, the first that does by itself. The others come in the
// next round, since the instance is another one then.
func (f *fixing) instance(ctx context.Context, i *result.Instance, list []result.Choice) error {
	done, planned, err := f.apply(ctx, i, list)
	if err != nil || planned == nil {
		return err
	}
	if done == nil || done.Done != result.RolledBack || len(planned.Chosen) == 1 {
		f.note(done, planned)
		return nil
	}
	for _, c := range planned.Chosen {
		done, planned, err := f.apply(ctx, i, []result.Choice{c})
		if err != nil || planned == nil {
			return err
		}
		f.note(done, planned)
		if done != nil && done.Done == result.Applied {
			return nil
		}
	}
	return nil
}

// apply plans and applies. It returns no plan if the instance is to be left alone.
func (f *fixing) apply(ctx context.Context, i *result.Instance, list []result.Choice) (*result.Repaired, *result.Planned, error) {
	planned, err := f.repair.plan(ctx, i, list)
	var done *result.Repaired
	if err == nil {
		planned.Unasked = true
		done, err = f.repair.apply(ctx, planned, f.group)
	}
	var changed *ChangedError
	if errors.As(err, &changed) {
		if !f.ours(i.Root) {
			f.skip(i, list, changed.Message)
		}
		return nil, nil, nil
	}
	return done, planned, err
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
func (f *fixing) note(done *result.Repaired, p *result.Planned) {
	for _, c := range p.Chosen {
		f.tried[c.ID] = true
	}
	if done == nil {
		f.skip(p.Before, p.Chosen, "it changes nothing")
	} else {
		f.fixed.Instances = append(f.fixed.Instances, *done)
		if done.Done == result.RolledBack {
			f.skip(p.Before, p.Chosen, done.Why)
		}
	}
	for _, s := range p.Skipped {
		if !s.Conflict || len(p.Chosen) == 0 {
			f.skip(p.Before, []result.Choice{s.Choice}, s.Why)
		}
	}
}

func (f *fixing) skip(i *result.Instance, list []result.Choice, why string) {
	if len(list) == 0 {
		return
	}
	p := result.Planned{Plugin: i.Plugin, Root: i.Root, To: i.Root}
	for _, c := range list {
		f.tried[c.ID] = true
		p.Skipped = append(p.Skipped, result.Skipped{Choice: c, Why: why})
	}
	f.fixed.Skipped = append(f.fixed.Skipped, p)
}
