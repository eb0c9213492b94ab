package git

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	known := strings.Split(out, "\x00")
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		return !slices.ContainsFunc(known, func(k string) bool { return k == p || strings.HasPrefix(k, strings.TrimSuffix(p, "/")+"/") })
	}), nil
}

// Unstaged lists the files of the index that are different or gone in the work tree.
func (r *Repo) Unstaged(ctx context.Context) ([]string, error) {
	out, _, err := r.run(ctx, "ls-files", "-z", "--modified")
	return strings.Split(out, "\x00"), err
}

// Detached reports whether the next commit is on no branch, and not on the one that is being rebased.
func (r *Repo) Detached(ctx context.Context) bool {
	_, status, _ := r.run(ctx, "symbolic-ref", "--quiet", "HEAD")
	return status == 1 && !slices.ContainsFunc([]string{"rebase-merge", "rebase-apply"}, func(name string) bool {
		_, err := os.Lstat(filepath.Join(r.Dir, name))
		return err == nil
	})
}
