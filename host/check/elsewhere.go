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

// elsewhere says how what is wrong in a commit or the index is repaired, since remedies
// are applied in the work tree. The index is compared with it: a finding that the work tree does not have is ended by git
// add, and the remedies of any other are those of the work tree.
func (l *Session) elsewhere(ctx context.Context) {
	if l.Options.Source == wire.Worktree || !slices.ContainsFunc(l.result.Instances, mendable) {
		return
	}
	if l.Options.Source == wire.Commit {
		l.result.Switch = l.Anchor.Repo.Switch(ctx, l.Options.Rev, l.result.Revision)
		return
	}
	o := l.Options
	o.Source, o.Paths, o.Bases = wire.Worktree, []string{l.Anchor.Path}, slices.DeleteFunc(slices.Clone(l.result.Base), func(b string) bool { return b == Last })
	o.Predecessors, o.Last, o.Changed, o.Index, o.Version = false, false, false, nil, ""
	w, err := NewSession(ctx, o)
	if err != nil {
		return // the remedies stay those of the index; applying one says what is wrong with the work tree
	}
	defer w.Close()
	w.moved = l.moved
	for n := range l.result.Instances {
		if i := &l.result.Instances[n]; mendable(*i) {
			l.beside(ctx, w, i)
		}
	}
}

// mendable reports whether something is wrong with an instance that git add or a
// remedy may end.
func mendable(i result.Instance) bool {
	return slices.ContainsFunc(i.Diagnostics, func(d result.Diagnostic) bool {
		return d.Found != nil && (d.Severity > wire.Info || len(d.Remedies) > 0)
	})
}

// beside compares one instance of the index with that of the work tree.
func (l *Session) beside(ctx context.Context, w *Session, i *result.Instance) {
	differ, there, err := l.differs(ctx, w, i)
	if err != nil || len(differ) == 0 {
		return
	}
	if !there {
		i.Decide("Restore the run, or stage its removal", "the work tree does not have this run: git restore restores it from the index, git add stages its removal")
		return
	}
	pool, err := l.workers()
	if err != nil {
		return
	}
	out := w.One(ctx, pool, discover.Instance{Plugin: i.Plugin, Root: i.Root})
	if out.Instance == nil || len(out.Failures) > 0 {
		i.Decide("Repair the work tree, then stage it", "the work tree cannot be checked here: stategate check says why")
		return
	}
	i.TakeRemedies(out.Instance, l.Parties[i.Plugin].Manifest, differ)
}

// differs lists the documents in which work tree and index differ, by their paths
// below the anchor, and reports whether the work tree has any.
func (l *Session) differs(ctx context.Context, w *Session, i *result.Instance) (paths []string, there bool, err error) {
	staged, err := l.Read(ctx, l.Parties[i.Plugin], i.Root)
	if err != nil {
		return nil, false, err
	}
	var files []snapshot.File
	if _, err := w.Worktree.Mode(i.Root); !errors.Is(err, fs.ErrNotExist) {
		now, err := w.Read(ctx, w.Parties[i.Plugin], i.Root)
		if err != nil {
			return nil, false, err
		}
		files = now.Now.Files
	}
	for _, name := range Differing(staged.Now.Files, files) {
		paths = append(paths, slashpath.Join(i.Root, name))
	}
	return paths, len(files) > 0, nil
}

// Differing returns the paths at which two lists of documents are not the same. Both
// are sorted.
func Differing(a, b []snapshot.File) []string {
	var paths []string
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Path < b[0].Path:
			paths, a = append(paths, a[0].Path), a[1:]
		case len(a) == 0 || b[0].Path < a[0].Path:
			paths, b = append(paths, b[0].Path), b[1:]
		default:
			if a[0].Kind != b[0].Kind || a[0].Size != b[0].Size || !bytes.Equal(a[0].Data, b[0].Data) {
				paths = append(paths, a[0].Path)
			}
			a, b = a[1:], b[1:]
		}
	}
	return paths
}
