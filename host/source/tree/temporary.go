package tree

import (
	"strconv"
	"strings"
)

const (
	temporaryStart = ".stategate-"
	temporaryEnd   = ".tmp"
)

// TemporaryName names the n-th file that a change with that id, 16 lower-case hex
// digits, keeps in the tree while it is made. Looks do not see such files: what a change replaces
// is not state any more, and what an interrupted one left is removed by the next.
func TemporaryName(id string, n int) string {
	return temporaryStart + id + "-" + strconv.Itoa(n) + temporaryEnd
}

// Temporary reports whether a name, the last part of a path, is one of TemporaryName.
func Temporary(name string) bool {
	_, ok := TemporaryOf(name)
	return ok
}

// TemporaryOf returns the id of the change that a temporary name belongs to.
func TemporaryOf(name string) (id string, ok bool) {
	inner, ok := strings.CutPrefix(name, temporaryStart)
	if !ok {
		return "", false
	}
	inner, ok = strings.CutSuffix(inner, temporaryEnd)
	id, n, cut := strings.Cut(inner, "-")
	if !ok || !cut || len(id) != 16 || strings.Trim(id, "0123456789abcdef") != "" {
		return "", false
	}
	return id, n != "" && len(n) <= 9 && strings.Trim(n, "0123456789") == ""
}
