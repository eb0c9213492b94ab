package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/cmd/stategate/internal/author"
	"github.com/stategate/stategate/host/atomicfile"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/wasmfile"
	"github.com/stategate/stategate/host/print"
)

func (a *app) pluginCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "plugin",
		Short: "Begin, build, test, inspect and publish plugins",
	}
	group(c)
	c.AddCommand(a.listCommand(), a.inspectCommand(), a.buildCommand(), a.packCommand(), a.testCommand(),
		a.newCommand(), a.pushCommand(), a.addCommand(), a.updateCommand(), a.syncCommand())
	return c
}

func (a *app) listCommand() *cobra.Command {
	var named []string
	var format string
	c := &cobra.Command{
		Use:   "list",
		Short: "List the plugins that check would use",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			f, err := listFormats.named(format)
			if err != nil {
				return err
			}
			p, err := a.usablePluginsHere(c, named)
			if err != nil {
				return err
			}
			return a.printed(f.List(a.stdout, p.list, a.page()))
		},
	}
	c.Flags().StringArrayVar(&named, "plugin", nil,
		"list only the plugin `NAME|FILE.wasm`, built in, configured or a file (repeatable)")
	listFormats.flag(c, &format)
	return c
}

func (a *app) inspectCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:               "inspect NAME|FILE.wasm",
		Short:             "Show what a plugin is and what it may read",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: inOrder(a.workflows(filesToo)),
		RunE: func(c *cobra.Command, args []string) error {
			f, err := inspectFormats.named(format)
			if err != nil {
				return err
			}
			return a.inspect(c, args[0], f)
		},
	}
	inspectFormats.flag(c, &format)
	return c
}

func (a *app) inspect(c *cobra.Command, name string, format print.Format) error {
	p, err := a.shownPlugins(c, []string{name}, func([]*plugin.Plugin) bool { return true })
	if err != nil {
		return err
	}
	plug := p.list[0]
	file, err := wasmfile.Check(plug.Wasm(), limits.Default())
	if err != nil {
		return fault.About("plugin "+name, err, fault.ABI)
	}
	var imports []print.Import
	for _, i := range file.Imports {
		_, traps := wasmfile.Trapping[i.Name]
		imports = append(imports, print.Import{Module: i.Module, Name: i.Name, Traps: traps &&
			i.Module == wasmfile.Kernel})
	}
	return a.printed(format.Inspect(a.stdout, plug, imports, a.page()))
}

func (a *app) buildCommand() *cobra.Command {
	var output, examples string
	c := &cobra.Command{
		Use:               "build PACKAGE",
		Short:             "Compile a Go plugin and write its manifest into it",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: inOrder(directories),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := author.Build(c.Context(), args[0], examples, a.workers(limits.Default(), false))
			if err != nil {
				return err
			}
			return a.writePlugin(output, p.Name+".wasm", p)
		},
	}
	c.Flags().StringVar(&output, "output", "", "write to `FILE.wasm` (default: the workflow's name in the current "+
		"directory)")
	examplesFlag(c, &examples)
	return c
}

func examplesFlag(c *cobra.Command, dir *string) {
	c.Flags().StringVar(dir, "examples", "", "take the examples that explain shows from the fixtures in `DIR`")
}

func (a *app) packCommand() *cobra.Command {
	var output, examples string
	c := &cobra.Command{
		Use:               "pack FILE.wasm",
		Short:             "Write the manifest into a plugin of any language",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: inOrder(files("wasm")),
		RunE: func(c *cobra.Command, args []string) error {
			wasm, err := readRegular(args[0], limits.Default().Plugin)
			if err != nil {
				return err
			}
			p, err := author.Pack(c.Context(), args[0], wasm, examples, a.workers(limits.Default(), false))
			if err != nil {
				return err
			}
			return a.writePlugin(output, args[0], p)
		},
	}
	c.Flags().StringVar(&output, "output", "", "write to `FILE.wasm` (default: the same file)")
	examplesFlag(c, &examples)
	return c
}

// writePlugin writes a plugin to a file, or to another one if no file is given, and reports it.
func (a *app) writePlugin(file, otherwise string, p *plugin.Plugin) error {
	file = cmp.Or(file, otherwise)
	if err := atomicfile.Write(file, p.Wasm(), 0o666); err != nil {
		return brokenf("write %s: %v", file, err)
	}
	return a.say("%s: %s %s, %d bytes, sha256 %s", file, p.Name, p.Manifest.Version, p.Size, p.SHA256())
}

func (a *app) testCommand() *cobra.Command {
	var update, noCache bool
	c := &cobra.Command{
		Use:               "test NAME|FILE.wasm DIR",
		Short:             "Test a compiled plugin against its fixtures and the laws",
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: inOrder(a.workflows(filesToo), directories),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := usablePlugins(args[:1])
			if err != nil {
				return err
			}
			out, err := author.Test(c.Context(), p.list[0], args[1], update, a.workers(limits.Default(), noCache))
			if err != nil {
				return err
			}
			if out.Broken() {
				a.code = exitClosed
			}
			return a.printed(author.Report(a.stdout, p.list[0], out))
		},
	}
	c.Flags().BoolVar(&update, "update", false, "write what the plugin reports into the fixtures, to be reviewed as "+
		"a diff")
	c.Flags().BoolVar(&noCache, "no-cache", false, "compile the plugin anew")
	return c
}

func (a *app) newCommand() *cobra.Command {
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
			return a.printed(lines(a.stdout, "", "", next))
		},
	}
	c.Flags().StringVar(&p.Dir, "dir", "", "write to `DIR` (default: NAME in the current directory)")
	c.Flags().StringVar(&p.Module, "module", "", "the `PATH` of the Go module (default: example.com/NAME)")
	c.Flags().StringVar(&p.SDK, "sdk", "", "use the stategate source tree in `DIR` instead of a released version")
	return c
}

func (a *app) say(format string, args ...any) error {
	return a.printed(lines(a.stdout, "", "  ", fmt.Sprintf(format, args...)))
}
