package host

import (
	"slices"

	"github.com/stategate/stategate/host/tree"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// restorable adds to findings about a document that is gone, or that something else
// has taken the place of, how git brings it back from the base. A commit does not change.
func (l *look) restorable(i *Instance, v *view) {
	base, ok := v.past.Tree.(*tree.Commit)
	if i == nil || !ok || v.past.State != wire.BaseAt || l.options.Source == wire.Commit {
		return
	}
	for n := range i.Diagnostics {
		d := &i.Diagnostics[n]
		if d.found == nil || d.Severity < wire.Warning || hasRestore(d) || !regular(v.past.Files, d.found.Range.Path) || there(v.now.Files, d.found.Range.Path) {
			continue
		}
		flags := "--source=" + base.ID[:12]
		if l.options.Source == wire.Index {
			flags += " --staged --worktree"
		}
		title := "Restore " + d.found.Range.Path + " from commit " + base.ID[:12]
		step := l.command("restore", flags, []string{join(v.past.Root, d.found.Range.Path)})
		d.Remedies = append(d.Remedies, Remedy{ID: hash(d.Fingerprint, title), Remedy: wire.Remedy{Title: title, Safety: wire.Manual, Steps: []string{step}}})
	}
}

func hasRestore(d *Diagnostic) bool {
	return slices.ContainsFunc(d.Remedies, func(r Remedy) bool {
		return slices.ContainsFunc(r.Edits, func(e wire.Edit) bool { return e.Op == wire.Restore })
	})
}

// regular reports whether a list of documents has a file of that name, there whether
// it has a file or a directory.
func regular(files []snapshot.File, name string) bool {
	return slices.ContainsFunc(files, func(f snapshot.File) bool { return f.Path == name && f.Kind == snapshot.Regular })
}

func there(files []snapshot.File, name string) bool {
	return slices.ContainsFunc(files, func(f snapshot.File) bool {
		return f.Path == name && (f.Kind == snapshot.Regular || f.Kind == snapshot.Directory)
	})
}
