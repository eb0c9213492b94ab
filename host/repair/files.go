package repair

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// The most entries below a root, and directories inside each other, that edits are worked out over.
const (
	maxListed = 100_000
	maxNested = 64
)

// filesFor lists what edits may meet, seen by the plugin or not: the directories in which something is edited, made or
// removed, all below those that go as a whole, and the documents that were read, with their bytes. An instance may be a
// whole repository, so that the rest is not read.
func filesFor(ctx context.Context, work tree.Tree, now *statefiles.Instance,
	list []result.Offer) (edit.Files, error) {
	l := &listing{ctx: ctx, tree: work, root: now.Root, files: dataOf(now.Files), wanted: map[string]bool{}}
	for _, c := range list {
		for _, e := range c.Edits {
			l.want(e.Range.Path)
			if e.Op == wire.Move {
				l.want(e.To)
			}
		}
	}
	return l.files, l.add(".", 0, false)
}

type listing struct {
	ctx    context.Context
	tree   tree.Tree
	root   string
	files  edit.Files
	wanted map[string]bool // directories; true if all below is wanted, too
	count  int
}

// want asks for the directories above a path, and for all below it if it is a directory.
func (l *listing) want(name string) {
	dir, whole := strings.CutSuffix(name, "/")
	if whole {
		l.wanted[dir] = true
	}
	for at := path.Dir(dir); at != "." && at != "/"; at = path.Dir(at) {
		if !l.wanted[at] {
			l.wanted[at] = false
		}
	}
}

func (l *listing) add(dir string, depth int, whole bool) error {
	if err := l.ctx.Err(); err != nil {
		return err
	}
	if depth > maxNested {
		return fault.Newf(fault.Limit, "read %s: more than %d directories inside each other",
			slashpath.Join(l.root, dir), maxNested)
	}
	list, err := l.tree.List(slashpath.Join(l.root, dir), maxListed-l.count)
	if err != nil {
		return tree.Failure(slashpath.Join(l.root, dir), err)
	}
	l.count += len(list.Entries)
	for _, e := range list.Entries {
		name := path.Join(dir, e.Name)
		_, read := l.files[name]
		all, wanted := l.wanted[name]
		switch {
		case tree.Temporary(e.Name) || read:
		case e.Kind != snapshot.Directory:
			l.files[name] = edit.File{Unread: true}
		default:
			l.files[name+"/"] = edit.File{}
			if e.Name == tree.GitName || !wanted && !whole {
				continue
			}
			if err := l.add(name, depth+1, whole || all); err != nil {
				return err
			}
		}
	}
	return nil
}

// base returns what Restore restores: the documents of the earlier revision that the plugin was given, and the bytes of
// others that the choices want restored. What a merge lost may be in the second one alone.
func base(of []*statefiles.Past, list []result.Offer) (edit.Files, error) {
	files := edit.Files{}
	for _, in := range of {
		if in.State != wire.BaseAt {
			continue
		}
		if len(files) == 0 {
			files = dataOf(in.Files)
		}
		for _, c := range list {
			for _, e := range c.Edits {
				if _, ok := files[e.Range.Path]; ok || e.Op != wire.Restore {
					continue
				}
				if err := restore(in, files, e.Range.Path); err != nil {
					return nil, err
				}
			}
		}
	}
	return files, nil
}

// restore reads one file of the earlier revision, if it has it. One that is
// listed as something else than a file (a link, a pointer to large storage) stays unread.
func restore(in *statefiles.Past, files edit.Files, name string) error {
	special := func(f snapshot.File) bool { return f.Path == name && f.Kind != snapshot.Regular }
	if slices.ContainsFunc(in.Files, special) {
		files[name] = edit.File{Unread: true}
		return nil
	}
	if in.Tree == nil {
		return nil
	}
	full := slashpath.Join(in.Root, name)
	_, content, err := source.ReadFile(in.Tree, full, 64<<20)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, tree.ErrNotDirectory):
		return nil
	case err == nil && content.Data == nil, errors.Is(err, tree.ErrNotFetched):
		files[name] = edit.File{Unread: true}
	case err != nil:
		return tree.Failure(full, err)
	default:
		files[name] = edit.File{Data: content.Data}
	}
	return nil
}

func dataOf(files []snapshot.File) edit.Files {
	list := edit.Files{}
	for _, f := range files {
		if f.Kind == snapshot.Regular && f.Data != nil {
			list[f.Path] = edit.File{Data: f.Data}
		}
	}
	return list
}
