package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/fetch"
)

func syncCommand(a *app) *cobra.Command {
	var file, policyFrom string
	c := &cobra.Command{
		Use:   "sync",
		Short: "Fetch the plugins that the configuration pins",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return syncPlugins(c.Context(), a, file, policyFrom) },
	}
	configFlags(a, c, &file, &policyFrom)
	return c
}

func syncPlugins(ctx context.Context, a *app, file, policyFrom string) error {
	s, err := readSettings(ctx, a, file, policyFrom, false, hostOptions(a, limits.Default(), true))
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
		return a.say("%s names no plugin by its source: there is nothing to fetch", s.Name)
	}
	return err
}
