package statefiles

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// A Past is an earlier revision's version of an instance. Load reads its bytes.
type Past struct {
	Instance
	State wire.BaseState
	Tree  *tree.Listed // the commit that it was read from, or that has no version of it
}

// Equal reports whether two pasts are the same. Neither needs to be loaded.
func (p *Past) Equal(other *Past) bool {
	return p.State == other.State && p.Root == other.Root && p.Digest == other.Digest
}

// Input returns the loaded past in the form that a worker expects.
func (p *Past) Input() snapshot.InputBase {
	if p.State != wire.BaseAt {
		return snapshot.InputBase{State: p.State}
	}
	return snapshot.InputBase{State: p.State, Root: p.Root, Files: p.Files}
}

// Base reads a commit's version of the state directory at root, which is where the instance is now or was before it
// moved. The state is BaseNew if the commit has no matching document there. It is BaseNone if, in addition, git
// ignores the whole present instance, because what is never committed has no earlier revision. Any error is a
// *fault.Failure.
func Base(ctx context.Context, commit *tree.Listed, specs *snapshot.Specs, now *Instance, root string,
	l Limits) (*Past, error) {
	absent := &Past{State: wire.BaseNew, Tree: commit}
	if allIgnored(now.Files) {
		absent.State = wire.BaseNone
	}
	p := &pass{ctx: ctx, tree: commit, specs: specs, limits: l, root: root, past: true, stable: true}
	switch err := p.walk(".", specs.Start(), 0); {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, tree.ErrNotDirectory):
		return absent, nil
	case err != nil:
		return nil, located(root, err)
	}
	p.finish()
	if len(p.found) == 0 {
		return absent, nil
	}
	return &Past{*p.instance(), wire.BaseAt, commit}, nil
}

func allIgnored(files []snapshot.File) bool {
	return len(files) > 0 && !slices.ContainsFunc(files, func(f snapshot.File) bool { return !f.Ignored })
}

// Ignored reports whether git ignores all of an instance.
func (i *Instance) Ignored() bool { return allIgnored(i.Files) }

// SomeIgnored reports whether git ignores a document of the instance.
func (i *Instance) SomeIgnored() bool {
	return slices.ContainsFunc(i.Files, func(f snapshot.File) bool { return f.Ignored })
}

// Unchanged reports whether the documents that git does not ignore are the same as in the past. Neither side needs
// to be loaded. Directories do not count, because git does not store them. Documents that are only listed are
// compared by name.
func (p *Past) Unchanged(now *Instance) bool {
	changed, known := p.Changed(now)
	return known && len(changed) == 0
}

// Changed returns the sorted paths, relative to the root, of documents that differ from the past and that git does
// not ignore. It reports false if the past has no documents. Both sides must have sorted documents.
func (p *Past) Changed(now *Instance) (paths []string, known bool) {
	k := 0 // index of the first present document that does not sort before the past one
	for n, was := range p.Files {
		if was.Kind == snapshot.Directory {
			continue
		}
		for ; k < len(now.Files) && now.Files[k].Path < was.Path; k++ {
			paths = append(paths, now.added(k)...)
		}
		// The id of a link is unknown. Links are rare, and it is always safe to treat one as
		// changed.
		if k == len(now.Files) || now.Files[k].Path != was.Path || p.ids[n] == "" ||
			!now.has(k, p.ids[n]) && !now.lists(k) {
			paths = append(paths, was.Path)
		}
		if k < len(now.Files) && now.Files[k].Path == was.Path {
			k++
		}
	}
	for ; k < len(now.Files); k++ {
		paths = append(paths, now.added(k)...)
	}
	return paths, len(p.Files) > 0
}

// added returns the path of a document that the past lacks, or nothing if it is a directory or git ignores it.
func (i *Instance) added(k int) []string {
	if f := &i.Files[k]; f.Kind != snapshot.Directory && !f.Ignored {
		return []string{f.Path}
	}
	return nil
}

// recalls reports whether a document's digests come from an earlier check.
func (i *Instance) recalls(k int) bool { return k < len(i.known) && i.known[k] != nil }

// lists reports whether only a document's name is known.
func (i *Instance) lists(k int) bool {
	f := &i.Files[k]
	return f.Kind == snapshot.Regular && i.ids[k] == "" && f.Data == nil && !f.TooLarge && !i.recalls(k)
}
