package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// A Workspace is the directory that everything is relative to, located once for the configuration and the checks of a
// call. Of the index, git is asked as soon as it is located: to list a large one takes longer than all that is done
// meanwhile. Its work tree is opened once, when first needed, and stays open as long as the workspace is used.
type Workspace struct {
	*discover.Workspace
	disk  func() (*tree.Worktree, error)
	index atomic.Pointer[indexAnswers] // for the next check; those after it ask again
}

// indexAnswers are what git is being asked about the index. All but listing are nil if it is not compared with HEAD.
type indexAnswers struct {
	listing func() (*git.Listing, error)
	heads   func() ([]string, error)
	changes func() ([]git.Change, error) // against the first of heads
}

// Locate finds the workspace of a call. Outside a repository, the roots of plugins tell where its top is.
func Locate(ctx context.Context, o Options, plugins []*plugin.Plugin) (*Workspace, error) {
	at, err := discover.Locate(o.Paths, git.Settings{Environ: o.Environ, Dir: o.Dir}, rootsOf(plugins),
		o.Source != wire.Worktree)
	if err != nil {
		return nil, err
	}
	w := &Workspace{Workspace: at, disk: sync.OnceValues(func() (*tree.Worktree, error) {
		disk, err := tree.OpenWorktree(at.Path)
		if err == nil {
			disk.Overlay(unsaved(at.Path, o.Unsaved))
		}
		return disk, err
	})}
	if o.Source == wire.Index && at.Repo != nil {
		w.index.Store(askIndex(ctx, at.Repo, o.Predecessors))
	}
	return w, nil
}

// unsaved returns the texts of files below a directory by their path in it, nil for none. Links above a file are
// resolved.
func unsaved(top string, texts map[string]string) map[string][]byte {
	if len(texts) == 0 {
		return nil
	}
	f := Files{Top: top}
	below := map[string][]byte{}
	for name, text := range texts {
		if path, ok := f.Below(name); ok {
			below[path] = []byte(text)
		}
	}
	return below
}

// Whole returns the workspace without the PATHs that restrict it.
func (w *Workspace) Whole() *Workspace {
	whole := *w.Workspace
	whole.Only = []string{"."}
	return &Workspace{Workspace: &whole, disk: w.disk}
}

// IsWhole reports whether no PATH restricts it.
func (w *Workspace) IsWhole() bool { return slices.Equal(w.Only, []string{"."}) }

// refuseBare refuses what needs a work tree or an index where there is none.
func (w *Workspace) refuseBare(source wire.Source) error {
	switch {
	case !w.Git || source == wire.Commit:
		return nil
	case w.Repo.Bare:
		return fault.Usagef("%s is a bare repository, which has no work tree: check a commit (stategate check --rev "+
			"REV), or go to a clone", w.Path)
	}
	return fault.Usagef("%s is the git directory of %s, not a part of its work tree: go to %s", w.Repo.Dir, w.Path,
		w.Path)
}

// needsRepository refuses what only git has where there is no repository.
func (w *Workspace) needsRepository(what string) error {
	if w.Repo == nil {
		return fault.Usagef("%s needs a git repository; %s is not in one: go to one, or leave the flag out", what,
			w.Path)
	}
	return nil
}

// answers returns what git was asked before, once, or else asks it.
func (w *Workspace) answers(ctx context.Context, heads bool) *indexAnswers {
	if a := w.index.Swap(nil); a != nil {
		return a
	}
	return askIndex(ctx, w.Repo, heads)
}

func askIndex(ctx context.Context, repo *git.Repo, heads bool) *indexAnswers {
	a := &indexAnswers{listing: async(func() (*git.Listing, error) { return repo.Staged(ctx) })}
	if !heads {
		return a
	}
	a.heads = async(func() ([]string, error) { return repo.Heads(ctx) })
	a.changes = async(func() ([]git.Change, error) {
		ids, err := a.heads()
		if err != nil || len(ids) == 0 {
			return nil, err
		}
		return repo.ChangedInIndex(ctx, ids[0])
	})
	return a
}

// async starts f and returns how to wait for its result.
func async[T any](f func() (T, error)) func() (T, error) {
	wait := sync.OnceValues(f)
	go func() { _, _ = wait() }()
	return wait
}

func rootsOf(plugins []*plugin.Plugin) []discover.Plugin {
	list := make([]discover.Plugin, len(plugins))
	for i, p := range plugins {
		list[i] = discover.Plugin{Name: p.Name, Roots: p.Manifest.Roots}
	}
	return list
}

// Files reads single files of the tree that a configuration comes from, never following symbolic links. Close it.
type Files struct {
	Top string // absolute: the workspace, or the directory that OpenDir was given
	ID  string // object id of the revision that was asked for; "" for what Check checks

	tree  tree.Tree
	close func()
}

// OpenFiles reads what Check checks with the same options, or a revision if from is not "". A *fault.UsageError says
// that the call is wrong: there is no such path, revision or repository.
func OpenFiles(ctx context.Context, o Options, from string) (*Files, error) {
	w, err := o.workspace(ctx)
	what := "the " + o.Source.String()
	if from != "" {
		what = fmt.Sprintf("a configuration of revision %q", from)
	} else if err == nil {
		err = w.refuseBare(o.Source)
	}
	if err != nil {
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
	objects := w.Repo.Objects(ctx)
	f := &Files{Top: w.Path, close: objects.Close}
	var listing *git.Listing
	id := ""
	if from == "" && o.Source == wire.Index {
		answers := w.answers(ctx, o.Predecessors)
		w.index.Store(answers) // for the check
		listing, err = answers.listing()
	} else {
		if from != "" {
			err = w.Repo.Unambiguous(ctx, from)
		}
		if err == nil {
			id, err = w.Repo.Commit(ctx, cmp.Or(from, o.Rev))
		}
		if err == nil {
			listing, err = w.Repo.Tree(ctx, id)
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	if from != "" {
		f.ID = id
	}
	f.tree = tree.NewListed(id, listing, objects, w.Path)
	return f, nil
}

// OpenDir reads from a directory, given as an absolute path.
func OpenDir(dir string) (*Files, error) {
	w, err := tree.OpenWorktree(dir)
	if err != nil {
		return nil, tree.Failure(dir, err)
	}
	return &Files{Top: dir, tree: w, close: func() { _ = w.Close() }}, nil
}

// Close ends what was begun for reading.
func (f *Files) Close() { f.close() }

// Below returns an absolute path as a slash-separated one below Top, if it is there.
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

// Holds reports whether something is at a slash-separated path.
func (f *Files) Holds(ctx context.Context, name string) bool {
	_, err := f.Read(ctx, name, 0)
	return !errors.Is(err, fs.ErrNotExist)
}

// Read returns the file at a slash-separated path. The error is fs.ErrNotExist, a *fault.UsageError if what is there is
// not a regular file or too large, or a *fault.Failure.
func (f *Files) Read(ctx context.Context, name string, max int64) ([]byte, error) {
	entry, content, err := ReadFile(f.tree, name, max)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fs.ErrNotExist
	case errors.Is(err, tree.ErrNotDirectory):
		return nil, notAFile("a file or a symbolic link where a parent directory should be")
	case errors.Is(err, tree.ErrNotFetched):
		return nil, fault.Newf(fault.Source, "read %s: its bytes are not in this clone: fetch them", name)
	case errors.Is(err, fs.ErrPermission):
		return nil, fault.Newf(fault.IO, "read %s: permission denied: make it readable for this user (chmod u+r)", name)
	case err != nil:
		return nil, tree.Failure(name, err)
	case entry.Kind == snapshot.Directory:
		return nil, notAFile("a directory")
	case entry.Kind != snapshot.Regular:
		return nil, notAFile("a " + strings.TrimPrefix(cmp.Or(entry.Detail, "special file"), "a "))
	case content.Data == nil && content.Size > max:
		return nil, fault.Usagef("it has %d bytes, expected %d at most", content.Size, max)
	}
	return content.Data, nil
}

func notAFile(found string) error {
	return fault.Usagef("found %s, expected a regular file; put the file itself here", found)
}

// ReadFile reads one file of a tree. What is there and is not a regular file comes without content.
func ReadFile(t tree.Tree, name string, max int64) (e tree.Entry, c tree.Content, err error) {
	if e, err = t.Stat(name); err == nil && e.Kind == snapshot.Regular {
		c, err = t.Read(name, e, max)
	}
	return e, c, err
}
