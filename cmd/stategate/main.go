// Command stategate is a gate for state files that workflows keep. Run `stategate help` for its subcommands.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"

	"github.com/stategate/stategate/cmd/stategate/internal/declared"
	"github.com/stategate/stategate/cmd/stategate/internal/heap"
	"github.com/stategate/stategate/host/plugin/worker"
)

func main() {
	spare := 100
	if slices.Equal(os.Args[1:], []string{worker.Verb}) { // a worker uses only 4 MB
		spare = 300
	}
	heap.CollectLater(spare)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run runs the command in args and returns the exit code. A worker has an empty environment, so it must not run the
// subcommands' setup code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if slices.Equal(args, []string{worker.Verb}) {
		return worker.Main(stdin, stdout, stderr, declared.Examiner().Run)
	}
	dir, _ := os.Getwd()
	env := environmentIn(dir, os.Environ(), os.Getenv, os.UserCacheDir)
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, env: env, reserve: worker.NewReserve(worker.Jobs())}
	defer a.reserve.Close()
	return a.run(args)
}

// app holds what every command needs in one call of the program.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            environment
	reserve        *worker.Reserve
	files          *declared.Reader // see pluginFiles
}

func (a *app) run(args []string) int {
	ctx, stop := interruptible(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := rootCommand(a)
	if isCompletion(args) {
		prepareCompletion(root)
	}
	root.SetArgs(append([]string{}, args...))
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOpen
	}
	p := problemOf(err)
	if by := context.Cause(ctx); by != nil && p.message != "" {
		if isTerminal(a.stderr) {
			fmt.Fprint(a.stderr, "\r") // overwrites the ^C that the terminal shows
		}
		p = problemOf(by)
	}
	a.complain(p)
	return p.code
}

func (a *app) complain(p *problem) {
	_ = lines(a.stderr, "stategate: ", "    ", p.message)
	if p.detail != "" {
		_ = lines(a.stderr, "    | ", "    | ", p.detail)
	}
}

// note prints a note, which is not part of the answer, to stderr.
func (a *app) note(text string) { _ = lines(a.stderr, "stategate: note: ", "    ", text) }

// say prints a line of the answer to stdout.
func (a *app) say(format string, args ...any) error {
	return printed(lines(a.stdout, "", "  ", fmt.Sprintf(format, args...)))
}
