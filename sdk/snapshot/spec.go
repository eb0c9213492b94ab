//go:build !wasip1

package snapshot

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/stategate/stategate/sdk/wire"
)

// SpecOf returns the index of the document spec that admits what lies at a path
// below the root, -1 if none does: the first whose glob matches. Globs that end in a slash
// admit directories and no regular files. A directory whose name only a document may
// have ("*.md", but not "*") is admitted as what lies in a document's place.
//
// A host that walks a tree decides the same, name by name; a test holds the two
// together.
func SpecOf(specs []wire.DocumentSpec, name string, kind Kind) int {
	name = strings.TrimSuffix(name, "/")
	for i := range specs {
		glob, forDirectories := strings.CutSuffix(specs[i].Glob, "/")
		if ok, _ := doublestar.Match(glob, name); ok && admits(glob, forDirectories, kind) {
			return i
		}
	}
	return -1
}

func admits(glob string, forDirectories bool, kind Kind) bool {
	switch kind {
	case Regular:
		return !forDirectories
	case Directory:
		last := path.Base(glob)
		return forDirectories || last != "*" && last != "**"
	}
	return true
}
