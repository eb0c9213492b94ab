// Package gate runs stategate for the programs that serve it to agents and editors. They have no knowledge of their
// own: what they say is what stategate says of the files as they are now.
package gate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/stategate/stategate/host/print"
)

// A Gate runs stategate in a directory.
type Gate struct{ Program, Dir string }

// goodbye is how long stategate has to end in good order once a call is cancelled.
const goodbye = 3 * time.Second

// maxOutput bounds what is kept of a call, in bytes.
const maxOutput = 64 << 20

// New returns the gate of a directory. The program is that of a file or name, or, where that is "", the stategate
// beside this program, or else the one in PATH.
func New(program, dir string) (*Gate, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is not a directory", dir)
	}
	if program == "" {
		program = beside()
	}
	if program, err = exec.LookPath(program); err != nil {
		return nil,
			fmt.Errorf("cannot find stategate: %w; install it beside this program or in PATH, or specify it with "+
				"--stategate", err)
	}
	// A relative name is one of the directory at hand: the served one may hold another program of that name.
	if program, err = filepath.Abs(program); err != nil {
		return nil, err
	}
	return &Gate{program, dir}, nil
}

// beside is the stategate in the directory of this program, or else its name alone.
func beside() string {
	name := "stategate"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		file := filepath.Join(filepath.Dir(self), name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return name
}

// Version is that of this program.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// A Call is a subcommand with its arguments.
type Call struct {
	Args     []string
	Input    []byte                // standard input
	Progress func(done, total int) // where Args have --progress: called as state directories are finished
}

// Run runs a subcommand and returns what it prints. Exit codes 0 and 1 are answers, any other is an error with what it
// says.
func (g *Gate) Run(ctx context.Context, call Call) ([]byte, error) {
	c := exec.CommandContext(ctx, g.Program, call.Args...)
	c.Dir = g.Dir
	c.WaitDelay = goodbye
	if runtime.GOOS != "windows" {
		c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	}
	stdout, stderr := limited{}, limited{progress: call.Progress}
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(call.Input), &stdout, &stderr
	err := c.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case stdout.over:
		return nil, fmt.Errorf("stategate %s prints more than %d MB; specify a path", call.Args[0], maxOutput>>20)
	case errors.As(err, &exit) && exit.ExitCode() == 1, err == nil:
		return stdout.kept.Bytes(), nil
	case errors.As(err, &exit) && exit.ExitCode() == 3 && stdout.kept.Len() > 0:
		return stdout.kept.Bytes(), nil // what could not be checked is in the answer
	case errors.As(err, &exit):
		return nil, errors.New(strings.TrimSpace(stderr.kept.String()))
	}
	return nil, err
}

// Read runs a subcommand and decodes the JSON that it prints. Texts in it come from files, unsanitized.
func (g *Gate) Read(ctx context.Context, answer any, call Call) error {
	out, err := g.Run(ctx, call)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(out, answer); err != nil {
		return fmt.Errorf("read the answer of stategate %s: %w", call.Args[0], err)
	}
	return nil
}

// Ask is Read for an agent: what a person would not see in a text is replaced.
func (g *Gate) Ask(ctx context.Context, answer any, args ...string) error {
	var all any
	out, err := g.Run(ctx, Call{Args: args})
	if err != nil {
		return err
	}
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
		return Shown(v)
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

// Shown replaces in a text what a reader would not see. Its lines stay.
func Shown(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = print.Safe(lines[i])
	}
	return strings.Join(lines, "\n")
}

// At is the argument that names a path below the directory, none for all of it. It keeps a path from being read as a
// flag, and refuses one that leads out of the directory, by its name or through a symbolic link.
func (g *Gate) At(path string) ([]string, error) {
	if path == "" || path == "." {
		return nil, nil
	}
	local := filepath.FromSlash(path)
	if filepath.IsAbs(local) {
		rel, err := filepath.Rel(g.Dir, local)
		if err != nil {
			return nil, err
		}
		local = rel
	}
	root, err := os.OpenRoot(g.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if _, err := root.Stat(local); err != nil && !errors.Is(err, fs.ErrNotExist) || !filepath.IsLocal(local) {
		return nil, fmt.Errorf("the path %q is not below %s, which is served", path, g.Dir)
	}
	return []string{"--", local}, nil
}

// limited keeps the beginning of what is written, without the lines that report progress.
type limited struct {
	kept     bytes.Buffer // no part of the method set: io.Copy would go past Write
	over     bool
	progress func(done, total int) // nil: there are no such lines
	rest     []byte                // of a line that has not ended
}

func (l *limited) Write(p []byte) (int, error) {
	if l.progress == nil {
		l.keep(p)
		return len(p), nil
	}
	for l.rest = append(l.rest, p...); ; {
		line, rest, ended := bytes.Cut(l.rest, []byte("\n"))
		if !ended {
			return len(p), nil
		}
		l.rest = rest
		var done, total int
		if _, err := fmt.Sscanf(string(line), "%d/%d", &done, &total); err == nil {
			l.progress(done, total)
		} else {
			l.keep(append(bytes.Clone(line), '\n'))
		}
	}
}

func (l *limited) keep(p []byte) {
	if l.over = l.over || l.kept.Len()+len(p) > maxOutput; !l.over {
		l.kept.Write(p)
	}
}
