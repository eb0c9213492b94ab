package statefiles

import (
	"path"
	"slices"

	"github.com/stategate/stategate/sdk/snapshot"
)

// Ignored reports whether git ignores all of an instance.
func (i *Instance) Ignored() bool { return allIgnored(i.Files) }

// SomeIgnored reports whether git ignores a document of the instance.
func (i *Instance) SomeIgnored() bool {
	return slices.ContainsFunc(i.Files, func(f snapshot.File) bool { return f.Ignored })
}

// Unchanged reports whether the documents that git does not ignore are those of the past. Nothing need be loaded.
// Directories do not count: git has none. Of documents that are only listed the name counts.
func (p *Past) Unchanged(now *Instance) bool {
	if len(p.Files) == 0 {
		return false
	}
	same, seen := now.same(), 0
	for k, f := range p.Files {
		if f.Kind == snapshot.Directory {
			continue
		}
		if id := p.ids[k]; id == "" {
			return false // a link or the like: rare, and looking at it is always right
		} else if same(f.Path, id) == nil && !now.lists(f.Path) {
			return false
		}
		seen++
	}
	for _, f := range now.Files {
		if f.Kind != snapshot.Directory && !f.Ignored {
			seen--
		}
	}
	return seen == 0
}

// lists reports whether a document is there by name only.
func (i *Instance) lists(path string) bool {
	for k, f := range i.Files {
		if f.Path == path {
			return f.Kind == snapshot.Regular && i.ids[k] == "" && f.Data == nil && !f.TooLarge
		}
	}
	return false
}

// A Likeness is how much of a past state directory another one holds, in documents that are not empty.
type Likeness struct {
	Exact  int // the same bytes under the same name
	Shared int // the same name
	Total  int // documents of the past
}

// Likeness compares an instance with a past one that lay elsewhere. Nothing need be loaded.
func (p *Past) Likeness(now *Instance) (l Likeness) {
	same := now.same()
	names := make(map[string]bool, len(now.Files))
	for _, f := range now.Files {
		names[f.Path] = f.Kind == snapshot.Regular
	}
	for k, f := range p.Files {
		id := p.ids[k]
		if id == "" || id == blobID(nil, len(id)) {
			continue
		}
		l.Total++
		if names[f.Path] {
			l.Shared++
		}
		if same(f.Path, id) != nil {
			l.Exact++
		}
	}
	return l
}

// Moved reports whether the likeness is that of one instance which has moved between two roots: most of it is the same,
// or its name is and much of it. Two runs of one workflow that were begun from the same templates are not alike.
func (l Likeness) Moved(from, to string) bool {
	if path.Base(from) == path.Base(to) {
		return l.Exact > 0 || l.Shared > 0 && 2*l.Shared >= l.Total
	}
	return l.Exact > 0 && 2*l.Exact >= l.Total
}
