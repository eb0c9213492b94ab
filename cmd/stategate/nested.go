package main

import (
	"context"
	"path"
	"slices"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/git"
)

// A configuration below the top is rejected, because its author would believe that it applies.

// refuseNestedHere rejects a nested configuration at or above the current directory.
func (s *settings) refuseNestedHere(ctx context.Context) error {
	here, inside := s.Below(git.Resolved(s.app.env.dir))
	if !inside {
		return nil
	}
	return refuseNested(ctx, s.app, s.Files, here)
}

// refuseNestedAbove rejects a nested configuration above the checked runs.
func refuseNestedAbove(ctx context.Context, a *app, q *request, r *result.Result) error {
	var dirs []string
	for _, i := range r.Instances {
		if dir := path.Dir(i.Root); dir != "." && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 0 || !q.settings.usual {
		return nil
	}
	files, err := check.OpenFiles(ctx, q.Options, "")
	if err != nil {
		return err
	}
	defer files.Close()
	return refuseNested(ctx, a, files, dirs...)
}

func refuseNested(ctx context.Context, a *app, files *source.Files, dirs ...string) error {
	seen := map[string]bool{}
	for _, dir := range dirs {
		for ; dir != "." && dir != "" && !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			name := path.Join(dir, config.Name)
			if _, err := files.Read(ctx, name, config.MaxSize); err == nil { // not through a link or in a submodule
				here := a.shell(files.Top)
				return usagef("found %s, but only the configuration at the top is read; move its settings to %s, or "+
					"use it with --config", here.Path(name), here.Path(config.Name))
			}
		}
	}
	return nil
}
