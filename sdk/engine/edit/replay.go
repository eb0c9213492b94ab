package edit

import (
	"maps"
	"strings"
)

// Replay applies a Result's changes to entries that a caller stores by name; a directory's name ends in a slash.
// written returns the entry after a Write; other changes only move or remove entries.
func Replay[T any](all map[string]T, changes []Change, written func(was T, data []byte) T) {
	for _, c := range changes {
		switch c.Kind {
		case Delete:
			delete(all, c.Path)
		case Rename:
			for name, was := range maps.Clone(all) {
				if name == c.From || isDir(c.From) && strings.HasPrefix(name, c.From) {
					delete(all, name)
					all[c.Path+strings.TrimPrefix(name, c.From)] = was
				}
			}
		case Write:
			all[c.Path] = written(all[c.Path], c.Data)
		}
	}
}
