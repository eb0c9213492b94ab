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
// admit directories and nothing else. A directory whose name only a document may
// have ("*.md", but not "*") is admitted as what lies in a document's place.
func SpecOf(specs []wire.DocumentSpec, name string, kind Kind) int {
	name = strings.TrimSuffix(name, "/")
	for i := range specs {
		glob, forDirectories := strings.CutSuffix(specs[i].Glob, "/")
		if forDirectories != (kind == Directory) {
			continue
		}
		if ok, _ := doublestar.Match(glob, name); ok {
			return i
		}
	}
	if kind == Directory {
		return placeOfDocument(specs, name)
	}
	return -1
}

func placeOfDocument(specs []wire.DocumentSpec, name string) int {
	for i := range specs {
		last := path.Base(specs[i].Glob)
		if strings.HasSuffix(specs[i].Glob, "/") || last == "*" || last == "**" {
			continue
		}
		if ok, _ := doublestar.Match(specs[i].Glob, name); ok {
			return i
		}
	}
	return -1
}
