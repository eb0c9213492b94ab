// Package git asks the git command about one repository and never lets it ask anything of the network, of hooks or of
// a file system monitor.
//
// Revisions are resolved once, by Commit; everything afterwards names objects by id. What git prints to stderr comes
// along in errors, bounded but not sanitised.
package git

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/stategate/stategate/host/fault"
)

// Settings are how git is run. Environ and Dir are those of the caller's process: this package reads neither itself.
type Settings struct {
	Program string   // "" is git, looked up in PATH
	Environ []string // as os.Environ gives it; what could send git elsewhere is taken out, see Find
	Dir     string   // absolute; what relative names in Environ are relative to
}

// A Repo is one repository. It is safe for concurrent use.
type Repo struct {
	Top     string // absolute, links resolved: the top of the work tree; the git directory if there is none
	Dir     string // absolute: the git directory of this work tree
	Bare    bool   // there is no work tree
	program string
	environ []string
}

// grace is how long a git that was killed may keep its pipes open.
const grace = 2 * time.Second

var always = []string{"-c", "core.fsmonitor=false", "-c", "protocol.allow=never", "--no-optional-locks", "--no-replace-objects"}

func (r *Repo) command(ctx context.Context, args ...string) (*exec.Cmd, *tail) {
	cmd := exec.CommandContext(ctx, r.program, append(append([]string{}, always...), args...)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = r.Top, r.environ, grace
	stderr := &tail{}
	cmd.Stderr = stderr
	return cmd, stderr
}

// run returns what git prints, and its exit status if it is not 0. Any other error is a failure.
func (r *Repo) run(ctx context.Context, args ...string) (out string, status int, err error) {
	cmd, stderr := r.command(ctx, args...)
	var stdout strings.Builder
	cmd.Stdout = &stdout
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() && ctx.Err() == nil {
		return stdout.String(), exit.ExitCode(), r.failed(subcommand(args), err, stderr)
	}
	if err != nil {
		return "", -1, r.failed(subcommand(args), err, stderr)
	}
	return stdout.String(), 0, nil
}

// object runs a command that prints one object id. The status is 1 if there is no such object.
func (r *Repo) object(ctx context.Context, args ...string) (id string, status int, err error) {
	out, status, err := r.run(ctx, args...)
	if id = strings.TrimSuffix(out, "\n"); err == nil && !isID(id) {
		err = r.failed(subcommand(args), fmt.Errorf("printed %.60q, want an object id", id), &tail{})
	}
	return id, status, err
}

// line runs a command that prints one line. An exit status of 1 stands for nothing.
func (r *Repo) line(ctx context.Context, args ...string) (string, error) {
	out, status, err := r.run(ctx, args...)
	if status == 1 {
		err = nil
	}
	return strings.TrimSuffix(out, "\n"), err
}

// subcommand returns the subcommand among the arguments of git, of which options of git itself come first.
func subcommand(args []string) string {
	i := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") })
	return args[max(i, 0)]
}

func (r *Repo) failed(subcommand string, err error, stderr *tail) *fault.Failure {
	f := fault.Newf(fault.Source, "run git %s in %s: %v", subcommand, r.Top, err)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		f.Message = "git is not installed or not in PATH: install it, or check without revisions"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		f.Kind = fault.Cancelled
	}
	f.Stderr = stderr.String()
	if strings.Contains(f.Stderr, "dubious ownership") {
		f.Message += "; the repository belongs to another user: tell git to trust it (git config --global --add safe.directory " + r.Top + ")"
	}
	if strings.Contains(f.Stderr, "must be run in a work tree") {
		f.Message = r.Top + " belongs to a bare repository, which has no work tree: go to a work tree of it (git worktree list), or check a commit (--rev REV)"
	}
	return f
}

// tail keeps the last bytes of what git writes to stderr.
type tail struct{ kept []byte }

const maxStderr = 16 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - maxStderr; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return strings.TrimSpace(string(t.kept)) }

// Installed reports whether the git command is there.
func (r *Repo) Installed() bool {
	_, err := exec.LookPath(r.program)
	return err == nil
}
