package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/sdk/wire"
)

func (a *app) versionVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which stategate this is",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.stdout, "stategate %s, ABI %d, %s, %s/%s\n", version(), wire.ABI, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return a.printed(err)
		},
	}
}

// version is the one that the Go command stamped.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
