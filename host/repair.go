package host

import (
	"context"
	"errors"
	"strings"

	"github.com/stategate/stategate/host/apply"
	"github.com/stategate/stategate/host/failure"
	"github.com/stategate/stategate/host/worker"
	"github.com/stategate/stategate/sdk/edit"
	"github.com/stategate/stategate/sdk/snapshot"
)

// A Repair changes files below one anchor: it plans, applies, verifies and takes
// back. From the first change until Close it holds the lock of that anchor, so that no
// other process applies at the same time. It is not safe for concurrent use.
type Repair struct {
	// Left says what an interrupted run had left and what became of it; nil if
	// there was nothing.
	Left *Outcome

	options Options // for looking at everything again

	look   *look
	staged *look        // the index, if results are made of it
	dir    string       // of the journal; "" if there is no place for one
	store  *apply.Store // nil until something is changed
	pool   *worker.Pool // nil until a plugin is asked
}

// OpenRepair prepares to change files below the anchor that Check finds for the
// same options. It first finishes or takes back what an interrupted run left, and
// says so in Repair.Left. Options.StateDir is where journals lie outside a
// repository.
//
// A *failure.Failure says why nothing can be changed: another process holds the
// lock, or what was left cannot be taken back. That no journal can be kept, as in a
// read-only repository, is said by Apply: planning needs none.
//
// For a source that is the index, the work tree is changed where it agrees with the
// index, and nothing is staged. For a commit it is a *UsageError.
func OpenRepair(ctx context.Context, o Options) (*Repair, error) {
	asked := o
	o.Version = "" // verdicts are kept by Check; what was just changed is looked at itself
	o.Progress = nil
	r := &Repair{options: asked}
	if err := r.openStaged(ctx, &o); err != nil {
		return nil, err
	}
	l, err := newLook(ctx, o)
	if err != nil {
		_ = r.Close()
		return nil, usage(err)
	}
	r.look, r.dir = l, l.journal()
	if r.dir == "" || !apply.Pending(r.dir) {
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
		return failure.Newf(failure.IO, "nothing is changed, because there is no place for the journal that allows to take changes back: no directory for the user's state is known (set HOME or XDG_STATE_HOME)")
	}
	store, err := apply.Open(r.look.anchor.Path, r.dir)
	if err != nil {
		return cannotApply(err)
	}
	r.store = store
	if left := leftBy(store); left != nil {
		r.Left = left
	}
	return nil
}

// Release gives the lock back until the next change: a person who is asked may
// take long.
func (r *Repair) Release() {
	if r.store != nil {
		r.store.Close()
		r.store = nil
	}
}

// cannotApply gives an error of package apply a kind, and keeps it inside.
func cannotApply(err error) error {
	var changed *apply.ChangedError
	var half *apply.ApplyError
	if errors.As(err, &changed) && !errors.As(err, &half) {
		return newChanged(changed.Paths)
	}
	return &applyFailure{failure.From(err, failure.IO), err}
}

type applyFailure struct {
	fail  *failure.Failure
	cause error
}

func (e *applyFailure) Error() string   { return e.fail.Message }
func (e *applyFailure) Unwrap() []error { return []error{e.fail, e.cause} }

func leftBy(store *apply.Store) *Outcome {
	if len(store.Left) == 0 {
		return nil
	}
	o := &Outcome{}
	for _, left := range store.Left {
		done := Repaired{Done: RolledBack, Plugin: left.About.Plugin, Root: left.About.Root, To: left.About.Root, Titles: left.About.Titles}
		if left.Kept {
			done.Done, done.To = Applied, left.About.To
		}
		if len(left.Paths) > 0 {
			done.Why = strings.Join(left.Paths, ", ") + " changed since the interruption and was left alone; the bytes from before it are in " + left.Where
		}
		o.Instances = append(o.Instances, done)
	}
	return o
}

// Close gives the lock back and ends the workers.
func (r *Repair) Close() error {
	r.Release()
	if r.pool != nil {
		r.pool.Close()
	}
	for _, l := range []*look{r.staged, r.look} {
		if l != nil {
			l.close()
		}
	}
	return nil
}

// A Plan says what applying remedies would do. Nothing has been changed yet.
// Instances come in the order of the result.
type Plan struct {
	Instances []Planned
}

// Planned is what would happen to one instance: all of it, or nothing.
type Planned struct {
	Plugin  string
	Root    string // slash-separated, relative to the anchor
	To      string // where the instance lies afterwards; Root if it does not move
	Chosen  []Choice
	Skipped []Skipped
	Files   []FileChange // in the order of their paths

	before  *Instance
	digest  string
	changes []edit.Change     // paths relative to the anchor
	expect  map[string]string // SHA-256 of the files that change, by path
	unasked bool              // nobody chose it, so that it must leave less wrong than there was
}

// A Choice is one remedy with what it belongs to.
type Choice struct {
	Remedy
	Rule string // plugin/rule of the finding that it ends, "" for a recovery

	finding *snapshot.Finding // nil for a recovery
}

// Skipped is a remedy that is left out, and why: it conflicts with one before
// it, it cannot be made, it did not heal what it says.
type Skipped struct {
	Choice
	Why string // may quote hostile files and plugins

	conflict bool // with a remedy before it, rather than by itself
}

// A FileChange is what happens to one document or directory, all edits taken
// together. Paths are slash-separated, relative to the anchor; those of
// directories end in a slash, and a directory has no bytes.
type FileChange struct {
	From   string // "" if it is new
	To     string // "" if it goes; From if it stays where it is
	Before []byte // raw; nil if there was none, or if it is not known
	After  []byte // raw; nil if there is none, or if it is not known
	Unread bool   // it is moved or removed, and its bytes are not known
}

// An Outcome is what was done to each instance.
type Outcome struct {
	Instances []Repaired
}

// Changed reports whether any file is not what it was.
func (o *Outcome) Changed() bool {
	for i := range o.Instances {
		if o.Instances[i].Done != RolledBack {
			return true
		}
	}
	return false
}

// Repaired is what was done to one instance.
type Repaired struct {
	Done    Done
	Plugin  string
	Root    string       // where it was
	To      string       // where it is now
	Titles  []string     // of the remedies; texts of the plugin
	Files   []FileChange // what changed, or was brought back; without bytes when Left or Undone
	Skipped []Skipped
	Why     string // of RolledBack: what was not healed, or newly broken; may quote hostile texts
}

// Done says what became of a change.
type Done string

// What can become of a change.
const (
	Applied    Done = "applied"     // made and verified
	RolledBack Done = "rolled-back" // taken back: everything is as it was
	Undone     Done = "undone"      // taken back later, by Undo
)

// A ChangedError says that documents are no longer what a look, or an undo,
// relies on. Nothing was changed.
type ChangedError struct {
	Paths   []string // relative to the anchor: the documents, or the root of the instance if it is not known which
	Message string   // what to do
}

func (e *ChangedError) Error() string { return e.Message }

func newChanged(paths []string) *ChangedError {
	return &ChangedError{paths, strings.Join(paths, ", ") + ": changed since it was looked at, so that nothing was done; look again"}
}
