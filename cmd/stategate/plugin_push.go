package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"oras.land/oras-go/v2/registry/remote/credentials"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/fetch"
	"github.com/stategate/stategate/host/print"
)

func (a *app) pushVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "push NAME|FILE.wasm oci://HOST/REPOSITORY:TAG",
		Short: "Publish a plugin in an OCI registry",
		Long: `push publishes a plugin as an artifact of an OCI registry, with what its manifest
says as annotations, and prints the reference by digest that names exactly this plugin.
It logs in as Docker's configuration says (docker login, or a tool that writes the same file).`,
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: inOrder(a.workflows(filesToo)),
		RunE:              func(c *cobra.Command, args []string) error { return a.push(c.Context(), args[0], args[1]) },
	}
}

func (a *app) push(ctx context.Context, name, to string) error {
	source, err := fetch.Parse(to)
	if err != nil {
		return usagef("%v", err)
	}
	if !source.Registry() {
		return usagef("plugins are pushed to a registry, found %s; write it as oci://HOST/REPOSITORY:TAG", to)
	}
	p, err := sound([]string{name})
	if err != nil {
		return err
	}
	plugin := p.list[0]
	stays, err := fetcher().Push(ctx, source, plugin.Wasm, plugin.Manifest)
	if err != nil {
		return brokenf("%v", err)
	}
	return a.printed(print.Lines(a.stdout, "", "  ", fmt.Sprintf("%s %s, sha256 %s, is published as\n%s\nto use it, run\nstategate plugin add %s",
		plugin.Name, plugin.Manifest.Version, plugin.SHA256(), stays, stays)))
}

// fetcher logs in as Docker's configuration says, or not at all where there is none.
func fetcher() *fetch.Fetcher {
	f := &fetch.Fetcher{MaxBytes: limits.Default().Plugin}
	if store, err := credentials.NewStoreFromDocker(credentials.StoreOptions{}); err == nil {
		f.Credential = credentials.Credential(store)
	}
	return f
}
