// Package repair plans remedies, applies them as transactions, verifies them and undoes them.
package repair

import (
	"context"
	"errors"
	"strings"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/journal"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/result"
)

// A Repair changes files below one anchor: it plans, applies, verifies and takes
// back. From the first change until Close it holds the lock of that anchor, so that no
// other process applies at the same time. It is not safe for concurrent use.
type Repair struct {
	// Left says what an interrupted run had left and what became of it; nil if
	// there was nothing.
	Left *result.Outcome

	options check.Options // for looking at everything again

	look   *check.Session
	staged *check.Session // the index, if results are made of it
	dir    string         // of the journal; "" if there is no place for one
	store  *journal.Store // nil until something is changed
	pool   *worker.Pool   // nil until a plugin is asked
}

// OpenRepair prepares to change files below the anchor that Check finds for the
// same options. It first finishes or takes back what an interrupted run left, and
// says so in Repair.Left. Options.StateDir is where journals lie outside a
// repository.
//
// A *failure.Failure says why nothing can be changed: another process holds the
// lock, or what was left cannot be rolled back. That no journal can be kept, as in a
// read-only repository, is said by Apply: planning needs none.
//
// For a source that is the index, the work tree is changed where it agrees with the
// index, and nothing is staged. For a commit it is a *UsageError.
func OpenRepair(ctx context.Context, o check.Options) (*Repair, error) {
	asked := o
	o.Version = "" // verdicts are kept by Check; what was just changed is looked at itself
	o.Progress = nil
	r := &Repair{options: asked}
	if err := r.openStaged(ctx, &o); err != nil {
		return nil, err
	}
	l, err := check.NewSession(ctx, o)
	if err != nil {
		_ = r.Close()
		return nil, err
	}
	r.look, r.dir = l, l.Journal()
	if r.dir == "" || !journal.Pending(r.dir) {
		return r, nil
	}
	if err := r.open(); err != nil {
		_ = r.Close()
		return nil, err
	}
	r.Release()
	return r, nil
}

// open takes the lock, makes the journal, and ends what was left.
func (r *Repair) open() error {
	switch {
	case r.store != nil:
		return nil
	case r.dir == "":
		return fault.Newf(fault.IO, "nothing was changed: no directory for the undo journal is known (set HOME or XDG_STATE_HOME)")
	}
	store, err := journal.Open(r.look.Anchor.Path, r.dir)
	if err != nil {
		return cannotApply(err)
	}
	r.store = store
	if left := leftBy(store); left != nil {
		r.Left = left
	}
	return nil
}

// Release releases the lock until the next change: a person who is asked may
// take long.
func (r *Repair) Release() {
	if r.store != nil {
		r.store.Close()
		r.store = nil
	}
}

// cannotApply returns an error of package journal a kind, and keeps it inside.
func cannotApply(err error) error {
	var changed *journal.ChangedError
	var half *journal.ApplyError
	if errors.As(err, &changed) && !errors.As(err, &half) {
		return newChanged(changed.Paths)
	}
	return &applyFailure{fault.From(err, fault.IO), err}
}

type applyFailure struct {
	fail  *fault.Failure
	cause error
}

func (e *applyFailure) Error() string { return e.fail.Message }

func (e *applyFailure) Unwrap() []error { return []error{e.fail, e.cause} }

func leftBy(store *journal.Store) *result.Outcome {
	if len(store.Left) == 0 {
		return nil
	}
	o := &result.Outcome{}
	for _, left := range store.Left {
		done := result.Repaired{Done: result.RolledBack, Plugin: left.About.Plugin, Root: left.About.Root, To: left.About.Root, Titles: left.About.Titles}
		if left.Kept {
			done.Done, done.To = result.Applied, left.About.To
		}
		if len(left.Paths) > 0 {
			done.Why = strings.Join(left.Paths, ", ") + " changed since the interruption and was left alone; the bytes from before it are in " + left.Where
		}
		o.Instances = append(o.Instances, done)
	}
	return o
}

// Close releases the lock and ends the workers.
func (r *Repair) Close() error {
	r.Release()
	if r.pool != nil {
		r.pool.Close()
	}
	for _, l := range []*check.Session{r.staged, r.look} {
		if l != nil {
			l.Close()
		}
	}
	return nil
}

// A ChangedError says that documents are no longer what a look, or an undo,
// relies on. Nothing was changed.
type ChangedError struct {
	Paths   []string // relative to the anchor: the documents, or the root of the instance if it is not known which
	Message string   // what to do
}

func (e *ChangedError) Error() string { return e.Message }

func newChanged(paths []string) *ChangedError {
	return &ChangedError{paths, strings.Join(paths, ", ") + ": changed since it was checked, so nothing was done; check again"}
}
