package source

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/ignore"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// maxEntries is how many names a directory of a working tree may hold for it to be known.
const maxEntries = 20_000

// A witness answers whether something is at paths of a tree, for plugins that hold claims of state against the rest of
// the workspace. An answer comes from the tree alone: what could differ in another clone of it is unseen. It is safe
// for concurrent use.
type witness struct {
	tree    tree.Tree
	ignored *ignore.Rules

	mu      sync.Mutex
	dirs    map[string]map[string]tree.Entry // of a working tree, by path; nil for what cannot be listed
	missing map[string]bool                  // directories that are not there
}

// newWitness returns the witness of a tree. Of the index beside a working tree it is that of the index. The repository
// is nil where there is none; what git is asked ends with ctx.
func newWitness(ctx context.Context, repo *git.Repo, t tree.Tree) *witness {
	if staged, ok := t.(*tree.Index); ok {
		t = staged.Listed
	}
	return &witness{tree: t, ignored: ignore.InTree(ctx, repo, t), dirs: map[string]map[string]tree.Entry{},
		missing: map[string]bool{}}
}

// answer says of each path, as wire.CheckPath accepts it, whether something is there. Without a witness nothing is
// known.
func (w *witness) answer(paths []string) []wire.Answer {
	list := snapshot.Unknown(paths)
	if w == nil {
		return list
	}
	for i, p := range paths {
		list[i].Presence = w.at(p)
	}
	return list
}

func (w *witness) at(name string) wire.Presence {
	name, isDir := strings.CutSuffix(name, "/")
	e, err := w.stat(name)
	switch {
	case err == nil && isDir && e.Kind != snapshot.Directory && e.Kind != snapshot.Symlink,
		errors.Is(err, fs.ErrNotExist):
		return w.unlessIgnored(name, wire.Absent)
	case err == nil && e.Kind == snapshot.Symlink:
		return w.behind(name)
	case err != nil, e.Detail != "", e.Kind == snapshot.Directory && w.isRepository(name): // a submodule, a device
		return wire.Unseen
	}
	if tree.OnDisk(w.tree) != nil {
		return w.unlessIgnored(name, wire.Present)
	}
	return wire.Present
}

// maxCompared is how large a file of the working tree may be to be compared with a base, in bytes.
const maxCompared = 1 << 20

// id returns the object id of a file, as git would name it by a hash of some length; "" for anything else. A file
// without an id is read.
func (w *witness) id(name string, length int) string {
	e, err := w.stat(name)
	switch {
	case err != nil, e.Kind != snapshot.Regular, e.Detail != "":
		return ""
	case e.ID != "":
		return e.ID
	}
	c, err := w.tree.Read(name, e, maxCompared)
	if err != nil || c.Size != int64(len(c.Data)) {
		return ""
	}
	return git.ObjectID("blob", c.Data, length)
}

// isRepository reports whether a directory of the working tree is a repository, or cannot be listed.
func (w *witness) isRepository(dir string) bool {
	_, err := w.entry(dir, tree.GitName)
	return errors.Is(err, errUnknown)
}

// behind is the presence of a link: that of what it leads to, one link far, and unseen out of the workspace.
func (w *witness) behind(link string) wire.Presence {
	target, err := w.tree.Readlink(link)
	dest, inside := tree.Destination(w.tree, link, target)
	if err != nil || !inside {
		return wire.Unseen
	}
	switch e, err := w.stat(dest); {
	case errors.Is(err, fs.ErrNotExist):
		return w.unlessIgnored(dest, wire.Absent)
	case err != nil || e.Detail != "":
		return wire.Unseen
	}
	return w.unlessIgnored(link, wire.Present)
}

// unlessIgnored is the presence of a path that another clone has, too: not of one that the tree's own rules keep out of
// git.
func (w *witness) unlessIgnored(name string, p wire.Presence) wire.Presence {
	if ignored, err := w.ignored.Ask([]string{name}); err != nil || ignored[0] {
		return wire.Unseen
	}
	return p
}

var errUnknown = errors.New("not known")

// stat returns what has exactly that name. No link is followed and no other repository entered: what is behind is not
// known.
func (w *witness) stat(name string) (tree.Entry, error) {
	dir, rest := ".", name
	for {
		base, below, more := strings.Cut(rest, "/")
		e, err := w.entry(dir, base)
		if more && errors.Is(err, fs.ErrNotExist) {
			w.without(tree.Join(dir, base), below)
		}
		if err != nil || !more {
			return e, err
		}
		dir, rest = tree.Join(dir, base), below
		switch {
		case e.Kind == snapshot.Symlink, e.Detail != "":
			return e, errUnknown
		case e.Kind != snapshot.Directory:
			return e, fs.ErrNotExist
		}
	}
}

// without says that there are no ignore files in a directory that is not there, nor in those that a path names below
// it.
func (w *witness) without(dir, below string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for more := true; more; {
		if !w.missing[dir] {
			w.missing[dir] = true
			w.ignored.Listed(dir, tree.Listing{})
		}
		var base string
		base, below, more = strings.Cut(below, "/")
		dir = tree.Join(dir, base)
	}
}

// entry returns what has a name in a directory.
func (w *witness) entry(dir, name string) (tree.Entry, error) {
	if listed, ok := w.tree.(*tree.Listed); ok {
		return listed.Stat(tree.Join(dir, name))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	names, ok := w.dirs[dir]
	if !ok {
		names = w.list(dir)
		w.dirs[dir] = names
	}
	if names == nil {
		return tree.Entry{}, errUnknown
	}
	e, ok := names[name]
	if !ok {
		return e, fs.ErrNotExist
	}
	return e, nil
}

// list returns what is in a directory of a working tree, nil if that cannot be known.
func (w *witness) list(dir string) map[string]tree.Entry {
	l, err := w.tree.List(dir, maxEntries)
	if err != nil {
		return nil
	}
	w.ignored.Listed(dir, l)
	names := make(map[string]tree.Entry, len(l.Entries))
	for _, e := range l.Entries {
		if e.Name == tree.GitName && dir != "." && w.tree.IsRepository(dir, e) {
			return nil
		}
		names[e.Name] = e
	}
	return names
}
