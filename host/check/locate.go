package check

import (
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/wire"
)

// locate finds the anchor of a call.
func (o Options) locate(roots []discover.Plugin) (*discover.Anchor, error) {
	locate := discover.Locate
	if o.Source != wire.Worktree {
		locate = discover.LocateGone
	}
	return locate(o.Paths, git.Settings{Environ: o.Environ, Dir: o.Dir}, roots)
}

// refuseBare refuses what needs a work tree or an index where there is none.
func (o Options) refuseBare(a *discover.Anchor) error {
	switch {
	case !a.Git || o.Source == wire.Commit:
		return nil
	case a.Repo.Bare:
		return fault.Usagef("%s is a bare repository, which has no work tree: check a commit (stategate check --rev REV), or go to a clone", a.Path)
	}
	return fault.Usagef("%s is the git directory of %s, not a part of its work tree: go to %s", a.Repo.Dir, a.Path, a.Path)
}
