package check

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// What is in the place of state, or beside it, so that no plugin sees it.

// The things that are not entered, and what to do with them.
const (
	ownRepository = "a git repository of its own, which is not entered, so nothing in it was checked; remove its " +
		".git, check it by name (stategate check %s), or exclude it"
	submodule = "a submodule that is not checked out, so nothing in it was checked; keep the state in this " +
		"repository, or exclude it"
	linkTo = "a symbolic link to %s, which is not followed, so nothing behind it was checked; replace the " +
		"link with the directory, or exclude it"
)

// obstructed reports what the walk found in the place of state.
func (s *Session) obstructed(ctx context.Context) error {
	for _, link := range s.found.Links {
		if link.Leads == discover.Outside || link.Leads == discover.NotVisited {
			s.obstruction(link.Plugin, s.gravity(link.Path), link.Path, fmt.Sprintf(linkTo, link.Target))
		}
	}
	for _, b := range s.found.Blocked {
		s.blocked(b)
	}
	for _, n := range s.found.Near {
		if severity := nearness(n); severity != wire.Off {
			s.add(result.Instance{Plugin: n.Plugin, Root: n.Path, Diagnostics: []result.Diagnostic{
				s.miscased(n.Plugin, severity, n.Path, n.Expected, n.Taken, "; nothing here was checked"),
			}})
		}
	}
	for _, n := range s.found.Nested {
		for _, p := range n.Plugins {
			s.obstruction(p, s.gravity(n.Path), n.Path, fmt.Sprintf(ownRepository, n.Path))
		}
	}
	return s.hidden(ctx)
}

// gravity is how grave it is that something is in the place of a directory of state: an error where the name begins
// with a dot, and is a workflow's own, or a base has a directory there. A name such as specs may be there for another
// reason.
func (s *Session) gravity(at string) wire.Severity {
	if strings.HasPrefix(at, ".") || strings.Contains(at, "/.") {
		return wire.Error
	}
	for _, b := range s.bases {
		t, err := b.tree()
		if err != nil {
			return wire.Error
		}
		if e, err := t.Stat(at); err == nil && e.Kind == snapshot.Directory {
			return wire.Error
		}
	}
	return wire.Warning
}

// obstruction reports that something else is in the place of a directory of state.
func (s *Session) obstruction(plugin string, severity wire.Severity, at, found string) {
	s.add(withFinding(plugin, wire.RuleNotAFile, severity, at, "a directory is expected here, found "+found))
}

// add takes in an instance of which nothing is known but one finding, unless that is there already.
func (s *Session) add(i result.Instance) {
	same := func(j result.Instance) bool {
		return j.Digest == "" && j.Plugin == i.Plugin && j.Root == i.Root &&
			j.Diagnostics[0].Rule == i.Diagnostics[0].Rule
	}
	if i.Touched = s.changed(i.Root); !slices.ContainsFunc(s.result.Instances, same) {
		s.result.Instances = append(s.result.Instances, i)
	}
}

// changed reports whether a change touches a path or something below it, or whether that is not known.
func (s *Session) changed(name string) bool {
	if s.changes == nil {
		return true
	}
	changes, err := s.changes()
	return err != nil || slices.ContainsFunc(changes, func(c git.Change) bool { return related(name, c.Path) })
}

// blocked reports a thing in the place of a directory. A visible name may well be that of a file of another kind.
func (s *Session) blocked(b discover.Blocked) {
	thing, severity := "a "+b.Entry.Detail, wire.Error
	switch b.Entry.Kind {
	case snapshot.Regular:
		thing, severity = "a file", wire.Warning
	case snapshot.Symlink:
		thing, severity = "a symbolic link that leads to no directory", wire.Warning
	}
	if !strings.HasPrefix(path.Base(b.Path), ".") {
		severity = wire.Info
	}
	s.obstruction(b.Plugin, severity, b.Path, fmt.Sprintf("%s, so %s has no state here; restore the directory (git "+
		"restore), or rename this", thing, b.Plugin))
}

// nearness is how grave it is that a name differs in case. A name that begins with a dot is a workflow's own; any
// other may be there for another reason, and is if the marker does not match, either.
func nearness(n discover.Near) wire.Severity {
	switch {
	case strings.HasPrefix(n.Root, ".") || strings.Contains(n.Root, "/."):
		return wire.Error
	case n.Both:
		return wire.Off
	}
	return wire.Warning
}

// misnamed reports documents whose names differ in case. One that makes a run is state; two of which a system keeps
// only one are an error whatever they are.
func (s *Session) misnamed(i *result.Instance, c *comparison) {
	for _, m := range c.Now.Misnamed {
		severity := wire.Warning
		if m.Taken || c.marks(m.Expected) {
			severity = wire.Error
		}
		at := slashpath.Join(c.Now.Root, m.Path)
		d := s.miscased(c.Name, severity, at, slashpath.Join(c.Now.Root, m.Expected), m.Taken, "")
		renamedFirst(i, m.Expected, d.Remedies)
		i.Diagnostics = append(i.Diagnostics, d)
		i.Touched = i.Touched || s.changed(at)
	}
}

// renamedFirst replaces remedies that would make a document whose name another one has in other case: no edit can. The
// cure is the renaming.
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

// marks reports whether a path below a root is a marker, or a directory on the way to one.
func (p *ActivePlugin) marks(name string) bool {
	return slices.ContainsFunc(p.Manifest.Roots, func(r wire.Root) bool {
		set, err := glob.Compile(r.Markers)
		if err != nil {
			return false // the walk refuses it
		}
		st := set.Start()
		for part := range strings.SplitSeq(name, "/") {
			st = set.Step(st, part)
		}
		return set.Accepts(st) || set.Below(st)
	})
}

// miscased reports a name that differs in case from the expected one. The rename is typed by hand: git knows how on
// systems where the two are one name.
func (s *Session) miscased(plugin string, severity wire.Severity, found, expected string, taken bool,
	more string) result.Diagnostic {
	message := fmt.Sprintf("found the name %s, expected %s: macOS and Windows treat the two as one name, other "+
		"systems do not", path.Base(found), path.Base(expected))
	if taken {
		message += "; both are here: merge them into " + path.Base(expected) + " and remove the other"
	} else {
		message += "; rename it"
	}
	d := hostFinding(plugin, wire.RuleMiscased, severity, found, message+more)
	if !taken && s.Options.Source != wire.Commit {
		d.Remedies = []result.Remedy{d.ByHand("Rename "+found+" to "+expected, s.shell().Move(found, expected))}
	}
	return d
}

// maxPathspecs is how many directories git is asked about by name; beyond, the whole index is as quick.
const maxPathspecs = 100

// hidden reports what git tracks in directories that the walk of the work tree found to be empty, or repositories of
// their own: there it is under another name than the index has it, or not at all.
func (s *Session) hidden(ctx context.Context) error {
	if s.Options.Source != wire.Worktree || s.ignores == nil || len(s.found.Nested)+len(s.found.Empty) == 0 {
		return nil
	}
	var dirs []string
	for _, n := range slices.Concat(s.found.Nested, s.found.Empty) {
		dirs = append(dirs, n.Path)
	}
	if len(dirs) > maxPathspecs {
		dirs = nil
	}
	listing, err := s.Workspace.Repo.Index(ctx, dirs...)
	if err != nil {
		return err
	}
	for _, n := range s.found.Empty {
		if f, ok := listing.Find(n.Path); ok && f.Mode == git.Gitlink {
			for _, p := range n.Plugins {
				s.obstruction(p, wire.Error, n.Path, submodule)
			}
		}
	}
	for _, n := range s.found.Nested {
		if err := s.trackedInside(ctx, listing, n.Path); err != nil {
			return err
		}
	}
	return nil
}

// trackedInside reports a repository in which the index has state.
func (s *Session) trackedInside(ctx context.Context, listing *git.Listing, dir string) error {
	from, to := listing.Within(dir)
	files := slices.DeleteFunc(slices.Clone(listing.Files[from:to]),
		func(f git.File) bool { return f.Mode == "120000" })
	if len(files) == 0 {
		return nil
	}
	were, err := discover.Find(ctx, s.query(tree.NewListed("", &git.Listing{Files: files}, nil, s.Workspace.Path)))
	if err != nil {
		return err
	}
	for _, i := range were.Instances {
		if !s.isFound(i) { // else its documents show it
			s.obstruction(i.Plugin, wire.Error, dir, fmt.Sprintf(ownRepository, dir))
		}
	}
	for _, n := range were.Near {
		if nearness(n) == wire.Error {
			s.obstruction(n.Plugin, wire.Error, dir, fmt.Sprintf(ownRepository, dir))
		}
	}
	return nil
}
