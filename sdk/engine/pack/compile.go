package pack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// sdk is the path of the package that every plugin imports.
const sdk = "github.com/stategate/stategate/sdk"

// Compile compiles a Go main package to a small module without a manifest; with inline it is a twentieth larger, and a tenth faster. If the Go
// command refuses it, output is what it says.
func Compile(ctx context.Context, pkg string, inline bool) (module []byte, output string, err error) {
	dir, err := os.MkdirTemp("", "stategate-build-")
	if err != nil {
		return nil, "", fmt.Errorf("make a temporary directory: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "plugin.wasm")
	// Where the Go command cannot tell the module, compiling says why.
	list, _ := goCommand(ctx, "list", "-f", "{{with .Module}}{{.Path}}{{end}}", "--", pkg).Output()
	author := strings.TrimSpace(string(list))
	if output, err = compile(ctx, pkg, author, file, inline); err != nil {
		return nil, output, err
	}
	if module, err = os.ReadFile(file); err == nil {
		module, err = Shrink(module, author)
	}
	if err != nil {
		err = fmt.Errorf("read what the Go command made of %s: %w; is it a main package?", pkg, err)
	}
	return module, "", err
}

// compile runs the Go command. -trimpath and -buildvcs=false make the same source the same bytes in any directory. -s leaves out the
// names of functions, 0.1 MB: a panic prints its trace from tables of its own. The runtime checks no bounds of its own slices, 0.04 MB:
// that the sandbox holds does not depend on it. Both are the same for all plugins, which saves compiling it twice.
//
// Small functions are inlined everywhere if inline is set. Else a workflow is compiled without, which would make it a tenth larger; those of
// the sdk are inlined in one another, except in what runs a few times in a look (plain): measured, ocr a seventh faster.
func compile(ctx context.Context, pkg, author, file string, inline bool) (output string, err error) {
	args := []string{"build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false", "-ldflags=-s", "-o", file}
	if !inline {
		if author != "" {
			args = append(args, "-gcflags="+author+"/...=-l")
		}
		args = append(args, "-gcflags="+sdk+"/...=") // of patterns that match, the last counts
		for _, plain := range []string{sdk + "/brief", sdk + "/check", sdk + "/internal/...", sdk + "/ladder", sdk + "/say", sdk + "/state", "strings"} {
			args = append(args, "-gcflags="+plain+"=-l")
		}
	}
	args = append(args, "-gcflags=internal/runtime/atomic=-l", "-gcflags=runtime=-B")
	build := goCommand(ctx, append(args, "--", pkg)...)
	build.Env = append(build.Env, experiment(ctx)...)
	out, err := build.CombinedOutput()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("the go command is not in PATH; install Go, or compile %s elsewhere and run `stategate plugin pack`", pkg)
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return strings.TrimSpace(string(out)), fmt.Errorf("compile %s to WebAssembly: %w", pkg, err)
	}
	return "", nil
}

// experiment has Go 1.26 collect garbage as Go 1.25 did: the collector that it chooses instead serves large heaps, takes 37 kB, and
// an instance is small. Measured, calls take a twentieth less time. A later Go may not know the choice.
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
