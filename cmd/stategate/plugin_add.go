package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/cmd/stategate/internal/configfile"
	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/fetch"
	"github.com/stategate/stategate/host/print"
)

func addCommand(a *app) *cobra.Command {
	var file, sum, repository, list string
	var replace bool
	c := &cobra.Command{
		Use:               "add NAME|FILE|https://…|oci://…",
		Short:             "Add a plugin to the configuration and pin it",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: inOrder(files("wasm", "yaml")),
		RunE: func(c *cobra.Command, args []string) error {
			return changeConfiguration(c.Context(), a, file, func(f *configfile.File) ([]string, error) {
				chosen := listed{Source: args[0], SHA256: sum, Attestation: repository}
				if !strings.ContainsAny(chosen.Source, `/\.`) {
					l, err := fromList(c.Context(), list, chosen.Source)
					if err != nil {
						return nil, err
					}
					chosen = listed{l.Name, l.Source, cmp.Or(sum, l.SHA256), cmp.Or(repository, l.Attestation)}
				}
				return addPlugin(c.Context(), a, f, chosen, replace)
			})
		},
	}
	configFlag(c, otherFlags, &file, "write to the configuration `FILE` instead of %s at the top")
	addFlag(c, otherFlags, &sum, "sha256", "refuse a plugin whose sha256 is not `DIGEST`")
	addFlag(c, otherFlags, &replace, "replace", "replace the built-in plugin with the same name")
	addFlag(c, otherFlags, &repository, "attestation", "require that a workflow in the GitHub repository "+
		"`OWNER/NAME` built the plugin, now and at every plugin sync; gh verifies it")
	addFlag(c, otherFlags, &list, "list", "look names up in the list `URL|FILE` (default: the latest release's list)").
		completed(files("json"))
	return c
}

// addPlugin adds a plugin. The name of a plugin from a list must match the list.
func addPlugin(ctx context.Context, a *app, f *configfile.File, l listed, replace bool) ([]string, error) {
	var entry config.Plugin
	var plug *plugin.Plugin
	var err error
	switch {
	case l.Attestation != "" && !isRepository(l.Attestation):
		return nil, usagef("invalid value %q for --attestation; use OWNER/NAME of a GitHub repository", l.Attestation)
	case strings.Contains(l.Source, "://"):
		entry, plug, err = f.Fetch(ctx, l.Source, l.Attestation)
	case l.Attestation != "":
		return nil, usagef("--attestation applies only to fetched plugins, but %s is a file in the repository",
			l.Source)
	default:
		entry, plug, err = f.Local(ctx, l.Source, a.absolute(l.Source))
	}
	if err != nil {
		return nil, err
	}
	if l.Name != "" && l.Name != plug.Name {
		return nil, usagef("the plugin %s is called %q, but the list calls it %q; nothing was written", l.Source,
			plug.Name, l.Name)
	}
	if l.SHA256 != "" && l.SHA256 != plug.SHA256() {
		return nil, usagef("the plugin %s has the sha256 %s, expected %s; nothing was written", l.Source,
			plug.SHA256(), l.SHA256)
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
	return stage, a.say("%s: %s %s from %s, sha256 %s%s", f.Name, plug.Name, plug.Manifest.Version, l.Source,
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

// releasedList is the URL of the plugin list in the latest release.
const releasedList = "https://github.com/stategate/stategate/releases/latest/download/plugins.json"

// maxList is the maximum size of a list, in bytes.
const maxList = 1 << 20

// A listed plugin is an entry in a list; it can be added by its name.
type listed struct {
	Name        string `json:"name"`
	Source      string `json:"source"`
	SHA256      string `json:"sha256"`
	Attestation string `json:"attestation"` // the GitHub repository that must have built it, or ""
}

// readList reads a list of plugins. Adding a plugin verifies its entry.
func readList(ctx context.Context, place string) ([]listed, error) {
	place = cmp.Or(place, releasedList)
	var data []byte
	if strings.Contains(place, "://") {
		source, err := fetch.Parse(place)
		if err != nil {
			return nil, usagef("%v", err)
		}
		fetcher := configfile.Fetcher()
		fetcher.MaxBytes = maxList
		if data, err = fetcher.Get(ctx, source); err != nil {
			return nil, fault.Newf(fault.IO, "%v; plugin add also takes a source", err)
		}
	} else {
		var err error
		if data, err = readRegular(place, maxList); err != nil {
			return nil, err
		}
	}
	var list struct {
		Plugins []listed `json:"plugins"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fault.Newf(fault.IO, "%s is not a list of plugins: %v", place, err)
	}
	for _, l := range list.Plugins {
		if l.Name == "" || len(l.SHA256) != 64 || !strings.Contains(l.Source, "://") {
			return nil,
				fault.Newf(fault.IO, "%s is not a list of plugins: an entry lacks its name, its source or its sha256",
					place)
		}
	}
	return list.Plugins, nil
}

// fromList returns the list entry with the given name.
func fromList(ctx context.Context, place, name string) (listed, error) {
	all, err := readList(ctx, place)
	if err != nil {
		return listed{}, err
	}
	var names []string
	for _, l := range all {
		if l.Name == name {
			return l, nil
		}
		names = append(names, l.Name)
	}
	return listed{}, usagef("%s does not list the plugin %q; available: %s", cmp.Or(place, releasedList), name,
		strings.Join(names, ", "))
}
