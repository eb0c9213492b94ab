package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/stategate/stategate/host/print"
)

// A gate runs stategate in a directory.
type gate struct{ program, dir string }

// goodbye is how long stategate has to end in good order once a call is cancelled.
const goodbye = 3 * time.Second

// maxOutput bounds what is kept of a call, in bytes.
const maxOutput = 64 << 20

// run runs a subcommand and returns what it prints. Exit codes 0 and 1 are answers, any other is an error with what it says.
func (g *gate) run(ctx context.Context, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, g.program, args...)
	c.Dir = g.dir
	c.WaitDelay = goodbye
	if runtime.GOOS != "windows" {
		c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	}
	var stdout, stderr limited
	c.Stdout, c.Stderr = &stdout, &stderr
	err := c.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case stdout.over:
		return nil, fmt.Errorf("stategate %s prints more than %d MB: give a path", args[0], maxOutput>>20)
	case errors.As(err, &exit) && exit.ExitCode() == 1, err == nil:
		return stdout.Bytes(), nil
	case errors.As(err, &exit) && exit.ExitCode() == 3 && stdout.Len() > 0:
		return stdout.Bytes(), nil // what could not be checked is in the answer
	case errors.As(err, &exit):
		return nil, errors.New(strings.TrimSpace(stderr.String()))
	}
	return nil, err
}

// ask runs a subcommand and reads its JSON.
func (g *gate) ask(ctx context.Context, answer any, args ...string) error {
	out, err := g.run(ctx, args...)
	if err != nil {
		return err
	}
	var all any
	d := json.NewDecoder(bytes.NewReader(out))
	d.UseNumber()
	err = d.Decode(&all)
	if err == nil {
		out, err = json.Marshal(shown(all))
	}
	if err == nil {
		err = json.Unmarshal(out, answer)
	}
	if err != nil {
		return fmt.Errorf("read the answer of stategate %s: %w", args[0], err)
	}
	return nil
}

// shown replaces in all texts of a JSON value what a reader would not see, and an agent would read.
func shown(v any) any {
	switch v := v.(type) {
	case string:
		lines := strings.Split(v, "\n")
		for i := range lines {
			lines[i] = print.Safe(lines[i])
		}
		return strings.Join(lines, "\n")
	case []any:
		for i := range v {
			v[i] = shown(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = shown(v[key])
		}
	}
	return v
}

// at is the argument that names a path below the directory, "" for all of it. It keeps a path from being read as a flag.
func (g *gate) at(path string) ([]string, error) {
	if path == "" || path == "." {
		return nil, nil
	}
	local := filepath.FromSlash(path)
	if filepath.IsAbs(local) {
		rel, err := filepath.Rel(g.dir, local)
		if err != nil {
			return nil, err
		}
		local = rel
	}
	if !filepath.IsLocal(local) {
		return nil, fmt.Errorf("the path %q is not below %s, which is served", path, g.dir)
	}
	return []string{"--", local}, nil
}

// limited keeps the beginning of what is written.
type limited struct {
	bytes.Buffer
	over bool
}

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > maxOutput {
		l.over = true
		return len(p), nil
	}
	return l.Buffer.Write(p)
}
