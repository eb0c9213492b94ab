package git

import (
	"context"
	"path/filepath"
	"strings"
)

// Hooks returns the absolute path of the directory whose hooks git runs here, core.hooksPath and linked worktrees
// considered. It need not exist, and may lie outside the repository.
func (r *Repo) Hooks(ctx context.Context) (string, error) {
	out, _, err := r.run(ctx, "rev-parse", "--git-path", "hooks")
	if err != nil {
		return "", err
	}
	return r.below(strings.TrimSuffix(out, "\n")), nil
}

// CommonDir returns the absolute path of the git directory that all worktrees of the repository share.
func (r *Repo) CommonDir(ctx context.Context) (string, error) {
	out, _, err := r.run(ctx, "rev-parse", "--git-common-dir")
	if err != nil {
		return "", err
	}
	return r.below(strings.TrimSuffix(out, "\n")), nil
}

func (r *Repo) below(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(r.Top, path)
}

// Config returns a value of the configuration, "" if it is not set.
func (r *Repo) Config(ctx context.Context, key string) (string, error) {
	out, status, err := r.run(ctx, "config", "--get", key)
	if status == 1 {
		return "", nil
	}
	return strings.TrimSuffix(out, "\n"), err
}

// DefaultBranch returns the branch that changes are merged into, as far as the clone knows: the one that the remote
// origin points to, or the one that is checked out; "" if neither is known.
func (r *Repo) DefaultBranch(ctx context.Context) (string, error) {
	for _, ref := range []string{"refs/remotes/origin/HEAD", "HEAD"} {
		out, status, err := r.run(ctx, "symbolic-ref", "--quiet", "--short", ref)
		if status == 0 {
			return strings.TrimPrefix(strings.TrimSuffix(out, "\n"), "origin/"), nil
		}
		if status < 0 {
			return "", err
		}
	}
	return "", nil
}
