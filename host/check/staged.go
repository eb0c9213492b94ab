package check

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// remediesOfIndex replaces the remedies of the index by those of the work tree, where remedies are applied: a finding that
// the work tree does not have ends when it is staged. For a commit it says how to switch to it.
func (s *Session) remediesOfIndex(ctx context.Context) {
	if s.Options.Source == wire.Worktree || !slices.ContainsFunc(s.result.Instances, remediable) {
		return
	}
	if s.Options.Source == wire.Commit {
		s.result.Switch = s.Workspace.Repo.Switch(ctx, s.Options.Rev, s.result.Revision)
		return
	}
	o := s.Options
	o.Source, o.Workspace, o.Bases = wire.Worktree, s.Workspace.Whole(), nil
	o.Predecessors, o.Last, o.Changed, o.Version = false, false, false, ""
	w, err := NewSession(ctx, o)
	if err != nil {
		return // the remedies stay those of the index; applying one reports what is wrong with the work tree
	}
	defer w.Close()
	w.pool.Close()
	w.bases, w.moved, w.pool = s.bases, s.moved, s.pool
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
		i.Decide("Restore the run, or stage its removal", "the work tree does not have this run: git restore restores it from the index, git add stages its removal")
		return
	}
	out := w.One(ctx, discover.Instance{Plugin: i.Plugin, Root: i.Root})
	if out.Result == nil || len(out.Failures) > 0 {
		i.Decide("Repair the work tree, then stage it", "the work tree cannot be checked here: stategate check says why")
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
