package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/sdk/words"
)

func rootCommand(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:               "stategate",
		Short:             "A gate for the state that workflows keep in files",
		Version:           version(),
		SilenceUsage:      true,
		SilenceErrors:     true,
		PersistentPreRunE: refuseEmpty,
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(wrongFlag)
	group(root)
	root.AddCommand(acceptCommand(a), cacheCommand(a), checkCommand(a), statusCommand(a), resumeCommand(a),
		recoverCommand(a), explainCommand(a), hookCommand(a), initCommand(a), pluginCommand(a), schemaCommand(a),
		versionCommand(a))
	root.SetVersionTemplate("stategate {{.Version}}\n")
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { _, _ = io.WriteString(a.stdout, helpFor(c)) })
	root.CompletionOptions.SetDefaultShellCompDirective(noFiles) // a subcommand that takes files overrides this
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	describeArguments(root)
	for _, c := range root.Commands() { // both would answer an unknown name with a help page and exit code 0
		switch c.Name() {
		case "completion":
			group(c)
		case "help":
			c.Args = func(_ *cobra.Command, topic []string) error {
				if c, rest, _ := root.Find(topic); len(rest) > 0 && c.HasSubCommands() {
					return unknownCommand(c, rest)
				}
				return nil
			}
		}
	}
	return root
}

func wrongFlag(c *cobra.Command, err error) error {
	if args := c.Flags().Args(); c.HasSubCommands() && len(args) > 0 {
		return unknownCommand(c, args) // the flag error follows from the unknown command
	}
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		return badValue(value)
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		wrong, near := unknown.GetSpecifiedName(), ""
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) {
			switch {
			case f.Hidden:
			case f.Shorthand != "" && strings.EqualFold(f.Shorthand, wrong):
				near = f.Name
			default:
				names = append(names, f.Name)
			}
		})
		if near = cmp.Or(near, words.Nearest(wrong, names)); near != "" {
			return usagef("%v; did you mean --%s?", err, near)
		}
	}
	return usagef("%v; `%s --help` lists the flags", err, c.CommandPath())
}

// describeArguments makes every subcommand answer a wrong number of arguments with its usage line.
func describeArguments(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if check(c, args) != nil {
				return usagef("found %s; write `%s`", print.Count(len(args), "argument"), c.UseLine())
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		describeArguments(sub)
	}
}

// group marks a command that only groups subcommands. Without a subcommand, it is a usage error, so that a hook that
// forgot the subcommand does not pass.
func group(c *cobra.Command) {
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(c, args)
		}
		text, list := "", subcommands(c)
		width := len(slices.MaxFunc(list,
			func(x, y *cobra.Command) int { return cmp.Compare(len(x.Name()), len(y.Name())) }).Name())
		for _, sub := range list {
			text += fmt.Sprintf("\n%-*s  %s", width, sub.Name(), sub.Short)
		}
		return usagef("`%s` needs a subcommand (see `%s --help`):%s", c.CommandPath(), c.CommandPath(), text)
	}
}

// elsewhere maps command names from other tools to the stategate call that does the same.
var elsewhere = map[string]string{
	"fix": "check --fix", "repair": "check --fix", "undo": "recover --undo", "lint": "check", "validate": "check",
	"verify": "check", "list": "status", "continue": "resume", "install": "init", "setup": "init", "ignore": "accept",
	"baseline": "check --write-baseline",
}

func unknownCommand(c *cobra.Command, args []string) error {
	i := slices.IndexFunc(args, func(s string) bool { return !strings.HasPrefix(s, "-") })
	var names []string
	for _, sub := range subcommands(c) {
		names = append(names, sub.Name())
	}
	name := args[max(i, 0)]
	switch call := elsewhere[name]; {
	case c.HasParent():
	case call != "":
		return usagef("`%s` has no subcommand %q; use `%s %s`", c.CommandPath(), name, c.CommandPath(), call)
	case name == "config":
		return usagef("`%s` has no subcommand %q; edit %s, which `%s init` writes", c.CommandPath(), name, config.Name,
			c.CommandPath())
	}
	return usagef("`%s` has no subcommand %q; %s", c.CommandPath(), name, suggest.OneOf(name, names))
}

// subcommands returns the names of the visible subcommands.
func subcommands(c *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(c.Commands()),
		func(sub *cobra.Command) bool { return !sub.IsAvailableCommand() && sub.Name() != "help" })
}
