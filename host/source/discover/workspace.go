package discover

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/wire"
)

// A Plugin is what the walk must know about a plugin.
type Plugin struct {
	Name  string
	Roots []wire.Root
}

// A Workspace is the directory that all paths are relative to.
type Workspace struct {
	Path string    // absolute, with links resolved, as the operating system spells it
	Repo *git.Repo // the repository at Path; nil outside a repository
	// Only lists the paths that the check is restricted to: slash-separated, relative to the workspace, sorted; "."
	// means everything
	Only []string
	Git  bool // all of Only is in the git directory, so there is no working tree
}

// Locate returns the workspace for a call's PATHs. Relative paths start at s.Dir. No PATHs means the whole repository
// that contains s.Dir, so that the verdict does not depend on the current directory, or outside a repository s.Dir
// itself. The workspace is the top of the repository that contains all PATHs. Outside a repository, it is their common
// directory or, if that is inside a plugin's root, the directory above the root. A PATH therefore restricts what is
// checked but never changes what matches.
//
// A PATH that does not exist is a *fault.UsageError, unless mayBeMissing is true. It is true if the check does not
// read the working tree. An unreadable repository is a *fault.Failure.
func Locate(paths []string, s git.Settings, plugins []Plugin, mayBeMissing bool) (*Workspace, error) {
	all := len(paths) == 0
	if all {
		paths = []string{"."}
	}
	var common string
	var full []string
	for i, p := range paths {
		path, dir, err := locate(p, s)
		if err != nil && mayBeMissing {
			path, dir, err = locateMissing(p, s, err)
		}
		if err != nil {
			return nil, err
		}
		full = append(full, path)
		if i == 0 {
			common = dir
		}
		common = shared(common, dir)
		behind, err := directoryBehind(p, path, s)
		if err != nil {
			return nil, err
		}
		full = append(full, behind...)
	}
	repo, err := git.Lookup(common, s)
	if err != nil {
		return nil, err
	}
	w := &Workspace{Repo: repo}
	if repo != nil {
		w.Path, w.Git = repo.Top, repo.Holds(common)
		if all {
			full = []string{w.Path}
		}
	} else {
		w.Path = aboveRoots(common, plugins)
	}
	return w, w.restrict(full)
}

// absolute returns a path's directory with links resolved, and its last component. The name is "" if the path ends in
// "." or "..". The operating system, not the text, determines what ".." after a link means.
func absolute(path string, s git.Settings) (dir, name string, err error) {
	full := filepath.FromSlash(path)
	if !filepath.IsAbs(full) {
		full = s.Dir + string(filepath.Separator) + full
	}
	trimmed := strings.TrimRight(full, string(filepath.Separator))
	if trimmed == filepath.VolumeName(full) {
		return full, "", nil
	}
	dir, name = filepath.Split(trimmed)
	if name == "." || name == ".." {
		dir, name = trimmed, ""
	}
	dir, err = filepath.EvalSymlinks(dir)
	return dir, name, err
}

// locate resolves the links on the way to a path. It returns the path with its directory, which is the path itself
// if that is a directory. It follows a link at the path's end only outside a repository. Inside one, a link is a
// document, and documents are not followed.
func locate(path string, s git.Settings) (full, dir string, err error) {
	parent, name, err := absolute(path, s)
	if err != nil {
		return "", "", unreachable(path, err)
	}
	full = filepath.Join(parent, name)
	info, err := os.Lstat(full)
	if err != nil {
		return "", "", unreachable(path, err)
	}
	if info.Mode()&fs.ModeSymlink != 0 && git.Find(parent, s) == nil {
		if full, err = filepath.EvalSymlinks(full); err == nil {
			info, err = os.Lstat(full)
		}
		if err != nil {
			return "", "", unreachable(path, err)
		}
	}
	if info.IsDir() {
		return full, full, nil
	}
	return full, filepath.Dir(full), nil
}

// locateMissing does what locate does, for a missing path. It keeps the names below the last existing directory as
// they are. If the last existing component is not a directory, it returns err.
func locateMissing(path string, s git.Settings, err error) (full, dir string, _ error) {
	missing := filepath.Clean(path)
	if !filepath.IsAbs(missing) {
		missing = filepath.Join(s.Dir, missing)
	}
	for above := filepath.Dir(missing); above != filepath.Dir(above); above = filepath.Dir(above) {
		real, err := filepath.EvalSymlinks(above)
		if err != nil {
			continue
		}
		if info, err := os.Stat(real); err != nil || !info.IsDir() {
			break
		}
		return filepath.Join(real, strings.TrimPrefix(missing, above)), real, nil
	}
	return "", "", err
}

// directoryBehind returns the directory that the link full leads to within the same repository. If a user names a
// link, its target is also checked, under its own name. It returns no directory if the link's target cannot be state.
func directoryBehind(path, full string, s git.Settings) ([]string, error) {
	if info, err := os.Lstat(full); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return nil, nil
	}
	target, err := filepath.EvalSymlinks(full)
	if err != nil {
		return nil, nil
	}
	if info, err := os.Stat(target); err != nil || !info.IsDir() {
		return nil, nil
	}
	if repo := git.Find(filepath.Dir(full), s); repo == nil || !inDirectory(target, repo.Top) {
		return nil,
			fault.Usagef("path %q is a symbolic link out of its repository, which is not followed; use the "+
				"directory itself", path)
	}
	return []string{target}, nil
}

func unreachable(path string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return tree.Failure(path, err)
	}
	return fault.Usagef("path %q does not exist", path)
}

func (w *Workspace) restrict(full []string) error {
	for _, f := range full {
		rel, err := filepath.Rel(w.Path, f)
		if err != nil {
			return fmt.Errorf("make %s relative to %s: %w", f, w.Path, err)
		}
		w.Only = append(w.Only, filepath.ToSlash(rel))
	}
	slices.Sort(w.Only)
	w.Only = slices.Compact(w.Only)
	return nil
}

func shared(a, b string) string {
	for !inDirectory(b, a) {
		a = filepath.Dir(a)
	}
	return a
}

func inDirectory(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	if err != nil { // on Windows, another volume; the root of this one is the highest possible directory
		return filepath.Dir(dir) == dir
	}
	return rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// aboveRoots climbs from a directory that is a root or below one: the workspace of ".ocr/sessions/x" is the directory
// that contains ".ocr". It also requires the root's markers, because a name such as "specs/x" proves nothing.
func aboveRoots(dir string, plugins []Plugin) string {
	var globs []string
	for _, p := range plugins {
		for _, r := range p.Roots {
			globs = append(globs, r.Dir)
		}
	}
	set, err := glob.Compile(globs)
	if err != nil {
		return dir // Find reports the error
	}
	volume := filepath.VolumeName(dir)
	names := strings.Split(strings.Trim(filepath.ToSlash(dir[len(volume):]), "/"), "/")
	for i := range names {
		if names[i] == "" || !leads(set, names[i:]) {
			continue
		}
		above := filepath.Join(append([]string{volume + string(filepath.Separator)}, names[:i]...)...)
		if proved(above, strings.Join(names[i:], "/"), set, plugins) {
			return above
		}
	}
	return dir
}

// proved reports whether a path relative to above contains, or is in, a root that has a marker, possibly in another
// case.
func proved(above, path string, set *glob.Set, plugins []Plugin) bool {
	t, err := tree.OpenWorktree(above)
	if err != nil {
		return false
	}
	defer t.Close()
	found, err := Find(context.Background(), Query{Tree: t, Only: []string{path}, Plugins: plugins})
	if err != nil {
		return false
	}
	return slices.ContainsFunc(found.Instances, func(i Instance) bool { return isRoot(set, i.Root) }) ||
		slices.ContainsFunc(found.Near, func(n Near) bool { return leads(set, strings.Split(n.Path, "/")) })
}

// isRoot reports whether a path is a root that begins with a literal name.
func isRoot(set *glob.Set, path string) bool {
	st := set.Start()
	for i, n := range strings.Split(path, "/") {
		if st = set.Step(st, n); i == 0 && !set.Named(st) {
			return false
		}
	}
	return set.Accepts(st) && set.Named(st)
}

// leads reports whether the names lead to a root or to a path inside a root. The root must begin with a literal
// name.
func leads(set *glob.Set, names []string) bool {
	st := set.Start()
	for i, n := range names {
		st = set.Step(st, n)
		if i == 0 && !set.Named(st) {
			return false
		}
		if set.Accepts(st) && set.Named(st) {
			return true
		}
	}
	return set.Named(st)
}
