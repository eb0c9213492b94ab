package check

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// remediesOfIndex replaces the remedies of the index by those of the work tree, where remedies are applied: a finding
// that the work tree does not have ends when it is staged. For a commit it says how to switch to it.
func (s *Session) remediesOfIndex(ctx context.Context) {
	if s.Options.Source == wire.Worktree || !slices.ContainsFunc(s.result.Instances, remediable) {
		return
	}
	if s.Options.Merge != "" {
		return
	}
	if s.Options.Source == wire.Commit {
		s.result.Switch = s.Workspace.Repo.Switch(ctx, s.Options.Rev, s.result.Revision)
		return
	}
	o := s.Options
	o.Source, o.Workspace, o.Bases = wire.Worktree, s.Workspace.Whole(), nil
	o.Predecessors, o.Changed, o.Version = false, false, ""
	w, err := NewSession(ctx, o)
	if err != nil {
		return // the remedies stay those of the index; applying one reports what is wrong with the work tree
	}
	defer w.Close()
	w.pool.Close()
	w.bases, w.mergeBases, w.moved, w.pool = s.bases, s.mergeBases, s.moved, s.pool
	for n := range s.result.Instances {
		if i := &s.result.Instances[n]; remediable(*i) {
			s.compareWorktree(ctx, w, i)
		}
	}
}

// remediable reports whether something is wrong with a state directory that git add or a remedy may end.
func remediable(i result.Instance) bool {
	return slices.ContainsFunc(i.Diagnostics, func(d result.Diagnostic) bool {
		return d.Found != nil && (d.Severity > wire.Info || len(d.Remedies) > 0)
	})
}

// compareWorktree compares a state directory of the index with that of the work tree.
func (s *Session) compareWorktree(ctx context.Context, w *Session, i *result.Instance) {
	staged, err := s.Read(ctx, s.Plugins[i.Plugin], i.Root)
	if err != nil {
		return
	}
	var files []snapshot.File
	if _, err := w.Worktree.Stat(i.Root); !errors.Is(err, fs.ErrNotExist) {
		now, err := w.Read(ctx, w.Plugins[i.Plugin], i.Root)
		if err != nil {
			return
		}
		files = now.Now.Files
	}
	differ := Differing(i.Root, staged.Now.Files, files)
	switch {
	case len(differ) == 0:
		return
	case len(files) == 0:
		i.Decide("Restore the run, or stage its removal",
			"the work tree does not have this run: git restore restores it from the index, git add stages its removal")
		return
	}
	out := w.One(ctx, discover.Instance{Plugin: i.Plugin, Root: i.Root})
	if out.Result == nil || len(out.Failures) > 0 {
		i.Decide("Repair the work tree, then stage it",
			"the work tree cannot be checked here: stategate check says why")
		return
	}
	i.TakeRemedies(out.Result, s.Plugins[i.Plugin].Manifest, differ)
}

// Differing returns the paths at which two lists of documents below a root are not the same. Both are sorted.
func Differing(root string, a, b []snapshot.File) []string {
	var paths []string
	for len(a) > 0 || len(b) > 0 {
		var x, y snapshot.File
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Path < b[0].Path:
			x, a = a[0], a[1:]
		case len(a) == 0 || b[0].Path < a[0].Path:
			x, b = b[0], b[1:]
		default:
			x, y, a, b = a[0], b[0], a[1:], b[1:]
		}
		if x.Path != y.Path || x.Kind != y.Kind || x.Size != y.Size || !bytes.Equal(x.Data, y.Data) {
			paths = append(paths, slashpath.Join(root, x.Path))
		}
	}
	return paths
}

// restoreRun is the command that restores documents of a run, or all of it (".").
func (s *Session) restoreRun(f *formerRun, paths ...string) string {
	full := make([]string, len(paths))
	for i, p := range paths {
		full[i] = slashpath.Join(f.root, p)
	}
	if s.Options.Source == wire.Index && s.onDisk(f, paths) {
		return s.shell().Git("add", "", full...)
	}
	return s.shell().Restore(f.commit, s.Options.Source != wire.Worktree, true, full...)
}

// shell is the one in which the commands are typed that the findings print.
func (s *Session) shell() advice.Shell { return advice.In(s.Options.Dir, s.Workspace.Path) }

// ignoredNow says that the next commit will not contain a run, and how it will.
func (s *Session) ignoredNow(root string) string {
	return "git ignores it now, so the next commit will not contain it; if that was not intended, change " +
		".gitignore, then: " + s.shell().Git("add", "", root)
}

// swallowed says that a run is in a repository of its own now, and how it is restored.
func (s *Session) swallowed(f *formerRun, repository string, missing bool) string {
	what := repository + " is a git repository of its own now, which is not entered; if that was not intended, " +
		"remove its .git"
	switch {
	case !missing:
		return what
	case s.Options.Source == wire.Index && s.onDisk(f, []string{"."}): // the index still has a submodule there
		return what + ", then restore it: " + s.shell().Restore(f.commit, true, false, f.root)
	}
	return what + ", then restore it: " + s.restoreRun(f, ".")
}

// onDisk reports whether the work tree has all that is named of a run, or all of it ("."), so that staging restores
// it. A link in its place does not.
func (s *Session) onDisk(f *formerRun, paths []string) bool {
	if e, err := s.Worktree.Stat(f.root); err != nil || e.Kind != snapshot.Directory {
		return false
	}
	return !slices.ContainsFunc(f.files, func(file snapshot.File) bool {
		if file.Kind != snapshot.Regular || !slices.Contains(paths, ".") && !slices.Contains(paths, file.Path) {
			return false
		}
		e, err := s.Worktree.Stat(slashpath.Join(f.root, file.Path))
		return err != nil || e.Kind != snapshot.Regular
	})
}

// addRestore adds to findings about a document that is gone, or whose place something else
// has taken, how git restores it from the base. A commit does not change.
func (s *Session) addRestore(i *result.Instance, list []*comparison) {
	if i == nil || s.Options.Source == wire.Commit {
		return
	}
	for n := range i.Diagnostics {
		d := &i.Diagnostics[n]
		restores := func(r result.Remedy) bool {
			return slices.ContainsFunc(r.Edits, func(e wire.Edit) bool { return e.Op == wire.Restore })
		}
		if d.Found == nil || d.Severity < wire.Warning || slices.ContainsFunc(d.Remedies, restores) ||
			has(list[0].Now.Files, d.Found.Range.Path, snapshot.Regular, snapshot.Directory) {
			continue
		}
		at := slices.IndexFunc(list, func(c *comparison) bool {
			return c.Past.State == wire.BaseAt && has(c.Past.Files, d.Found.Range.Path, snapshot.Regular)
		})
		if at < 0 {
			continue
		}
		c, base := list[at], list[at].Past.Tree
		title := "Restore " + d.Found.Range.Path + " from commit " + base.ID[:12]
		staged := s.Options.Source == wire.Index // else git restores in the work tree by itself
		command := s.shell().Restore(base.ID, staged, staged, slashpath.Join(c.Past.Root, d.Found.Range.Path))
		d.Remedies = append(d.Remedies, d.ByHand(title, command))
	}
}

// has reports whether a list of documents has a name, as one of some kinds.
func has(files []snapshot.File, name string, kinds ...snapshot.Kind) bool {
	return slices.ContainsFunc(files, func(f snapshot.File) bool {
		return f.Path == name &&
			slices.Contains(kinds, f.Kind)
	})
}
