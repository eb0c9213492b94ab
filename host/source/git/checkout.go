package git

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// checkout answers questions about the working tree and its configuration.
type checkout struct{ *process }

// Stageable returns the paths, relative to Top, that git add accepts. Git rejects ignored paths, and paths that
// neither the index nor the working tree has. A path that ends in a slash is a directory. Stageable opens no
// files.
func (r checkout) Stageable(ctx context.Context, paths []string) ([]string, error) {
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
			return k == p || strings.HasPrefix(k, strings.TrimSuffix(p, "/")+"/")
		})
	}), nil
}

// Encoding returns the encoding in which git writes a file to the working tree, as its attribute
// working-tree-encoding says, or "" if there is none. The path is relative to Top.
func (r checkout) Encoding(ctx context.Context, path string) string {
	out, _, err := r.run(ctx, "check-attr", "-z", "working-tree-encoding", "--", path)
	fields := strings.Split(out, "\x00")
	if err != nil || len(fields) < 3 || slices.Contains([]string{"unspecified", "unset", "set", ""}, fields[2]) {
		return ""
	}
	return fields[2]
}

// Detached reports whether HEAD is detached and no rebase is in progress, so that the next commit is not on a branch.
func (r checkout) Detached(ctx context.Context) bool {
	_, status, _ := r.run(ctx, "symbolic-ref", "--quiet", "HEAD")
	return status == 1 && !slices.ContainsFunc([]string{"rebase-merge", "rebase-apply"}, func(name string) bool {
		_, err := os.Lstat(filepath.Join(r.Dir, name))
		return err == nil
	})
}

// Hooks returns the absolute path of the directory whose hooks git runs, taking core.hooksPath and linked worktrees
// into account. It need not exist, and may be outside the repository.
func (r checkout) Hooks(ctx context.Context) (string, error) {
	return r.path(ctx, "--git-path", "hooks")
}

// CommonDir returns the absolute path of the git directory that all worktrees of the repository share.
func (r checkout) CommonDir(ctx context.Context) (string, error) {
	return r.path(ctx, "--git-common-dir")
}

func (r checkout) path(ctx context.Context, what ...string) (string, error) {
	out, _, err := r.run(ctx, append([]string{"rev-parse"}, what...)...)
	if err != nil {
		return "", err
	}
	return absolute(r.Top, strings.TrimSuffix(out, "\n")), nil
}

// Config returns a value from the configuration, or "" if it is not set.
func (r checkout) Config(ctx context.Context, key string) (string, error) {
	return r.line(ctx, "config", "--get", key)
}

// Branch returns the checked-out branch, or "" if there is none.
func (r checkout) Branch(ctx context.Context) string {
	name, _ := r.line(ctx, "symbolic-ref", "--quiet", "--short", "HEAD")
	return name
}

// Name returns the repository's usual name: OWNER/NAME from the remote origin, or else its directory's name. It omits
// other parts of the remote's address, such as a password.
func (r checkout) Name(ctx context.Context) string {
	at, _ := r.Config(ctx, "remote.origin.url")
	at, _, _ = strings.Cut(at, "?")
	remote := ""
	if scheme, rest, isURL := strings.Cut(at, "://"); isURL && scheme != "file" {
		_, remote, _ = strings.Cut(rest, "/")
	} else if host, rest, isSCP := strings.Cut(at, ":"); !isURL && isSCP && len(host) > 1 &&
		!strings.ContainsAny(host, `/\`) {
		remote = rest // after a single letter, it is a path on a drive
	}
	parts := strings.Split(strings.TrimSuffix(strings.Trim(remote, "/"), ".git"), "/")
	if parts[len(parts)-1] == "" {
		return filepath.Base(r.Top)
	}
	return strings.Join(parts[max(len(parts)-2, 0):], "/")
}

// An IgnoreSource is a file of ignore rules that is not part of a tree.
type IgnoreSource struct {
	Name string // as git prints it
	Text []byte
}

// maxIgnoreFile is the maximum size in bytes of an ignore file that is read.
const maxIgnoreFile = 1 << 20

// IgnoreSources returns the user's own ignore files, the one with the highest precedence last. It also reports
// whether names that differ only in case are the same. It fails for a repository that git does not trust. If
// worktree is true, it also fails for a repository without a working tree.
func (r checkout) IgnoreSources(ctx context.Context, worktree bool) (list []IgnoreSource, fold bool, err error) {
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
	named := filepath.Join(cmp.Or(s.Get("XDG_CONFIG_HOME"), filepath.Join(s.Get("HOME"), ".config")), "git", "ignore")
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
