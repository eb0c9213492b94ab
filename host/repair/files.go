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

// These limits apply when the effect of edits is computed: to the number of entries below a root, and to the depth
// of its directories.
const (
	maxListed = 100_000
	maxNested = 64
)

// filesFor lists the files that edits may affect, whether or not the plugin saw them. These are the directories in
// which something is edited, created or removed, everything below directories that are moved or removed, and the
// documents that were read, with their bytes. It reads nothing else, because an instance may be a whole repository.
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
	wanted map[string]bool // directories; true if everything below is also wanted
	count  int
}

// want adds the directories above a path and, if the path is a directory, everything below it.
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
	if depth == 0 && errors.Is(err, fs.ErrNotExist) {
		return nil // a lost run is restored
	}
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

// base returns the files that Restore can restore: the base's documents that the plugin received, and other files
// that the chosen remedies restore. In a merge, a lost file may exist only in the second base.
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

// restore reads one of the base's files, if it exists there. It does not read an entry that is not a regular file,
// such as a link or a pointer to large storage.
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
