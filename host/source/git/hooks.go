package git

import (
	"context"
	"strings"
)

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
