package source

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// Files reads single files from the tree of a configuration. It never follows symbolic links. Close it after use.
type Files struct {
	Top string // absolute; the workspace, or the directory given to OpenDir
	ID  string // object id of the requested revision; "" for what is checked

	tree  tree.Tree
	close func()
}

// OpenFiles opens the revision that from names or, if from is "", what is checked. It returns a *fault.UsageError if
// the path, the revision or the repository does not exist.
func (w *Workspace) OpenFiles(ctx context.Context, o Options, from string) (*Files, error) {
	what := map[wire.Source]string{wire.Index: "--staged", wire.Commit: "--rev"}[o.Source]
	if o.Merge != "" {
		what = "--merge"
	}
	if from != "" {
		what = "--policy-from " + from
	} else if err := w.refuseBare(o.Source); err != nil {
		return nil, err
	}
	if from == "" && o.Source == wire.Worktree {
		disk, err := w.disk()
		if err != nil {
			return nil, tree.Failure(w.Path, err)
		}
		return &Files{Top: w.Path, tree: disk, close: func() {}}, nil
	}
	if err := w.needsRepository(what); err != nil {
		return nil, err
	}
	var listing *git.Listing
	var id string
	var err error
	if from == "" && o.Source == wire.Index {
		listing, err = w.Repo.Staged(ctx)
	} else {
		id, listing, err = w.list(ctx, from, o.Rev)
	}
	if err != nil {
		return nil, err
	}
	objects := w.Repo.Objects(ctx)
	f := &Files{Top: w.Path, tree: tree.NewListed(id, listing, objects, w.Path), close: objects.Close}
	if from != "" {
		f.ID = id
	}
	return f, nil
}

// list lists the files of the commit from. If from is "", it lists those of rev.
func (w *Workspace) list(ctx context.Context, from, rev string) (id string, l *git.Listing, err error) {
	if from != "" {
		err = w.Repo.Unambiguous(ctx, from)
	}
	if err == nil {
		id, err = w.Repo.Commit(ctx, cmp.Or(from, rev))
	}
	if err == nil {
		l, err = w.Repo.Tree(ctx, id)
	}
	return id, l, err
}

// OpenDir opens a directory, given as an absolute path.
func OpenDir(dir string) (*Files, error) {
	w, err := tree.OpenWorktree(dir)
	if err != nil {
		return nil, tree.Failure(dir, err)
	}
	return &Files{Top: dir, tree: w, close: func() { _ = w.Close() }}, nil
}

// Close releases what was opened for reading.
func (f *Files) Close() { f.close() }

// Below returns an absolute path as a slash-separated path relative to Top. It reports false if the path is not below
// Top.
func (f *Files) Below(full string) (string, bool) { return below(f.Top, full) }

// Holds reports whether a slash-separated path exists.
func (f *Files) Holds(ctx context.Context, name string) bool {
	_, err := f.Read(ctx, name, 0)
	return !errors.Is(err, fs.ErrNotExist)
}

// Alike returns the name at the top that differs from a name only in case, or "" if there is none.
func (f *Files) Alike(name string) string {
	l, err := f.tree.List(".", maxEntries)
	if err != nil {
		return ""
	}
	for _, e := range l.Entries {
		if e.Name != name && strings.EqualFold(e.Name, name) {
			return e.Name
		}
	}
	return ""
}

// Read returns the file at a slash-separated path. The error is fs.ErrNotExist if it is missing, a *fault.UsageError
// if it is not a regular file or is too large, and otherwise a *fault.Failure.
func (f *Files) Read(ctx context.Context, name string, max int64) ([]byte, error) {
	entry, content, err := ReadFile(f.tree, name, max)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fs.ErrNotExist
	case errors.Is(err, tree.ErrNotDirectory):
		return nil, notAFile("expected a parent directory, found a file or a symbolic link")
	case errors.Is(err, fs.ErrPermission):
		return nil, fault.Newf(fault.IO, "read %s: permission denied: make it readable for this user (chmod u+r)", name)
	case err != nil:
		return nil, tree.Failure(name, err)
	case entry.Kind == snapshot.Directory:
		return nil, notAFile("a directory")
	case entry.Kind != snapshot.Regular:
		return nil, notAFile("a " + strings.TrimPrefix(cmp.Or(entry.Detail, "special file"), "a "))
	case content.Data == nil && content.Size > max:
		return nil, fault.Usagef("it has %d bytes, expected at most %d", content.Size, max)
	}
	return content.Data, nil
}

func notAFile(found string) error {
	return fault.Usagef("found %s, expected a regular file; put the file itself here", found)
}

// ReadFile reads one file of a tree. It returns no content for an entry that is not a regular file.
func ReadFile(t tree.Tree, name string, max int64) (e tree.Entry, c tree.Content, err error) {
	if e, err = t.Stat(name); err == nil && e.Kind == snapshot.Regular {
		c, err = t.Read(name, e, max)
	}
	return e, c, err
}
