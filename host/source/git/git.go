// Package git runs the git command in one repository. It never lets git use the network, hooks or a file system
// monitor.
//
// Revisions are resolved once, by Commit. After that, everything refers to objects by id. Errors contain git's
// stderr, limited in length but not sanitized.
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
	"github.com/stategate/stategate/host/shell"
)

// Settings configure how git is run. Environ and Dir come from the caller's process; this package reads neither
// itself.
type Settings struct {
	Program string   // "" means git, found in PATH
	Environ []string // in the format of os.Environ; variables that could redirect git are removed, see Find
	Dir     string   // absolute; relative paths in Environ are relative to it

	Patience time.Duration // how long one git process may run; 0 means one minute
}

// A Repo is one repository. It is safe for concurrent use. Its methods are grouped by subject: which commits
// revisions name, which files the index and commits have, and how the working tree is set up.
type Repo struct {
	*process
	revisions
	listings
	checkout
}

func newRepo(p process) *Repo { return &Repo{&p, revisions{&p}, listings{&p}, checkout{&p}} }

// A process runs git for one repository.
type process struct {
	Top     string // absolute, links resolved: the top of the working tree; the git directory if there is none
	Dir     string // absolute: this working tree's git directory
	Bare    bool   // there is no working tree
	program string
	environ []string

	patience time.Duration
	most     int // maximum bytes that one git process may print
}

// grace is how long a killed git process may keep its pipes open.
const grace = 2 * time.Second

var always = []string{"-c", "core.fsmonitor=false", "-c", "advice.graftFileDeprecated=false", "--no-optional-locks",
	"--no-replace-objects"}

func (r *process) command(ctx context.Context, args ...string) (*exec.Cmd, *tail) {
	cmd := exec.CommandContext(ctx, r.program, append(append([]string{}, always...), args...)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = r.Top, r.environ, grace
	stderr := &tail{}
	cmd.Stderr = stderr
	return cmd, stderr
}

// run returns git's output and its exit status, even if that is not 0. Any other error is a failure.
func (r *process) run(ctx context.Context, args ...string) (out string, status int, err error) {
	limited, cancel := context.WithTimeout(ctx, r.patience)
	defer cancel()
	cmd, stderr := r.command(limited, args...)
	stdout := output{most: r.most}
	cmd.Stdout = &stdout
	if err = cmd.Start(); err == nil {
		limitMemory(cmd.Process.Pid)
		err = cmd.Wait()
	}
	var exit *exec.ExitError
	switch {
	case stdout.exceeded:
		return "", -1,
			fault.Newf(fault.Source, "git %s in %s printed more than %d MiB: look for directories that contain one "+
				"another many times; remove them, or check only a part of the repository", subcommand(args), r.Top,
				r.most>>20)
	case err == nil:
	case ctx.Err() == nil && limited.Err() != nil:
		return "", -1, r.silent(subcommand(args))
	case errors.As(err, &exit) && exit.Exited() && ctx.Err() == nil:
		f := r.failed(subcommand(args), err, stderr)
		if exit.ExitCode() != 1 && subcommand(args) != "version" {
			f.Message += r.outdated(ctx)
		}
		return stdout.String(), exit.ExitCode(), f
	default:
		return "", -1, r.failed(subcommand(args), err, stderr)
	}
	return stdout.String(), 0, nil
}

// unfiltered runs a command that compares files with the index. It disables all filters, because git would run the
// programs that the configuration names for them.
func (r *process) unfiltered(ctx context.Context, args ...string) (string, error) {
	out, status, err := r.run(ctx, "config", "-z", "--name-only", "--get-regexp", `^filter\.`)
	if err != nil && status != 1 {
		return "", err
	}
	var off []string
	for key := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if strings.Contains(key, "=") {
			return "",
				fault.Newf(fault.Source, "the configuration of %s has the filter %q, which stategate cannot disable; "+
					"rename it without the =", r.Top, key)
		}
		if key != "" {
			off = append(off, "-c", key+"=")
		}
	}
	out, _, err = r.run(ctx, append(off, args...)...)
	return out, err
}

// object runs a command that prints one object id. The status is 1 if there is no such object.
func (r *process) object(ctx context.Context, args ...string) (id string, status int, err error) {
	out, status, err := r.run(ctx, args...)
	if id = strings.TrimSuffix(out, "\n"); err == nil && !isID(id) {
		err = r.failed(subcommand(args), fmt.Errorf("printed %.60q, expected an object id", id), &tail{})
	}
	return id, status, err
}

// line runs a command that prints one line. It returns "" if the exit status is 1.
func (r *process) line(ctx context.Context, args ...string) (string, error) {
	out, status, err := r.run(ctx, args...)
	if status == 1 {
		err = nil
	}
	return strings.TrimSuffix(out, "\n"), err
}

// subcommand returns the subcommand in git's arguments, which begin with options of git itself.
func subcommand(args []string) string {
	for i, a := range args {
		if !strings.HasPrefix(a, "-") && (i == 0 || args[i-1] != "-c") {
			return a
		}
	}
	return ""
}

// silent returns the failure for a git process that did not exit in time.
func (r *process) silent(subcommand string) *fault.Failure {
	return fault.Newf(fault.Source,
		"git %s in %s did not finish within %s, so stategate stopped it: look for a named pipe "+
			"in its git directory, or a file system that does not answer", subcommand, r.Top, r.patience)
}

// oldest is the oldest supported version of git: its rev-parse is the first that accepts
// --end-of-options.
var oldest = [2]int{2, 30}

// outdated returns the end of an error message: a hint to upgrade if the installed git is too old.
func (r *process) outdated(ctx context.Context) string {
	text, err := r.line(ctx, "version")
	var major, minor int
	if _, bad := fmt.Sscanf(text, "git version %d.%d", &major, &minor); err != nil || bad != nil ||
		slices.Compare([]int{major, minor}, oldest[:]) >= 0 {
		return ""
	}
	return fmt.Sprintf("; this is git %d.%d: install %d.%d or newer", major, minor, oldest[0], oldest[1])
}

func (r *process) failed(subcommand string, err error, stderr *tail) *fault.Failure {
	f := fault.Newf(fault.Source, "run git %s in %s: %v", subcommand, r.Top, err)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		f.Message = "git is not installed or not in PATH: install it, or check without revisions"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		f.Kind = fault.Cancelled
	}
	f.Stderr = stderr.String()
	if strings.Contains(f.Stderr, "dubious ownership") {
		f.Message += "; the repository belongs to another user: tell git to trust it (git config --global --add " +
			"safe.directory " + shell.Word(r.Top) + ")"
	}
	if strings.Contains(f.Stderr, "lazy fetching disabled") || strings.Contains(f.Stderr, "from promisor remote") {
		f.Message = r.Top + " is a partial clone and lacks needed objects; fetch them: git fetch --refetch --no-filter"
	}
	if strings.Contains(f.Stderr, "must be run in a work tree") {
		f.Message = r.Top + " belongs to a bare repository, which has no working tree; go to one of its working " +
			"trees (git worktree list), or check a commit (--rev REV)"
	}
	return f
}

// maxOutput is the maximum number of bytes that git may print, which is enough for about two million paths. A few
// kilobytes of nested, repeated directories can expand to any number of paths.
const maxOutput = 256 << 20

// output keeps at most a given number of bytes that git prints.
type output struct {
	strings.Builder
	most     int
	exceeded bool
}

func (o *output) Write(p []byte) (int, error) {
	if o.exceeded = o.exceeded || o.Len()+len(p) > o.most; o.exceeded {
		return 0, errTooLarge
	}
	return o.Builder.Write(p)
}

// tail keeps the last bytes that git writes to stderr.
type tail struct{ last []byte }

const maxStderr = 16 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.last = append(t.last, p...)
	if excess := len(t.last) - maxStderr; excess > 0 {
		t.last = append(t.last[:0], t.last[excess:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return strings.TrimSpace(string(t.last)) }

// Installed reports whether the git command is available.
func (r *process) Installed() bool {
	_, err := exec.LookPath(r.program)
	return err == nil
}
