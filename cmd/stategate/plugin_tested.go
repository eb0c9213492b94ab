package main

import (
	"github.com/spf13/cobra"

	"github.com/stategate/stategate/cmd/stategate/internal/author"
)

func testCommand(a *app) *cobra.Command {
	var update, noCache bool
	c := &cobra.Command{
		Use:               "test NAME|FILE.wasm DIR",
		Short:             "Test a compiled plugin against its fixtures and the laws",
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: inOrder(workflowWords(a, filesToo), directories),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := usablePlugins(args[:1])
			if err != nil {
				return err
			}
			out, err := author.Test(c.Context(), p.list[0], args[1], update, ownWorkers(a, noCache))
			if err != nil {
				return err
			}
			if err := printed(author.Report(a.stdout, p.list[0], out)); err != nil || !out.Broken() {
				return err
			}
			return exit(exitClosed)
		},
	}
	addFlag(c, otherFlags, &update, "update", "write what the plugin reports into the fixtures, to be reviewed as "+
		"a diff")
	addFlag(c, otherFlags, &noCache, "no-cache", "compile the plugin anew")
	return c
}
