// Command stategate-mcp serves a repository's runs to agents over the Model Context Protocol, on standard input and output. It
// has no knowledge of its own: every call runs stategate anew, so that it says what stategate says of the files as they are now.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], &mcp.StdioTransport{}, os.Stderr))
}

// run serves until the client leaves, and returns the exit code: 2 for a wrong call, 3 where serving failed.
func run(ctx context.Context, args []string, transport mcp.Transport, stderr io.Writer) int {
	flags := flag.NewFlagSet("stategate-mcp", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "Usage: stategate-mcp [flags] [DIRECTORY]\nServes the runs below DIRECTORY, the current one if it is left out, over MCP on standard input and output.")
		flags.PrintDefaults()
	}
	program := flags.String("stategate", "", "run this `FILE`; the default is the stategate beside this program, or the one in PATH")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	g, err := newGate(*program, flags.Args())
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

func newGate(program string, dirs []string) (*gate, error) {
	if len(dirs) > 1 {
		return nil, fmt.Errorf("wrong number of arguments: %d; give one directory", len(dirs))
	}
	g := &gate{program: program, dir: "."}
	if len(dirs) == 1 {
		g.dir = dirs[0]
	}
	var err error
	if g.dir, err = filepath.Abs(g.dir); err != nil {
		return nil, err
	}
	if info, err := os.Stat(g.dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is not a directory", g.dir)
	}
	if g.program == "" {
		g.program = beside()
	}
	if g.program, err = exec.LookPath(g.program); err != nil {
		return nil, fmt.Errorf("stategate is not found (%w): install it beside this program or in PATH, or name it with --stategate", err)
	}
	return g, nil
}

// beside is the stategate in the directory of this program, or else its name alone.
func beside() string {
	name := "stategate"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		if file := filepath.Join(filepath.Dir(self), name); exists(file) {
			return file
		}
	}
	return name
}

func exists(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular()
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
