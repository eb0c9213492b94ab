package host

import (
	"bytes"
	"context"
	"strings"

	"github.com/stategate/stategate/host/collect"
	"github.com/stategate/stategate/host/failure"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// openStaged opens what a result of the index was made of. Changes are made in the
// work tree only, where it agrees with the index; what they change is not staged.
func (r *Repair) openStaged(ctx context.Context, o *Options) error {
	switch o.Source {
	case wire.Commit:
		return usagef("a commit cannot be changed: repair the work tree, without --rev")
	case wire.Worktree:
		return nil
	}
	staged, err := newLook(ctx, *o)
	if err != nil {
		return usage(err)
	}
	r.staged = staged
	o.Source, o.Paths = wire.Worktree, []string{staged.anchor.Path}
	return nil
}

// agree refuses an instance that is not what the result was made of, or not the
// same in the index and the work tree.
func (r *Repair) agree(ctx context.Context, i *Instance, now *collect.Instance) error {
	if r.staged == nil {
		if now.Digest != i.Digest {
			return newChanged([]string{i.Root})
		}
		return nil
	}
	view, err := r.staged.read(ctx, r.staged.parties[i.Plugin], i.Root)
	if err != nil {
		return failure.From(err, failure.Source)
	}
	if view.now.Digest != i.Digest {
		return newChanged([]string{i.Root})
	}
	differ := differing(view.now.Files, now.Files)
	for n := range differ {
		differ[n] = join(i.Root, differ[n])
	}
	if len(differ) > 0 {
		return &ChangedError{differ, strings.Join(differ, ", ") + ": the work tree is not what is staged, so that nothing was done; stage it, or repair without --staged"}
	}
	return nil
}

// differing gives the paths at which two lists of documents are not the same. Both
// are sorted.
func differing(a, b []snapshot.File) []string {
	var paths []string
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Path < b[0].Path:
			paths, a = append(paths, a[0].Path), a[1:]
		case len(a) == 0 || b[0].Path < a[0].Path:
			paths, b = append(paths, b[0].Path), b[1:]
		default:
			if a[0].Kind != b[0].Kind || a[0].Size != b[0].Size || !bytes.Equal(a[0].Data, b[0].Data) {
				paths = append(paths, a[0].Path)
			}
			a, b = a[1:], b[1:]
		}
	}
	return paths
}
