package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/cmd/stategate/internal/configfile"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/fetch"
	"github.com/stategate/stategate/host/plugin/wasmfile"
	"github.com/stategate/stategate/host/print"
)

func pluginCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "plugin",
		Short: "Create, test, publish and manage plugins",
	}
	group(c)
	c.AddCommand(listCommand(a), inspectCommand(a), buildCommand(a), packCommand(a), testCommand(a), newCommand(a),
		pushCommand(a), addCommand(a), removeCommand(a), updateCommand(a), replayCommand(a), syncCommand(a))
	return c
}

func listCommand(a *app) *cobra.Command {
	var named []string
	var format string
	c := &cobra.Command{
		Use:   "list",
		Short: "List the plugins that check would use",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			f, err := listFormats.named(format)
			if err != nil {
				return err
			}
			p, err := usablePluginsHere(c.Context(), a, named)
			if err != nil {
				return err
			}
			return printed(f.List(a.stdout, p.list, a.page()))
		},
	}
	addFlag(c, otherFlags, &named, "plugin", "list only the plugin `NAME|FILE` "+
		"(repeatable)").completed(workflowWords(a, filesToo))
	listFormats.flag(c, otherFlags, &format)
	return c
}

func inspectCommand(a *app) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:               "inspect NAME|FILE",
		Short:             "Show what a plugin is and what it may read",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: inOrder(workflowWords(a, filesToo)),
		RunE: func(c *cobra.Command, args []string) error {
			f, err := inspectFormats.named(format)
			if err != nil {
				return err
			}
			return inspect(c.Context(), a, args[0], f)
		},
	}
	inspectFormats.flag(c, otherFlags, &format)
	return c
}

func inspect(ctx context.Context, a *app, name string, format print.Format) error {
	p, err := shownPlugins(ctx, a, []string{name}, func([]*plugin.Plugin) bool { return true })
	if err != nil {
		return err
	}
	plug := p.list[0]
	file, err := wasmfile.Check(plug.Wasm(), limits.Default())
	if err != nil {
		return fault.About("plugin "+name, err, fault.ABI)
	}
	shown := print.File{Producers: file.Producers()}
	for _, i := range file.Imports {
		_, traps := wasmfile.Trapping[i.Name]
		shown.Imports = append(shown.Imports, print.Import{Module: i.Module, Name: i.Name,
			Traps: traps && i.Module == wasmfile.Kernel})
	}
	return printed(format.Inspect(a.stdout, plug, shown, a.page()))
}

func pushCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:               "push NAME|FILE.wasm oci://HOST/REPOSITORY:TAG",
		Short:             "Publish a plugin to an OCI registry",
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
		return usagef("%s is not a registry reference; write it as oci://HOST/REPOSITORY:TAG", to)
	}
	p, err := usablePlugins(ctx, a, []string{name})
	if err != nil {
		return err
	}
	plug := p.list[0]
	stays, err := configfile.Fetcher().Push(ctx, source, plug.Wasm(), plug.Manifest)
	if err != nil {
		return fault.Newf(fault.IO, "%v", err)
	}
	err = a.say("%s %s, sha256 %s, was published as\n%s\nto use it, run\nstategate plugin add %s", plug.Name,
		plug.Manifest.Version, plugin.Digest(plug.Wasm()), stays, stays)
	return errors.Join(err, toCorrect(a, plug))
}
