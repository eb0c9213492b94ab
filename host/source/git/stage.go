package git

import (
	"context"
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
