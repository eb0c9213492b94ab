package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/store"
	"github.com/stategate/stategate/host/print"
)

func (a *app) syncVerb() *cobra.Command {
	f := &configFlags{}
	c := &cobra.Command{
		Use:   "sync",
		Short: "Fetch the plugins that the configuration pins",
		Long: `sync fetches every plugin that ` + config.Name + ` names by its source, and that this machine does
not have yet, and keeps it under its sha256. One whose bytes have another sha256 is refused.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.sync(c, f) },
	}
	f.register(a, c)
	return c
}

func (a *app) sync(c *cobra.Command, f *configFlags) error {
	s, err := a.configure(c.Context(), c, f, a.hostOptions(limits.Default(), true))
	if err != nil {
		return err
	}
	defer s.files.Close()
	var wrong []error
	none := true
	for i := range s.Plugins {
		if p := &s.Plugins[i]; p.Source.Value != "" {
			none = false
			if err := a.syncOne(c.Context(), s, p); err != nil {
				wrong = append(wrong, err)
			}
		}
	}
	if none {
		return a.said("%s names no plugin by its source: there is nothing to fetch", s.Name)
	}
	return worst(wrong)
}

// worst joins problems under the exit code that wins.
func worst(list []error) error {
	if len(list) == 0 {
		return nil
	}
	out := &problem{code: exitBroken}
	for _, err := range list {
		p := problemOf(err)
		if p.code == exitUsage {
			out.code = exitUsage
		}
		if out.message != "" {
			out.message += "\n"
		}
		out.message += p.message
	}
	return out
}

func (a *app) syncOne(ctx context.Context, s *settings, p *config.Plugin) error {
	kept, source := store.Store{Dir: a.env.storeDir}, p.Source.Value
	_, err := kept.Get(p.SHA256.Value, limits.Default().Plugin)
	var tampered *store.TamperedError
	switch {
	case err == nil:
		return a.said("%s: kept, sha256 %s", source, p.SHA256.Value)
	case !errors.Is(err, store.ErrMissing) && !errors.As(err, &tampered):
		return brokenf("%v", err)
	}
	plugin, err := a.fetched(ctx, source)
	if err != nil {
		return err
	}
	sum := plugin.SHA256()
	switch {
	case p.SHA256.Value == "":
		return s.errorf(p.At, "%s is not pinned; if %s %s is what you want, `%s` pins it, with the sha256 %s", source, plugin.Name, plugin.Manifest.Version, s.updateCommand(p), sum)
	case p.SHA256.Value != sum:
		return s.errorf(p.SHA256.At, "%s has the sha256 %s, expected %s; if the change is intended (it is %s %s), `%s` pins it",
			source, sum, p.SHA256.Value, plugin.Name, plugin.Manifest.Version, s.updateCommand(p))
	}
	if _, err := kept.Put(plugin.Wasm); err != nil {
		return brokenf("%v", err)
	}
	return a.said("%s: fetched %s %s, sha256 %s", source, plugin.Name, plugin.Manifest.Version, sum)
}

func (a *app) said(format string, args ...any) error {
	return a.printed(print.Lines(a.stdout, "", "  ", fmt.Sprintf(format, args...)))
}
