package main

import (
	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/print"
)

func listCommand(a *app) *cobra.Command {
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
			p, err := usablePluginsHere(c.Context(), a, named)
			if err != nil {
				return err
			}
			if format == formatJSON {
				return printed(print.PluginsJSON(a.stdout, p.list))
			}
			return printed(print.Plugins(a.stdout, p.list, a.page()))
		},
	}
	addFlag(c, otherFlags, &named, "plugin", "list only the plugin `NAME|FILE.wasm`, built in, configured or a file "+
		"(repeatable)").completed(workflowWords(a, filesToo))
	formatFlag(c, otherFlags, &format)
	return c
}
