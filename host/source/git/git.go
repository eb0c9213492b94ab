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
	"io/fs"
	"os/exec"
	"path/filepath"
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

	Patience time.Duration // how long one git may say nothing, 0 for a minute
}

// A Repo is one repository. It is safe for concurrent use.
type Repo struct {
	Top     string // absolute, links resolved: the top of the work tree; the git directory if there is none
	Dir     string // absolute: the git directory of this work tree
	Bare    bool   // there is no work tree
	program string
	environ []string

	patience time.Duration
	most     int // bytes that one git may print
}

// grace is how long a git that was killed may keep its pipes open.
const grace = 2 * time.Second

var always = []string{"-c", "core.fsmonitor=false", "--no-optional-locks", "--no-replace-objects"}

func (r *Repo) command(ctx context.Context, args ...string) (*exec.Cmd, *tail) {
	cmd := exec.CommandContext(ctx, r.program, append(append([]string{}, always...), args...)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = r.Top, r.environ, grace
	stderr := &tail{}
	cmd.Stderr = stderr
	return cmd, stderr
}

// run returns what git prints, and its exit status if it is not 0. Any other error is a failure.
func (r *Repo) run(ctx context.Context, args ...string) (out string, status int, err error) {
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
			fault.Newf(fault.Source, "git %s in %s printed more than %d MiB: look for directories that hold one "+
				"another many times over, and check a part of it, or take them out", subcommand(args), r.Top,
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

// unfiltered runs a command that compares files with the index, and turns off the filters for which git would start
// what the configuration names.
func (r *Repo) unfiltered(ctx context.Context, args ...string) (string, error) {
	out, status, err := r.run(ctx, "config", "-z", "--name-only", "--get-regexp", `^filter\.`)
	if err != nil && status != 1 {
		return "", err
	}
	var off []string
	for key := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if strings.Contains(key, "=") {
			return "",
				fault.Newf(fault.Source, "the configuration of %s has the filter %q, which cannot be turned off: "+
					"name it without =", r.Top, key)
		}
		if key != "" {
			off = append(off, "-c", key+"=")
		}
	}
	out, _, err = r.run(ctx, append(off, args...)...)
	return out, err
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
	for i, a := range args {
		if !strings.HasPrefix(a, "-") && (i == 0 || args[i-1] != "-c") {
			return a
		}
	}
	return ""
}

// silent says that a git did not end by itself.
func (r *Repo) silent(subcommand string) *fault.Failure {
	return fault.Newf(fault.Source, "git %s in %s did not finish within %s, so it was ended: look for a named pipe "+
		"in its git directory, or a file system that does not answer", subcommand, r.Top, r.patience)
}

// oldest is the first version of git whose rev-parse takes --end-of-options.
var oldest = [2]int{2, 30}

// outdated says that what failed did so under a git that is not supported.
func (r *Repo) outdated(ctx context.Context) string {
	text, err := r.line(ctx, "version")
	var major, minor int
	if _, bad := fmt.Sscanf(text, "git version %d.%d", &major, &minor); err != nil || bad != nil ||
		slices.Compare([]int{major, minor}, oldest[:]) >= 0 {
		return ""
	}
	return fmt.Sprintf("; this is git %d.%d: install %d.%d or newer", major, minor, oldest[0], oldest[1])
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
		f.Message += "; the repository belongs to another user: tell git to trust it (git config --global --add " +
			"safe.directory " + r.Top + ")"
	}
	if strings.Contains(f.Stderr, "must be run in a work tree") {
		f.Message = r.Top + " belongs to a bare repository, which has no work tree: go to a work tree of it (git " +
			"worktree list), or check a commit (--rev REV)"
	}
	return f
}

// maxOutput is how much git may print, in bytes: some two million paths. A few kilobytes of directories that hold one
// another are any number of paths.
const maxOutput = 256 << 20

// output keeps what git prints, up to a number of bytes.
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

// tail keeps the last bytes of what git writes to stderr.
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

// Installed reports whether the git command is there.
func (r *Repo) Installed() bool {
	_, err := exec.LookPath(r.program)
	return err == nil
}

// Commit returns the object id of the commit that a revision names. A revision that names none is a *fault.UsageError,
// but a failure if the clone is shallow and may lack it; anything else that goes wrong is a failure of kind source.
func (r *Repo) Commit(ctx context.Context, revision string) (string, error) {
	if revision == "" || strings.ContainsRune(revision, 0) {
		return "", fault.Usagef("%q is not a valid revision: name a commit, branch or tag", revision)
	}
	id, status, err := r.object(ctx, "rev-parse", "--verify", "-q", "--end-of-options", revision+"^{commit}")
	if status != 1 {
		return id, err
	}
	if r.shallow(ctx) {
		return "", r.tooShallow(fmt.Sprintf("revision %q", revision))
	}
	return "", fault.Usagef("revision %q names no commit of %s: see git log --all, or fetch it", revision, r.Top)
}

// Switch returns what git switch takes to check out the commit that a revision names:
// the branch of that name, or the commit itself; nothing if it is HEAD.
func (r *Repo) Switch(ctx context.Context, revision, id string) []string {
	heads, err := r.Heads(ctx)
	if err == nil && len(heads) > 0 && heads[0] == id {
		return nil
	}
	if !strings.HasPrefix(revision, "-") {
		if _, _, err := r.run(ctx, "show-ref", "--verify", "-q", "refs/heads/"+revision); err == nil {
			return []string{revision}
		}
	}
	return []string{"--detach", id[:min(len(id), 12)]}
}

// Unambiguous refuses a name that is that of a tag and of a branch, say: git takes the tag, and who may push tags
// would choose. Object ids and what is more than a name pass.
func (r *Repo) Unambiguous(ctx context.Context, revision string) error {
	if isID(revision) || strings.ContainsAny(revision, "^~:@{*?[\\ ") || strings.HasPrefix(revision, "refs/") ||
		strings.HasPrefix(revision, "-") {
		return nil
	}
	out, _, err := r.run(ctx, "for-each-ref", "--format=%(refname)", "refs/tags/"+revision, "refs/heads/"+revision,
		"refs/remotes/"+revision)
	if err != nil {
		return err
	}
	var names []string
	for name := range strings.Lines(out) {
		// a directory of refs lists what is in it
		if name = strings.TrimSuffix(name, "\n"); strings.HasSuffix(name, "/"+revision) {
			names = append(names, name)
		}
	}
	if len(names) > 1 {
		return fault.Usagef("revision %q is ambiguous, it is %s: write the whole name", revision,
			strings.Join(names, " and "))
	}
	return nil
}

// A Ref is a name of a commit.
type Ref struct {
	Name string // short, as people write it
	Kind string // branch, tag or remote branch
}

// Refs returns the branches and tags of the repository, sorted by their full names; at most so many.
func (r *Repo) Refs(ctx context.Context, most int) ([]Ref, error) {
	out, _, err := r.run(ctx, "for-each-ref", "--format=%(refname) %(refname:short)", fmt.Sprintf("--count=%d", most),
		"refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return nil, err
	}
	kinds := map[string]string{"heads": "branch", "tags": "tag", "remotes": "remote branch"}
	var list []Ref
	for line := range strings.Lines(out) {
		full, short, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		parts := strings.SplitN(full, "/", 3)
		if ok && len(parts) == 3 && !strings.HasSuffix(full, "/HEAD") {
			list = append(list, Ref{short, kinds[parts[1]]})
		}
	}
	return list, nil
}

func isID(s string) bool {
	return longAsID(s) && strings.Trim(s, "0123456789abcdef") == ""
}

// Heads returns the commits that the next one will come from: HEAD, and what is being merged into it. Before the first
// commit there are none.
func (r *Repo) Heads(ctx context.Context) ([]string, error) {
	head, status, err := r.object(ctx, "rev-parse", "--verify", "-q", "HEAD^{commit}")
	if status == 1 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	merged, err := r.merged()
	for _, id := range merged {
		if !isID(id) {
			err = fault.Newf(fault.Source, "read MERGE_HEAD of %s: found %.60q, want an object id: see git status",
				r.Top, id)
		}
	}
	return append([]string{head}, merged...), err
}

// merged reads MERGE_HEAD, of which rev-parse prints the first line only.
func (r *Repo) merged() ([]string, error) {
	text, err := readStart(filepath.Join(r.Dir, "MERGE_HEAD"), 1<<20)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Newf(fault.IO, "read what is being merged into %s: %v", r.Top, err)
	}
	return strings.Fields(string(text)), nil
}

// MergeBase returns the best commit that two come from. If there is none, a shallow clone is a failure and any other a
// *fault.UsageError.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	ids, err := r.MergeBases(ctx, a, b)
	if err == nil && len(ids) == 0 {
		err = fault.Usagef("commits %.12s and %.12s have no common history: name another base", a, b)
	}
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

// MergeBases returns the best commits that two come from, none if their histories have nothing in common. In a shallow
// clone that is a failure, because it is not known.
func (r *Repo) MergeBases(ctx context.Context, a, b string) ([]string, error) {
	if !isID(a) || !isID(b) {
		return nil, fmt.Errorf("find what %.60q and %.60q come from: not object ids", a, b)
	}
	out, status, err := r.run(ctx, "merge-base", "--all", a, b)
	switch {
	case status == 1 && r.shallow(ctx):
		return nil, r.tooShallow(fmt.Sprintf("the merge base of commits %.12s and %.12s", a, b))
	case status == 1:
		return nil, nil
	}
	ids := strings.Fields(out)
	if err == nil && (len(ids) == 0 || slices.ContainsFunc(ids, func(id string) bool { return !isID(id) })) {
		err = r.failed("merge-base", fmt.Errorf("printed %.60q, want object ids", out), &tail{})
	}
	return ids, err
}

// Lacks returns why a commit that another one names cannot be read: that the clone is shallow, or else the error.
func (r *Repo) Lacks(ctx context.Context, id string, err error) error {
	if _, _, missing := r.run(ctx, "cat-file", "-e", id); missing != nil && r.shallow(ctx) {
		return r.tooShallow(fmt.Sprintf("commit %.12s", id))
	}
	return err
}

func (r *Repo) shallow(ctx context.Context) bool {
	is, _ := r.line(ctx, "rev-parse", "--is-shallow-repository")
	return is == "true"
}

func (r *Repo) tooShallow(what string) *fault.Failure {
	return fault.Newf(fault.Source, "%s is not in %s, which is a shallow clone, so nothing can be compared with it: "+
		"fetch more (git fetch --unshallow; in CI fetch-depth: 0 or GIT_DEPTH: 0)", what, r.Top)
}
