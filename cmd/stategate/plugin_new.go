package main

import (
	"github.com/spf13/cobra"

	"github.com/stategate/stategate/cmd/stategate/internal/author"
)

func newCommand(a *app) *cobra.Command {
	p := author.Project{Version: version()}
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "Begin a plugin in Go",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p.Name = args[0]
			next, err := author.New(c.Context(), p)
			if err != nil {
				return err
			}
			return printed(lines(a.stdout, "", "", next))
		},
	}
	addFlag(c, otherFlags, &p.Dir, "dir", "write to `DIR` (default: NAME in the current directory)").
		completed(directories)
	addFlag(c, otherFlags, &p.Module, "module", "the `PATH` of the Go module (default: example.com/NAME)")
	addFlag(c, otherFlags, &p.SDK, "sdk", "use the stategate source tree in `DIR` instead of a released version").
		completed(directories)
	return c
}
