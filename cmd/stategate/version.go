package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/plugin/confine"
	"github.com/stategate/stategate/schemas"
	"github.com/stategate/stategate/sdk/wire"
)

func (a *app) versionCommand() *cobra.Command {
	verbose := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.stdout, "stategate %s, ABI %d, %s, %s/%s\n", version(), wire.ABI, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			if verbose && err == nil {
				have, lack := confine.InForce()
				_, err = fmt.Fprintf(a.stdout, "workers are confined by: %s\n", strings.Join(have, ", "))
				if err == nil && len(lack) > 0 {
					_, err = fmt.Fprintf(a.stdout, "not available here: %s\n", strings.Join(lack, ", "))
				}
			}
			return a.printed(err)
		},
	}
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "say also what confines the processes that run plugins")
	return cmd
}

// version is the one that the Go command stamped.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// schemaTexts are the schemas that schema prints.
var schemaTexts = map[string]string{
	"config": schemas.Config, "baseline": schemas.Baseline,
	"output": schemas.Output, "recover": schemas.Recover, "resume": schemas.Resume,
}

var schemaNames = []string{"config", "baseline", "output", "recover", "resume"}

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "schema config|baseline|output|recover|resume",
		Short:             "Print a JSON Schema",
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
