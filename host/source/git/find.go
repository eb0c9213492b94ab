package git

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stategate/stategate/host/fault"
)

// Find is like Lookup but treats an unreadable repository as absent.
func Find(dir string, s Settings) *Repo {
	r, _ := Lookup(dir, s)
	return r
}

// Lookup returns the repository whose working tree contains dir, an absolute path, or nil if there is none. It runs
// no process; it climbs until a directory contains a ".git" that git would accept. If it cannot read a ".git", it
// returns a *fault.Failure, because it cannot know whether that is a repository.
//
// Lookup uses the environment only if it refers to the same repository, as in git's hooks. Then GIT_INDEX_FILE
// and the object directories are passed on. If no directory above dir has a ".git", Lookup uses GIT_DIR if dir is
// in its working tree, which is GIT_WORK_TREE or else the working directory.
//
// A bare repository that contains dir is found if GIT_DIR names it, as in the hooks of a push, or if there is no
// ".git" above. A bare repository inside a working tree is treated as an ordinary directory, because its
// configuration could be hostile.
func Lookup(dir string, s Settings) (*Repo, error) {
	dir = Resolved(dir)
	if r := s.bareFromEnvironment(dir); r != nil {
		return r, nil
	}
	for top := dir; ; top = filepath.Dir(top) {
		gitDir, err := gitDirAt(top)
		if err != nil {
			return nil, err
		}
		if gitDir != "" {
			var environ []string
			if s.matches(top, gitDir) {
				environ = s.sameRepository()
			}
			return s.repo(top, gitDir, environ), nil
		}
		if filepath.Dir(top) == top {
			break
		}
	}
	if r := s.fromEnvironment(dir); r != nil {
		return r, nil
	}
	return s.bareAbove(dir), nil
}

// bareFromEnvironment returns the bare repository that GIT_DIR names if it contains dir.
func (s Settings) bareFromEnvironment(dir string) *Repo {
	env := s.Get("GIT_DIR")
	if env == "" || s.Get("GIT_WORK_TREE") != "" {
		return nil
	}
	gitDir := Resolved(s.absolute(env))
	if !within(dir, gitDir) || !isBare(gitDir) {
		return nil
	}
	if own, err := gitDirAt(filepath.Dir(gitDir)); err != nil || own == gitDir {
		return nil // it belongs to the working tree around it
	}
	r := s.repo(gitDir, gitDir, append(s.sameRepository(), "GIT_DIR="+gitDir))
	r.Bare = true
	return r
}

// bareAbove returns the bare repository that contains dir. Git itself also has to find it, so that it checks the
// owner.
func (s Settings) bareAbove(dir string) *Repo {
	for ; !isBare(dir); dir = filepath.Dir(dir) {
		if filepath.Dir(dir) == dir {
			return nil
		}
	}
	r := s.repo(dir, dir, nil)
	r.Bare = true
	return r
}

// isBare reports whether git would treat a directory as a repository.
func isBare(dir string) bool {
	ok, err := isGitDir(dir)
	return ok && err == nil && isDirectory(filepath.Join(dir, "objects")) && isDirectory(filepath.Join(dir, "refs"))
}

func isDirectory(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

func (s Settings) repo(top, gitDir string, environ []string) *Repo {
	return newRepo(process{Top: top, Dir: gitDir, program: cmp.Or(s.Program, "git"),
		environ: append(s.clean(top), environ...), patience: cmp.Or(s.Patience, time.Minute), most: maxOutput})
}

// matches reports whether the caller's environment refers to the repository.
func (s Settings) matches(top, gitDir string) bool {
	if env := s.Get("GIT_DIR"); env != "" {
		return Resolved(s.absolute(env)) == Resolved(gitDir)
	}
	for dir := Resolved(s.Dir); ; dir = filepath.Dir(dir) {
		if gitDir, err := gitDirAt(dir); gitDir != "" || err != nil {
			return dir == top
		}
		if filepath.Dir(dir) == dir {
			return false
		}
	}
}

func (s Settings) fromEnvironment(dir string) *Repo {
	env := s.Get("GIT_DIR")
	if env == "" {
		return nil
	}
	gitDir := Resolved(s.absolute(env))
	if ok, err := isGitDir(gitDir); !ok || err != nil {
		return nil
	}
	top := Resolved(s.Dir)
	if tree := s.Get("GIT_WORK_TREE"); tree != "" {
		top = Resolved(s.absolute(tree))
	} else if within(top, gitDir) {
		return nil
	}
	if !within(dir, top) {
		return nil
	}
	return s.repo(top, gitDir, append(s.sameRepository(), "GIT_DIR="+gitDir, "GIT_WORK_TREE="+top))
}

// gitDirAt returns the git directory that top/.git is or names, or "" if it is not one. It returns an error if it
// cannot be read.
func gitDirAt(top string) (string, error) {
	entry := filepath.Join(top, ".git")
	info, err := os.Stat(entry)
	switch {
	case err != nil:
		return "", nil // no one can use an entry in a directory that may not be searched
	case info.IsDir():
		if ok, err := isGitDir(entry); !ok || err != nil {
			return "", err
		}
		return entry, nil
	case !info.Mode().IsRegular():
		return "", nil
	}
	text, err := readStart(entry, 8<<10)
	target, ok := ParseGitFile(text)
	if !ok || err != nil {
		return "", forbidden(entry, err)
	}
	return absolute(top, target), nil
}

// readStart reads at most most bytes of a regular file. It rejects other files, because opening a named pipe would
// block.
func readStart(path string, most int64) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("not a regular file")}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// forbidden returns a failure if a ".git" exists but cannot be read, and nil if it is missing.
func forbidden(path string, err error) error {
	if !errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return fault.Newf(fault.IO, "read %s: permission denied, so it is unknown whether this is a git repository: "+
		"make it readable for this user (chmod -R u+rX, or chown)", path)
}

// ParseGitFile returns the path that a ".git" file's text names, if it has the right form.
func ParseGitFile(text []byte) (string, bool) {
	target, ok := strings.CutPrefix(string(text), "gitdir: ")
	target = strings.TrimRight(target, "\r\n")
	return target, ok && target != ""
}

func isGitDir(dir string) (bool, error) {
	info, err := os.Lstat(filepath.Join(dir, "HEAD"))
	if err != nil {
		return false, forbidden(dir, err)
	}
	return !info.IsDir(), nil
}

// Resolved returns path with links resolved, as far as the path exists.
func Resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}

// Holds reports whether an absolute path without links is in the git directory, where there is no working tree.
func (r *Repo) Holds(path string) bool { return r.Bare || within(path, r.Dir) }

func within(path, dir string) bool {
	_, ok := Below(path, dir)
	return ok
}

// Below returns path relative to dir, and reports whether path is in dir. Both must be absolute and clean.
func Below(path, dir string) (string, bool) {
	rel, err := filepath.Rel(dir, path)
	return rel, err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// harmless lists the GIT_ variables that affect only how git reads its own configuration, which is up to the user.
// They do not select a repository or change its bytes. CI sets safe.directory through them.
var harmless = []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT",
	"GIT_EXEC_PATH", "GIT_DISCOVERY_ACROSS_FILESYSTEM"}

// theirs lists the variables that describe the current repository to a hook, such as the index of a "commit -a" or
// the quarantine of a push.
var theirs = []string{"GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_QUARANTINE_PATH", "GIT_CONFIG_PARAMETERS"}

// clean returns the environment without anything that could redirect git, and with variables that keep it quiet,
// offline, within top and without grafts, which rewrite history like replaced objects. Versions of git without
// GIT_NO_LAZY_FETCH (before 2.39.4 and 2.45.1) try to fetch objects that a partial clone lacks. GIT_ALLOW_PROTOCOL
// stops it, and no configuration can override that.
func (s Settings) clean(top string) []string {
	var keep []string
	for _, kv := range s.Environ {
		name, _, _ := strings.Cut(strings.ToUpper(kv), "=")
		if !strings.HasPrefix(name, "GIT_") && name != "LC_ALL" && name != "LANGUAGE" ||
			slices.Contains(harmless, name) || strings.HasPrefix(name, "GIT_CONFIG_KEY_") ||
			strings.HasPrefix(name, "GIT_CONFIG_VALUE_") {
			keep = append(keep, kv)
		}
	}
	return append(keep, "LC_ALL=C", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0", "GIT_FLUSH=1", "GIT_GRAFT_FILE="+os.DevNull,
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(top))
}

// sameRepository returns the environment's variables that describe its repository, with absolute paths.
func (s Settings) sameRepository() []string {
	var list []string
	for _, name := range theirs {
		value := s.Get(name)
		switch {
		case value == "":
			continue
		case name == "GIT_ALTERNATE_OBJECT_DIRECTORIES":
			parts := filepath.SplitList(value)
			for i, p := range parts {
				parts[i] = s.absolute(p)
			}
			value = strings.Join(parts, string(filepath.ListSeparator))
		case name != "GIT_CONFIG_PARAMETERS":
			value = s.absolute(value)
		}
		list = append(list, name+"="+value)
	}
	return list
}

// Get returns the value of an environment variable, or "". The last setting of a name counts.
func (s Settings) Get(name string) string {
	for i := len(s.Environ) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(s.Environ[i], name+"="); ok {
			return value
		}
	}
	return ""
}

func (s Settings) absolute(path string) string { return absolute(s.Dir, path) }

// absolute returns path as an absolute path. A relative path is relative to dir.
func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
