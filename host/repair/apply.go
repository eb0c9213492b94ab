package repair

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/journal"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/sdk/edit"
	"github.com/stategate/stategate/sdk/finding"
)

// Apply does what the plan says, one instance after the other, each as one
// transaction, and looks at each again: what a remedy heals must be gone, and
// there must be no new error. Otherwise that instance is brought back and its
// Repaired says why.
//
// An error (a *ChangedError, a *failure.Failure) ends it; the instances in the
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

// apply does what is planned for one instance. It gives nil if there is nothing.
func (r *Repair) apply(ctx context.Context, p *result.Planned, group string) (*result.Repaired, error) {
	if len(p.Changes) == 0 {
		return nil, nil
	}
	if _, err := r.sameDocuments(ctx, p); err != nil {
		return nil, err
	}
	done := &result.Repaired{Plugin: p.Plugin, Root: p.Root, To: p.Root, Files: p.Files, Skipped: p.Skipped}
	for _, c := range p.Chosen {
		done.Titles = append(done.Titles, c.Title)
	}
	t, err := r.store.Begin(journal.Intent{
		Group: group, Roots: rootsOf(p), Changes: p.Changes, Expect: p.Expect,
		About: journal.About{Plugin: p.Plugin, Root: p.Root, To: p.To, Titles: done.Titles},
	})
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

func rootsOf(p *result.Planned) []string {
	if p.To == p.Root {
		return []string{p.Root}
	}
	return []string{p.Root, p.To}
}

// verify looks at an instance after its change and says why it cannot stay, ""
// if it can. An error means that ctx is done.
func (r *Repair) verify(ctx context.Context, p *result.Planned) (string, error) {
	after, err := r.again(ctx, p)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return err.Error(), nil
	}
	manifest := r.look.Parties[p.Plugin].Manifest
	was, is := finding.Fold(manifest, p.Before.Found), finding.Fold(manifest, after.Found)
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

// again looks at an instance where it lies now.
func (r *Repair) again(ctx context.Context, p *result.Planned) (*result.Instance, error) {
	if r.pool == nil {
		c := r.look.Options.Workers()
		c.Jobs = 1
		pool, err := worker.NewPool(c)
		if err != nil {
			return nil, err
		}
		r.pool = pool
	}
	out := r.look.One(ctx, r.pool, discover.Instance{Plugin: p.Plugin, Root: p.To})
	switch {
	case len(out.Failures) > 0:
		return nil, fmt.Errorf("afterwards it could not be checked: %s", out.Failures[0].Message)
	case out.Declined != "":
		return nil, fmt.Errorf("afterwards it would not be recognised as state of %s: %s", p.Plugin, out.Declined)
	}
	return out.Instance, nil
}

// Undo brings back, byte for byte, what the last Apply or Fix found. It refuses
// with a *ChangedError, which names the files, if something changed since, and
// with a *UsageError if there is nothing to undo. Calling it again goes back
// further.
func (r *Repair) Undo(ctx context.Context) (*result.Outcome, error) {
	o := &result.Outcome{}
	if err := ctx.Err(); err != nil {
		return o, err
	}
	if r.store == nil && !journal.Exists(r.dir) {
		return o, r.nothing()
	}
	if err := r.open(); err != nil {
		return o, err
	}
	undone, err := r.store.Undo()
	for _, u := range undone {
		done := result.Repaired{Done: result.Undone, Plugin: u.About.Plugin, Root: u.About.To, To: u.About.Root, Titles: u.About.Titles}
		for _, c := range u.Changes {
			done.Files = append(done.Files, backwards(c))
		}
		o.Instances = append(o.Instances, done)
	}
	var changed *journal.ChangedError
	switch {
	case errors.As(err, &changed):
		return o, &ChangedError{changed.Paths, "undoing would lose what changed since in " + strings.Join(changed.Paths, ", ") + "; restore what the last change left there, or undo by hand"}
	case err != nil:
		return o, cannotApply(err)
	case len(undone) == 0:
		return o, r.nothing()
	}
	return o, nil
}

func (r *Repair) nothing() error {
	return fault.Usagef("nothing was applied below %s that could be undone", r.look.Anchor.Path)
}

// backwards returns what undoing a change does. Whether a written file was there
// before is not told.
func backwards(c edit.Change) result.FileChange {
	switch c.Kind {
	case edit.Delete:
		return result.FileChange{To: c.Path}
	case edit.Rename:
		return result.FileChange{From: c.Path, To: c.From}
	}
	return result.FileChange{From: c.Path, To: c.Path}
}
