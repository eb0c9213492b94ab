package snapshot

import (
	"fmt"
	"path"
	"strings"

	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/wire"
)

// SpecOf returns the index of the document spec that admits the entry at a path, or -1: the first spec whose glob
// matches and that fits the kind. A host that walks a tree makes the same decision with Specs, name by name.
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

// fits reports whether a spec whose glob matches admits a kind. A glob that ends in a slash admits directories but
// no regular files. If a glob suggests a document ("*.md", but not "*"), a directory that matches it is admitted
// in the document's place.
func fits(forDirectories, anyName bool, kind Kind) bool {
	switch kind {
	case Regular:
		return !forDirectories
	case Directory:
		return forDirectories || !anyName
	}
	return true
}

// Specs are the compiled document specs of a plugin, for use in a walk. They are immutable.
type Specs struct {
	*glob.Set
	List []wire.DocumentSpec
}

// CompileSpecs compiles a manifest's document specs.
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

// Admit decides whether an entry is a document, and returns its spec. The first glob that matches decides.
//
//   - A glob that ends in a slash admits directories. It also admits links, which may be in place of a directory.
//   - Any other glob admits files. A directory is then in a file's place, unless the glob's last name matches any name.
//   - A link or special file in place of a directory above documents is admitted as what it is. If only a "**" leads
//     below it, it is admitted only inside a directory that the glob names, and only if the plugin needs the content
//     of documents there.
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

// AdmitBadName is like Admit for a name that is not UTF-8. The name is a fault if its escaped form would be a document,
// or a directory in which documents are expected.
func (s *Specs) AdmitBadName(from glob.State, escaped string) (spec int, ok bool) {
	for i := range s.Each(s.Step(from, escaped)) {
		return i, true
	}
	spec = s.Towards(from, escaped)
	return spec, spec >= 0
}
