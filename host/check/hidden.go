package check

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// This file reports entries that take the place of state, or almost have its name, so that no plugin sees the state.

// These strings describe entries that are not entered, and what to do about them.
const (
	ownRepository = "a separate git repository, which is not entered, so nothing in it was checked; remove its " +
		".git, or exclude it"
	submodule = "a submodule, which is not entered, so nothing in it was checked; keep the state in this " +
		"repository, or exclude it"
	linkTo = "a symbolic link to %s, which is not followed, so its target was not checked; replace the " +
		"link with the directory, or exclude it"
)

// reportPlaces reports entries that take the place of state, and directories that the walk could not read.
func (c *Checker) reportPlaces(ctx context.Context, found *discover.Found, r *result.Result) error {
	r.Excluded = found.Excluded
	for _, f := range found.Failures {
		r.Failures = append(r.Failures, failure("", f.Path, f.Failure))
	}
	o := &obstructions{bases: c.bases, plugins: c.Plugins, restorer: c.losses.restorer}
	if disk, ok := c.source.(*source.Worktree); ok {
		var err error
		if o.tracked, err = disk.Tracked(ctx, placesOf(found)); err != nil {
			return err
		}
	}
	o.reportFound(ctx, found)
	if err := o.reportTracked(ctx, found, c.scope.query()); err != nil {
		return err
	}
	r.Instances = append(r.Instances, o.list...)
	r.Skipped, r.Failures = reportIgnored(ctx, c, r.Failures)
	r.Notices = append(r.Notices, c.scope.nothingAt(found, o.list)...)
	elsewhere, err := c.change.noteElsewhere(ctx, found)
	r.Notices = append(r.Notices, elsewhere...)
	return err
}

// placesOf returns the paths of all directories that are not entered.
func placesOf(found *discover.Found) (dirs []string) {
	for _, n := range found.Nested {
		dirs = append(dirs, n.Path)
	}
	for _, l := range found.Links {
		dirs = append(dirs, l.Path)
	}
	for _, b := range found.Obstructions {
		dirs = append(dirs, b.Path)
	}
	return dirs
}

// obstructions reports entries that take the place of state.
type obstructions struct {
	bases    *bases
	plugins  Plugins
	tracked  *source.Tracked // the index's entries; nil unless the source is the working tree
	restorer restorer
	list     []result.Instance
}

func (o *obstructions) reportFound(ctx context.Context, found *discover.Found) {
	for _, link := range found.Links {
		severity := o.severityAt(ctx, link.Plugin, link.Path)
		switch {
		case link.Leads == discover.NotVisited && link.State:
			severity = wire.Error
		case link.Leads == discover.NotVisited && !o.hadState(ctx, link.Plugin, link.Path):
			continue // it hides no state
		case link.Leads != discover.NotVisited && link.Leads != discover.Outside:
			continue
		}
		o.report(link.Plugin, severity, link.Path, fmt.Sprintf(linkTo, link.Target))
	}
	for _, b := range found.Obstructions {
		o.reportBlocked(ctx, b)
	}
	for _, n := range found.Near {
		severity := nearSeverity(n)
		if severity < wire.Error && !n.Taken && o.hadState(ctx, n.Plugin, n.Expected) {
			severity = wire.Error // it is the base's state, renamed
		}
		if severity != wire.Off {
			d := miscased(o.restorer, n.Plugin, severity, n.Path, n.Expected, n.Taken, "; nothing here was checked")
			o.add(result.Instance{Plugin: n.Plugin, Root: n.Path, Diagnostics: []result.Diagnostic{d}})
		}
	}
	for _, n := range found.Nested {
		for _, p := range n.Plugins {
			o.report(p, o.severityAt(ctx, p, n.Path), n.Path, repositoryAt(n))
		}
	}
}

func repositoryAt(n discover.Nested) string {
	if n.Submodule {
		return submodule
	}
	return ownRepository
}

// severityAt returns the severity of the finding about an entry that stategate does not enter. It is an error if state
// certainly belongs there, because only this workflow uses the name, or because the index or a base has state at or
// below the path. Otherwise the entry may exist for another reason.
func (o *obstructions) severityAt(ctx context.Context, name, at string) wire.Severity {
	if o.plugins[name].isUnique(at) || o.hadState(ctx, name, at) {
		return wire.Error
	}
	return wire.Info
}

// hadState reports whether the index or a base has a plugin's state at or below a path. It returns true if that is
// unknown.
func (o *obstructions) hadState(ctx context.Context, name, at string) bool {
	q := discover.Query{Only: []string{at}, Plugins: rootsOf([]*plugin.Plugin{o.plugins[name].Plugin})}
	has := func(found *discover.Found, err error) bool {
		return err != nil || slices.ContainsFunc(found.Instances,
			func(i discover.Instance) bool { return slashpath.Holds(at, i.Root) })
	}
	for _, b := range o.bases.list {
		if has(b.Find(ctx, q)) {
			return true
		}
	}
	return o.tracked != nil && has(o.tracked.Find(ctx, at, q))
}

// report reports that something else takes the place of a state directory.
func (o *obstructions) report(plugin string, severity wire.Severity, at, found string) {
	o.add(withFinding(plugin, wire.RuleNotAFile, severity, at, "a directory is expected here, found "+found))
}

// add adds an instance with a single finding, unless the same finding exists.
func (o *obstructions) add(i result.Instance) {
	same := func(j result.Instance) bool {
		return j.Plugin == i.Plugin && j.Root == i.Root && j.Diagnostics[0].Rule == i.Diagnostics[0].Rule
	}
	if i.Touched = o.bases.touches(i.Root); !slices.ContainsFunc(o.list, same) {
		o.list = append(o.list, i)
	}
}

// reportBlocked reports an entry that takes the place of a directory. A file hides nothing, so the finding is
// at most a warning.
func (o *obstructions) reportBlocked(ctx context.Context, b discover.Obstruction) {
	thing, severity := "a "+b.Entry.Detail, o.severityAt(ctx, b.Plugin, b.Path)
	switch b.Entry.Kind {
	case snapshot.Regular:
		thing, severity = "a file", min(severity, wire.Warning)
	case snapshot.Symlink:
		thing = "a symbolic link that does not lead to a directory"
	}
	o.report(b.Plugin, severity, b.Path, fmt.Sprintf("%s, so %s has no state here; restore the directory (git "+
		"restore), or rename this", thing, b.Plugin))
}

// nearSeverity returns the severity of a name that differs from the expected one only in case. A name that begins
// with a dot belongs to a workflow. Any other name may exist for another reason, and stategate assumes that it does if
// the marker's name also differs.
func nearSeverity(n discover.Near) wire.Severity {
	switch {
	case strings.HasPrefix(n.Root, ".") || strings.Contains(n.Root, "/."):
		return wire.Error
	case n.Both:
		return wire.Off
	}
	return wire.Warning
}

// reportMiscased reports documents whose names differ from the expected ones only in case. The finding is an error if
// the document is a marker, or if the expected one also exists, because some file systems keep only one of the two.
func reportMiscased(i *result.Instance, run *Run, r restorer, b *bases) {
	for _, m := range run.Now.Misnamed {
		severity := wire.Warning
		if m.Taken || run.Plugin.isMarker(m.Expected) {
			severity = wire.Error
		}
		at := slashpath.Join(run.Now.Root, m.Path)
		d := miscased(r, i.Plugin, severity, at, slashpath.Join(run.Now.Root, m.Expected), m.Taken, "")
		renamedFirst(i, m.Expected, d.Remedies)
		i.Diagnostics = append(i.Diagnostics, d)
		i.Touched = i.Touched || b.touches(at)
	}
}

// reportLinked notes links that the workflow's tool follows. It warns if a base has documents at such a path, because
// until the change, rules compared them.
func reportLinked(i *result.Instance, run *Run, b *bases) {
	for _, l := range run.Now.Linked {
		severity := wire.Info
		had := func(p *pair) bool {
			return slices.ContainsFunc(p.Past.Files,
				func(f snapshot.File) bool { return slashpath.Holds(l.Path, f.Path) })
		}
		if slices.ContainsFunc(run.pairs, had) {
			severity = wire.Warning
		}
		at := slashpath.Join(run.Now.Root, l.Path)
		d := hostFinding(i.Plugin, wire.RuleNotAFile, severity, at, fmt.Sprintf("a symbolic link to %s, which %s "+
			"follows and stategate does not: its target was not checked, and rules about it are silent", l.Target,
			i.Plugin))
		i.Diagnostics, i.Touched = append(i.Diagnostics, d), i.Touched || b.touches(at)
	}
}

// renamedFirst replaces remedies that would create a document whose name differs from an existing one only in case.
// No edit can do that, so the remedy is to rename the existing one.
func renamedFirst(i *result.Instance, expected string, rename []result.Remedy) {
	blocked := func(r result.Remedy) bool {
		return slices.ContainsFunc(r.Edits, func(e wire.Edit) bool {
			to := e.Range.Path
			if e.Op == wire.Move {
				to = e.To
			}
			return (e.Op == wire.Create || e.Op == wire.Restore || e.Op == wire.Move) && slashpath.Holds(expected, to)
		})
	}
	i.Recoveries = slices.DeleteFunc(i.Recoveries, blocked)
	for n := range i.Diagnostics {
		d := &i.Diagnostics[n]
		all := len(d.Remedies)
		if d.Remedies = slices.DeleteFunc(d.Remedies, blocked); len(d.Remedies) == 0 && all > 0 && len(rename) > 0 {
			d.Remedies = []result.Remedy{d.ByHand(rename[0].Title, rename[0].Steps[0])}
		}
	}
}

// miscased returns the finding that a name differs from the expected one only in case. The user types the rename,
// because git knows how to do it on systems where the two names are the same.
func miscased(r restorer, plugin string, severity wire.Severity, found, expected string, taken bool,
	more string) result.Diagnostic {
	message := fmt.Sprintf("found the name %s, expected %s: macOS and Windows treat the two as one name, other "+
		"systems do not", path.Base(found), path.Base(expected))
	if taken {
		message += "; both are here: merge them into " + path.Base(expected) + " and remove the other"
	} else {
		message += "; rename it"
	}
	d := hostFinding(plugin, wire.RuleMiscased, severity, found, message+more)
	if !taken && r.source != wire.Commit {
		d.Remedies = []result.Remedy{d.ByHand("Rename "+found+" to "+expected, r.rename(found, expected))}
	}
	return d
}

// reportTracked reports tracked files in directories of the working tree that are now separate repositories. In
// them, the files have different names from those in the index, or do not exist.
func (o *obstructions) reportTracked(ctx context.Context, found *discover.Found, q discover.Query) error {
	if o.tracked == nil {
		return nil
	}
	for _, n := range found.Nested {
		were, err := o.tracked.Find(ctx, n.Path, q)
		if err != nil {
			return err
		}
		for _, i := range were.Instances {
			if !isFound(found, i) { // otherwise its documents show it
				o.report(i.Plugin, wire.Error, n.Path, repositoryAt(n))
			}
		}
		for _, near := range were.Near {
			if nearSeverity(near) == wire.Error {
				o.report(near.Plugin, wire.Error, n.Path, repositoryAt(n))
			}
		}
	}
	return nil
}
