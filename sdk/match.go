package sdk

import (
	"path"
	"strings"
)

// Match reports whether a slash-separated path matches a glob. A segment **
// matches any number of segments, also none; within a segment the wildcards of
// path.Match hold. Braces, which a DocumentSpec may use, are not known here.
func Match(glob, name string) bool {
	return matchSegments(strings.Split(glob, "/"), strings.Split(name, "/"))
}

func matchSegments(glob, name []string) bool {
	for len(glob) > 0 {
		if glob[0] == "**" {
			return matchAnywhere(glob[1:], name)
		}
		if len(name) == 0 {
			return false
		}
		if ok, err := path.Match(glob[0], name[0]); !ok || err != nil {
			return false
		}
		glob, name = glob[1:], name[1:]
	}
	return len(name) == 0
}

func matchAnywhere(glob, name []string) bool {
	for i := 0; i <= len(name); i++ {
		if matchSegments(glob, name[i:]) {
			return true
		}
	}
	return false
}
