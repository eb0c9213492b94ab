package main

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/wire"
)

const formatMarkdown = "markdown"

type resumeFlags struct {
	lookFlags
	format   string
	budget   int
	run      string
	workflow string
}

func (a *app) resumeCommand() *cobra.Command {
	f := &resumeFlags{}
	c := &cobra.Command{
		Use:   "resume [PATH]",
		Short: "Print the brief for continuing a run",
		Args:  cobra.MaximumNArgs(1),
		RunE:  func(c *cobra.Command, paths []string) error { return a.resume(c, f, paths) },
	}
	f.register(a, c)
	c.Flags().StringVar(&f.format, "format", formatText, "print as `FORMAT`: text, json, markdown")
	c.Flags().IntVar(&f.budget, "budget", 0, "in Markdown, leave out what matters least until the brief has `N` "+
		"tokens (about four characters each), if that is possible; 0 for any number")
	c.Flags().StringVar(&f.run, "run", "", "continue the run `NAME`, where a root holds several")
	c.Flags().StringVar(&f.workflow, "workflow", "", "continue a run of the workflow `NAME`")
	c.ValidArgsFunction = inOrder(c.ValidArgsFunction)
	return c
}

func (a *app) resume(c *cobra.Command, f *resumeFlags, paths []string) error {
	if err := oneFormat(f.format, formatText, formatJSON, formatMarkdown); err != nil {
		return err
	}
	if err := refuseEmpty(c, "run", "workflow"); err != nil {
		return err
	}
	if f.budget < 0 || f.budget > 0 && f.format != formatMarkdown {
		return usagef("--budget %d: give a number of tokens, with --format markdown", f.budget)
	}
	o, p, err := a.options(c, &f.lookFlags, paths)
	if err != nil {
		return err
	}
	if err := knownWorkflow(f.workflow, p); err != nil {
		return err
	}
	r, err := a.look(c.Context(), o, f.noCache)
	if err != nil {
		return err
	}
	x, err := a.resumption(r, f, paths)
	if err != nil {
		return err
	}
	if f.format == formatMarkdown {
		a.dated(c.Context(), r, x, o.Now)
	}
	a.code = resumeCode(x)
	how := a.printing(a.stdout)
	how.FailOn, how.Budget = f.closes(), f.budget
	return a.printed(resumePrinters[f.format](a.stdout, x, how))
}

// dated adds to the brief of a run when it was touched, and on which branch.
func (a *app) dated(ctx context.Context, r *result.Result, x *print.Resumption, now time.Time) {
	if x.Run == nil {
		return
	}
	a.touched(ctx, r, []result.Run{x.Run.Run}, now, touchPatience)
	x.Now = now
	if repo := git.Find(r.Workspace, git.Settings{Environ: a.env.all, Dir: a.env.dir}); repo != nil {
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

func (a *app) resumption(r *result.Result, f *resumeFlags, paths []string) (*print.Resumption, error) {
	x := &print.Resumption{Failures: r.Failures}
	if !a.isHere(r.Workspace) {
		x.Workspace = r.Workspace
	}
	all := meantBy(r.Runs(), a.anchored(r.Workspace, paths), len(paths) > 0)
	all = slices.DeleteFunc(all, func(run result.Run) bool {
		return f.workflow != "" &&
			run.Instance.Plugin != f.workflow
	})
	choices := runCommands(a.call(&f.lookFlags, paths), all, r.Workspace)
	if f.run != "" {
		return x, f.named(x, choices)
	}
	for _, c := range choices {
		if c.InProgress() {
			x.Choices = append(x.Choices, c)
		} else {
			x.Over = append(x.Over, c)
		}
	}
	x.Hidden = hidden(r)
	if len(x.Choices) == 1 && certain(x.Choices[0].Run, r.Failures) {
		chosen(x, x.Choices[0])
	}
	return x, nil
}

var resumePrinters = map[string]func(io.Writer, *print.Resumption, print.Options) error{
	formatText: print.ResumeText, formatJSON: print.ResumeJSON, formatMarkdown: print.ResumeMarkdown,
}

func chosen(x *print.Resumption, c print.RunOption) {
	x.Run, x.Choices, x.Over = &c, nil, nil
}

func knownWorkflow(name string, p *plugins) error {
	if name == "" || slices.Contains(pluginNames(p.list), name) || len(p.failures) > 0 {
		return nil
	}
	return usagef("--workflow %q is not a workflow of any plugin; %s", name, oneOf(name, pluginNames(p.list)))
}

// named finds the run that --run means. Over or not: who names a run gets its brief.
func (f *resumeFlags) named(x *print.Resumption, choices []print.RunOption) error {
	var found []print.RunOption
	var names []string
	for _, c := range choices {
		if f.run == c.Name() || c.Self != nil && f.run == c.Self.Subject {
			found = append(found, c)
		}
		names = append(names, c.Name())
	}
	switch {
	case len(found) == 1:
		chosen(x, found[0])
		return nil
	case len(found) > 1:
		x.Choices = found
		return nil
	case len(x.Failures) > 0:
		return nil // it may be what could not be checked
	}
	slices.Sort(names)
	return usagef("--run %q is not the name of a run here; %s", f.run, oneOf(f.run, slices.Compact(names)))
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

// anchored returns what the caller asked about, slash-separated below the workspace; "" if that cannot be said.
func (a *app) anchored(workspace string, paths []string) string {
	path := "."
	if len(paths) > 0 {
		path = paths[0]
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.env.dir, path)
	}
	rel, err := filepath.Rel(workspace, git.Resolved(path))
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

func (a *app) isHere(workspace string) bool { return git.Resolved(a.env.dir) == workspace }

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
