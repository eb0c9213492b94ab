package check

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/glob"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/wire"
)

// What stands in the place of state, or beside it, so that no plugin sees it.

// obstructed reports what the walk found in the place of state.
func (l *Session) obstructed(ctx context.Context, found *discover.Found) error {
	for _, link := range found.Links {
		if link.Leads == discover.Outside || link.Leads == discover.Unwalked {
			l.add(linked(link))
		}
	}
	for _, b := range found.Blocked {
		l.add(blocked(b))
	}
	for _, n := range found.Near {
		if severity := nearness(n); severity != wire.Off {
			l.add(l.nearby(n, severity))
		}
	}
	for _, n := range found.Nested {
		for _, p := range n.Plugins {
			l.add(nested(p, n.Path))
		}
	}
	return l.hidden(ctx, found)
}

// add takes in an instance of which nothing is known but one finding, unless that is there already.
func (l *Session) add(i result.Instance) {
	same := func(j result.Instance) bool {
		return j.Digest == "" && j.Plugin == i.Plugin && j.Root == i.Root && j.Diagnostics[0].Rule == i.Diagnostics[0].Rule
	}
	if i.Touched = l.changed(i.Root); !slices.ContainsFunc(l.result.Instances, same) {
		l.result.Instances = append(l.result.Instances, i)
	}
}

// changed reports whether a change touches a path or something below it, or whether that is not known.
func (l *Session) changed(name string) bool {
	if l.Options.Source == wire.Worktree || l.changes == nil {
		return true
	}
	changes, err := l.changes()
	return err != nil || slices.ContainsFunc(changes, func(c git.Change) bool { return slashpath.Holds(name, c.Path) || slashpath.Holds(c.Path, name) })
}

// obstruction makes an instance of one finding: something else is in the place of state.
func obstruction(plugin string, severity wire.Severity, at, message string) result.Instance {
	return result.Instance{Plugin: plugin, Root: at, Diagnostics: []result.Diagnostic{hostFinding(plugin, wire.RuleNotAFile, severity, at, message)}}
}

// linked reports a symbolic link that hides what a plugin would look at.
func linked(l discover.Link) result.Instance {
	return obstruction(l.Plugin, wire.Error, l.Path,
		"a directory is expected here, found a symbolic link to "+l.Target+", which is not followed, so nothing behind it was checked; replace the link with the directory, or exclude it")
}

// nested reports a repository of its own where a plugin looks for state.
func nested(plugin, dir string) result.Instance {
	return obstruction(plugin, wire.Error, dir,
		"a directory is expected here, found a git repository of its own, which is not entered, so nothing in it was checked; remove its .git, check it by name (stategate check "+dir+"), or exclude it")
}

// absent reports a submodule whose files are not there, where a plugin looks for state.
func absent(plugin, dir string) result.Instance {
	return obstruction(plugin, wire.Error, dir,
		"a directory is expected here, found a submodule that is not checked out, so nothing in it was checked; keep the state in this repository, or exclude it")
}

// blocked reports a thing in the place of a directory. A visible name may well be that of a file of another kind.
func blocked(b discover.Blocked) result.Instance {
	severity := wire.Error
	switch hidden := strings.HasPrefix(path.Base(b.Path), "."); {
	case !hidden:
		severity = wire.Info
	case b.Mode.IsRegular() || b.Mode&fs.ModeSymlink != 0:
		severity = wire.Warning
	}
	return obstruction(b.Plugin, severity, b.Path,
		fmt.Sprintf("a directory is expected here, found %s, so %s has no state here; restore the directory (git restore), or rename this", thing(b.Mode), b.Plugin))
}

func thing(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a file"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link that leads to no directory"
	}
	return "a " + tree.EntryOf("", mode).Detail
}

// nearness says how grave it is that a name differs in case. A name that begins with a dot is a workflow's own; any
// other may be there for another reason, and is if the marker does not fit, either.
func nearness(n discover.Near) wire.Severity {
	switch {
	case strings.HasPrefix(n.Root, ".") || strings.Contains(n.Root, "/."):
		return wire.Error
	case n.Both:
		return wire.Off
	}
	return wire.Warning
}

func (l *Session) nearby(n discover.Near, severity wire.Severity) result.Instance {
	d := l.miscased(n.Plugin, severity, n.Path, n.Expected, n.Taken, "; nothing here was checked")
	return result.Instance{Plugin: n.Plugin, Root: n.Path, Diagnostics: []result.Diagnostic{d}}
}

// misnamed reports documents whose names differ in case. One that makes a run is state; two of which a system keeps only
// one are a fault whatever they are.
func (o *examination) misnamed(l *Session, p *Party, i *statefiles.Instance) {
	for _, m := range i.Misnamed {
		severity := wire.Warning
		if m.Taken || p.marks(m.Expected) {
			severity = wire.Error
		}
		at := slashpath.Join(i.Root, m.Path)
		o.Instance.Diagnostics = append(o.Instance.Diagnostics, l.miscased(p.Name, severity, at, slashpath.Join(i.Root, m.Expected), m.Taken, ""))
		o.Instance.Touched = o.Instance.Touched || l.changed(at)
	}
}

// marks reports whether a path below a root is a marker, or a directory on the way to one.
func (p *Party) marks(name string) bool {
	for _, r := range p.Manifest.Roots {
		set, err := glob.Compile(r.Markers)
		if err != nil {
			continue // the walk refuses it
		}
		st := set.Start()
		for part := range strings.SplitSeq(name, "/") {
			st = set.Step(st, part)
		}
		if set.Accepts(st) || set.Below(st) {
			return true
		}
	}
	return false
}

// miscased reports a name that differs in case from the expected one. The rename is typed by hand: git knows how on systems
// where the two are one name.
func (l *Session) miscased(plugin string, severity wire.Severity, found, expected string, taken bool, more string) result.Diagnostic {
	message := fmt.Sprintf("found the name %s, expected %s: macOS and Windows treat the two as one name, other systems do not", path.Base(found), path.Base(expected))
	if taken {
		message += "; both are here: merge them into " + path.Base(expected) + " and remove the other"
	} else {
		message += "; rename it"
	}
	d := hostFinding(plugin, wire.RuleMiscased, severity, found, message+more)
	if !taken && l.Options.Source != wire.Commit {
		title := "Rename " + found + " to " + expected
		d.Remedies = []result.Remedy{{ID: result.ID(d.Fingerprint, title), Remedy: wire.Remedy{Title: title, Safety: wire.Manual, Steps: []string{l.rename(found, expected)}}}}
	}
	return d
}

// maxPathspecs is how many directories git is asked about by name; beyond, the whole index is as quick.
const maxPathspecs = 100

// hidden reports what git tracks in directories that the walk of the work tree found to be empty, or repositories of
// their own: there it lies under another name than the index has it, or not at all.
func (l *Session) hidden(ctx context.Context, found *discover.Found) error {
	if l.Options.Source != wire.Worktree || l.ignores == nil || len(found.Nested)+len(found.Empty) == 0 {
		return nil
	}
	var dirs []string
	for _, n := range slices.Concat(found.Nested, found.Empty) {
		dirs = append(dirs, n.Path)
	}
	if len(dirs) > maxPathspecs {
		dirs = nil
	}
	listing, err := l.Anchor.Repo.Index(ctx, dirs...)
	if err != nil {
		return err
	}
	for _, n := range found.Empty {
		if f, ok := listing.Find(n.Path); ok && f.Mode == git.Gitlink {
			for _, p := range n.Plugins {
				l.add(absent(p, n.Path))
			}
		}
	}
	for _, n := range found.Nested {
		if err := l.tracked(ctx, listing, n.Path, found); err != nil {
			return err
		}
	}
	return nil
}

// tracked reports a repository in which the index has state.
func (l *Session) tracked(ctx context.Context, listing *git.Listing, dir string, found *discover.Found) error {
	from, to := listing.Within(dir)
	files := slices.DeleteFunc(slices.Clone(listing.Files[from:to]), func(f git.File) bool { return f.Mode == "120000" })
	if len(files) == 0 {
		return nil
	}
	were, err := discover.Find(ctx, discover.Query{
		Tree: tree.NewListed(&git.Listing{Files: files}, nil, l.Anchor.Path), Only: l.Anchor.Only, Plugins: l.roots(), Exclude: l.Options.Exclude,
	})
	if err != nil {
		return err
	}
	for _, i := range were.Instances {
		if !slices.Contains(found.Instances, i) { // else its documents say so
			l.add(nested(i.Plugin, dir))
		}
	}
	for _, n := range were.Near {
		if nearness(n) == wire.Error {
			l.add(nested(n.Plugin, dir))
		}
	}
	return nil
}
