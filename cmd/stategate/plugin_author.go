package main

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/cmd/stategate/internal/author"
	"github.com/stategate/stategate/cmd/stategate/internal/declared"
	"github.com/stategate/stategate/host/atomicfile"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/plugins/build"
)

// This file contains the commands for plugin authors.

func newCommand(a *app) *cobra.Command {
	p, declares, from := author.Project{Version: version()}, false, ""
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "Create a plugin in Go, or a declaration",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p.Name = args[0]
			if declares || from != "" {
				next, err := author.Declare(p.Name, from, cmp.Or(p.Dir, author.Workflows))
				if err != nil {
					return err
				}
				return printed(lines(a.stdout, "", "", next))
			}
			next, err := author.New(c.Context(), p)
			if err != nil {
				return err
			}
			return printed(lines(a.stdout, "", "", next))
		},
	}
	addFlag(c, otherFlags, &declares, "declare", "write a declaration, NAME.yaml, and its fixtures")
	addChoice(c, otherFlags, &from, "from", "copy this `DECLARATION`: %s", declared.Gallery())
	addFlag(c, otherFlags, &p.Dir, "dir", "write to `DIR` (default: NAME in the current directory; with --declare "+
		author.Workflows+")").
		completed(directories)
	addFlag(c, otherFlags, &p.Module, "module", "the `PATH` of the Go module (default: example.com/NAME)")
	addFlag(c, otherFlags, &p.SDK, "sdk", "use the stategate source tree in `DIR` instead of a released version").
		completed(directories)
	return c
}

func buildCommand(a *app) *cobra.Command {
	var output, examples string
	c := &cobra.Command{
		Use:               "build PACKAGE",
		Short:             "Compile a Go plugin and embed its manifest",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: inOrder(directories),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := author.Build(c.Context(), args[0], examples, ownWorkers(a, false))
			if err != nil {
				return err
			}
			return writePlugin(a, cmp.Or(output, p.Name+".wasm"), p)
		},
	}
	outputFlags(c, &output, "the workflow's name in the current directory", &examples)
	return c
}

func packCommand(a *app) *cobra.Command {
	var output, examples string
	c := &cobra.Command{
		Use:               "pack FILE.wasm",
		Short:             "Embed the manifest of a plugin in any language",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: inOrder(files("wasm")),
		RunE: func(c *cobra.Command, args []string) error {
			wasm, err := readRegular(args[0], limits.Default().Plugin)
			if err != nil {
				return err
			}
			p, err := author.Pack(c.Context(), args[0], wasm, examples, ownWorkers(a, false))
			if err != nil {
				return err
			}
			return writePlugin(a, cmp.Or(output, args[0]), p)
		},
	}
	outputFlags(c, &output, "the same file", &examples)
	return c
}

func outputFlags(c *cobra.Command, output *string, otherwise string, examples *string) {
	addFlag(c, otherFlags, output, "output", "write to `FILE.wasm` (default: "+otherwise+")").completed(files("wasm"))
	addFlag(c, otherFlags, examples, "examples", "use fixtures in `DIR` as the examples that explain shows").
		completed(directories)
}

// writePlugin writes a plugin to a file and prints its name, size and digest.
func writePlugin(a *app, file string, p *plugin.Plugin) error {
	if err := atomicfile.Write(file, p.Wasm(), 0o666); err != nil {
		return fault.Newf(fault.IO, "write %s: %v", file, err)
	}
	return errors.Join(a.say("%s: %s %s, %d bytes, sha256 %s", file, p.Name, p.Manifest.Version, p.Size, p.SHA256()),
		toCorrect(a, p))
}

// toCorrect notes what an author should correct before others use a plugin.
func toCorrect(a *app, p *plugin.Plugin) (err error) {
	if p.Origin == builtIn {
		return nil
	}
	for _, note := range author.Review(p, func(name string) bool {
		return slices.ContainsFunc(build.Files(), func(f build.File) bool { return f.Name == name })
	}) {
		err = errors.Join(err, a.say("note: %s", note))
	}
	return err
}

const testLong = `Run the fixtures *.txtar of DIR with a compiled plugin or a declaration, and hold it to the laws there and in
worlds made by damaging their documents. The fixtures of a declaration FILE.yaml are in the folder FILE beside it,
unless DIR is given.`

// fixturesOf returns the fixture directory: the one in args, or the directory next to a declaration.
func fixturesOf(p *plugin.Plugin, file string, args []string) (string, error) {
	switch {
	case len(args) > 1:
		return args[1], nil
	case p.IsDeclared():
		return strings.TrimSuffix(file, filepath.Ext(file)), nil
	}
	return "", usagef("specify the fixture directory: stategate plugin test %s DIR", args[0])
}

// pluginOrConfigured returns the plugin for a file, a built-in name or a configured name. For a declaration in the
// repository, it also returns the file's path from the current directory.
func pluginOrConfigured(ctx context.Context, a *app, name string) (p *plugin.Plugin, file string, err error) {
	list, err := usablePlugins(ctx, a, []string{name})
	if err == nil {
		return list.list[0], list.list[0].Origin, nil
	}
	here, wrong := usablePluginsHere(ctx, a, []string{name})
	if wrong != nil || !here.list[0].IsDeclared() {
		return nil, "", err
	}
	p = here.list[0]
	if repo := a.repository(a.env.dir); repo != nil && repo.Top != "" {
		if file, err := filepath.Rel(git.Resolved(a.env.dir), filepath.Join(repo.Top, p.Origin)); err == nil {
			return p, file, nil
		}
	}
	return p, p.Origin, nil
}

func testCommand(a *app) *cobra.Command {
	var update, noCache, output bool
	c := &cobra.Command{
		Use:               "test NAME|FILE [DIR]",
		Short:             "Test a plugin against its fixtures and the laws",
		Long:              testLong,
		Args:              cobra.RangeArgs(1, 2),
		ValidArgsFunction: inOrder(workflowWords(a, filesToo), directories),
		RunE: func(c *cobra.Command, args []string) error {
			p, file, err := pluginOrConfigured(c.Context(), a, args[0])
			if err != nil {
				return err
			}
			dir, err := fixturesOf(p, file, args)
			if err != nil {
				return err
			}
			t := author.Trial{Plugin: p, Dir: dir, Update: update, Workers: ownWorkers(a, noCache)}
			if output {
				t.Output = func(fixture, text string) error {
					return lines(a.stderr, fixture+": ", "    ", strings.TrimRight(text, "\n"))
				}
			}
			out, err := author.Test(c.Context(), t)
			if err != nil {
				return err
			}
			if err := errors.Join(printed(author.Report(a.stdout, p, out)), toCorrect(a, p)); err != nil ||
				!out.Broken() {
				return err
			}
			return exit(exitClosed)
		},
	}
	addFlag(c, otherFlags, &update, "update", "write what the plugin reports into the fixtures; review the diff")
	addFlag(c, otherFlags, &noCache, "no-cache", "compile the plugin again")
	addFlag(c, otherFlags, &output, "plugin-output", pluginOutput)
	return c
}
