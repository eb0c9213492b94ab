package wire

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// The limits of Report.Ask.
const (
	MaxAsk     = 2000 // paths
	MaxPath    = 1024 // bytes of a path
	MaxAsksFor = 64   // globs in Manifest.AsksFor
)

// CheckPath returns an error for a path that Report.Ask must not contain. The path must be UTF-8, not empty and not
// too long. It must be clean and relative to the workspace root ("a/b", no ".", no ".."), without backslashes and
// control characters, and must not be one of git's own. A trailing slash asks for a directory.
func CheckPath(path string) error {
	if why := pathFault(path); why != "" {
		return errors.New("the path " + shown(path) + " " + why)
	}
	return nil
}

func pathFault(path string) string {
	if path == "" || len(path) > MaxPath {
		return "is empty or too long"
	}
	plain, clean, before := true, true, byte('/')
	for i := range len(path) {
		c := path[i]
		switch {
		case c >= utf8.RuneSelf:
			plain = false
		case c < ' ' || c == 0x7f || c == '\\':
			return notText
		case before == '/' && (c == '/' || c == '.'): // an empty or hidden name
			clean = false
		}
		before = c
	}
	if !plain && (!utf8.ValidString(path) || strings.IndexFunc(path, isControl) >= 0) {
		return notText
	}
	if len(path) > 1 && path[1] == ':' {
		return "begins with a drive"
	}
	if clean {
		return ""
	}
	for e := range strings.SplitSeq(strings.TrimSuffix(path, "/"), "/") {
		switch {
		case e == "" || e == "." || e == "..":
			return "is not a clean path relative to the workspace root"
		case len(e) == len(".git") && e[0] == '.' && e[1]|0x20 == 'g' && e[2]|0x20 == 'i' && e[3]|0x20 == 't':
			return "belongs to git"
		}
	}
	return ""
}

const notText = "contains a backslash, a control character or invalid UTF-8"
