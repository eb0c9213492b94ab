// Package author is what the author of a plugin needs: a new project, the compiled file, and its test.
package author

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/guest"
	"github.com/stategate/stategate/host/plugin/wasmfile"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/pack"
)

// sdkModule is the module that the sdk belongs to.
const sdkModule = "github.com/stategate/stategate"

// Build compiles a Go main package to a plugin. The fixtures in a directory, "" for none, give it examples of its rules.
func Build(ctx context.Context, pkg, fixtures string, workers worker.Config) (*plugin.Plugin, error) {
	dir, err := os.MkdirTemp("", "stategate-build-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary directory: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "plugin.wasm")
	if err := compile(ctx, pkg, file); err != nil {
		return nil, err
	}
	wasm, err := os.ReadFile(file)
	if err == nil {
		wasm, err = pack.Shrink(wasm)
	}
	if err != nil {
		return nil, fmt.Errorf("read what the Go command made of %s: %w; is it a main package?", pkg, err)
	}
	return Pack(ctx, pkg, wasm, fixtures, workers)
}

// Pack asks a guest for its manifest, in the sandbox, writes it and the examples of Build into the file and reads the file as
// a host would.
func Pack(ctx context.Context, name string, wasm []byte, fixtures string, workers worker.Config) (*plugin.Plugin, error) {
	lim := limits.Default()
	if _, err := wasmfile.Check(wasm, lim); err != nil {
		return nil, fault.About(name, err, fault.ABI)
	}
	manifest, err := guest.Describe(ctx, wasm, workers)
	if err != nil {
		return nil, fault.About("describe "+name, err, fault.Protocol)
	}
	if fixtures != "" {
		all, err := fixture.LoadAll(os.DirFS(fixtures), ".")
		if err != nil {
			return nil, fault.Usagef("--examples %s: %v", fixtures, err)
		}
		if wasm, err = pack.WithExamples(wasm, fixture.Examples(all)); err != nil {
			return nil, fault.About(name, err, fault.Compile)
		}
	}
	whole, err := pack.WithManifest(wasm, manifest)
	if err != nil {
		return nil, fault.About(name, err, fault.Compile)
	}
	p, err := plugin.ReadPlugin(name, whole, "", lim)
	return p, fault.About(name, err, fault.ABI)
}

// compile runs the Go command. -trimpath and -buildvcs=false make the same source the same bytes in any directory. The
// workflow and the sdk are compiled without inlining: measured, a tenth smaller and no slower. -s leaves out the names of
// functions, 0.1 MB: a panic prints its trace from tables of its own.
func compile(ctx context.Context, pkg, file string) error {
	args := []string{"build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false", "-ldflags=-s", "-gcflags=" + sdkModule + "/...=-l", "-o", file}
	// Where the Go command cannot tell the module, compiling says why.
	module, _ := goCommand(ctx, "list", "-f", "{{with .Module}}{{.Path}}{{end}}", "--", pkg).Output()
	if module := strings.TrimSpace(string(module)); module != "" {
		args = append(args, "-gcflags="+module+"/...=-l")
	}
	out, err := goCommand(ctx, append(args, "--", pkg)...).CombinedOutput()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("the go command is not in PATH; install Go, or compile %s elsewhere and run `stategate plugin pack`", pkg)
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return &fault.Failure{Kind: fault.Compile, Message: fmt.Sprintf("compile %s to WebAssembly: %v; output of the Go command:", pkg, err), Stderr: strings.TrimSpace(string(out))}
	}
	return nil
}

func goCommand(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	return cmd
}
