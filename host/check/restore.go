package check

import (
	"slices"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// restorable adds to findings about a document that is gone, or that something else
// has taken the place of, how git brings it back from the base. A commit does not change.
func (l *Session) restorable(i *result.Instance, v *view) {
	base, ok := v.Past.Tree.(*tree.Commit)
	if i == nil || !ok || v.Past.State != wire.BaseAt || l.Options.Source == wire.Commit {
		return
	}
	for n := range i.Diagnostics {
		d := &i.Diagnostics[n]
		if d.Found == nil || d.Severity < wire.Warning || hasRestore(d) || !regular(v.Past.Files, d.Found.Range.Path) || there(v.Now.Files, d.Found.Range.Path) {
			continue
		}
		flags := "--source=" + base.ID[:12]
		if l.Options.Source == wire.Index {
			flags += " --staged --worktree"
		}
		title := "Restore " + d.Found.Range.Path + " from commit " + base.ID[:12]
		step := l.command("restore", flags, []string{slashpath.Join(v.Past.Root, d.Found.Range.Path)})
		d.Remedies = append(d.Remedies, result.Remedy{ID: result.ID(d.Fingerprint, title), Remedy: wire.Remedy{Title: title, Safety: wire.Manual, Steps: []string{step}}})
	}
}

func hasRestore(d *result.Diagnostic) bool {
	return slices.ContainsFunc(d.Remedies, func(r result.Remedy) bool {
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
