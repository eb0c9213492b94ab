package source

import (
	"path/filepath"
	"slices"
	"sync"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/wire"
)

// A Workspace is the directory that all paths are relative to. It is located once for a call's configuration and
// checks. The working tree is opened on first use and stays open as long as the workspace is used.
type Workspace struct {
	*discover.Workspace
	disk func() (*tree.Worktree, error)
}

// A Call is the input of Locate.
type Call struct {
	Dir     string   // absolute; relative paths start here
	Environ []string // the calling process's environment, for git
	Paths   []string // restrict what is checked; empty means Dir
	Plugins []discover.Plugin
	Unsaved map[string]string // the unsaved contents of files that are open in an editor, by absolute path

	Source wire.Source // the source that will be opened
}

// Locate finds the workspace of a call. Outside a repository, the plugins' roots determine its top directory.
func Locate(c Call) (*Workspace, error) {
	at, err := discover.Locate(c.Paths, git.Settings{Environ: c.Environ, Dir: c.Dir}, c.Plugins,
		c.Source != wire.Worktree)
	if err != nil {
		return nil, err
	}
	return &Workspace{Workspace: at, disk: sync.OnceValues(func() (*tree.Worktree, error) {
		disk, err := tree.OpenWorktree(at.Path)
		if err == nil {
			disk.Overlay(unsaved(at.Path, c.Unsaved))
		}
		return disk, err
	})}, nil
}

// unsaved returns the texts of the files below a directory by relative path, or nil if there are none.
func unsaved(top string, texts map[string]string) map[string][]byte {
	if len(texts) == 0 {
		return nil
	}
	byPath := map[string][]byte{}
	for name, text := range texts {
		if path, ok := below(top, name); ok {
			byPath[path] = []byte(text)
		}
	}
	return byPath
}

// below returns full as a slash-separated path relative to top, and reports whether it is below top. It resolves links
// in the path's parents.
func below(top, full string) (string, bool) {
	if parent, err := filepath.EvalSymlinks(filepath.Dir(full)); err == nil {
		full = filepath.Join(parent, filepath.Base(full))
	}
	rel, ok := git.Below(full, top)
	return filepath.ToSlash(rel), ok
}

// Whole returns the workspace without the PATHs that restrict it.
func (w *Workspace) Whole() *Workspace {
	whole := *w.Workspace
	whole.Only = []string{"."}
	return &Workspace{Workspace: &whole, disk: w.disk}
}

// IsWhole reports whether no PATH restricts the workspace.
func (w *Workspace) IsWhole() bool { return slices.Equal(w.Only, []string{"."}) }

// Disk returns the working tree's files, even if something else is checked. It returns nil in a git directory,
// which has no working tree.
func (w *Workspace) Disk() (*tree.Worktree, error) {
	if w.Git {
		return nil, nil
	}
	return w.disk()
}

// GitDir returns the working tree's git directory, or "" outside a repository.
func (w *Workspace) GitDir() string {
	if w.Repo == nil {
		return ""
	}
	return w.Repo.Dir
}

// refuseBare rejects a source that needs a working tree or an index if there is none.
func (w *Workspace) refuseBare(source wire.Source) error {
	switch {
	case !w.Git || source == wire.Commit:
		return nil
	case w.Repo.Bare:
		return fault.Usagef("%s is a bare repository, which has no working tree; check a commit (stategate check "+
			"--rev REV), or go to a clone", w.Path)
	}
	return fault.Usagef("%s is the git directory of %s, not a part of its working tree; go to %s", w.Repo.Dir, w.Path,
		w.Path)
}

// needsRepository rejects an option that needs a repository if there is none.
func (w *Workspace) needsRepository(what string) error {
	if w.Repo == nil {
		return fault.Usagef("%s needs a git repository; %s is not in one", what, w.Path)
	}
	return nil
}
