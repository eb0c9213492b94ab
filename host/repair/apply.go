package repair

import (
	"context"
	"fmt"

	"github.com/stategate/stategate/host/journal"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/sdk/finding"
)

// Apply does what the plan says, one instance after the other, each as one
// transaction, and checks each again: what a remedy heals must be gone, and
// there must be no new error. Otherwise that instance is restored and its
// Repaired says why.
//
// An error (a *ChangedError, a *fault.Failure) ends it; the instances in the
// Outcome, which is never nil, are done, all others are as they were.
func (r *Repair) Apply(ctx context.Context, p *result.Plan) (*result.Outcome, error) {
	o := &result.Outcome{}
	if err := r.open(); err != nil {
		return o, err
	}
	group := journal.NewGroup()
	for i := range p.Instances {
		if err := ctx.Err(); err != nil {
			return o, err
		}
		done, err := r.apply(ctx, &p.Instances[i], group)
		if done != nil {
			o.Instances = append(o.Instances, *done)
		}
		if err != nil {
			return o, err
		}
	}
	return o, nil
}

// apply does what is planned for one instance. It returns nil if there is nothing.
func (r *Repair) apply(ctx context.Context, p *result.Planned, group string) (*result.Repaired, error) {
	if len(p.Changes) == 0 {
		return nil, nil
	}
	if err := r.sameDocuments(ctx, p); err != nil {
		return nil, err
	}
	done := &result.Repaired{Plugin: p.Plugin, Root: p.Root, To: p.Root, Files: p.Files, Skipped: p.Skipped}
	for _, c := range p.Chosen {
		done.Titles = append(done.Titles, c.Title)
	}
	about := journal.About{Plugin: p.Plugin, Root: p.Root, To: p.To, Titles: done.Titles}
	for _, f := range p.Files {
		about.Files = append(about.Files, [2]string{f.From, f.To})
	}
	t, err := r.store.Begin(journal.Intent{Group: group, About: about, Changes: p.Changes, Expect: p.Expect})
	if err != nil {
		return nil, cannotApply(err)
	}
	why, err := r.verify(ctx, p)
	if err != nil || why != "" {
		done.Done, done.Why = result.RolledBack, why
		if failed := t.RollBack(); failed != nil {
			return nil, cannotApply(failed)
		}
		if err != nil {
			return nil, err
		}
		return done, nil
	}
	if err := t.Keep(); err != nil {
		return nil, cannotApply(err)
	}
	done.Done, done.To = result.Applied, p.To
	return done, nil
}

// verify checks an instance after its change and says why it cannot stay, ""
// if it can. An error means that ctx is done.
func (r *Repair) verify(ctx context.Context, p *result.Planned) (string, error) {
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
		for _, still := range finding.Unhealed(c.Finding, &c.Remedy.Remedy, is) {
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
