package git

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Find gives the repository whose work tree holds dir, which is absolute, or nil if there is none. It starts no
// process: it climbs until a directory holds a ".git" that git would accept.
//
// The environment counts only where it speaks of that same repository, as it does in git's hooks: then GIT_INDEX_FILE
// and the object directories are passed on. Without any ".git" above dir, GIT_DIR (with GIT_WORK_TREE, or else with
// the working directory as the top) is believed if dir lies in its work tree.
func Find(dir string, s Settings) *Repo {
	dir = resolved(dir)
	for top := dir; ; top = filepath.Dir(top) {
		if gitDir, ok := gitDirAt(top); ok {
			return s.repo(top, gitDir)
		}
		if filepath.Dir(top) == top {
			return s.fromEnvironment(dir)
		}
	}
}

func (s Settings) repo(top, gitDir string) *Repo {
	environ := s.clean(top)
	if s.meant(top, gitDir) {
		environ = append(environ, s.sameRepository()...)
	}
	return &Repo{Top: top, Dir: gitDir, program: s.program(), environ: environ}
}

// meant reports whether the caller's environment speaks of the repository.
func (s Settings) meant(top, gitDir string) bool {
	if env := s.get("GIT_DIR"); env != "" {
		return resolved(s.absolute(env)) == resolved(gitDir)
	}
	for dir := resolved(s.Dir); ; dir = filepath.Dir(dir) {
		if _, ok := gitDirAt(dir); ok {
			return dir == top
		}
		if filepath.Dir(dir) == dir {
			return false
		}
	}
}

func (s Settings) fromEnvironment(dir string) *Repo {
	env := s.get("GIT_DIR")
	if env == "" {
		return nil
	}
	gitDir := resolved(s.absolute(env))
	if !isGitDir(gitDir) {
		return nil
	}
	top := resolved(s.Dir)
	if tree := s.get("GIT_WORK_TREE"); tree != "" {
		top = resolved(s.absolute(tree))
	} else if within(top, gitDir) {
		return nil
	}
	if !within(dir, top) {
		return nil
	}
	environ := append(s.clean(top), s.sameRepository()...)
	environ = append(environ, "GIT_DIR="+gitDir, "GIT_WORK_TREE="+top)
	return &Repo{Top: top, Dir: gitDir, program: s.program(), environ: environ}
}

func (s Settings) program() string {
	if s.Program == "" {
		return "git"
	}
	return s.Program
}

// gitDirAt gives the git directory that top/.git is or names.
func gitDirAt(top string) (string, bool) {
	entry := filepath.Join(top, ".git")
	info, err := os.Stat(entry)
	if err != nil {
		return "", false
	}
	if info.IsDir() {
		return entry, isGitDir(entry)
	}
	if !info.Mode().IsRegular() {
		return "", false
	}
	target, ok := gitFile(entry)
	if !ok {
		return "", false
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(top, target)
	}
	return filepath.Clean(target), true
}

// gitFile reads a file "gitdir: PATH", as worktrees and submodules have.
func gitFile(path string) (string, bool) {
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 8<<10))
	if err != nil {
		return "", false
	}
	return ParseGitFile(text)
}

// ParseGitFile gives the path that the text of a ".git" file names, if it is one.
func ParseGitFile(text []byte) (string, bool) {
	target, ok := strings.CutPrefix(string(text), "gitdir: ")
	target = strings.TrimRight(target, "\r\n")
	return target, ok && target != ""
}

func isGitDir(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, "HEAD"))
	return err == nil && !info.IsDir()
}

// resolved gives path without links as far as it exists.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}

func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
