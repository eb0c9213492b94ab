package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/edit"
)

// checkName refuses a path that could reach what no transaction may touch: out
// of the workspace, into git's own folder under any spelling, a temporary file.
func checkName(name string) error {
	switch {
	case name == "" || name == ".":
		return fmt.Errorf("the path %q is the workspace root itself, which no change may touch", name)
	case !utf8.ValidString(name) || strings.ContainsAny(name, "\x00\\"):
		return fmt.Errorf("the path %q is not a slash-separated path", name)
	case path.IsAbs(name) || len(name) > 1 && name[1] == ':' || path.Clean(name) != name || name == ".." || strings.HasPrefix(name, "../"):
		return fmt.Errorf("the path %q is not below the workspace root", name)
	case edit.InGitFolder(name):
		return fmt.Errorf("the path %q leads into git's own folder", name)
	}
	for part := range strings.SplitSeq(name, "/") {
		if tree.Temporary(part) {
			return fmt.Errorf("the path %q has the name of a temporary file", name)
		}
	}
	return nil
}

// guard refuses a path on whose way there is something else than a directory, or another repository.
func guard(tree Disk, name string) error {
	for at := path.Dir(name); at != "."; at = path.Dir(at) {
		info, err := tree.Lstat(at)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if info.Kind != Directory {
			return fmt.Errorf("%s is a %s, expected a directory; it is not followed, and nothing behind it is changed", at, info.Kind)
		}
		if err := repository(tree, at); err != nil {
			return err
		}
	}
	return nil
}

// repository refuses a directory that holds anything called .git.
func repository(tree Disk, dir string) error {
	_, err := tree.Lstat(path.Join(dir, ".git"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return fmt.Errorf("%s is a git repository of its own, in which nothing is changed from outside; run stategate there", dir)
}

// noRepository refuses a directory below which there is a repository.
func noRepository(disk Disk, dir string) error {
	if err := repository(disk, dir); err != nil {
		return err
	}
	names, err := disk.List(dir)
	for _, name := range names {
		info, failed := disk.Lstat(path.Join(dir, name))
		if failed == nil && info.Kind == Directory {
			failed = noRepository(disk, path.Join(dir, name))
		}
		if failed != nil {
			return failed
		}
	}
	return err
}
