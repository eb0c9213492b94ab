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

// A Repair changes files in one workspace: it plans, applies, verifies and rolls back. From the first change until
// Close, it holds the workspace's lock, so that no other process applies remedies at the same time. It is not safe
// for concurrent use.
type Repair struct {
	// Interrupted describes what an interrupted repair left behind and how that was resolved. It is nil if there was
	// nothing.
	Interrupted *result.Outcome

	options check.Options  // for checking everything again
	work    *check.Checker // the working tree
	staged  *check.Checker // the index, if results are based on it
	store   *journal.Store // nil before the first change
}

// OpenRepair prepares to change files in the workspace that Check finds for the same options. It first rolls back
// what an interrupted repair left behind, and reports that in Repair.Interrupted. Outside a repository, journals are
// kept in Options.StateDir.
//
// It returns a *fault.Failure if nothing can be changed, because another process holds the lock or the interrupted
// repair cannot be rolled back. If no journal can be written, as in a read-only repository, only Apply fails, because
// planning needs no journal.
//
// If the source is the index, repairs edit the working tree where it matches the index, and stage nothing. If the
// source is a commit, OpenRepair returns a *fault.UsageError.
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

// open takes the lock, creates the journal, and rolls back an interrupted repair.
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

// Release releases the lock until the next change, because a user who is asked may take a long time.
func (r *Repair) Release() {
	if r.store != nil {
		r.store.Close()
		r.store = nil
	}
}

// Close releases the lock and stops the workers.
func (r *Repair) Close() {
	r.Release()
	for _, s := range []*check.Checker{r.staged, r.work} {
		if s != nil {
			s.Close()
		}
	}
}

// A ChangedError reports that documents changed since the check, or since the change to undo. Nothing was changed.
type ChangedError struct {
	Message string // names the documents, or the instance's root if they are unknown, and says what to do
}

func (e *ChangedError) Error() string { return e.Message }

func newChanged(paths ...string) *ChangedError {
	return &ChangedError{strings.Join(paths, ", ") +
		": changed since it was checked, so nothing was done; check again"}
}

// cannotApply turns an error of package journal into a *ChangedError or a *fault.Failure.
func cannotApply(err error) error {
	var changed *journal.ChangedError
	var half *journal.ApplyError
	if errors.As(err, &changed) && !errors.As(err, &half) {
		return newChanged(changed.Paths...)
	}
	return fault.From(err, fault.IO)
}

// Undo restores, byte for byte, the files that the last Apply or Fix changed. It returns a *ChangedError, which names
// the files, if something changed since, and a *fault.UsageError if there is nothing to undo. Each further call
// undoes the next older change.
func (r *Repair) Undo(ctx context.Context) (*result.Outcome, error) {
	o := &result.Outcome{}
	nothing := fault.Usagef("there is no change below %s to undo", r.work.Workspace.Path)
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
		return o, &ChangedError{"undoing would lose later changes in " + strings.Join(changed.Paths,
			", ") + "; restore the result of the last change there, or undo it by hand"}
	case err != nil:
		return o, cannotApply(err)
	case len(undone) == 0:
		return o, nothing
	}
	return o, nil
}

// Top returns the directory that an outcome's paths are relative to.
func (r *Repair) Top() string { return r.work.Workspace.Path }

// repoOf returns the working tree's repository, or nil if there is none or git is not installed.
func repoOf(s *check.Checker) *git.Repo {
	if repo := s.Workspace.Repo; repo != nil && repo.Installed() {
		return repo
	}
	return nil
}

// Detached reports whether HEAD is detached, so that the next commit is not on a branch.
func (r *Repair) Detached(ctx context.Context) bool {
	repo := repoOf(r.work)
	return repo != nil && repo.Detached(ctx)
}

// Stage lists the paths, relative to the workspace, to stage so that an outcome can be committed. It omits paths that
// git ignores. Outside a repository, it returns none.
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
		return nil // the files are changed; git itself will report what is wrong
	}
	return slices.DeleteFunc(slices.Clone(list), func(p string) bool {
		inside := func(dir string) bool { return dir != p && strings.HasSuffix(dir, "/") && strings.HasPrefix(p, dir) }
		return slices.ContainsFunc(list, inside)
	})
}
