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

// maxEntries is the maximum number of names in a working-tree directory. The contents of a larger
// directory count as unknown.
const maxEntries = 20_000

// A witness answers whether paths exist in a tree, for plugins that compare state with the rest of the workspace. Its
// answers depend only on the tree; anything that could differ in another clone is unseen. It is safe for concurrent
// use.
type witness struct {
	tree    tree.Tree
	ignored *ignore.Rules

	mu sync.Mutex
	// dirs are a working tree's directories, by path; a nil value marks a directory that cannot be
	// listed
	dirs map[string]map[string]tree.Entry
}

// newWitness returns the witness for a tree. For an index with a working tree, it answers about the index. repo is
// nil outside a repository. Git processes end with ctx.
func newWitness(ctx context.Context, repo *git.Repo, t tree.Tree) *witness {
	if staged, ok := t.(*tree.Index); ok {
		t = staged.Listed
	}
	return &witness{tree: t, ignored: ignore.InTree(ctx, repo, t), dirs: map[string]map[string]tree.Entry{}}
}

// answer answers whether each path exists. wire.CheckPath must have accepted the paths. A change must not hide a
// missing file by ignoring it. So an ignored path that never existed is absent, unless the base's rules and the
// policy's rules also ignore it. The base's and the policy's rules may be nil.
func (w *witness) answer(paths []string, base *witness, policy *ignore.Rules) []wire.Answer {
	list := snapshot.Unknown(paths)
	for i, p := range paths {
		list[i].Presence = w.at(p)
		if list[i].Presence == wire.Unseen && w.newlyIgnored(strings.TrimSuffix(p, "/"), base, policy) {
			list[i].Presence = wire.Absent
		}
	}
	return list
}

// newlyIgnored reports whether only the change's own rules make a missing path unknown. A path that the base has
// stays unknown, because the change only stops tracking it.
func (w *witness) newlyIgnored(name string, base *witness, policy *ignore.Rules) bool {
	if _, err := w.stat(name); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if base != nil {
		if _, err := base.stat(name); err == nil {
			return false
		}
		if !base.ignores(name) {
			return true
		}
	}
	return policy != nil && !ignores(policy, name)
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
	case err != nil, e.Detail != "", e.Kind == snapshot.Directory && w.isRepository(name): // a submodule or device
		return wire.Unseen
	}
	if tree.OnDisk(w.tree) != nil {
		return w.unlessIgnored(name, wire.Present)
	}
	return wire.Present
}

// maxCompared is the maximum size in bytes of a working-tree file that is compared with a base.
const maxCompared = 1 << 20

// id returns a regular file's object id, or "" for anything else. It uses the hash whose hex ids have the given length.
// It reads a file whose id is unknown.
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

// isRepository reports whether a directory in the working tree is a repository or cannot be listed.
func (w *witness) isRepository(dir string) bool {
	_, err := w.entry(dir, tree.GitName)
	return errors.Is(err, errUnknown)
}

// behind returns the presence of a link's target. It follows only one link, and a target outside the workspace is
// unseen.
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

// unlessIgnored returns p, or unseen if the tree's own rules ignore the path, because then other clones do not have
// it.
func (w *witness) unlessIgnored(name string, p wire.Presence) wire.Presence {
	if w.ignores(name) {
		return wire.Unseen
	}
	return p
}

func (w *witness) ignores(name string) bool { return ignores(w.ignored, name) }

// ignores reports whether rules ignore a path, or cannot be read.
func ignores(rules *ignore.Rules, name string) bool {
	ignored, err := rules.Ask([]string{name})
	return err != nil || ignored[0]
}

var errUnknown = errors.New("not known")

// stat returns the entry with exactly that name. It does not follow links or enter other repositories, so the
// content they lead to is unknown.
func (w *witness) stat(name string) (tree.Entry, error) {
	dir, rest := ".", name
	for {
		base, below, more := strings.Cut(rest, "/")
		e, err := w.entry(dir, base)
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

// list returns the entries of a working-tree directory, or nil if they cannot be known.
func (w *witness) list(dir string) map[string]tree.Entry {
	l, err := w.tree.List(dir, maxEntries)
	if err != nil {
		return nil
	}
	names := make(map[string]tree.Entry, len(l.Entries))
	for _, e := range l.Entries {
		if e.Name == tree.GitName && dir != "." && w.tree.IsRepository(dir, e) {
			return nil
		}
		names[e.Name] = e
	}
	return names
}
