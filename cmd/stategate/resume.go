package main

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/sdk/wire"
)

const formatMarkdown = "markdown"

var resumeFormats = []string{formatText, formatJSON, formatMarkdown}

type resumeFlags struct {
	examineFlags
	format   string
	budget   int
	run      string
	workflow string
}

func resumeCommand(a *app) *cobra.Command {
	f := &resumeFlags{format: formatText}
	c := &cobra.Command{
		Use:   "resume [PATH]",
		Short: "Print the brief for continuing a run",
		Args:  cobra.MaximumNArgs(1),
		RunE:  func(c *cobra.Command, paths []string) error { return resume(c.Context(), a, f, paths) },
	}
	f.register(a, c, worktreeOnly)
	addChoice(c, whatIsShown, &f.format, "format", "print as `FORMAT`: %s", resumeFormats)
	addFlag(c, otherFlags, &f.budget, "budget", "in Markdown, leave out what matters least until the brief has `N` "+
		"tokens (about four characters each), if that is possible; 0 for any number")
	addFlag(c, whatIsShown, &f.workflow, "workflow", "continue a run of the workflow `NAME`").filled().
		completed(workflowWords(a, noFiles))
	addFlag(c, whatIsShown, &f.run, "run", "continue the run `NAME`, where a root holds several").filled()
	c.ValidArgsFunction = inOrder(c.ValidArgsFunction)
	return c
}

func resume(ctx context.Context, a *app, f *resumeFlags, paths []string) error {
	if err := oneFormat(f.format, resumeFormats...); err != nil {
		return err
	}
	if f.budget < 0 || f.budget > 0 && f.format != formatMarkdown {
		return usagef("--budget %d: give a number of tokens, with --format markdown", f.budget)
	}
	q, err := f.request(ctx, a, paths)
	if err != nil {
		return err
	}
	if err := q.plugins.refuseUnknownWorkflow(f.workflow); err != nil {
		return err
	}
	r, err := examine(ctx, a, q)
	if err != nil {
		return err
	}
	x, err := resumption(a, r, f.call(a, paths), f.workflow, f.run)
	if err != nil {
		return err
	}
	if f.format == formatMarkdown {
		addDate(ctx, a, r, x, q.Now)
	}
	how := a.printing(a.stdout)
	how.FailOn, how.Budget = q.settings.closes(), f.budget
	if err := printed(resumePrinters[f.format](a.stdout, x, how)); err != nil {
		return err
	}
	return exit(resumeCode(x))
}

// addDate adds to the brief of a run when it was touched, and on which branch.
func addDate(ctx context.Context, a *app, r *result.Result, x *print.Resumption, now time.Time) {
	if x.Run == nil {
		return
	}
	findTouched(ctx, a, r, []result.Run{x.Run.Run}, now, touchPatience)
	x.Now = now
	if repo := a.repository(r.Workspace); repo != nil {
		x.Branch = repo.Branch(ctx)
	}
}

// resumeCode is 3 if something could not be checked, and 1 if a run must be
// named or an error hides whether there is one.
func resumeCode(x *print.Resumption) int {
	switch {
	case len(x.Failures) > 0:
		return exitBroken
	case x.Run == nil && len(x.Choices)+len(x.Hidden) > 0:
		return exitClosed
	}
	return exitOpen
}

// resumption chooses the run that a call means: of a workflow and by its name, each "" for any.
func resumption(a *app, r *result.Result, call *advice.Call, workflow, run string) (*print.Resumption, error) {
	x := &print.Resumption{Failures: r.Failures}
	if !a.startedAt(r.Workspace) {
		x.Workspace = r.Workspace
	}
	all := meantBy(r.Runs(), askedAbout(a, r.Workspace, call.Paths), len(call.Paths) > 0)
	all = slices.DeleteFunc(all, func(r result.Run) bool { return workflow != "" && r.Instance.Plugin != workflow })
	options := runOptions(call, all, r.Workspace)
	if run != "" {
		return x, chooseNamed(x, run, options)
	}
	for _, c := range options {
		if c.InProgress() {
			x.Choices = append(x.Choices, c)
		} else {
			x.Over = append(x.Over, c)
		}
	}
	x.Hidden = hidden(r)
	if len(x.Choices) == 1 && certain(x.Choices[0].Run, r.Failures) {
		chooseRun(x, x.Choices[0])
	}
	return x, nil
}

// runOptions gives each run the commands that speak of it alone.
func runOptions(call *advice.Call, runs []result.Run, workspace string) []print.RunOption {
	list := make([]print.RunOption, len(runs))
	for i, run := range runs {
		list[i].Run = run
		list[i].Resume, list[i].Recover, list[i].Check = call.OfRun(runs, i, workspace)
	}
	return list
}

var resumePrinters = map[string]func(io.Writer, *print.Resumption, print.Options) error{
	formatText: print.ResumeText, formatJSON: print.ResumeJSON, formatMarkdown: print.ResumeMarkdown,
}

func chooseRun(x *print.Resumption, c print.RunOption) {
	x.Run, x.Choices, x.Over = &c, nil, nil
}

// chooseNamed finds the run that --run means. Over or not: who names a run gets its brief.
func chooseNamed(x *print.Resumption, name string, choices []print.RunOption) error {
	var found []print.RunOption
	var names []string
	for _, c := range choices {
		if name == c.Name() || c.Self != nil && name == c.Self.Subject {
			found = append(found, c)
		}
		names = append(names, c.Name())
	}
	switch {
	case len(found) == 1:
		chooseRun(x, found[0])
		return nil
	case len(found) > 1:
		x.Choices = found
		return nil
	case len(x.Failures) > 0:
		return nil // it may be what could not be checked
	}
	slices.Sort(names)
	return usagef("--run %q is not the name of a run here; %s", name, suggest.OneOf(name, slices.Compact(names)))
}

// meantBy keeps the runs that a PATH means. At is the PATH below the workspace.
//
//   - Named by the caller, it may be the root of an instance: that one is meant.
//   - Else it holds instances: those are meant, not one that lies around it.
//   - Else it lies in instances: the innermost is meant.
func meantBy(runs []result.Run, at string, named bool) []result.Run {
	if at == "" {
		return runs
	}
	innermost := "."
	for _, r := range runs {
		if root := r.Instance.Root; slashpath.Holds(root, at) && slashpath.Holds(innermost, root) {
			innermost = root
		}
	}
	var list []result.Run
	for _, meant := range []func(root string) bool{
		func(root string) bool { return named && root == at },
		func(root string) bool { return slashpath.Holds(at, root) },
		func(root string) bool { return root == innermost },
	} {
		for _, r := range runs {
			if meant(r.Instance.Root) {
				list = append(list, r)
			}
		}
		if len(list) > 0 {
			break
		}
	}
	return list
}

// askedAbout returns what the caller asked about, slash-separated below the workspace; "" if that cannot be said.
func askedAbout(a *app, workspace string, paths []string) string {
	path := "."
	if len(paths) > 0 {
		path = paths[0]
	}
	rel, err := filepath.Rel(workspace, git.Resolved(a.absolute(path)))
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// certain reports whether a run is the only one in progress although something
// could not be checked: then it is what the failures are about.
func certain(run result.Run, failures []result.Failure) bool {
	return !slices.ContainsFunc(failures, func(f result.Failure) bool {
		return f.Plugin != run.Instance.Plugin || f.Root != run.Instance.Root
	})
}

// hidden are the errors of instances in which no run was found: a symbolic link or a
// repository of its own where state belongs may hide one.
func hidden(r *result.Result) []result.Diagnostic {
	var list []result.Diagnostic
	for _, i := range r.Instances {
		if len(i.Detections) > 0 {
			continue
		}
		for _, d := range i.Diagnostics {
			if d.Severity >= wire.Error {
				list = append(list, d)
			}
		}
	}
	return list
}
