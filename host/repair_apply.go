package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/apply"
	"github.com/stategate/stategate/host/discover"
	"github.com/stategate/stategate/host/worker"
	"github.com/stategate/stategate/sdk/edit"
	"github.com/stategate/stategate/sdk/snapshot"
)

// Apply does what the plan says, one instance after the other, each as one
// transaction, and looks at each again: what a remedy heals must be gone, and
// there must be no new error. Otherwise that instance is brought back and its
// Repaired says why.
//
// An error (a *ChangedError, a *failure.Failure) ends it; the instances in the
// Outcome, which is never nil, are done, all others are as they were.
func (r *Repair) Apply(ctx context.Context, p *Plan) (*Outcome, error) {
	o := &Outcome{}
	if err := r.open(); err != nil {
		return o, err
	}
	group := apply.NewGroup()
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
func (r *Repair) apply(ctx context.Context, p *Planned, group string) (*Repaired, error) {
	if len(p.changes) == 0 {
		return nil, nil
	}
	if _, err := r.sameDocuments(ctx, p); err != nil {
		return nil, err
	}
	done := &Repaired{Plugin: p.Plugin, Root: p.Root, To: p.Root, Files: p.Files, Skipped: p.Skipped}
	for _, c := range p.Chosen {
		done.Titles = append(done.Titles, c.Title)
	}
	t, err := r.store.Begin(apply.Intent{
		Group: group, Time: r.look.options.Now, Roots: rootsOf(p), Changes: p.changes, Expect: p.expect,
		About: apply.About{Plugin: p.Plugin, Root: p.Root, To: p.To, Titles: done.Titles},
	})
	if err != nil {
		return nil, cannotApply(err)
	}
	why, err := r.verify(ctx, p)
	if err != nil || why != "" {
		done.Done, done.Why = RolledBack, why
		if failed := t.TakeBack(); failed != nil {
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
	done.Done, done.To = Applied, p.To
	return done, nil
}

func rootsOf(p *Planned) []string {
	if p.To == p.Root {
		return []string{p.Root}
	}
	return []string{p.Root, p.To}
}

// verify looks at an instance after its change and says why it cannot stay, ""
// if it can. An error means that ctx is done.
func (r *Repair) verify(ctx context.Context, p *Planned) (string, error) {
	after, err := r.again(ctx, p)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return err.Error(), nil
	}
	manifest := r.look.parties[p.Plugin].Manifest
	was, is := snapshot.Fold(manifest, p.before.found), snapshot.Fold(manifest, after.found)
	for _, c := range p.Chosen {
		for _, still := range snapshot.Unhealed(c.finding, &c.Remedy.Remedy, is) {
			return fmt.Sprintf("%s does not end it: %s [%s/%s]", c.Title, still.Message, p.Plugin, still.Rule), nil
		}
	}
	for _, broken := range p.made(was, is) {
		return fmt.Sprintf("there would be a new error: %s [%s/%s]", broken.Message, p.Plugin, broken.Rule), nil
	}
	if p.unasked && !p.lighter(was, is) {
		return "as much would be wrong afterwards", nil
	}
	return "", nil
}

// made gives the errors that all choices together make.
func (p *Planned) made(was, is []snapshot.Finding) []snapshot.Finding {
	for _, c := range p.Chosen {
		if list := snapshot.Made(c.finding, was, is); len(list) > 0 {
			return list
		}
	}
	return nil
}

// lighter reports whether less is wrong than before, or no more where nothing was
// said to be wrong. What is only seen now was wrong before.
func (p *Planned) lighter(was, is []snapshot.Finding) bool {
	if !slices.ContainsFunc(p.Chosen, func(c Choice) bool { return !c.finding.Form() }) {
		return true
	}
	by := slices.Compare(snapshot.Weight(is), snapshot.Weight(was))
	ended := slices.ContainsFunc(p.Chosen, func(c Choice) bool { return c.finding != nil })
	return by < 0 || by == 0 && !ended
}

// again looks at an instance where it lies now.
func (r *Repair) again(ctx context.Context, p *Planned) (*Instance, error) {
	if r.pool == nil {
		c := r.look.options.Workers()
		c.Jobs = 1
		pool, err := worker.NewPool(c)
		if err != nil {
			return nil, err
		}
		r.pool = pool
	}
	out := r.look.one(ctx, r.pool, discover.Instance{Plugin: p.Plugin, Root: p.To})
	switch {
	case len(out.failures) > 0:
		return nil, fmt.Errorf("afterwards it could not be looked at: %s", out.failures[0].Message)
	case out.declined != "":
		return nil, fmt.Errorf("afterwards it would not be taken for an instance of %s: %s", p.Plugin, out.declined)
	}
	return out.instance, nil
}

// Undo brings back, byte for byte, what the last Apply or Fix found. It refuses
// with a *ChangedError, which names the files, if something changed since, and
// with a *UsageError if there is nothing to undo. Calling it again goes back
// further.
func (r *Repair) Undo(ctx context.Context) (*Outcome, error) {
	o := &Outcome{}
	if err := ctx.Err(); err != nil {
		return o, err
	}
	if r.store == nil && !apply.Exists(r.dir) {
		return o, r.nothing()
	}
	if err := r.open(); err != nil {
		return o, err
	}
	undone, err := r.store.Undo(r.look.options.Now)
	for _, u := range undone {
		done := Repaired{Done: Undone, Plugin: u.About.Plugin, Root: u.About.To, To: u.About.Root, Titles: u.About.Titles}
		for _, c := range u.Changes {
			done.Files = append(done.Files, backwards(c))
		}
		o.Instances = append(o.Instances, done)
	}
	var changed *apply.ChangedError
	switch {
	case errors.As(err, &changed):
		return o, &ChangedError{changed.Paths, "undoing would lose what changed since in " + strings.Join(changed.Paths, ", ") + "; bring that back to what the last change left, or undo by hand"}
	case err != nil:
		return o, cannotApply(err)
	case len(undone) == 0:
		return o, r.nothing()
	}
	return o, nil
}

func (r *Repair) nothing() error {
	return usagef("nothing was applied below %s that could be undone", r.look.anchor.Path)
}

// backwards gives what undoing a change does. Whether a written file was there
// before is not told.
func backwards(c edit.Change) FileChange {
	switch c.Kind {
	case edit.Delete:
		return FileChange{To: c.Path}
	case edit.Rename:
		return FileChange{From: c.Path, To: c.From}
	}
	return FileChange{From: c.Path, To: c.Path}
}
