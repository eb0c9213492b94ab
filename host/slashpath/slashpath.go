// Package slashpath handles slash-separated, relative paths; "." is the top.
package slashpath

import (
	"path"
	"strings"
)

// Join returns name below root, or root if name is "". It keeps the slash at the end of a directory's name.
func Join(root, name string) string {
	joined := path.Join(root, name)
	if strings.HasSuffix(name, "/") {
		joined += "/"
	}
	return joined
}

// Below returns a path below root as a path relative to root.
func Below(root, path string) string {
	if root == "." {
		return path
	}
	return strings.TrimPrefix(path, root+"/")
}

// Holds reports whether path is dir or is below it.
func Holds(dir, path string) bool {
	return dir == "." || dir == path || strings.HasPrefix(path, dir+"/")
}

// Parting truncates two paths after the first component in which they differ.
func Parting(a, b string) (string, string) {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return strings.Join(as[:i+1], "/"), strings.Join(bs[:i+1], "/")
		}
	}
	return a, b
}
