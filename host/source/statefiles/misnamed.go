package statefiles

import (
	"slices"

	"github.com/stategate/stategate/host/source/glob"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/snapshot"
)

// A Misnamed is a document, or a directory on the way to some, whose name differs from what a glob spells out in case or
// Unicode form alone. Systems that ignore both take it for that document.
type Misnamed struct {
	Path     string // below the root
	Expected string // as the glob spells it
	Taken    bool   // something lies there, too
}

func (p *pass) misnamed(dir string, from glob.State, e tree.Entry, l tree.Listing) {
	expected, spec, last := p.specs.set.Miscased(from, e.Name)
	isDir := e.Kind == snapshot.Directory
	if expected == "" || isDir == (last && !p.specs.set.DirOnly(spec)) || !tree.Valid(e.Name) {
		return
	}
	taken := slices.ContainsFunc(l.Entries, func(e tree.Entry) bool { return e.Name == expected })
	p.miscased = append(p.miscased, Misnamed{tree.Join(dir, e.Name), tree.Join(dir, expected), taken})
}
