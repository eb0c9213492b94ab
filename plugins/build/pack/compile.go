package pack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Compile compiles a Go main package to a small module without a manifest. If the Go command refuses the package,
// output is what it prints.
func Compile(ctx context.Context, pkg string) (module []byte, output string, err error) {
	if module, output, err = Link(ctx, pkg); err != nil {
		return nil, output, err
	}
	if module, err = Shrink(module); err != nil {
		return nil, "", notMain(pkg, err)
	}
	return module, "", nil
}

// Link is Compile without Shrink: it returns the module as the Go linker writes it.
func Link(ctx context.Context, pkg string) (module []byte, output string, err error) {
	dir, err := os.MkdirTemp("", "stategate-build-")
	if err != nil {
		return nil, "", fmt.Errorf("make a temporary directory: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "plugin.wasm")
	if output, err = build(ctx, pkg, "-buildmode=c-shared", "-ldflags=-s", "-o", file, "--", pkg); err != nil {
		return nil, output, err
	}
	if module, err = os.ReadFile(file); err != nil {
		return nil, "", notMain(pkg, err)
	}
	return module, "", nil
}

func notMain(pkg string, err error) error {
	return fmt.Errorf("read what the Go command made of %s: %w; is it a main package?", pkg, err)
}

// Precompile fills the cache of the Go command with packages that several guests import, so that builds of those guests
// that run side by side do not each compile them.
func Precompile(ctx context.Context, pkgs ...string) (output string, err error) {
	return build(ctx, strings.Join(pkgs, " "), append([]string{"--"}, pkgs...)...)
}

// build runs the Go command. -trimpath and -buildvcs=false make the same source the same bytes in any directory. -s,
// the linker flag of Link, leaves out the names of functions, 0.1 MB: a panic prints its trace from tables of its own.
// -B has the runtime check no bounds of its own slices, 0.04 MB, and the sandbox does not depend on those checks. Flags
// of the compiler are the same for all guests, so that what guests have in common is compiled once.
func build(ctx context.Context, what string, args ...string) (output string, err error) {
	args = append([]string{"build", "-trimpath", "-buildvcs=false", "-gcflags=runtime=-B"}, args...)
	cmd := goCommand(ctx, args...)
	cmd.Env = append(cmd.Env, experiment(ctx)...)
	out, err := cmd.CombinedOutput()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("the go command is not in PATH; install Go, "+
			"or compile %s elsewhere and run `stategate plugin pack`", what)
	case ctx.Err() != nil:
		return "", ctx.Err()
	case bytes.Contains(out, []byte("requires exactly one main package")):
		return "", fmt.Errorf("compile %s to WebAssembly: it is not a main package; use the one that calls "+
			"plugin.Main, such as ./cmd/notes", what)
	case err != nil:
		return strings.TrimSpace(string(out)), fmt.Errorf("compile %s to WebAssembly: %w", what, err)
	}
	return "", nil
}

// experiment has Go 1.26 collect garbage as Go 1.25 did: the collector that it chooses instead serves large heaps,
// takes 37 kB, and an instance is small. Measured, calls take a twentieth less time. A later Go may not know the
// choice.
func experiment(ctx context.Context) []string {
	out, err := goCommand(ctx, "env", "GOVERSION", "GOEXPERIMENT").Output()
	version, chosen, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err != nil || !strings.HasPrefix(version, "go1.26") || chosen != "" {
		return nil
	}
	return []string{"GOEXPERIMENT=nogreenteagc"}
}

func goCommand(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	return cmd
}
