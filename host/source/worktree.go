package source

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/ignore"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/wire"
)

// A Worktree is the directory on disk, inside or outside a repository. Git may ignore some of its files.
type Worktree struct {
	opened
	Disk *tree.Worktree

	rules *ignore.Rules // nil without git
}

// OpenWorktree opens the working tree, whatever source the options select.
func (w *Workspace) OpenWorktree(ctx context.Context, o Options) (*Worktree, error) {
	disk, err := w.disk()
	if err != nil {
		return nil, err
	}
	t := &Worktree{opened: w.opened(ctx, wire.Worktree, o.Limits), Disk: disk}
	files, err := t.files(ctx)
	if err != nil {
		return nil, err
	}
	v := t.newView(files, nil, nil)
	if w.Repo != nil && w.Repo.Installed() {
		t.index = sync.OnceValue(func() *git.Listing {
			l, _ := w.Repo.Index(ctx) // if unknown, an empty directory is treated as a directory
			return l
		})
		disk.Index = t.index
		t.rules = ignore.New(ctx, w.Repo, files)
		v = t.newView(files, t.rules, t.rules)
	}
	if files == disk {
		v.collector.Recall = o.Recall
	}
	t.view = func() (*view, error) { return v, nil }
	return t, nil
}

// files returns the working tree together with the files that a sparse checkout omits.
func (t *Worktree) files(ctx context.Context) (tree.Tree, error) {
	if t.repo == nil || !t.repo.Installed() {
		return t.Disk, nil
	}
	if _, err := os.Stat(filepath.Join(t.repo.Dir, "info", "sparse-checkout")); err != nil {
		return t.Disk, nil
	}
	index, err := t.repo.Index(ctx)
	if err != nil {
		return nil, err
	}
	left := slices.DeleteFunc(slices.Clone(index.Files), func(f git.File) bool { return !f.Skipped })
	if len(left) == 0 {
		return t.Disk, nil
	}
	return tree.NewSparse(t.Disk, t.listed("", &git.Listing{Files: left})), nil
}

// WithoutRules reports that git is not installed, so that files that it would ignore are also checked.
func (t *Worktree) WithoutRules() bool { return t.repo != nil && t.rules == nil }

// Bases implements Source. The changes since the bases are unknown, because git would have to read every file.
func (t *Worktree) Bases(ctx context.Context, compare Compare) ([]*Base, error) {
	compare.Predecessors = compare.Predecessors && !t.WithoutRules()
	return t.bases(ctx, compare, history{
		predecessors: func() ([]Origin, error) {
			if compare.Heads != nil {
				return heads(compare.Heads, nil)
			}
			return heads(t.repo.Heads(ctx))
		},
	})
}

// maxPathspecs is the maximum number of directories that git is asked about by name. For more, listing the whole
// index is as fast.
const maxPathspecs = 100

// Tracked returns the index's entries at and below directories, for comparison with what the walk found there. It
// returns nil if git cannot be asked.
func (t *Worktree) Tracked(ctx context.Context, dirs []string) (*Tracked, error) {
	if t.rules == nil || len(dirs) == 0 {
		return nil, nil
	}
	if len(dirs) > maxPathspecs {
		dirs = nil
	}
	listing, err := t.repo.Index(ctx, dirs...)
	return &Tracked{t, listing}, err
}

// Tracked is the index's entries in some directories.
type Tracked struct {
	worktree *Worktree
	listing  *git.Listing
}

// Find finds the state directories among the index's entries below one directory, ignoring symbolic links.
func (k *Tracked) Find(ctx context.Context, dir string, q discover.Query) (*discover.Found, error) {
	from, to := k.listing.Within(dir)
	files := slices.DeleteFunc(slices.Clone(k.listing.Files[from:to]),
		func(f git.File) bool { return f.Mode == git.Symlink })
	if len(files) == 0 {
		return &discover.Found{}, nil
	}
	q.Tree = k.worktree.listed("", &git.Listing{Files: files})
	return discover.Find(ctx, q)
}
