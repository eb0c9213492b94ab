package snapshot

import (
	"fmt"
	"path"
	"strings"

	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/wire"
)

// SpecOf returns the index of the document spec that admits the entry at a path below the root, -1 if none does: the
// first whose glob matches and that fits. A host that walks a tree decides the same with Specs, name by name.
func SpecOf(specs []wire.DocumentSpec, name string, kind Kind) int {
	for i := range specs {
		if g := specs[i].Glob; glob.Match(g, name) && fits(strings.HasSuffix(g, "/"), anyName(g), kind) {
			return i
		}
	}
	return -1
}

func anyName(glob string) bool {
	last := path.Base(glob)
	return last == "*" || last == "**"
}

// fits reports whether a spec whose glob matches admits a kind. One that ends in a slash admits directories and no
// regular files. A directory whose name only a document may have ("*.md", but not "*") is admitted in place of a
// document.
func fits(forDirectories, anyName bool, kind Kind) bool {
	switch kind {
	case Regular:
		return !forDirectories
	case Directory:
		return forDirectories || !anyName
	}
	return true
}

// Specs are the documents that a plugin may see, compiled for a walk. They are immutable.
type Specs struct {
	*glob.Set
	List []wire.DocumentSpec
}

// CompileSpecs compiles the documents of a manifest.
func CompileSpecs(documents []wire.DocumentSpec) (*Specs, error) {
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

// Admit decides whether what has a name below a directory is a document, and whose. The first glob that matches
// decides.
//
//   - A glob that ends in a slash admits directories; links too, for one may stand where a directory belongs.
//   - Any other glob admits files. A directory is then in a file's place, unless the glob's last name fits any name.
//   - A link or special file that stands where a directory on the way to documents belongs is admitted as what it is.
//     Where only a "**" leads on, it has to be within a directory that the glob names, and hide content that is needed.
func (s *Specs) Admit(from, st glob.State, name string, kind Kind) (spec int, ok bool) {
	for i := range s.Each(st) {
		if fits(s.DirOnly(i), s.AnyName(i), kind) {
			return i, true
		}
	}
	if kind == Directory || kind == Regular {
		return -1, false
	}
	if spec = s.Towards(from, name); spec >= 0 {
		return spec, true
	}
	for i := range s.EachNamed(st) {
		if s.List[i].Need == wire.Content {
			return i, true
		}
	}
	return -1, false
}

// AdmitBadName decides about a name that is not UTF-8: it is a fault if its escaped form would be a document or, were
// it a directory, documents are looked for in it.
func (s *Specs) AdmitBadName(from glob.State, escaped string) (spec int, ok bool) {
	for i := range s.Each(s.Step(from, escaped)) {
		return i, true
	}
	spec = s.Towards(from, escaped)
	return spec, spec >= 0
}
