package tree

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/stategate/stategate/sdk/engine/snapshot"
)

// Destination returns a link's target as a path relative to the workspace, without following any link. It reports
// false for a target outside the workspace. It also reports false if ".." follows a link, because names alone do
// not show where that leads. If a component of the target is not a directory, the path ends there.
func Destination(t Tree, link, target string) (string, bool) {
	at, target := path.Dir(link), filepath.ToSlash(target)
	if filepath.IsAbs(target) || strings.HasPrefix(target, "/") {
		below, ok := strings.CutPrefix(target+"/", strings.TrimSuffix(filepath.ToSlash(t.Name()), "/")+"/")
		if !ok {
			return "", false
		}
		at, target = ".", below
	}
	for name := range strings.SplitSeq(target, "/") {
		switch {
		case name == "" || name == ".":
		case name != "..":
			at = Join(at, name)
		case at == ".":
			return "", false
		default:
			e, err := t.Stat(at)
			if err == nil && e.Kind == snapshot.Symlink {
				return "", false
			}
			if err != nil || !e.Walkable() {
				return at, true
			}
			at = path.Dir(at)
		}
	}
	return at, true
}
