package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/source/git"
)

//go:embed templates/stategate.yaml
var configTemplate string

//go:embed templates/pre-receive.sh
var preReceiveTemplate string

// The values of --hook and --ci. The empty value means: find out.
const (
	hookPreCommit = "pre-commit"
	hookGit       = "git"
	hookLefthook  = "lefthook"
	ciGitHub      = "github"
	ciGitLab      = "gitlab"
	setUpNone     = "none"
)

type initFlags struct {
	hook, ci string
	dryRun   bool
}

func (a *app) initVerb() *cobra.Command {
	f := &initFlags{}
	c := &cobra.Command{
		Use:   "init",
		Short: "Set the gate up: configuration, hook, CI job",
		Long: `init writes .stategate.yaml, a hook and a CI job for the repository that holds
the current directory. It detects what the repository already uses: pre-commit,
lefthook or plain git; GitHub Actions or GitLab. Existing files are added
to, never replaced; running it twice changes nothing. It reports what it does not
recognise, with the flag that decides it.

Exit codes: 0; 1 a file or a hook tool that is there needs a change by hand;
2 the call is wrong; 3 a file could not be read or written.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.init(c.Context(), f) },
	}
	c.Flags().StringVar(&f.hook, "hook", "", "set up this `HOOK`: pre-commit, git, lefthook, none (default: what the repository uses)")
	c.Flags().StringVar(&f.ci, "ci", "", "set up this `CI`: github, gitlab, none (default: what the repository uses)")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "show what would be written")
	completeWords(c, "hook", hookPreCommit, hookGit, hookLefthook, setUpNone)
	completeWords(c, "ci", ciGitHub, ciGitLab, setUpNone)
	return c
}

func (a *app) init(ctx context.Context, f *initFlags) error {
	if err := oneValue("hook", f.hook, hookPreCommit, hookGit, hookLefthook, setUpNone); err != nil {
		return err
	}
	if err := oneValue("ci", f.ci, ciGitHub, ciGitLab, setUpNone); err != nil {
		return err
	}
	i := &initializer{ctx: ctx, top: a.env.dir}
	i.dry, i.version = f.dryRun, release(version())
	i.repo = git.Find(a.env.dir, git.Settings{Environ: a.env.all, Dir: a.env.dir})
	switch {
	case i.repo != nil && i.repo.Bare:
		return a.refuseBare(i.repo)
	case i.repo != nil:
		i.top = i.repo.Top
	case f.hook == hookGit:
		return usagef("--hook git: %s is in no git repository; run git init first", a.env.dir)
	}
	if err := i.plan(f); err != nil {
		return err
	}
	if names := i.tracked(); i.repo != nil && len(names) > 0 {
		i.next = append(i.next, a.gitAdd(i.top, names)+" (a hook reads what is staged or committed)")
	}
	i.next = append(i.next, "stategate check (--write-baseline accepts existing findings)")
	return a.setUp(&i.setup)
}

// refuseBare sends whoever would set up a bare repository to a clone, and prints the hook that gates what is pushed to it.
func (a *app) refuseBare(repo *git.Repo) error {
	if _, err := io.WriteString(a.stdout, preReceiveTemplate); err != nil {
		return a.printed(err)
	}
	return usagef("%s is a bare repository, which has no work tree to set up: run stategate init in a clone; to gate what is pushed here, make the script on standard output hooks/pre-receive, executable", repo.Top)
}

func oneValue(flag, value string, all ...string) error {
	if slices.Contains(append(all, ""), value) {
		return nil
	}
	return usagef("--%s %q is not known; available: %s", flag, value, strings.Join(all, ", "))
}

// release returns a version that a tag of that name has, "" for any other: a
// version made up from a commit, or of a tree with changes.
func release(version string) string {
	number, pre, tagged := strings.Cut(strings.TrimPrefix(version, "v"), "-")
	parts := strings.Split(number, ".")
	if !strings.HasPrefix(version, "v") || len(parts) != 3 || strings.Contains(version, "+") {
		return ""
	}
	for _, p := range parts {
		if p == "" || strings.Trim(p, "0123456789") != "" {
			return ""
		}
	}
	if tagged && (pre == "" || pre[0] < 'a' || pre[0] > 'z') {
		return ""
	}
	return version
}

// An initializer plans one run of init.
type initializer struct {
	setup
	ctx  context.Context
	top  string    // absolute: of the repository, or the current directory
	repo *git.Repo // nil outside
}

func (i *initializer) plan(f *initFlags) error {
	if err := i.configuration(); err != nil {
		return err
	}
	hook, err := i.hookKind(f.hook)
	if err != nil {
		return err
	}
	ci, err := i.ciKind(f.ci)
	if err != nil {
		return err
	}
	if err := i.hook(hook); err != nil {
		return err
	}
	return i.ci(ci)
}

// tracked are the files of the work tree that are going to be written.
func (i *initializer) tracked() (names []string) {
	for _, w := range i.writes {
		if w.dir == i.top {
			names = append(names, w.name)
		}
	}
	return names
}

func (i *initializer) configuration() error {
	name, text, err := i.first(".stategate.yaml", ".stategate.yml")
	if err != nil {
		return err
	}
	if text != nil {
		i.same = append(i.same, name)
		return nil
	}
	i.create(".stategate.yaml", configTemplate, 0o644)
	return nil
}

// create plans a new file of the work tree.
func (i *initializer) create(name, text string, mode fs.FileMode) {
	i.writes = append(i.writes, fileWrite{dir: i.top, name: name, shown: name, after: []byte(text), mode: mode})
}

// first returns the first of several files that exists, and its text; "" and nil for none.
func (i *initializer) first(names ...string) (string, []byte, error) {
	for _, name := range names {
		text, _, err := read(i.top, name)
		if err != nil {
			return name, nil, brokenf("read %s: %v", name, err)
		}
		if text != nil {
			return name, text, nil
		}
	}
	return "", nil, nil
}

// setUp writes what is planned, says what it wrote and what is left to do.
func (a *app) setUp(s *setup) error {
	if len(s.asks) > 0 {
		a.code = exitClosed
	}
	if s.dry {
		how := print.Options{Color: a.env.color(a.stdout)}
		if err := print.Diff(a.stdout, s.changes(), how); err != nil {
			return a.printed(err)
		}
	} else if err := s.apply(); err != nil {
		return err
	}
	var lines []string
	for _, w := range s.writes {
		lines = append(lines, wroteLine(w, s.dry))
	}
	for _, name := range s.same {
		lines = append(lines, "unchanged "+name)
	}
	for _, ask := range s.asks {
		lines = append(lines, "left to you: "+ask)
	}
	for _, note := range s.notes {
		lines = append(lines, "note: "+note)
	}
	for _, next := range s.next {
		lines = append(lines, "next: "+next)
	}
	var err error
	for _, line := range lines {
		err = errors.Join(err, print.Lines(a.stdout, "", "    ", line))
	}
	return a.printed(err)
}

func wroteLine(w fileWrite, dry bool) string {
	verb := "wrote"
	if dry {
		verb = "would write"
	}
	if w.before != nil {
		return fmt.Sprintf("%s %s: added %s", verb, w.shown, w.added)
	}
	return verb + " " + w.shown
}
