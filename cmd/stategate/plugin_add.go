package main

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/cmd/stategate/internal/configfile"
	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/print"
)

func addCommand(a *app) *cobra.Command {
	var file, sum, repository string
	var replace bool
	c := &cobra.Command{
		Use:               "add FILE|https://…|oci://…",
		Short:             "Add a plugin to the configuration and pin it",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: inOrder(files("wasm", "yaml")),
		RunE: func(c *cobra.Command, args []string) error {
			return changeConfiguration(c.Context(), a, file, func(f *configfile.File) ([]string, error) {
				return addPlugin(c.Context(), a, f, args[0], sum, repository, replace)
			})
		},
	}
	configFlag(c, otherFlags, &file, "write to the configuration `FILE` instead of %s at the top")
	addFlag(c, otherFlags, &sum, "sha256", "refuse a plugin whose sha256 is not `DIGEST`")
	addFlag(c, otherFlags, &replace, "replace", "replace the built-in plugin with the same name")
	addFlag(c, otherFlags, &repository, "attestation", "require that a workflow in the GitHub repository "+
		"`OWNER/NAME` built the plugin, now and at every plugin sync; gh verifies it")
	return c
}

func addPlugin(ctx context.Context, a *app, f *configfile.File, source, sum, repository string, replace bool) (
	[]string, error) {
	var entry config.Plugin
	var plug *plugin.Plugin
	var err error
	switch {
	case repository != "" && !isRepository(repository):
		return nil, usagef("invalid value %q for --attestation; use OWNER/NAME of a GitHub repository", repository)
	case !strings.ContainsAny(source, `/\.`):
		if find(builtInPlugins(a).list, source) != nil {
			return nil, usagef("%q is a built-in plugin, so it needs no plugin add", source)
		}
		return nil, usagef("%q is not a plugin's source; use a file (such as ./%[1]s.wasm), or an https:// or "+
			"oci:// source", source)
	case strings.Contains(source, "://"):
		entry, plug, err = f.Fetch(ctx, source, repository)
	case repository != "":
		return nil, usagef("--attestation applies only to fetched plugins, but %s is a file in the repository",
			source)
	default:
		entry, plug, err = f.Local(ctx, source, a.absolute(source))
	}
	if err != nil {
		return nil, err
	}
	if sum != "" && sum != plug.SHA256() {
		return nil, usagef("the plugin %s has the sha256 %s, expected %s; nothing was written", source,
			plug.SHA256(), sum)
	}
	if !replace && find(builtInPlugins(a).list, plug.Name) != nil {
		return nil, usagef("%q is also a built-in plugin; use another name, or --replace to replace it with %s",
			plug.Name, plug.Origin)
	}
	entry.Replace = replace
	if err := f.Add(ctx, entry); err != nil {
		return nil, err
	}
	stage := []string{f.At}
	if !entry.Path.IsZero() {
		stage = append(stage, path.Join(f.Dir(), entry.Path.Value))
	}
	return stage, a.say("%s: %s %s from %s, sha256 %s%s", f.Name, plug.Name, plug.Manifest.Version, source,
		plug.SHA256(), rowsBelow(slices.Concat(print.Reach(plug.Manifest), print.About(plug.Manifest))))
}

// isRepository reports whether a text has the form OWNER/NAME.
func isRepository(text string) bool {
	owner, name, ok := strings.Cut(text, "/")
	return ok && owner != "" && name != "" && !strings.ContainsAny(name, "/: ")
}

// rowsBelow formats rows of a name and a value, one per line.
func rowsBelow(rows [][]string) (text string) {
	for _, row := range rows {
		text += "\n" + row[0] + ": " + row[1]
	}
	return text
}

func removeCommand(a *app) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:               "remove NAME",
		Short:             "Remove a plugin from the configuration",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: inOrder(workflowWords(a, noFiles)),
		RunE: func(c *cobra.Command, args []string) error {
			return changeConfiguration(c.Context(), a, file, func(f *configfile.File) ([]string, error) {
				origin, err := f.Remove(c.Context(), args[0])
				if err != nil {
					return nil, err
				}
				if err := a.say("%s: no longer uses %s", f.Name, origin); err != nil {
					return nil, err
				}
				return []string{f.At}, remaining(c.Context(), a, file)
			})
		},
	}
	configFlag(c, otherFlags, &file, "write to the configuration `FILE` instead of %s at the top")
	return c
}

// remaining notes settings that still refer to a removed plugin, which check rejects.
func remaining(ctx context.Context, a *app, file string) error {
	l := &examineFlags{Flags: advice.Flags{Config: file}}
	_, err := configured(ctx, a, l, hostOptions(a, true))
	var wrong *config.Error
	if !errors.As(err, &wrong) {
		return nil
	}
	return a.say("note: %v", err)
}
