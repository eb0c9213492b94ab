package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/examine"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/worker"
)

// run does what args say and returns the exit code. A worker has an empty
// environment and must not touch what the other verbs set up.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if slices.Equal(args, []string{worker.Verb}) {
		return worker.Main(stdin, stdout, stderr, examine.New().Run)
	}
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, env: readEnvironment()}
	return a.run(args)
}

// app is one call of the command line.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            environment
	code           int // what the verb that ran decided
}

// run returns the exit code.
func (a *app) run(args []string) int {
	ctx, stop := interruptible()
	defer stop()
	err := a.execute(ctx, args)
	if err == nil {
		return a.code
	}
	p := problemOf(err)
	var by *interruption
	if errors.As(context.Cause(ctx), &by) {
		p = &problem{code: by.code(), message: by.Error()}
		a.overwriteEcho()
	}
	a.complain(p)
	return p.code
}

// overwriteEcho goes to the beginning of the line, where the terminal shows ^C.
func (a *app) overwriteEcho() {
	if isTerminal(a.stderr) {
		fmt.Fprint(a.stderr, "\r")
	}
}

func (a *app) execute(ctx context.Context, args []string) error {
	root := a.root()
	if _, rest, err := root.Find(args); err != nil {
		return unknownVerb(root, rest)
	}
	if err := unknownTopic(root, args); err != nil {
		return err
	}
	root.SetArgs(append([]string{}, args...))
	return root.ExecuteContext(ctx)
}

// unknownTopic refuses what the library's own verbs would answer with a page of
// help and success.
func unknownTopic(root *cobra.Command, args []string) error {
	if len(args) < 2 || args[0] != "help" && args[0] != "completion" {
		return nil
	}
	topic := args
	if args[0] == "help" {
		topic = args[1:]
	}
	c, rest, err := root.Find(topic)
	if err != nil {
		return unknownVerb(root, topic)
	}
	if c.HasSubCommands() && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		return unknownVerb(c, rest)
	}
	return nil
}

func (a *app) complain(p *problem) {
	_ = print.Lines(a.stderr, "stategate: ", "    ", p.message)
	if p.detail != "" {
		_ = print.Lines(a.stderr, "    | ", "    | ", p.detail)
	}
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "stategate",
		Short: "A gate for the state that workflows keep in files",
		Long: `stategate looks at the state that workflows keep in files and says whether it
is consistent, which phase every run is really in, and how to go on.

Exit codes: 0 the gate is open; 1 it is closed; 2 the call is wrong;
3 something could not be looked at; 130 interrupted (Ctrl-C), 143 terminated.`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%v; `%s --help` lists the flags", err, c.CommandPath())
	})
	group(root)
	root.AddCommand(a.checkVerb(), a.statusVerb(), a.resumeVerb(), a.recoverVerb(), a.explainVerb(), a.initVerb(), a.pluginVerb(), a.schemaVerb(), a.versionVerb())
	root.SetVersionTemplate("stategate {{.Version}}\n")
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages |", ".FlagUsagesWrapped 78 |")) // fits a terminal
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	spellArguments(root)
	return root
}

// spellArguments makes every verb answer a wrong number of arguments with the call that it expects.
func spellArguments(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if check(c, args) != nil {
				return usagef("wrong number of arguments: %d; write `%s`", len(args), c.UseLine())
			}
			return nil
		}
	}
	for _, verb := range c.Commands() {
		spellArguments(verb)
	}
}

// group makes a command that only holds verbs: alone it is a usage error, so
// that a hook that forgot the verb does not read as an open gate.
func group(c *cobra.Command) {
	c.FParseErrWhitelist.UnknownFlags = true
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownVerb(c, args)
		}
		return usagef("`%s` needs a verb: %s; `%s help` says more", c.CommandPath(), strings.Join(verbs(c), ", "), c.Root().Name())
	}
}

func unknownVerb(c *cobra.Command, args []string) error {
	i := slices.IndexFunc(args, func(s string) bool { return !strings.HasPrefix(s, "-") })
	return usagef("`%s` has no verb %q; %s", c.CommandPath(), args[max(i, 0)], oneOf(args[max(i, 0)], verbs(c)))
}

func verbs(c *cobra.Command) []string {
	var names []string
	for _, v := range c.Commands() {
		if v.IsAvailableCommand() || v.Name() == "help" {
			names = append(names, v.Name())
		}
	}
	return names
}
