package statefiles

import (
	"fmt"
	"slices"

	"github.com/stategate/stategate/host/source/glob"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// Specs are the documents that a plugin may see, compiled. They are immutable.
type Specs struct {
	set  *glob.Set
	list []wire.DocumentSpec
}

// Compile compiles the documents of a manifest.
func Compile(documents []wire.DocumentSpec) (*Specs, error) {
	globs := make([]string, len(documents))
	for i, d := range documents {
		globs[i] = d.Glob
	}
	set, err := glob.Compile(globs)
	if err != nil {
		return nil, fmt.Errorf("compile documents: %w", err)
	}
	return &Specs{set, documents}, nil
}

// admit decides whether an entry below a directory is a document, and whose. The first glob that matches decides.
//
//   - A glob that ends in a slash admits directories; links too, for one may stand where a directory belongs.
//   - Any other glob admits files. A directory is then in a file's place, unless the glob's last name fits any name.
//   - A link or special file that stands where a directory on the way to documents belongs is admitted as what it is.
func (s *Specs) admit(from, st glob.State, e tree.Entry) (spec int, ok bool) {
	for i := range s.set.Each(st) {
		if s.fits(i, e.Kind) {
			return i, true
		}
	}
	if e.Kind == snapshot.Directory || e.Kind == snapshot.Regular {
		return -1, false
	}
	spec = s.set.Towards(from, e.Name)
	return spec, spec >= 0
}

// May reports whether a path below a root could be a document.
func (s *Specs) May(path string) bool {
	return s.set.Matches(path)
}

func (s *Specs) fits(i int, k snapshot.Kind) bool {
	dirOnly := s.set.DirOnly(i)
	switch k {
	case snapshot.Regular:
		return !dirOnly
	case snapshot.Directory:
		return dirOnly || !s.set.AnyName(i)
	}
	return true
}

// admitBadName decides about a name that is not UTF-8: it is a fault if its escaped form would be a document or, were it a
// directory, documents are looked for in it.
func (s *Specs) admitBadName(from glob.State, escaped string) (spec int, ok bool) {
	for i := range s.set.Each(s.set.Step(from, escaped)) {
		return i, true
	}
	spec = s.set.Towards(from, escaped)
	return spec, spec >= 0
}

// A Misnamed is a document, or a directory on the way to some, whose name differs from what a glob spells out in case or
// Unicode form alone. Systems that ignore both take it for that document.
type Misnamed struct {
	Path     string // below the root
	Expected string // as the glob spells it
	Taken    bool   // something with that name is there, too
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
