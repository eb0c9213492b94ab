// Package slashpath relates slash-separated, relative paths; "." is the top.
package slashpath

import (
	"path"
	"strings"
)

// Join returns name below root. It keeps the slash that ends a directory's name.
func Join(root, name string) string {
	if root == "." {
		root = ""
	}
	joined := path.Join(root, name)
	if strings.HasSuffix(name, "/") && joined != "" {
		joined += "/"
	}
	return joined
}

// Below returns a path that root holds as one below root.
func Below(root, path string) string {
	if root == "." {
		return path
	}
	return strings.TrimPrefix(path, root+"/")
}

// Holds reports whether a path is a directory or is below it.
func Holds(dir, path string) bool {
	return dir == "." || dir == path || strings.HasPrefix(path, dir+"/")
}
