//go:build !wasip1

package plugin

import (
	"fmt"
	"io"
	"os"

	"github.com/stategate/stategate/sdk/internal/run"
	"github.com/stategate/stategate/sdk/wire"
)

// Main answers one request natively, for use in a debugger: it reads the request from standard input and writes the
// report to standard output. With the argument "describe" it writes the manifest. Inside the sandbox it does
// nothing.
func Main() {
	if err := serve(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(args []string, stdin io.Reader, stdout io.Writer) error {
	if err := served.Complete(); err != nil {
		return err
	}
	if len(args) == 1 && args[0] == "describe" {
		_, err := stdout.Write(wire.EncodeManifest(served.Manifest()))
		return err
	}
	data, err := io.ReadAll(stdin)
	if err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	request, err := wire.DecodeRequest(data)
	if err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	_, err = stdout.Write(wire.EncodeReport(run.Examine(served, request)))
	return err
}
