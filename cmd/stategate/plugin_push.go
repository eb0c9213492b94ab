package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/cmd/stategate/internal/configfile"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin/fetch"
)

func pushCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:               "push NAME|FILE.wasm oci://HOST/REPOSITORY:TAG",
		Short:             "Publish a plugin in an OCI registry",
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: inOrder(workflowWords(a, filesToo)),
		RunE: func(c *cobra.Command, args []string) error {
			return push(c.Context(), a, args[0], args[1])
		},
	}
}

func push(ctx context.Context, a *app, name, to string) error {
	source, err := fetch.Parse(to)
	if err != nil {
		return usagef("%v", err)
	}
	if !source.Registry() {
		return usagef("plugins are pushed to a registry, found %s; write it as oci://HOST/REPOSITORY:TAG", to)
	}
	p, err := usablePlugins([]string{name})
	if err != nil {
		return err
	}
	plug := p.list[0]
	stays, err := configfile.Fetcher().Push(ctx, source, plug.Wasm(), plug.Manifest)
	if err != nil {
		return fault.Newf(fault.IO, "%v", err)
	}
	return a.say("%s %s, sha256 %s, is published as\n%s\nto use it, run\nstategate plugin add %s", plug.Name,
		plug.Manifest.Version, plug.SHA256(), stays, stays)
}
