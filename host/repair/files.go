package repair

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/edit"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// The most entries below a root, and directories inside each other, that edits
// are worked out over.
const (
	maxListed = 100_000
	maxNested = 64
)

// files lists what edits may meet, seen by the plugin or not: the directories in
// which something is edited, made or taken away, all below those that go as a whole, and
// the documents that were read, with their bytes. An instance may be a whole
// repository, so that the rest is not looked at.
func (r *Repair) files(ctx context.Context, now *statefiles.Instance, list []result.Choice) (edit.Files, error) {
	dir, err := r.look.Worktree.Open(ctx, now.Root)
	if err != nil {
		return nil, tree.Failure(now.Root, err)
	}
	defer dir.Close()
	l := &listing{ctx: ctx, dir: dir, root: now.Root, files: dataOf(now.Files), wanted: map[string]bool{}}
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
	dir    tree.Dir
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
		return fault.Newf(fault.Limit, "read %s: more than %d directories inside each other", slashpath.Join(l.root, dir), maxNested)
	}
	list, err := l.dir.List(dir, maxListed-l.count)
	if err != nil {
		return tree.Failure(slashpath.Join(l.root, dir), err)
	}
	l.count += len(list.Entries)
	for _, e := range list.Entries {
		if tree.Temporary(e.Name) {
			continue
		}
		if err := l.entry(path.Join(dir, e.Name), e, depth, whole); err != nil {
			return err
		}
	}
	return nil
}

func (l *listing) entry(name string, e tree.Entry, depth int, whole bool) error {
	if e.Kind == snapshot.Directory {
		l.files[name+"/"] = edit.File{}
		all, wanted := l.wanted[name]
		if e.Name == tree.GitName || !wanted && !whole {
			return nil
		}
		return l.add(name, depth+1, whole || all)
	}
	if _, read := l.files[name]; !read {
		l.files[name] = edit.File{Unread: true}
	}
	return nil
}

// base returns what Restore restores: the documents of the earlier revision that the
// plugin was given, and the bytes of others that the choices want back.
func (r *Repair) base(ctx context.Context, in *statefiles.Past, list []result.Choice) (edit.Files, error) {
	if in.State != wire.BaseAt {
		return nil, nil
	}
	files := dataOf(in.Files)
	for _, c := range list {
		for _, e := range c.Edits {
			if _, ok := files[e.Range.Path]; ok || e.Op != wire.Restore {
				continue
			}
			file, err := r.restored(ctx, in, e.Range.Path)
			if err != nil {
				return nil, err
			}
			if file != nil {
				files[e.Range.Path] = *file
			}
		}
	}
	return files, nil
}

// restored reads one file of the earlier revision, nil if it has none. One that is
// listed as something else than a file (a link, a pointer to large storage) stays unread.
func (r *Repair) restored(ctx context.Context, in *statefiles.Past, name string) (*edit.File, error) {
	for _, f := range in.Files {
		if f.Path == name && f.Kind != snapshot.Regular {
			return &edit.File{Unread: true}, nil
		}
	}
	dir, err := in.Tree.Open(ctx, in.Root)
	if err != nil {
		return nil, tree.Failure(in.Root, err)
	}
	defer dir.Close()
	at := "."
	for part := range strings.SplitSeq(name, "/") {
		list, err := dir.List(at, maxListed)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, tree.Failure(slashpath.Join(in.Root, at), err)
		}
		at = path.Join(at, part)
		for _, e := range list.Entries {
			if e.Name == part && at == name {
				return fileOf(dir, name, e)
			}
		}
	}
	return nil, nil
}

func fileOf(dir tree.Dir, name string, e tree.Entry) (*edit.File, error) {
	if e.Kind != snapshot.Regular {
		return &edit.File{Unread: true}, nil
	}
	content, err := dir.Read(name, e, 64<<20)
	if errors.Is(err, tree.ErrUnseen) || err == nil && content.Data == nil {
		return &edit.File{Unread: true}, nil
	}
	if err != nil {
		return nil, tree.Failure(name, err)
	}
	return &edit.File{Data: content.Data}, nil
}
