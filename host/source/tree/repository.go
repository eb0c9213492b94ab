package tree

import (
	"errors"
	"io/fs"

	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/snapshot"
)

// GitName is the name of what makes a directory a repository. It is never state.
const GitName = ".git"

// IsRepository reports whether a ".git" of that kind in a directory makes a repository of it. Git takes a ".git" that is
// nothing of the sort for an ordinary name, so that state cannot hide beside one.
func IsRepository(d Dir, dir string, kind snapshot.Kind) bool {
	path := Join(dir, GitName)
	switch kind {
	case snapshot.Directory:
		_, err := d.Size(Join(path, "HEAD"), Entry{})
		return err == nil && isOther(d, Join(path, "objects")) && isOther(d, Join(path, "refs"))
	case snapshot.Regular:
		c, err := d.Read(path, Entry{}, 8<<10)
		if err != nil {
			return false
		}
		_, ok := git.ParseGitFile(c.Data)
		return ok
	}
	return false
}

// isOther reports whether there is something at path that is not a regular file: a directory, or a link to one.
func isOther(d Dir, path string) bool {
	_, err := d.Size(path, Entry{})
	return errors.Is(err, ErrChanged)
}

// IsRepository is IsRepository for a directory that a Scan came upon.
func (w *Worktree) IsRepository(dir string, mode fs.FileMode) bool {
	kind, _ := kindOf(mode)
	return IsRepository(&worktreeDir{root: w.root}, dir, kind)
}
