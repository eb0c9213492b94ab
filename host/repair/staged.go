package repair

import (
	"context"
	"strings"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/wire"
)

// openStaged opens what a result of the index was made of. Changes are made in the
// work tree only, where it agrees with the index; what they change is not staged.
func (r *Repair) openStaged(ctx context.Context, o *check.Options) error {
	switch o.Source {
	case wire.Commit:
		return fault.Usagef("a commit cannot be changed: repair the work tree, without --rev")
	case wire.Worktree:
		return nil
	}
	staged, err := check.NewSession(ctx, *o)
	if err != nil {
		return err
	}
	r.staged = staged
	o.Source, o.Paths = wire.Worktree, []string{staged.Anchor.Path}
	return nil
}

// agree refuses an instance that is not what the result was made of, or not the
// same in the index and the work tree.
func (r *Repair) agree(ctx context.Context, i *result.Instance, now *statefiles.Instance) error {
	if r.staged == nil {
		if now.Digest != i.Digest {
			return newChanged([]string{i.Root})
		}
		return nil
	}
	view, err := r.staged.Read(ctx, r.staged.Parties[i.Plugin], i.Root)
	if err != nil {
		return fault.From(err, fault.Source)
	}
	if view.Now.Digest != i.Digest {
		return newChanged([]string{i.Root})
	}
	differ := check.Differing(view.Now.Files, now.Files)
	for n := range differ {
		differ[n] = slashpath.Join(i.Root, differ[n])
	}
	if len(differ) > 0 {
		return &ChangedError{differ, strings.Join(differ, ", ") + ": the work tree is not what is staged, so nothing was done; stage it, or repair without --staged"}
	}
	return nil
}
