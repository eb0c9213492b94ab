package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/schemas"
)

// schemaTexts are the schemas that the schema verb prints.
var schemaTexts = map[string]string{
	"config": schemas.Config, "baseline": schemas.Baseline,
	"output": schemas.Output, "recover": schemas.Recover, "resume": schemas.Resume,
}

var schemaNames = []string{"config", "baseline", "output", "recover", "resume"}

func (a *app) schemaVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "schema config|baseline|output|recover|resume",
		Short: "Print a JSON Schema",
		Long: `schema prints the JSON Schema (2020-12) of the configuration, of a baseline, or of
what a subcommand prints with --format json: output (check and status), recover,
resume. Each is complete in itself. For an editor:

  stategate schema config > stategate.schema.json
  # yaml-language-server: $schema=stategate.schema.json    (first line of .stategate.yaml)`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: inOrder(cobra.FixedCompletions(schemaNames, noFiles)),
		RunE: func(_ *cobra.Command, args []string) error {
			text, ok := schemaTexts[args[0]]
			if !ok {
				return usagef("no schema is called %q; %s", args[0], oneOf(args[0], schemaNames))
			}
			_, err := io.WriteString(a.stdout, text)
			return a.printed(err)
		},
	}
}
