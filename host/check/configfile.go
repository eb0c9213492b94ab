package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// Files reads single files of the tree that a policy comes from, never following
// symbolic links. Close it.
type Files struct {
	Top string // absolute: the anchor that Check finds for the same options, or the directory that OpenDir was given
	ID  string // object id of the revision that was asked for; "" for what Check looks at

	tree    tree.Tree      // nil for the index
	disk    *tree.Worktree // the tree, if it is one
	repo    *git.Repo
	objects *git.Objects
	index   *asked // nil for other sources
}

// Index returns what the next look at the index need not ask git again, nil for
// other sources.
func (f *Files) Index() *Index {
	if f.index == nil {
		return nil
	}
	x := &Index{}
	x.asked.Store(f.index)
	return x
}

// A NotAFileError says that something else lies where a file is expected.
type NotAFileError struct{ Found string }

func (e *NotAFileError) Error() string { return "found " + e.Found + ", expected a regular file" }

// A TooLargeError says that a file has more bytes than may be read.
type TooLargeError struct{ Size, Max int64 }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("it has %d bytes, expected %d at most", e.Size, e.Max)
}

// OpenFiles reads from the anchor that Check finds for the same options: from what
// Check looks at, or from a revision if from is not "". A *UsageError says that the call
// is wrong: there is no such path, revision or repository.
func OpenFiles(ctx context.Context, o Options, from string) (*Files, error) {
	var roots []discover.Plugin
	for _, p := range o.Plugins {
		roots = append(roots, discover.Plugin{Name: p.Name, Roots: p.Manifest.Roots})
	}
	anchor, err := o.locate(roots)
	if err != nil {
		return nil, err
	}
	if from == "" {
		err = o.refuseBare(anchor)
	}
	switch {
	case err != nil:
		return nil, err
	case from == "" && o.Source == wire.Worktree:
		return OpenDir(anchor.Path)
	case anchor.Repo == nil && from != "":
		return nil, fault.Usagef("a configuration of revision %q needs a git repository; %s is not in one: go to one, or leave the flag out", from, anchor.Path)
	case anchor.Repo == nil:
		return nil, fault.Usagef("the %s needs a git repository; %s is not in one: go to one, or leave the flag out", o.Source, anchor.Path)
	}
	f := &Files{Top: anchor.Path, repo: anchor.Repo, objects: anchor.Repo.Objects(ctx)}
	if from == "" && o.Source == wire.Index {
		f.index = ask(ctx, anchor.Repo, o.Predecessors)
		return f, nil
	}
	if from != "" {
		err = f.repo.Unambiguous(ctx, from)
	}
	if err == nil {
		f.tree, err = f.commit(ctx, cmp.Or(from, o.Rev))
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	if from != "" {
		f.ID = f.tree.(*tree.Commit).ID
	}
	return f, nil
}

func (f *Files) commit(ctx context.Context, revision string) (*tree.Commit, error) {
	id, err := f.repo.Commit(ctx, revision)
	if err != nil {
		return nil, err
	}
	return tree.OpenCommit(f.objects, id)
}

// OpenDir reads from a directory, given as an absolute path.
func OpenDir(dir string) (*Files, error) {
	w, err := tree.OpenWorktree(dir)
	if err != nil {
		return nil, tree.Failure(dir, err)
	}
	return &Files{Top: dir, tree: w, disk: w}, nil
}

// Close ends what was begun for reading.
func (f *Files) Close() {
	if f.objects != nil {
		f.objects.Close()
	}
	if f.disk != nil {
		_ = f.disk.Close()
	}
}

// Below returns an absolute path as a slash-separated one below Top, if it lies there.
func (f *Files) Below(full string) (string, bool) {
	if parent, err := filepath.EvalSymlinks(filepath.Dir(full)); err == nil {
		full = filepath.Join(parent, filepath.Base(full))
	}
	rel, err := filepath.Rel(f.Top, full)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// Holds reports whether something lies at a slash-separated path.
func (f *Files) Holds(ctx context.Context, name string) bool {
	if f.disk != nil {
		_, err := f.disk.Mode(name)
		return err == nil
	}
	_, err := f.Read(ctx, name, 0)
	return !errors.Is(err, fs.ErrNotExist)
}

// Read returns the file at a slash-separated path. The error is fs.ErrNotExist, a
// *NotAFileError, a *TooLargeError, or a *failure.Failure.
func (f *Files) Read(ctx context.Context, name string, max int64) ([]byte, error) {
	if f.disk != nil {
		if _, err := f.disk.Mode(name); errors.Is(err, fs.ErrNotExist) {
			return nil, fs.ErrNotExist // the usual case costs one call
		}
	}
	data, err := f.read(ctx, name, max)
	var other *NotAFileError
	var large *TooLargeError
	switch {
	case err == nil, errors.As(err, &other), errors.As(err, &large):
		return data, err
	case errors.Is(err, fs.ErrNotExist):
		return nil, fs.ErrNotExist
	case errors.Is(err, tree.ErrNotDirectory):
		return nil, &NotAFileError{"a file or a symbolic link where a parent directory should be"}
	case errors.Is(err, tree.ErrUnseen):
		return nil, fault.Newf(fault.Source, "read %s: its bytes are not in this clone: fetch them", name)
	case errors.Is(err, fs.ErrPermission):
		return nil, fault.Newf(fault.IO, "read %s: permission denied: make it readable for this user (chmod u+r)", name)
	}
	return nil, tree.Failure(name, err)
}

// maxNames bounds the directory that a file is looked for in.
const maxNames = 1 << 20

func (f *Files) read(ctx context.Context, name string, max int64) ([]byte, error) {
	if f.tree == nil {
		return f.staged(name, max)
	}
	dir, err := f.tree.Open(ctx, path.Dir(name))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entry, err := f.entry(dir, name)
	if err != nil {
		return nil, err
	}
	if entry.Kind != snapshot.Regular {
		return nil, &NotAFileError{article(entry)}
	}
	c, err := dir.Read(entry.Name, entry, max)
	if err != nil {
		return nil, err
	}
	if c.Data == nil && c.Size > max {
		return nil, &TooLargeError{c.Size, max}
	}
	return c.Data, nil
}

// staged reads one file of the index.
func (f *Files) staged(name string, max int64) ([]byte, error) {
	listing, err := f.index.listing()
	if err != nil {
		return nil, err
	}
	file, there := listing.Find(name)
	switch {
	case !there:
		return nil, fs.ErrNotExist
	case file.Unmerged:
		return nil, &NotAFileError{"an unresolved conflict"}
	}
	entry := tree.EntryOfGit(path.Base(name), file.Mode, file.ID)
	if entry.Kind != snapshot.Regular {
		return nil, &NotAFileError{article(entry)}
	}
	o, err := f.objects.Read(file.ID, max)
	switch {
	case errors.Is(err, git.ErrMissing):
		return nil, tree.ErrUnseen
	case err == nil && o.Data == nil && o.Size > max:
		return nil, &TooLargeError{o.Size, max}
	}
	return o.Data, err
}

// entry asks a work tree about one name, and lists others.
func (f *Files) entry(dir tree.Dir, name string) (tree.Entry, error) {
	base := path.Base(name)
	if f.disk != nil {
		mode, err := f.disk.Mode(name)
		if err != nil {
			return tree.Entry{}, err
		}
		return tree.EntryOf(base, mode), nil
	}
	l, err := dir.List(".", maxNames)
	if err != nil {
		return tree.Entry{}, err
	}
	for _, e := range l.Entries {
		if e.Name == base {
			return e, nil
		}
	}
	return tree.Entry{}, fs.ErrNotExist
}

func article(e tree.Entry) string {
	switch {
	case e.Kind == snapshot.Directory:
		return "a directory"
	case e.Detail != "":
		return "a " + e.Detail
	}
	return "something else"
}
