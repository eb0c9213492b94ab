package git

import (
	"bufio"
	"cmp"
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Stageable returns those of paths, relative to Top, that git add takes: it refuses
// one that is ignored, and one of which neither the index nor the work tree has
// anything. A path that ends in a slash is a directory. No file is opened.
func (r *Repo) Stageable(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	args := []string{"--literal-pathspecs", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"}
	out, _, err := r.run(ctx, append(args, paths...)...)
	if err != nil {
		return nil, err
	}
	listed := strings.Split(out, "\x00")
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		return !slices.ContainsFunc(listed, func(k string) bool {
			return k == p ||
				strings.HasPrefix(k, strings.TrimSuffix(p, "/")+"/")
		})
	}), nil
}

// Detached reports whether the next commit is on no branch, and not on the one that is being rebased.
func (r *Repo) Detached(ctx context.Context) bool {
	_, status, _ := r.run(ctx, "symbolic-ref", "--quiet", "HEAD")
	return status == 1 && !slices.ContainsFunc([]string{"rebase-merge", "rebase-apply"}, func(name string) bool {
		_, err := os.Lstat(filepath.Join(r.Dir, name))
		return err == nil
	})
}

// Hooks returns the absolute path of the directory whose hooks git runs here, core.hooksPath and linked worktrees
// considered. It need not exist, and may lie outside the repository.
func (r *Repo) Hooks(ctx context.Context) (string, error) {
	return r.path(ctx, "--git-path", "hooks")
}

// CommonDir returns the absolute path of the git directory that all worktrees of the repository share.
func (r *Repo) CommonDir(ctx context.Context) (string, error) {
	return r.path(ctx, "--git-common-dir")
}

func (r *Repo) path(ctx context.Context, what ...string) (string, error) {
	out, _, err := r.run(ctx, append([]string{"rev-parse"}, what...)...)
	if err != nil {
		return "", err
	}
	return absolute(r.Top, strings.TrimSuffix(out, "\n")), nil
}

// Config returns a value of the configuration, "" if it is not set.
func (r *Repo) Config(ctx context.Context, key string) (string, error) {
	return r.line(ctx, "config", "--get", key)
}

// Branch returns the branch that is checked out, "" if none is.
func (r *Repo) Branch(ctx context.Context) string {
	name, _ := r.line(ctx, "symbolic-ref", "--quiet", "--short", "HEAD")
	return name
}

// DefaultBranch returns the branch that changes are merged into, as far as the clone knows: the one that the remote
// origin points to, or the one that is checked out; "" if neither is known.
func (r *Repo) DefaultBranch(ctx context.Context) (_ string, err error) {
	for _, ref := range []string{"refs/remotes/origin/HEAD", "HEAD"} {
		var branch string
		if branch, err = r.line(ctx, "symbolic-ref", "--quiet", "--short", ref); err == nil && branch != "" {
			return strings.TrimPrefix(branch, "origin/"), nil
		}
	}
	return "", err
}

// An IgnoreSource is a file of ignore rules outside of any tree.
type IgnoreSource struct {
	Name string // as git prints it
	Text []byte
}

// maxIgnoreFile is the greatest ignore file that is read, in bytes.
const maxIgnoreFile = 1 << 20

// IgnoreSources returns the user's own ignore files, of which a later one has more weight, and whether names that
// differ in case are one. A repository that git does not trust is a failure, and so is one without a work tree where
// there has to be one.
func (r *Repo) IgnoreSources(ctx context.Context, worktree bool) (list []IgnoreSource, fold bool, err error) {
	args := []string{"rev-parse", "--git-path", "info/exclude"}
	if worktree {
		args = append(args, "--show-toplevel")
	}
	paths, _, err := r.run(ctx, args...)
	if err != nil {
		return nil, false, err
	}
	out, status, err := r.run(ctx, "config", "--type=path", "-z", "--get-regexp", `^core\.(excludesfile|ignorecase)$`)
	if err != nil && status != 1 {
		return nil, false, err
	}
	s := Settings{Environ: r.environ}
	named := filepath.Join(cmp.Or(s.get("XDG_CONFIG_HOME"), filepath.Join(s.get("HOME"), ".config")), "git", "ignore")
	for entry := range strings.SplitSeq(out, "\x00") {
		switch key, value, set := strings.Cut(entry, "\n"); key {
		case "core.excludesfile":
			named = value
		case "core.ignorecase":
			fold = !set || slices.Contains([]string{"true", "yes", "on", "1"}, strings.ToLower(value))
		}
	}
	exclude, _, _ := strings.Cut(paths, "\n")
	for _, name := range []string{named, exclude} {
		full := absolute(r.Top, name)
		if text, err := readStart(full, maxIgnoreFile); err == nil {
			list = append(list, IgnoreSource{name, text})
		}
	}
	return list, fold, nil
}

// A Touch says when a directory was changed last.
type Touch struct {
	At          time.Time // zero: not known
	Uncommitted bool      // it holds what HEAD does not have, or what git ignores
	By          string    // the author of that commit, "" for none
	Files       []string  // that are not committed, slash-separated below top; those of a new directory are one
}

// Touched returns when directories, slash-separated below top, which is that of the repository, were changed last: by a
// commit as of rev, or, where the work tree has something else, by whoever wrote the newest file there. After a clone
// every file is new, so that its time means nothing where there is a commit. History is searched for patience at most:
// the rest is not known. Repo is nil outside of a repository; rev is "" for the work tree.
func Touched(ctx context.Context, patience time.Duration, repo *Repo, top, rev string, dirs []string) map[string]Touch {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	t := &touches{repo: repo, top: top, times: map[string]Touch{}, files: map[string][]string{}}
	for _, d := range dirs {
		t.times[d] = Touch{}
	}
	if rev == "" {
		t.written(t.uncommitted(ctx))
	}
	if repo != nil {
		t.committed(ctx, rev)
	}
	return t.times
}

type touches struct {
	repo  *Repo
	top   string
	times map[string]Touch
	files map[string][]string
}

// unknown lists the directories of which no time is known yet.
func (t *touches) unknown() (list []string) {
	for d, at := range t.times {
		if at.At.IsZero() {
			list = append(list, d)
		}
	}
	return list
}

// pathspecs are few directories that hold all of them whose time is not known yet.
func (t *touches) pathspecs() []string {
	list := []string{"--"}
	for _, d := range t.unknown() {
		around := path.Dir(d)
		if around == "." {
			around = d
		}
		list = append(list, around)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// holder is the directory that holds a path of git's, "" if none does.
func (t *touches) holder(name string) string {
	for ; ; name = path.Dir(name) {
		if _, found := t.times[name]; found {
			return name
		}
		if name == "." || name == "/" {
			return ""
		}
	}
}

// committed reads history from its end until every directory is in it of which no time is known yet: what was never
// committed would have all of it read.
func (t *touches) committed(ctx context.Context, rev string) {
	if len(t.unknown()) == 0 {
		return
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	args := []string{"--literal-pathspecs", "log", "-z", "--format=%x01%ct %an", "--name-only", "--no-renames",
		"--no-ext-diff", "--no-show-signature", "--no-mailmap", "-O/dev/null",
		cmp.Or(rev, "HEAD")}
	cmd, _ := t.repo.command(ctx, append(args, t.pathspecs()...)...)
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		return
	}
	at, by, missing := time.Time{}, "", len(t.unknown())
	for in := bufio.NewReader(out); missing > 0; {
		word, err := in.ReadString(0)
		if err != nil {
			break
		}
		word = strings.Trim(word, "\n\x00")
		if head, ok := strings.CutPrefix(word, "\x01"); ok {
			seconds, author, _ := strings.Cut(head, " ")
			by = author
			n, _ := strconv.ParseInt(seconds, 10, 64)
			at = time.Unix(n, 0)
		} else if d := t.holder(word); d != "" && t.times[d].At.IsZero() {
			t.times[d] = Touch{At: at, By: by}
			missing--
		}
	}
	stop()
	_ = cmd.Wait()
}

// uncommitted lists the directories that hold something else than HEAD, or that git ignores.
func (t *touches) uncommitted(ctx context.Context) (list []string) {
	if t.repo == nil {
		for d := range t.times {
			list = append(list, d)
		}
		return list
	}
	args := []string{"--literal-pathspecs", "status", "--porcelain", "-z", "--no-renames", "--untracked-files=normal",
		"--ignored=traditional", "--ignore-submodules=all"}
	out, err := t.repo.unfiltered(ctx, append(args, t.pathspecs()...)...)
	if err != nil {
		return nil
	}
	for entry := range strings.SplitSeq(out, "\x00") {
		if len(entry) < 4 {
			continue
		}
		name := strings.TrimSuffix(entry[3:], "/")
		if d := t.holder(name); d != "" {
			list = append(list, d)
			t.files[d] = append(t.files[d], name)
			continue
		}
		for d := range t.times { // an ignored directory around some of them
			if strings.HasPrefix(d, name+"/") {
				list = append(list, d)
			}
		}
	}
	return list
}

// written takes the time of the newest file in directories.
func (t *touches) written(dirs []string) {
	slices.Sort(dirs)
	for _, d := range slices.Compact(dirs) {
		newest := time.Time{}
		_ = filepath.WalkDir(filepath.Join(t.top, filepath.FromSlash(d)),
			func(_ string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() && e.Name() == ".git" {
					return fs.SkipDir
				}
				if info, err := e.Info(); err == nil && info.ModTime().After(newest) {
					newest = info.ModTime()
				}
				return nil
			})
		t.times[d] = Touch{At: newest, Uncommitted: t.repo != nil, Files: t.files[d]}
	}
}
