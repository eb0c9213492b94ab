package check

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/tree"
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
	at, err := discover.Locate(o.Paths, git.Settings{Environ: o.Environ, Dir: o.Dir}, rootsOf(plugins), o.Source != wire.Worktree)
	if err != nil {
		return nil, err
	}
	w := &Workspace{Workspace: at, disk: sync.OnceValues(func() (*tree.Worktree, error) { return tree.OpenWorktree(at.Path) })}
	if o.Source == wire.Index && at.Repo != nil {
		w.index.Store(askIndex(ctx, at.Repo, o.Predecessors))
	}
	return w, nil
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
		return fault.Usagef("%s is a bare repository, which has no work tree: check a commit (stategate check --rev REV), or go to a clone", w.Path)
	}
	return fault.Usagef("%s is the git directory of %s, not a part of its work tree: go to %s", w.Repo.Dir, w.Path, w.Path)
}

// needsRepository refuses what only git has where there is no repository.
func (w *Workspace) needsRepository(what string) error {
	if w.Repo == nil {
		return fault.Usagef("%s needs a git repository; %s is not in one: go to one, or leave the flag out", what, w.Path)
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
	a := &indexAnswers{listing: async(func() (*git.Listing, error) { return repo.Index(ctx) })}
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
