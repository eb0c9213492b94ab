package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/schemas"
)

var schemaTexts = map[string]string{
	"config": schemas.Config, "declaration": schemas.Declare, "baseline": schemas.Baseline,
	"output": schemas.Output, "recover": schemas.Recover, "resume": schemas.Resume,
}

var schemaNames = []string{"config", "declaration", "baseline", "output", "recover", "resume"}

func schemaCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:               "schema config|declaration|baseline|output|recover|resume",
		Short:             "Print a JSON Schema",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: inOrder(fixed(schemaNames)),
		RunE: func(_ *cobra.Command, args []string) error {
			text, ok := schemaTexts[args[0]]
			if !ok {
				return usagef("no schema is called %q; %s", args[0], suggest.OneOf(args[0], schemaNames))
			}
			_, err := io.WriteString(a.stdout, text)
			return printed(err)
		},
	}
}
