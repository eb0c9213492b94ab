// Command stategate is a gate for the state that workflows keep in files. Run `stategate help` for its subcommands.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/stategate/stategate/cmd/stategate/internal/heap"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/schemas"
)

func main() {
	spare := 50
	if slices.Equal(os.Args[1:], []string{worker.Verb}) { // a worker has 4 MB in use
		spare = 300
	}
	heap.CollectLater(spare)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run does what args say and returns the exit code. A worker has an empty environment and must not touch what the
// subcommands set up.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if slices.Equal(args, []string{worker.Verb}) {
		return worker.Main(stdin, stdout, stderr, exchange.New().Run)
	}
	dir, _ := os.Getwd()
	env := environmentIn(dir, os.Environ(), os.Getenv, os.UserCacheDir)
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, env: env, reserve: worker.NewReserve(worker.Jobs())}
	defer a.reserve.Close()
	return a.run(args)
}

// app is one call of the command line.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            environment
	reserve        *worker.Reserve
	code           int // what the subcommand decided
}

func (a *app) run(args []string) int {
	ctx, stop := interruptible(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := a.root()
	if isCompletion(args) {
		a.prepareCompletion(root, args)
	}
	root.SetArgs(append([]string{}, args...))
	err := root.ExecuteContext(ctx)
	if err == nil {
		return a.code
	}
	if by := context.Cause(ctx); by != nil {
		if isTerminal(a.stderr) {
			fmt.Fprint(a.stderr, "\r") // over the ^C that the terminal shows
		}
		err = by
	}
	p := problemOf(err)
	a.complain(p)
	return p.code
}

func (a *app) complain(p *problem) {
	_ = lines(a.stderr, "stategate: ", "    ", p.message)
	if p.detail != "" {
		_ = lines(a.stderr, "    | ", "    | ", p.detail)
	}
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "stategate",
		Short:         "A gate for the state that workflows keep in files",
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(wrongFlag)
	group(root)
	root.AddCommand(a.acceptCommand(), a.cacheCommand(), a.checkCommand(), a.statusCommand(), a.resumeCommand(),
		a.recoverCommand(), a.explainCommand(), a.hookCommand(), a.initCommand(), a.pluginCommand(), a.schemaCommand(),
		a.versionCommand())
	root.SetVersionTemplate("stategate {{.Version}}\n")
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { _ = helpFor(a.stdout, c) })
	root.CompletionOptions.SetDefaultShellCompDirective(noFiles) // where files make sense, a subcommand says so
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	describeArguments(root)
	for _, c := range root.Commands() { // both would answer a wrong name with a page of help and success
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

// describeArguments has every subcommand answer a wrong number of arguments with the call that it expects.
func describeArguments(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if check(c, args) != nil {
				return usagef("wrong number of arguments: %d; write `%s`", len(args), c.UseLine())
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		describeArguments(sub)
	}
}

// group makes a command that only holds subcommands: alone it is a usage error, so that a hook that forgot the
// subcommand does not read as an open gate.
func group(c *cobra.Command) {
	c.FParseErrWhitelist.UnknownFlags = true
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(c, args)
		}
		var b strings.Builder
		names := subcommands(c)
		width := len(slices.MaxFunc(names, func(x, y string) int { return cmp.Compare(len(x), len(y)) }))
		for _, sub := range c.Commands() {
			if slices.Contains(names, sub.Name()) {
				fmt.Fprintf(&b, "\n%-*s  %s", width, sub.Name(), sub.Short)
			}
		}
		return usagef("`%s` needs a subcommand (`%s --help` says more):%s", c.CommandPath(), c.CommandPath(),
			b.String())
	}
}

func unknownCommand(c *cobra.Command, args []string) error {
	i := slices.IndexFunc(args, func(s string) bool { return !strings.HasPrefix(s, "-") })
	return usagef("`%s` has no subcommand %q; %s", c.CommandPath(), args[max(i, 0)],
		oneOf(args[max(i, 0)], subcommands(c)))
}

func subcommands(c *cobra.Command) (names []string) {
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			names = append(names, sub.Name())
		}
	}
	return names
}

func oneOf(wrong string, names []string) string { return suggest.OneOf(wrong, names) }

// The exit codes are API. If several hold, the first of 2, 3, 1, 0 is given.
const (
	exitOpen   = 0   // the gate is open, or what was asked for is done
	exitClosed = 1   // the gate is closed: findings
	exitUsage  = 2   // the call is wrong; nothing was checked
	exitBroken = 3   // something could not be checked or done
	exitSignal = 128 // and the number of the signal that ended the call before it was done
)

// An interruption is the signal that ended a call.
type interruption struct{ signal os.Signal }

func (i *interruption) Error() string { return "interrupted before it was done" }

func (i *interruption) code() int {
	if s, ok := i.signal.(syscall.Signal); ok {
		return exitSignal + int(s)
	}
	return exitBroken
}

// interruptible returns a context that the first of some signals ends, in good order; the
// second one kills. Its cause is an *interruption.
func interruptible(ctx context.Context, by ...os.Signal) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, by...)
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals)
			cancel(&interruption{s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}

// A problem ends a subcommand with an exit code and a message for stderr.
type problem struct {
	code    int
	message string
	detail  string // what another program or a plugin wrote, shown below the message
}

func (p *problem) Error() string { return p.message }

func usagef(format string, args ...any) error { return fault.Usagef(format, args...) }

func brokenf(format string, args ...any) error { return fmt.Errorf(format, args...) }

// problemOf says what an error means for the exit code: an error that does not say that
// the call is wrong means that something could not be done.
func problemOf(err error) *problem {
	var p *problem
	var by *interruption
	var usage interface {
		error
		Usage() bool
	}
	var fail *fault.Failure
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &by):
		return &problem{code: by.code(), message: by.Error()}
	case errors.As(err, &usage) && usage.Usage():
		return &problem{code: exitUsage, message: err.Error()}
	case errors.As(err, &fail):
		return &problem{code: exitBroken, message: err.Error(), detail: fail.Stderr}
	}
	return &problem{code: exitBroken, message: err.Error()}
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
