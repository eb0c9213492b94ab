// Command stategate-mcp serves a repository's runs to agents over the Model Context Protocol, on standard input and
// output. It keeps no state: every call runs stategate, so the answers always describe the current files.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/pflag"

	"github.com/stategate/stategate/cmd/internal/gate"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], &mcp.StdioTransport{}, os.Stdout, os.Stderr))
}

// run serves until the client disconnects, and returns the exit code: 2 for a usage error, 3 if serving failed.
func run(ctx context.Context, args []string, transport mcp.Transport, stdout, stderr io.Writer) int {
	flags := pflag.NewFlagSet("stategate-mcp", pflag.ContinueOnError)
	program := flags.String("stategate", "", "run this `FILE`; the default is the stategate next to this program, or "+
		"the one in PATH")
	if code, done := gate.Parse(flags, "Usage: stategate-mcp [flags] [DIRECTORY]\nServes the runs below DIRECTORY, "+
		"the current one if it is left out, over MCP on standard input and output.", args, stdout, stderr); done {
		return code
	}
	g, err := newServed(*program, flags.Args())
	if err != nil {
		fmt.Fprintln(stderr, "stategate-mcp:", err)
		return 2
	}
	if err := g.server().Run(ctx, transport); err != nil && ctx.Err() == nil && !errors.Is(err, io.EOF) {
		fmt.Fprintln(stderr, "stategate-mcp:", err)
		return 3
	}
	return 0
}

func newServed(program string, dirs []string) (*served, error) {
	if len(dirs) > 1 {
		return nil, fmt.Errorf("found %d arguments, expected at most one directory", len(dirs))
	}
	g, err := gate.New(program, strings.Join(dirs, ""))
	return &served{g}, err
}
