package main

import (
	"github.com/spf13/cobra"
)

func pluginCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "plugin",
		Short: "Begin, build, test, inspect and publish plugins",
	}
	group(c)
	c.AddCommand(listCommand(a), inspectCommand(a), buildCommand(a), packCommand(a), testCommand(a), newCommand(a),
		pushCommand(a), addCommand(a), updateCommand(a), syncCommand(a))
	return c
}

// formatFlag registers the flag of commands that print text or JSON.
func formatFlag(c *cobra.Command, group flagGroup, format *string) {
	*format = formatText
	addChoice(c, group, format, "format", "print as `FORMAT`: %s", []string{formatText, formatJSON})
}
