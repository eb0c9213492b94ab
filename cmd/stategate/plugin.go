package main

import (
	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/wasmfile"
	"github.com/stategate/stategate/host/print"
)

func (a *app) pluginVerb() *cobra.Command {
	c := &cobra.Command{
		Use:   "plugin",
		Short: "Begin, build, test, inspect and publish plugins",
	}
	group(c)
	c.AddCommand(a.listVerb(), a.inspectVerb(), a.buildVerb(), a.packVerb(), a.conformVerb(), a.benchVerb(), a.newVerb(), a.pushVerb(), a.addVerb(), a.updateVerb(), a.syncVerb())
	return c
}

func (a *app) listVerb() *cobra.Command {
	var named []string
	var format string
	c := &cobra.Command{
		Use:   "list",
		Short: "List the plugins that check would use",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := known(format); err != nil {
				return err
			}
			p, err := a.soundHere(c, named)
			if err != nil {
				return err
			}
			if format == formatJSON {
				return a.printed(print.PluginsJSON(a.stdout, p.list))
			}
			return a.printed(print.Plugins(a.stdout, p.list))
		},
	}
	c.Flags().StringArrayVar(&named, "plugin", nil, "list only the plugin `NAME|FILE.wasm`, built in, configured or a file (repeatable)")
	completeFlag(c, "plugin", a.workflows(filesToo))
	formatFlag(c, &format)
	return c
}

func (a *app) inspectVerb() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "inspect NAME|FILE.wasm",
		Short: "Show what a plugin is and what it may read",
		Long: `inspect shows a plugin's manifest: its rules and phases, what it may read and
what it imports. It runs none of the plugin's code.`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: inOrder(a.workflows(filesToo)),
		RunE: func(c *cobra.Command, args []string) error {
			if err := known(format); err != nil {
				return err
			}
			return a.inspect(c, args[0], format)
		},
	}
	formatFlag(c, &format)
	return c
}

func (a *app) inspect(c *cobra.Command, name, format string) error {
	p, err := a.soundAnyway(c, []string{name}, func([]*plugin.Plugin) bool { return true })
	if err != nil {
		return err
	}
	plug := p.list[0]
	file, err := wasmfile.Check(plug.Wasm, limits.Default())
	if err != nil {
		return failed("plugin "+name, fault.From(err, fault.ABI))
	}
	if format == formatJSON {
		return a.printed(print.PluginJSON(a.stdout, plug, imports(file)))
	}
	return a.printed(print.Plugin(a.stdout, plug, imports(file), color(a, a.stdout)))
}

func imports(f *wasmfile.File) []print.Import {
	var list []print.Import
	for _, i := range f.Imports {
		_, traps := wasmfile.Trapping[i.Name]
		list = append(list, print.Import{Module: i.Module, Name: i.Name, Traps: traps && i.Module == wasmfile.Kernel})
	}
	return list
}

func formatFlag(c *cobra.Command, format *string) {
	c.Flags().StringVar(format, "format", formatText, "print as `FORMAT`: "+formatNames)
	completeWords(c, "format", formatText, formatJSON)
}
