package wire

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// The limits of Report.Ask.
const (
	MaxAsk   = 2000 // paths
	MaxPath  = 1024 // bytes of a path
	MaxPaths = 64   // globs in Manifest.Paths
)

// CheckPath refuses a path that Report.Ask may not hold: one that is empty, too long or not UTF-8, that is not relative to the
// top of the workspace and clean ("a/b", no ".", no ".."), that holds a backslash or a control character, or that is one of
// git's own. A slash at its end asks for a directory.
func CheckPath(path string) error {
	if why := pathFault(path); why != "" {
		return errors.New("the path " + shown(path) + " " + why)
	}
	return nil
}

func pathFault(path string) string {
	switch {
	case path == "" || len(path) > MaxPath:
		return "is empty or too long"
	case !utf8.ValidString(path) || strings.ContainsRune(path, '\\') || strings.IndexFunc(path, isControl) >= 0:
		return "holds what is not UTF-8, a backslash or a control character"
	case len(path) > 1 && path[1] == ':':
		return "begins with a drive"
	}
	for _, e := range strings.Split(strings.TrimSuffix(path, "/"), "/") {
		switch {
		case e == "" || e == "." || e == "..":
			return "is not relative to the top of the workspace and clean"
		case len(e) == len(".git") && e[0] == '.' && e[1]|0x20 == 'g' && e[2]|0x20 == 'i' && e[3]|0x20 == 't':
			return "is one of git's own"
		}
	}
	return ""
}
