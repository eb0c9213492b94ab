package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/suggest"
)

// run does what args say and returns the exit code. A worker has an empty
// environment and must not touch what the other verbs set up.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if slices.Equal(args, []string{worker.Verb}) {
		return worker.Main(stdin, stdout, stderr, exchange.New().Run)
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
	ctx, stop := interruptible(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := a.execute(ctx, args)
	if err == nil {
		return a.code
	}
	if by := context.Cause(ctx); by != nil {
		a.overwriteEcho()
		err = by
	}
	p := problemOf(err)
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
	if isCompletion(args) {
		return a.complete(ctx, root, args)
	}
	if err := wrongVerb(root, args); err != nil {
		return err
	}
	root.SetArgs(append([]string{}, args...))
	return root.ExecuteContext(ctx)
}

// wrongVerb refuses a verb, or a topic of help, that there is not.
func wrongVerb(root *cobra.Command, args []string) error {
	if _, rest, err := root.Find(args); err != nil {
		return unknownVerb(root, rest)
	}
	return unknownTopic(root, args)
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
		Long: `stategate checks the state that workflows keep in files: whether it is
consistent, which phase every run is really in, and how to go on.

Exit codes: 0 the gate is open; 1 it is closed; 2 the call is wrong;
3 something could not be checked; 130 interrupted (Ctrl-C), 143 terminated.`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(wrongFlag)
	group(root)
	root.AddCommand(a.acceptCommand(), a.checkVerb(), a.statusVerb(), a.resumeVerb(), a.recoverVerb(), a.explainVerb(), a.initCommand(), a.pluginCommand(), a.schemaVerb(), a.versionVerb())
	root.SetVersionTemplate("stategate {{.Version}}\n")
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages |", ".FlagUsagesWrapped 78 |")) // fits a terminal
	root.CompletionOptions.SetDefaultShellCompDirective(noFiles)                                                // where files make sense, a verb says so
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	spellArguments(root)
	return root
}

// wrongFlag names the flag that was meant, as far as that can be seen.
func wrongFlag(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if near := suggest.Nearest(unknown.GetSpecifiedName(), names); near != "" {
			return usagef("%v; did you mean --%s?", err, near)
		}
	}
	return usagef("%v; `%s --help` lists the flags", err, c.CommandPath())
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
		return usagef("`%s` needs a subcommand (`%s --help` says more):\n%s", c.CommandPath(), c.CommandPath(), described(c))
	}
}

// described are the subcommands, one to a line.
func described(c *cobra.Command) string {
	var b strings.Builder
	names := verbs(c)
	width := len(slices.MaxFunc(names, func(x, y string) int { return len(x) - len(y) }))
	for _, v := range c.Commands() {
		if slices.Contains(names, v.Name()) {
			fmt.Fprintf(&b, "%-*s  %s\n", width, v.Name(), v.Short)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func unknownVerb(c *cobra.Command, args []string) error {
	i := slices.IndexFunc(args, func(s string) bool { return !strings.HasPrefix(s, "-") })
	return usagef("`%s` has no subcommand %q; %s", c.CommandPath(), args[max(i, 0)], oneOf(args[max(i, 0)], verbs(c)))
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
