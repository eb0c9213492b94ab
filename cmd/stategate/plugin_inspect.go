package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/wasmfile"
	"github.com/stategate/stategate/host/print"
)

func inspectCommand(a *app) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:               "inspect NAME|FILE.wasm",
		Short:             "Show what a plugin is and what it may read",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: inOrder(workflowWords(a, filesToo)),
		RunE: func(c *cobra.Command, args []string) error {
			if err := known(format); err != nil {
				return err
			}
			return inspect(c.Context(), a, args[0], format)
		},
	}
	formatFlag(c, otherFlags, &format)
	return c
}

func inspect(ctx context.Context, a *app, name, format string) error {
	p, err := shownPlugins(ctx, a, []string{name}, func([]*plugin.Plugin) bool { return true })
	if err != nil {
		return err
	}
	plug := p.list[0]
	file, err := wasmfile.Check(plug.Wasm(), limits.Default())
	if err != nil {
		return fault.About("plugin "+name, err, fault.ABI)
	}
	var imports []print.Import
	for _, i := range file.Imports {
		_, traps := wasmfile.Trapping[i.Name]
		imports = append(imports, print.Import{Module: i.Module, Name: i.Name,
			Traps: traps && i.Module == wasmfile.Kernel})
	}
	if format == formatJSON {
		return printed(print.PluginJSON(a.stdout, plug, imports))
	}
	return printed(print.Plugin(a.stdout, plug, imports, a.page()))
}
