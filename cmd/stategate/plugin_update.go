package main

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/cmd/stategate/internal/configfile"
)

func updateCommand(a *app) *cobra.Command {
	var file string
	var dryRun bool
	c := &cobra.Command{
		Use:               "update [NAME…]",
		Short:             "Pin the plugins of the configuration anew",
		ValidArgsFunction: workflowWords(a, noFiles),
		RunE: func(c *cobra.Command, names []string) error {
			return changeConfiguration(c.Context(), a, file, func(f *configfile.File) ([]string, error) {
				return updatePlugins(c.Context(), a, f, names, dryRun)
			})
		},
	}
	configFlag(c, otherFlags, &file, "update the configuration `FILE` instead of %s at the top")
	addFlag(c, otherFlags, &dryRun, "dry-run", "show what would change, and write nothing")
	return c
}

func updatePlugins(ctx context.Context, a *app, f *configfile.File, names []string, dryRun bool) (stage []string,
	err error) {
	updates, err := f.Updates(ctx, names)
	if err != nil {
		return nil, err
	}
	if len(updates) == 0 {
		return nil, a.say("%s pins no plugin: there is nothing to update", f.Name)
	}
	for _, u := range updates {
		if !u.Changed() {
			err = errors.Join(err, a.say("%s: unchanged, sha256 %s", u.Now.Name, u.Now.SHA256()))
			continue
		}
		if stage = append(stage, f.At); u.At != "" {
			stage = append(stage, u.At)
		}
		err = errors.Join(err, a.say("%s %s from %s, sha256 %s -> %s", u.Now.Name, u.Now.Manifest.Version, u.Source,
			cmp.Or(u.Pinned, "none"), u.Now.SHA256()))
	}
	if err != nil || dryRun {
		return nil, err
	}
	slices.Sort(stage)
	return slices.Compact(stage), f.Pin(ctx, updates)
}
