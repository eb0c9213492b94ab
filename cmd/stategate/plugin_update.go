package main

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/cmd/stategate/internal/configfile"
	"github.com/stategate/stategate/host/plugin/fetch"
	"github.com/stategate/stategate/host/print"
)

func updateCommand(a *app) *cobra.Command {
	var file string
	var dryRun bool
	c := &cobra.Command{
		Use:               "update [NAME…]",
		Short:             "Update pinned plugins",
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
		return nil, a.say("%s pins no plugins; nothing to update", f.Name)
	}
	for _, u := range updates {
		if !u.Changed() {
			err = errors.Join(err, a.say("%s: unchanged, sha256 %s", u.Now.Name, u.Now.SHA256()))
			continue
		}
		if stage = append(stage, f.At); u.At != "" {
			stage = append(stage, u.At)
		}
		from, rows := "", print.Reach(u.Now.Manifest)
		if was := u.Was(f.Store); was != nil {
			from, rows = was.Version+" -> ", print.ReachChange(was, u.Now.Manifest)
		}
		err = errors.Join(err, a.say("%s %s%s from %s, sha256 %s -> %s%s", u.Now.Name, from, u.Now.Manifest.Version,
			u.Source, cmp.Or(u.Pinned, "none"), u.Now.SHA256(), rowsBelow(rows)))
	}
	if err != nil || dryRun {
		return nil, err
	}
	slices.Sort(stage)
	return slices.Compact(stage), f.Pin(ctx, updates)
}

func syncCommand(a *app) *cobra.Command {
	var file, policyFrom string
	c := &cobra.Command{
		Use:   "sync",
		Short: "Fetch pinned plugins",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return syncPlugins(c.Context(), a, file, policyFrom) },
	}
	configFlags(a, c, &file, &policyFrom)
	return c
}

func syncPlugins(ctx context.Context, a *app, file, policyFrom string) error {
	s, err := readSettings(ctx, a, file, policyFrom, false, hostOptions(a, true))
	if err != nil {
		return err
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(ctx, fetch.Timeout)
	defer cancel()
	none := true
	for i := range s.Plugins {
		p := &s.Plugins[i]
		if p.Source.Value == "" {
			continue
		}
		none = false
		line, wrong := s.Sync(ctx, p, s.updateCommand(p))
		if wrong == nil {
			wrong = a.say("%s", line)
		}
		err = errors.Join(err, wrong)
	}
	if none {
		return a.say("%s has no plugin with a source; nothing to fetch", s.Name)
	}
	return err
}
