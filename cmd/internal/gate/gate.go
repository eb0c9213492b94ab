// Package gate runs stategate for the programs that serve it to agents and editors. These programs keep no state: they
// pass on what stategate reports about the current files.
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

// goodbye is how long a cancelled stategate may take to exit before it is killed.
const goodbye = 3 * time.Second

// maxOutput limits the output that is kept from each stream of a call, in bytes.
const maxOutput = 64 << 20

// New returns the gate for a directory. The program is a file or a name; "" means the stategate next to this program,
// or the one in PATH if there is none.
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
			fmt.Errorf("cannot find stategate: %w; install it next to this program or in PATH, or specify it with "+
				"--stategate", err)
	}
	// A relative name is relative to the current directory: the served directory may contain another program of
	// that name.
	if program, err = filepath.Abs(program); err != nil {
		return nil, err
	}
	return &Gate{program, dir}, nil
}

// beside returns the path of the stategate in this program's directory, or only its name if there is none.
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

// Version returns the version of this program.
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
	Progress func(done, total int) // called for each finished state directory if Args include --progress
}

// Run runs a subcommand and returns its standard output. Exit codes 0 and 1, and 3 with output, are answers. For any
// other code, the error contains the text from stderr.
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
		return nil, fmt.Errorf("stategate %s printed more than %d MB; specify a path", call.Args[0], maxOutput>>20)
	case errors.As(err, &exit) && exit.ExitCode() == 1, err == nil:
		return stdout.kept.Bytes(), nil
	case errors.As(err, &exit) && exit.ExitCode() == 3 && stdout.kept.Len() > 0:
		return stdout.kept.Bytes(), nil // the answer lists what could not be checked
	case errors.As(err, &exit):
		return nil, errors.New(strings.TrimSpace(stderr.kept.String()))
	}
	return nil, err
}

// Read runs a subcommand and decodes its JSON output. Strings in it may come from files and are not sanitized.
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

// Ask is Read for an agent: it replaces invisible characters in strings.
func (g *Gate) Ask(ctx context.Context, answer any, args ...string) error {
	var all any
	if err := g.Read(ctx, &all, Call{Args: args}); err != nil {
		return err
	}
	out, err := json.Marshal(shown(all))
	if err != nil {
		return err
	}
	return json.Unmarshal(out, answer)
}

// shown replaces invisible characters in all strings of a JSON value, because an agent would read what a person
// cannot see.
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

// Shown replaces invisible characters in a text. It keeps line breaks.
func Shown(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = print.Safe(lines[i])
	}
	return strings.Join(lines, "\n")
}

// At returns the arguments for a path below the directory, or none for the whole directory. It prevents a path from
// being read as a flag. It rejects a path that leads out of the directory, by its name or through a symbolic link.
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
		return nil, fmt.Errorf("the path %q is not below the served directory %s", path, g.Dir)
	}
	return []string{"--", local}, nil
}

// limited keeps what is written, up to maxOutput, without the lines that report progress.
type limited struct {
	kept     bytes.Buffer // not embedded: io.Copy would bypass Write
	over     bool
	progress func(done, total int) // nil if no line reports progress
	rest     []byte                // of an incomplete line
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
