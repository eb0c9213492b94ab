// Package repair plans remedies, applies them as transactions, verifies them and undoes them.
package repair

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/journal"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/wire"
)

// A Repair changes files below one workspace: it plans, applies, verifies and rolls
// back. From the first change until Close it holds the lock of that workspace, so that no
// other process applies at the same time. It is not safe for concurrent use.
type Repair struct {
	// Interrupted says what an interrupted run had left and what became of it; nil if there was nothing.
	Interrupted *result.Outcome

	options check.Options  // for checking everything again
	work    *check.Checker // the working tree
	staged  *check.Checker // the index, if results are made of it
	store   *journal.Store // nil until something is changed
}

// OpenRepair prepares to change files below the workspace that Check finds for the same options. It first rolls back
// what an interrupted run left, and says so in Repair.Interrupted. Options.StateDir is where journals are kept outside
// a repository.
//
// A *fault.Failure says why nothing can be changed: another process holds the lock, or what was left cannot be rolled
// back. That no journal can be kept, as in a read-only repository, is said by Apply: planning needs none.
//
// For a source that is the index, the working tree is changed where it agrees with the
// index, and nothing is staged. For a commit it is a *fault.UsageError.
func OpenRepair(ctx context.Context, o check.Options) (*Repair, error) {
	if o.Source == wire.Commit {
		return nil, fault.Usagef("a commit cannot be changed; fix the working tree, without --rev")
	}
	r := &Repair{options: o}
	o.Version, o.Progress = "", nil // Check keeps verdicts; changed instances are examined again
	if err := r.openSessions(ctx, o); err != nil {
		r.Close()
		return nil, err
	}
	if dir := r.work.Journal(); dir == "" || !journal.Pending(dir) {
		return r, nil
	}
	if err := r.open(); err != nil {
		r.Close()
		return nil, err
	}
	r.Release()
	return r, nil
}

func (r *Repair) openSessions(ctx context.Context, o check.Options) (err error) {
	if o.Source == wire.Index {
		if r.staged, err = check.Open(ctx, o); err != nil {
			return err
		}
		o.Source, o.Workspace = wire.Worktree, r.staged.Workspace.Whole()
	}
	o.Jobs = 1
	r.work, err = check.Open(ctx, o)
	return err
}

// open takes the lock, makes the journal, and ends what was left.
func (r *Repair) open() error {
	dir := r.work.Journal()
	switch {
	case r.store != nil:
		return nil
	case dir == "" || r.options.StateDir == "":
		return fault.Newf(fault.IO, "nothing was changed: no directory for the undo journal or its key is known "+
			"(set HOME or XDG_STATE_HOME)")
	}
	store, err := journal.Open(r.work.Workspace.Path, dir, r.options.StateDir)
	if err != nil {
		return cannotApply(err)
	}
	r.store = store
	if len(store.Interrupted) > 0 {
		r.Interrupted = interruptedIn(store)
	}
	return nil
}

func interruptedIn(store *journal.Store) *result.Outcome {
	o := &result.Outcome{}
	for _, change := range store.Interrupted {
		done := result.Repaired{Done: result.RolledBack, Plugin: change.About.Plugin, Root: change.About.Root,
			To: change.About.Root, Titles: change.About.Titles}
		if len(change.Paths) > 0 {
			done.Why = strings.Join(change.Paths, ", ") +
				" changed since the interruption and was left alone; the bytes from before it are in " + change.Where
		}
		o.Instances = append(o.Instances, done)
	}
	return o
}

// Release releases the lock until the next change: a person who is asked may take long.
func (r *Repair) Release() {
	if r.store != nil {
		r.store.Close()
		r.store = nil
	}
}

// Close releases the lock and ends the workers.
func (r *Repair) Close() {
	r.Release()
	for _, s := range []*check.Checker{r.staged, r.work} {
		if s != nil {
			s.Close()
		}
	}
}

// A ChangedError says that documents are no longer what a check, or an undo, relies on. Nothing was changed.
type ChangedError struct {
	Paths   []string // relative to the workspace: the documents, or the root of the instance if it is not known which
	Message string   // what to do
}

func (e *ChangedError) Error() string { return e.Message }

func newChanged(paths ...string) *ChangedError {
	return &ChangedError{paths, strings.Join(paths, ", ") +
		": changed since it was checked, so nothing was done; check again"}
}

// cannotApply gives an error of package journal a kind.
func cannotApply(err error) error {
	var changed *journal.ChangedError
	var half *journal.ApplyError
	if errors.As(err, &changed) && !errors.As(err, &half) {
		return newChanged(changed.Paths...)
	}
	return fault.From(err, fault.IO)
}

// Undo restores, byte for byte, what the last Apply or Fix found. It refuses with a *ChangedError, which names the
// files, if something changed since, and with a *fault.UsageError if there is nothing to undo. Calling it again goes
// back further.
func (r *Repair) Undo(ctx context.Context) (*result.Outcome, error) {
	o := &result.Outcome{}
	nothing := fault.Usagef("nothing was applied below %s that could be undone", r.work.Workspace.Path)
	if err := ctx.Err(); err != nil {
		return o, err
	}
	if r.store == nil && !journal.Exists(r.work.Journal()) {
		return o, nothing
	}
	if err := r.open(); err != nil {
		return o, err
	}
	undone, err := r.store.Undo()
	for _, u := range undone {
		done := result.Repaired{Done: result.Undone, Plugin: u.Plugin, Root: u.To, To: u.Root, Titles: u.Titles}
		for _, f := range u.Files {
			done.Files = append(done.Files, result.FileChange{From: f[1], To: f[0]})
		}
		o.Instances = append(o.Instances, done)
	}
	var changed *journal.ChangedError
	switch {
	case errors.As(err, &changed):
		return o, &ChangedError{changed.Paths, "undoing would lose what changed since in " + strings.Join(changed.Paths,
			", ") + "; restore what the last change left there, or undo by hand"}
	case err != nil:
		return o, cannotApply(err)
	case len(undone) == 0:
		return o, nothing
	}
	return o, nil
}

// Top is where the paths of an outcome begin.
func (r *Repair) Top() string { return r.work.Workspace.Path }

// repoOf is the repository of the working tree, nil if there is none that git can be asked about.
func repoOf(s *check.Checker) *git.Repo {
	if repo := s.Workspace.Repo; repo != nil && repo.Installed() {
		return repo
	}
	return nil
}

// Detached reports whether the next commit is on no branch.
func (r *Repair) Detached(ctx context.Context) bool {
	repo := repoOf(r.work)
	return repo != nil && repo.Detached(ctx)
}

// Stage lists the paths, relative to the workspace, that have to be staged for an outcome to be committed. There are
// none outside a repository, and none of what git ignores.
func (r *Repair) Stage(ctx context.Context, o *result.Outcome) []string {
	repo := repoOf(r.work)
	if repo == nil {
		return nil
	}
	var paths []string
	for _, i := range o.Instances {
		if i.Done == result.RolledBack {
			continue
		}
		for _, f := range i.Files {
			for _, name := range []string{f.From, f.To} {
				if name != "" && !slices.Contains(paths, name) {
					paths = append(paths, name)
				}
			}
		}
	}
	list, err := repo.Stageable(ctx, paths)
	if err != nil {
		return nil // the change is made; git itself will say what is wrong with it
	}
	return slices.DeleteFunc(slices.Clone(list), func(p string) bool {
		inside := func(dir string) bool { return dir != p && strings.HasSuffix(dir, "/") && strings.HasPrefix(p, dir) }
		return slices.ContainsFunc(list, inside)
	})
}
