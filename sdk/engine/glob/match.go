package glob

import (
	"strings"
	"sync"
)

// compiled caches a Set for each glob that Match and Above are called with. These are the globs of a few manifests.
var compiled sync.Map

func one(glob string) *Set {
	if s, ok := compiled.Load(glob); ok {
		return s.(*Set)
	}
	s, err := Compile([]string{glob})
	if err != nil {
		s, _ = Compile(nil) // a malformed glob matches nothing
	}
	compiled.Store(glob, s)
	return s
}

// Match reports whether a slash-separated path matches a glob. It ignores a trailing slash in either.
func Match(glob, path string) bool { return one(glob).Matches(strings.TrimSuffix(path, "/")) }

// Above reports whether a glob could match something below a directory.
func Above(glob, dir string) bool {
	s := one(glob)
	return s.Below(s.After(strings.TrimSuffix(dir, "/")))
}
