package repair

import (
	"context"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/result"
)

// Stage lists the paths, relative to the anchor, that have to be staged for an
// outcome to be committed. There are none outside a repository, and none of what git
// ignores.
func (r *Repair) Stage(ctx context.Context, o *result.Outcome) []string {
	repo := r.look.Anchor.Repo
	if repo == nil || !repo.Installed() {
		return nil
	}
	var paths []string
	for i := range o.Instances {
		if o.Instances[i].Done != result.Applied {
			continue
		}
		for _, f := range o.Instances[i].Files {
			for _, name := range []string{f.From, f.To} {
				if name != "" && !slices.Contains(paths, name) {
					paths = append(paths, name)
				}
			}
		}
	}
	list, err := repo.Stageable(ctx, paths)
	if err != nil {
		return nil // the change is made; git itself will say what is wrong with it
	}
	return withoutNested(list)
}

// withoutNested leaves out what lies below a directory of the list.
func withoutNested(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		return slices.ContainsFunc(paths, func(dir string) bool {
			return dir != p && strings.HasSuffix(dir, "/") && strings.HasPrefix(p, dir)
		})
	})
}
