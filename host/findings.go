package host

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/stategate/stategate/host/collect"
	"github.com/stategate/stategate/host/discover"
	"github.com/stategate/stategate/host/failure"
	"github.com/stategate/stategate/sdk/wire"
)

// The findings that the host makes without asking a plugin.

func unstable(plugin, root string) Diagnostic {
	return hostFinding(plugin, wire.RuleUnstable, wire.Info, root,
		"the files changed while they were read, three times over; look again when nothing writes to them")
}

// linked reports a symbolic link that hides what a plugin would look at.
func linked(l discover.Link) Instance {
	d := hostFinding(l.Plugin, wire.RuleNotAFile, wire.Error, l.Path,
		"a directory is expected here, found a symbolic link to "+l.Target+", which is never followed, so that nothing behind it was looked at; put the directory itself here, or exclude it")
	return Instance{Plugin: l.Plugin, Root: l.Path, Diagnostics: []Diagnostic{d}}
}

// nested reports a repository of its own where a plugin looks for state.
func nested(plugin, dir string) Instance {
	d := hostFinding(plugin, wire.RuleNotAFile, wire.Error, dir,
		"a directory is expected here, found a git repository of its own, which is not entered, so that nothing in it was looked at; remove its .git, look at it by name (stategate check "+dir+"), or exclude it")
	return Instance{Plugin: plugin, Root: dir, Diagnostics: []Diagnostic{d}}
}

// meant reports whether a directory's own name is one that a plugin's roots
// spell out, such as ".ocr": state is looked for there and below.
func meant(p *Plugin, dir string) bool {
	for _, root := range p.Manifest.Roots {
		for name := range strings.SplitSeq(root.Dir, "/") {
			if name == path.Base(dir) && !strings.ContainsAny(name, "*?[{") {
				return true
			}
		}
	}
	return false
}

func hostFinding(plugin, rule string, severity wire.Severity, at, message string) Diagnostic {
	return Diagnostic{
		Rule: plugin + "/" + rule, Severity: severity, Place: Place{Path: at}, Message: message,
		Fingerprint: hash(plugin, rule, at, "", ""),
	}
}

// unseen is the failure of documents that are there by name only: what
// the plugin finds in the others says nothing about them.
func unseen(i *collect.Instance, source wire.Source) *failure.Failure {
	more := ""
	if n := len(i.Unseen) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	switch {
	case !i.Pointers:
		return failure.Newf(failure.Source, "read %s%s: this clone does not have the bytes: fetch them (git fetch --refetch --no-filter), or look at the work tree", i.Unseen[0], more)
	case source != wire.Worktree:
		return failure.Newf(failure.Source, "read %s%s: in place of the document lies a Git LFS pointer, as always in the %s: look at the work tree, or take the document out of LFS", i.Unseen[0], more, source)
	}
	return failure.Newf(failure.Source, "read %s%s: in place of the document lies a Git LFS pointer: fetch what it stands for (git lfs pull), or write the document", i.Unseen[0], more)
}

// nameOf returns the last component of a root; of the anchor itself, that of
// its directory.
func (l *look) nameOf(root string) string {
	if root == "." {
		return filepath.Base(l.anchor.Path)
	}
	return path.Base(root)
}
