package host

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/discover"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// elsewhere says how what is wrong in a commit or the index is repaired, since remedies
// are applied in the work tree. The index is compared with it: a finding that the work tree does not have is ended by git
// add, and the remedies of any other are those of the work tree.
func (l *look) elsewhere(ctx context.Context) {
	if l.options.Source == wire.Worktree || !slices.ContainsFunc(l.result.Instances, mendable) {
		return
	}
	if l.options.Source == wire.Commit {
		l.result.Switch = l.anchor.Repo.Switch(ctx, l.options.Rev, l.result.Revision)
		return
	}
	o := l.options
	o.Source, o.Paths, o.Bases = wire.Worktree, []string{l.anchor.Path}, slices.DeleteFunc(slices.Clone(l.result.Base), func(b string) bool { return b == Last })
	o.Predecessors, o.Last, o.Changed, o.Index, o.Version = false, false, false, nil, ""
	w, err := newLook(ctx, o)
	if err != nil {
		return // the remedies stay those of the index; applying one says what is wrong with the work tree
	}
	defer w.close()
	w.moved = l.moved
	for n := range l.result.Instances {
		if i := &l.result.Instances[n]; mendable(*i) {
			l.beside(ctx, w, i)
		}
	}
}

// mendable reports whether something is wrong with an instance that git add or a
// remedy may end.
func mendable(i Instance) bool {
	return slices.ContainsFunc(i.Diagnostics, func(d Diagnostic) bool { return d.found != nil && (d.Severity > wire.Info || len(d.Remedies) > 0) })
}

// beside compares one instance of the index with that of the work tree.
func (l *look) beside(ctx context.Context, w *look, i *Instance) {
	differ, there, err := l.differs(ctx, w, i)
	if err != nil || len(differ) == 0 {
		return
	}
	if !there {
		i.decide("Restore the run, or stage that it is gone", "the work tree does not have this run: git restore brings it back from the index, git add stages that it is gone")
		return
	}
	pool, err := l.workers()
	if err != nil {
		return
	}
	out := w.one(ctx, pool, discover.Instance{Plugin: i.Plugin, Root: i.Root})
	if out.instance == nil || len(out.failures) > 0 {
		i.decide("Repair the work tree, then stage it", "the work tree cannot be checked here: stategate check says why")
		return
	}
	i.takeRemedies(out.instance, l.parties[i.Plugin].Manifest, differ)
}

// differs lists the documents in which work tree and index differ, by their paths
// below the anchor, and reports whether the work tree has any.
func (l *look) differs(ctx context.Context, w *look, i *Instance) (paths []string, there bool, err error) {
	staged, err := l.read(ctx, l.parties[i.Plugin], i.Root)
	if err != nil {
		return nil, false, err
	}
	var files []snapshot.File
	if _, err := w.worktree.Mode(i.Root); !errors.Is(err, fs.ErrNotExist) {
		now, err := w.read(ctx, w.parties[i.Plugin], i.Root)
		if err != nil {
			return nil, false, err
		}
		files = now.now.Files
	}
	for _, name := range differing(staged.now.Files, files) {
		paths = append(paths, join(i.Root, name))
	}
	return paths, len(files) > 0, nil
}

// takeRemedies takes over those of the work tree.
func (i *Instance) takeRemedies(now *Instance, m *wire.Manifest, differ []string) {
	mended := len(snapshot.Broken(snapshot.Fold(m, i.found), snapshot.Fold(m, now.found))) == 0
	i.Recoveries = now.Recoveries
	for n := range i.Diagnostics {
		d := &i.Diagnostics[n]
		at := slices.IndexFunc(now.Diagnostics, func(other Diagnostic) bool { return other.Fingerprint == d.Fingerprint })
		switch {
		case d.found == nil:
		case at >= 0:
			d.Remedies = now.Diagnostics[at].Remedies
		case mended:
			i.keepIDs(d, differ)
			d.Remedies, d.Fixed = nil, differ
		default:
			d.decide("Repair the work tree, then stage it", "the work tree does not have this finding any more, but has errors that are not staged: stategate check shows them")
		}
	}
}

// keepIDs lets Result.Fixed find the remedies of a finding.
func (i *Instance) keepIDs(d *Diagnostic, differ []string) {
	if i.fixed == nil {
		i.fixed = map[string][]string{}
	}
	for _, r := range d.Remedies {
		i.fixed[r.ID] = differ
	}
}

// decide replaces all remedies by what a person does.
func (i *Instance) decide(title, step string) {
	i.Recoveries = nil
	for n := range i.Diagnostics {
		i.Diagnostics[n].decide(title, step)
	}
}

func (d *Diagnostic) decide(title, step string) {
	d.Remedies = []Remedy{{ID: hash(d.Fingerprint, title), Remedy: wire.Remedy{Title: title, Safety: wire.Manual, Steps: []string{step}}}}
}

// Fixed gives what to stage where the remedy whose id begins so is applied in the
// work tree already, nil if there is none.
func (r *Result) Fixed(id string) []string {
	for n := range r.Instances {
		for known, paths := range r.Instances[n].fixed {
			if strings.HasPrefix(known, id) {
				return paths
			}
		}
	}
	return nil
}
