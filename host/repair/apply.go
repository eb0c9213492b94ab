package repair

import (
	"context"
	"fmt"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/journal"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/sdk/finding"
)

// Apply does what the plan says, one instance after the other, each as one transaction, and checks each again: what a
// remedy heals must be gone, and there must be no new error. Otherwise that instance is restored and its Repaired says
// why.
//
// An error (a *ChangedError, a *fault.Failure) ends it; the instances in the
// Outcome, which is never nil, are done, all others are as they were.
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

// apply does what is planned for one instance, unless that is nothing.
func (r *Repair) apply(ctx context.Context, p *result.Repaired, group string) error {
	if len(p.Changes) == 0 {
		return nil
	}
	read, err := r.work.Read(ctx, r.work.Plugins[p.Plugin], p.Root)
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

// verify checks an instance after its change and says why it cannot stay, ""
// if it can. An error means that ctx is done.
func (r *Repair) verify(ctx context.Context, p *result.Repaired) (string, error) {
	out := r.work.One(ctx, discover.Instance{Plugin: p.Plugin, Root: p.To})
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case len(out.Failures) > 0:
		return "afterwards it could not be checked: " + out.Failures[0].Message, nil
	case out.Declined != "":
		return fmt.Sprintf("afterwards it would not be recognised as state of %s: %s", p.Plugin, out.Declined), nil
	}
	manifest := r.work.Plugins[p.Plugin].Manifest
	was, is := finding.Fold(manifest, p.Before.Found), finding.Fold(manifest, out.Result.Found)
	for _, c := range p.Chosen {
		for _, still := range finding.Unhealed(c.Found(), &c.Remedy.Remedy, is) {
			return fmt.Sprintf("%s does not end it: %s [%s/%s]", c.Title, still.Message, p.Plugin, still.Rule), nil
		}
	}
	for _, broken := range p.Made(was, is) {
		return fmt.Sprintf("there would be a new error: %s [%s/%s]", broken.Message, p.Plugin, broken.Rule), nil
	}
	if p.Unasked && !p.Lighter(was, is) {
		return "as many findings would be left afterwards", nil
	}
	return "", nil
}
