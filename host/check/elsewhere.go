package check

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// remediesElsewhere replaces the index's remedies with the working tree's, because remedies edit the working tree.
// If the working tree does not have a finding, the remedy is to stage its files. For a commit, the remedy says how
// to switch to that commit.
func (c *Checker) remediesElsewhere(ctx context.Context, r *result.Result, outcomes []Outcome) {
	if c.Options.Source == wire.Worktree || !slices.ContainsFunc(r.Instances, remediable) {
		return
	}
	if commit, ok := c.source.(*source.Commit); ok {
		r.Switch = commit.Switch(ctx, c.Options.Rev)
	}
	if c.Options.Source == wire.Commit && r.Switch != nil {
		return // applying a remedy begins with switching to the commit
	}
	w, err := c.worktree(ctx)
	if err != nil {
		return // keep the index's remedies; applying one reports what is wrong with the working tree
	}
	defer w.source.Close()
	absent := map[discover.Instance][]string{}
	for _, o := range outcomes {
		absent[o.Instance] = o.answers.paths(wire.Absent)
	}
	for n := range r.Instances {
		if i := &r.Instances[n]; !remediable(*i) {
			continue
		} else if c.Options.Source == wire.Commit {
			untracked(ctx, w, i)
		} else {
			c.compareWorktree(ctx, w, i, absent[discover.Instance{Plugin: i.Plugin, Root: i.Root}])
		}
	}
}

// remediable reports whether git add or a remedy may fix one of a state directory's findings.
func remediable(i result.Instance) bool {
	return slices.ContainsFunc(i.Diagnostics, func(d result.Diagnostic) bool {
		return d.Found != nil && (d.Severity > wire.Info || len(d.Remedies) > 0)
	})
}

// compareWorktree compares a state directory in the index with the one in the working tree. absent lists the paths
// that the plugin asked about and that the index lacks, because the most common mistake is to forget to add a new
// file.
func (c *Checker) compareWorktree(ctx context.Context, w *Checker, i *result.Instance, absent []string) {
	at := discover.Instance{Plugin: i.Plugin, Root: i.Root}
	staged, err := c.Read(ctx, at)
	if err != nil {
		return
	}
	var files []snapshot.File
	if _, err := w.Disk.Stat(i.Root); !errors.Is(err, fs.ErrNotExist) {
		run, err := w.Read(ctx, at)
		if err != nil {
			return
		}
		files = run.Now.Files
	}
	differ := Differing(i.Root, staged.Now.Files, files)
	switch {
	case len(differ) == 0 && len(absent) == 0:
		return
	case len(files) == 0:
		i.Decide("Restore the run, or stage its removal",
			"the working tree does not have this run: git restore restores it from the index, "+
				"git add stages its removal")
		return
	}
	out := w.Examine(ctx, at)
	if len(differ) == 0 && (out.Result == nil || len(out.Failures) > 0) {
		return
	}
	if out.Result == nil || len(out.Failures) > 0 {
		i.Decide("Fix the working tree, then stage it",
			"the working tree cannot be checked here; run stategate check to see why")
		return
	}
	if len(differ) > 0 {
		i.TakeRemedies(out.Result, c.Plugins[i.Plugin].Manifest, differ)
		for n := range i.Diagnostics {
			for _, name := range i.Diagnostics[n].Fixed {
				c.losses.restorer.takeIgnored(&i.Diagnostics[n], i.Root, name, files)
			}
		}
	}
	present := out.answers.paths(wire.Present)
	i.TakeUnadded(out.Result, slices.DeleteFunc(absent, func(p string) bool { return !slices.Contains(present, p) }))
}

// untracked replaces the remedies for documents that the working tree has but HEAD lacks, because restoring such a
// document changes nothing.
func untracked(ctx context.Context, w *Checker, i *result.Instance) {
	run, err := w.Read(ctx, discover.Instance{Plugin: i.Plugin, Root: i.Root})
	if err != nil {
		return
	}
	for n := range i.Diagnostics {
		d := &i.Diagnostics[n]
		for _, r := range d.Remedies {
			for _, e := range r.Edits {
				if e.Op == wire.Restore {
					w.losses.restorer.takeIgnored(d, i.Root, slashpath.Join(i.Root, e.Range.Path), run.Now.Files)
				}
			}
		}
	}
}

// takeIgnored replaces a finding's remedies if the working tree has the document that fixes it, but git ignores
// that document.
func (r restorer) takeIgnored(d *result.Diagnostic, root, name string, files []snapshot.File) {
	if slices.ContainsFunc(files, func(f snapshot.File) bool {
		return f.Ignored && slashpath.Join(root, f.Path) == name
	}) {
		d.Fixed = nil
		d.Remedies = []result.Remedy{d.ByHand("Add "+name+" to git", "git ignores it; "+r.readd(name))}
	}
}

// Differing returns the paths of documents that differ between two sorted lists, prefixed with root.
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
			paths = append(paths, slashpath.Join(root, cmp.Or(x.Path, y.Path)))
		}
	}
	return paths
}
