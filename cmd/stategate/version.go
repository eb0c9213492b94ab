package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/plugin/confine"
	"github.com/stategate/stategate/plugins/build"
	"github.com/stategate/stategate/sdk/wire"
)

func versionCommand(a *app) *cobra.Command {
	verbose := false
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			text := fmt.Sprintf("stategate %s, ABI %d, %s, %s/%s\n", version(), wire.ABI, runtime.Version(),
				runtime.GOOS, runtime.GOARCH)
			if verbose {
				text += builtFrom()
			}
			_, err := fmt.Fprint(a.stdout, text)
			return printed(err)
		},
	}
	c.Flags().BoolVarP(&verbose, "verbose", "v", false,
		"also print the commit, the built-in plugins, and how plugin processes are confined")
	return c
}

// builtFrom describes this program's source, its plugins, and what confines its workers.
func builtFrom() string {
	var b strings.Builder
	commit := "not recorded"
	if info, ok := debug.ReadBuildInfo(); ok {
		set := map[string]string{}
		for _, s := range info.Settings {
			set[s.Key] = s.Value
		}
		if id := set["vcs.revision"]; id != "" {
			commit = id + map[string]string{"true": ", with uncommitted changes"}[set["vcs.modified"]]
		}
		if info.Main.Sum != "" {
			fmt.Fprintf(&b, "module: %s %s %s\n", info.Main.Path, info.Main.Version, info.Main.Sum)
		}
	}
	fmt.Fprintf(&b, "commit: %s\nplugins:\n", commit)
	for _, f := range build.Files() {
		fmt.Fprintf(&b, "  %-18s sha256 %s\n", f.Name, f.SHA256)
	}
	have, lack := confine.InForce()
	fmt.Fprintf(&b, "workers are confined by: %s\n", strings.Join(have, ", "))
	if len(lack) > 0 {
		fmt.Fprintf(&b, "not available here: %s\n", strings.Join(lack, ", "))
	}
	return b.String()
}

// version returns the version that the Go command recorded in the binary.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
