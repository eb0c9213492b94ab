// Command stategate-lsp serves findings to editors over the Language Server Protocol, on standard input and output. It
// does not check anything itself: it runs stategate, and passes unsaved text to it.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/pflag"

	"github.com/stategate/stategate/cmd/internal/gate"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run serves until the editor sends exit or disconnects, and returns the exit code: 2 for a usage error, or 1, as the
// protocol requires, if the editor left without shutdown.
func run(ctx context.Context, args []string, in io.Reader, out, stderr io.Writer) int {
	flags := pflag.NewFlagSet("stategate-lsp", pflag.ContinueOnError)
	program := flags.String("stategate", "", "run this `FILE`; the default is the stategate next to this program, or "+
		"the one in PATH")
	base := flags.String("base", "", "compare with this `REV`, as check --base does (default HEAD)")
	_ = flags.Bool("stdio", true, "accepted, because some editors pass it")
	if code, done := gate.Parse(flags, "Usage: stategate-lsp [flags]\nServes findings to an editor over the Language "+
		"Server Protocol on standard input and output.", args, out, stderr); done {
		return code
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "stategate-lsp: found an argument (%s), but the editor names the directories\n",
			flags.Arg(0))
		return 2
	}
	if _, err := gate.New(*program, "."); err != nil {
		fmt.Fprintln(stderr, "stategate-lsp:", err)
		return 2
	}
	code, err := newServer(*program, *base, out).serve(ctx, in)
	if err != nil {
		fmt.Fprintln(stderr, "stategate-lsp:", err)
	}
	return code
}

// baseFlag returns stategate's flag for a base, or no flag for the default.
func baseFlag(base string) []string {
	if base == "" {
		return nil
	}
	return []string{"--base=" + base}
}
