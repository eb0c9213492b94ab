package vet

import (
	"strconv"
	"strings"

	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// Outside returns the edit that changes something that the workflow may not change, or "" if there is none. A
// workflow may change the documents that its manifest declares, including those that it only lists. It may change
// dotfiles only if the manifest spells them out, and may never change files that belong to git.
func Outside(m *wire.Manifest, root string, edits []wire.Edit) string {
	for i := range edits {
		e := &edits[i]
		names := []string{e.Range.Path}
		switch e.Op {
		case wire.MoveRoot:
			continue // limited to paths that the workflow's roots match
		case wire.Move:
			// A renamed document may stay in the same directory, with one more word in its name.
			if word, beside := strings.CutPrefix(e.To, e.Range.Path+"."); !beside || !edit.IsWord(word) {
				names = append(names, e.To)
			}
		}
		for _, name := range names {
			if why := foreign(m, root, name); why != "" {
				return why
			}
		}
	}
	return ""
}

func foreign(m *wire.Manifest, root, name string) string {
	switch {
	case edit.InGitFolder(name):
		return "it would change " + strconv.Quote(name) + ", which is git's own"
	case !declared(m, name):
		return "it would change " + strconv.Quote(name) + ", which is not a document of the workflow"
	case !spelled(m, root, name):
		return "it would change " + strconv.Quote(name) + ", a dot file that the plugin does not name"
	}
	return ""
}

// declared reports whether a document spec admits a name. For a directory, it reports whether a glob or the beginning
// of one matches the name without "**".
func declared(m *wire.Manifest, name string) bool {
	dir, isDir := strings.CutSuffix(name, "/")
	if !isDir {
		return snapshot.SpecOf(m.Documents, strings.ReplaceAll(name, "{n}", "1"), snapshot.Regular) >= 0
	}
	for i := range m.Documents {
		parts, deep := strings.Split(strings.TrimSuffix(m.Documents[i].Glob, "/"), "/"), strings.Count(dir, "/")+1
		if len(parts) < deep {
			continue
		}
		above := strings.Join(parts[:deep], "/")
		if glob.Match(above, dir) && !strings.Contains(above, "**") {
			return true
		}
	}
	return false
}

// spelled reports whether a root or a document of the manifest spells out each dotfile name in a path. Names above the
// root do not count, because the plugin does not choose them.
func spelled(m *wire.Manifest, root, name string) bool {
	var globs []string
	parts := strings.Split(strings.TrimSuffix(name, "/"), "/")
	for _, r := range m.Roots {
		globs = append(globs, r.Dir)
		if root != "." && glob.Match("**/"+r.Dir, root) {
			own := strings.Split(root, "/")
			if deep := strings.Count(r.Dir, "/") + 1; !strings.Contains(r.Dir, "**") && deep < len(own) {
				own = own[len(own)-deep:]
			}
			parts = append(own, parts...)
		}
	}
	for _, d := range m.Documents {
		globs = append(globs, d.Glob)
	}
	for _, part := range parts {
		if strings.HasPrefix(part, ".") && !dotted(globs, part) {
			return false
		}
	}
	return true
}

func dotted(globs []string, part string) bool {
	for _, g := range globs {
		for segment := range strings.SplitSeq(strings.TrimSuffix(g, "/"), "/") {
			dot := strings.HasPrefix(segment, ".") || strings.Contains(segment, "{.") || strings.Contains(segment, ",.")
			if dot && glob.Match(segment, part) {
				return true
			}
		}
	}
	return false
}
