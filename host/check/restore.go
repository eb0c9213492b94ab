package check

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// A restorer describes how to restore a base's documents in the checked source.
type restorer struct {
	advice.Shell
	source wire.Source
	disk   *tree.Worktree
}

// all returns the paths, below a run's root, that stand for all of its documents in a command. A run at the top of
// the workspace shares its directory with other files, so for such a run, all returns its first documents.
func (f *formerRun) all() (paths []string) {
	if f.root != "." {
		return []string{"."}
	}
	for _, file := range f.files {
		if file.Kind == snapshot.Regular && len(paths) < maxNamed {
			paths = append(paths, file.Path)
		}
	}
	return paths
}

// run returns the command that restores some of a run's documents, or all of them if paths is ".".
func (r restorer) run(f *formerRun, paths ...string) string {
	if slices.Equal(paths, []string{"."}) {
		paths = f.all()
	}
	full := make([]string, len(paths))
	for i, p := range paths {
		full[i] = slashpath.Join(f.root, p)
	}
	if r.source == wire.Index && r.onDisk(f, paths) {
		return r.Git("add", "", full...)
	}
	return r.Restore(f.commit, r.source != wire.Worktree, true, full...)
}

// offer adds a remedy that restores some documents of a lost run from the base. It adds none if staging restores them,
// or if a file or link has taken the place of the run's directory.
func (r restorer) offer(i *result.Instance, f *formerRun, lost []string) {
	d := &i.Diagnostics[0]
	other := func(name string) bool { return !has(f.files, name, snapshot.Regular) }
	if r.disk == nil || d.Severity < wire.Warning || len(lost) == 0 || slices.ContainsFunc(lost, other) ||
		r.source == wire.Index && r.onDisk(f, lost) {
		return
	}
	if e, err := r.disk.Stat(f.root); err == nil && e.Kind != snapshot.Directory ||
		err != nil && !errors.Is(err, fs.ErrNotExist) {
		return
	}
	title := "Restore " + lost[0] + " from the base"
	if len(lost) > 1 {
		title = "Restore " + strconv.Itoa(len(lost)) + " of the run's documents from the base"
	}
	restores := result.Remedy{ID: result.ID(d.Fingerprint, title),
		Remedy: wire.Remedy{Title: title, Safety: wire.Review}}
	for _, name := range lost {
		restores.Edits = append(restores.Edits, wire.Edit{Op: wire.Restore, Range: wire.Range{Path: name}})
	}
	d.Remedies = []result.Remedy{restores}
	d.Found = &finding.Finding{Diagnostic: wire.Diagnostic{Rule: wire.RuleRunRemoved, Severity: d.Severity},
		Host: true}
	unwritable(i)
}

// rename returns the command that renames a path. git mv refuses a path that git does not track.
func (r restorer) rename(from, to string) string {
	if r.source == wire.Worktree {
		var tracked *git.Listing
		if r.disk.Index != nil {
			tracked = r.disk.Index()
		}
		if tracked == nil || !tracked.Holds(from) {
			return r.Rename(from, to)
		}
	}
	return r.Move(from, to)
}

// onDisk reports whether the working tree has all of the given paths of a run, so that staging restores them. A link
// in place of the run's directory does not count.
func (r restorer) onDisk(f *formerRun, paths []string) bool {
	if e, err := r.disk.Stat(f.root); err != nil || e.Kind != snapshot.Directory {
		return false
	}
	return !slices.ContainsFunc(f.files, func(file snapshot.File) bool {
		if file.Kind != snapshot.Regular || !slices.Contains(paths, ".") && !slices.Contains(paths, file.Path) {
			return false
		}
		e, err := r.disk.Stat(slashpath.Join(f.root, file.Path))
		return err != nil || e.Kind != snapshot.Regular
	})
}

// addTo adds a remedy to each finding about a document that is missing or was replaced by something else: the git
// command that restores it from the base. It adds none for a commit, because a commit cannot be changed.
func (r restorer) addTo(i *result.Instance, run *Run) {
	if r.source == wire.Commit {
		return
	}
	for n := range i.Diagnostics {
		d := &i.Diagnostics[n]
		restores := func(other result.Remedy) bool {
			return slices.ContainsFunc(other.Edits, func(e wire.Edit) bool { return e.Op == wire.Restore })
		}
		if d.Found == nil || d.Severity < wire.Warning || slices.ContainsFunc(d.Remedies, restores) ||
			has(run.Now.Files, d.Found.Range.Path, snapshot.Regular, snapshot.Directory) {
			continue
		}
		at := slices.IndexFunc(run.pairs, func(p *pair) bool {
			return p.Past.State == wire.BaseAt && has(p.Past.Files, d.Found.Range.Path, snapshot.Regular)
		})
		if at < 0 {
			continue
		}
		past := run.pairs[at].Past
		staged := r.source == wire.Index // otherwise git's default is the working tree
		d.Remedies = append(d.Remedies, d.ByHand(
			"Restore "+d.Found.Range.Path+" from commit "+past.Tree.ID[:12],
			r.Restore(past.Tree.ID, staged, staged, slashpath.Join(past.Root, d.Found.Range.Path))))
	}
}

// explainEncoding replaces the remedies for a document that cannot be decoded if an attribute makes git write it to the
// working tree in another encoding: its bytes in git may be fine, so restoring them would change nothing.
func (r restorer) explainEncoding(ctx context.Context, i *result.Instance, repo *git.Repo) {
	if r.source != wire.Worktree || repo == nil {
		return
	}
	for n := range i.Diagnostics {
		d := &i.Diagnostics[n]
		if d.Rule != i.Plugin+"/"+wire.RuleUnreadable {
			continue
		}
		name := repo.Encoding(ctx, d.Place.Path)
		if name == "" {
			continue
		}
		d.Remedies = []result.Remedy{d.ByHand("Keep "+d.Place.Path+" as UTF-8",
			"its git attribute working-tree-encoding is "+name+", which stategate does not decode; remove that from "+
				".gitattributes, then save the file as UTF-8")}
		i.Recoveries = slices.DeleteFunc(i.Recoveries, func(r result.Remedy) bool {
			return slices.ContainsFunc(r.Edits, func(e wire.Edit) bool {
				return slashpath.Join(i.Root, e.Range.Path) == d.Place.Path
			})
		})
	}
}

// unwritable removes remedies that edit a document with a backslash in its path, because no remedy can write it. addTo
// then offers git's command.
func unwritable(i *result.Instance) {
	refused := func(r result.Remedy) bool {
		return slices.ContainsFunc(r.Edits, func(e wire.Edit) bool {
			return strings.Contains(slashpath.Join(i.Root, e.Range.Path), `\`)
		})
	}
	i.Recoveries = slices.DeleteFunc(i.Recoveries, refused)
	for n := range i.Diagnostics {
		i.Diagnostics[n].Remedies = slices.DeleteFunc(i.Diagnostics[n].Remedies, refused)
	}
}

// noteUntracked notes documents that the index no longer has although the working tree does, because git ignores them
// now: the next commit loses them.
func (r restorer) noteUntracked(o *Outcome, run *Run) {
	if r.source != wire.Worktree || run.Now.Ignored() {
		return // a run that is ignored as a whole is reported
	}
	for _, f := range run.Now.Files {
		lost := func(p *pair) bool {
			return p.Past.State == wire.BaseAt && has(p.Past.Files, f.Path, snapshot.Regular)
		}
		if at := slashpath.Join(o.Root, f.Path); f.Ignored && slices.ContainsFunc(run.pairs, lost) {
			o.notices = append(o.notices, at+" is not in the index, and git ignores it, so the next commit loses it; "+
				"if that was not intended, "+r.readd(at))
		}
	}
}

// readd says how to add an ignored file to git again.
func (r restorer) readd(paths ...string) string {
	return "change .gitignore, then: " + r.Git("add", "", paths...)
}

// leftOut replaces remedies that edit documents outside the sparse checkout, because they would write files that the
// working tree does not have.
func leftOut(i *result.Instance, run *Run, files tree.Tree) {
	sparse, ok := files.(*tree.Sparse)
	if !ok {
		return
	}
	out := func(r result.Remedy) (name string) {
		for _, e := range r.Edits {
			if at := slashpath.Join(run.Now.Root, e.Range.Path); sparse.LeavesOut(at) {
				return at
			}
		}
		return ""
	}
	i.Recoveries = slices.DeleteFunc(i.Recoveries, func(r result.Remedy) bool { return out(r) != "" })
	for n := range i.Diagnostics {
		d := &i.Diagnostics[n]
		for k, r := range d.Remedies {
			if name := out(r); name != "" {
				d.Remedies[k] = d.ByHand(r.Title, "the sparse checkout leaves out "+name+
					": add it (git sparse-checkout add), and check again")
			}
		}
	}
}

// has reports whether a list of documents contains an entry with this name and one of these kinds.
func has(files []snapshot.File, name string, kinds ...snapshot.Kind) bool {
	return slices.ContainsFunc(files, func(f snapshot.File) bool {
		return f.Path == name && slices.Contains(kinds, f.Kind)
	})
}
