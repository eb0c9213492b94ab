package main

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/git"
)

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
	resumeFormats.flag(c, &f.format)
	c.Flags().IntVar(&f.budget, "budget", 0, "in Markdown, leave out what matters least until the brief has `N` "+
		"tokens (about four characters each), if that is possible; 0 for any number")
	c.Flags().StringVar(&f.run, "run", "", "continue the run `NAME`, where a root holds several")
	c.Flags().StringVar(&f.workflow, "workflow", "", "continue a run of the workflow `NAME`")
	c.ValidArgsFunction = inOrder(c.ValidArgsFunction)
	return c
}

func (a *app) resume(c *cobra.Command, f *resumeFlags, paths []string) error {
	format, err := resumeFormats.named(f.format)
	if err != nil {
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
	a.code = x.Gate().ExitCode()
	how := a.printing(a.stdout)
	how.FailOn, how.Budget = f.closes(), f.budget
	if !a.isHere(r.Workspace) {
		how.Workspace = r.Workspace
	}
	return a.printed(format.Resume(a.stdout, x, how))
}

// dated adds to the brief of a run when it was touched, and on which branch.
func (a *app) dated(ctx context.Context, r *result.Result, x *print.Resumption, now time.Time) {
	if x.Run == nil {
		return
	}
	a.touched(ctx, r, []result.Run{*x.Run}, now, touchPatience)
	x.Now = now
	if repo := git.Find(r.Workspace, git.Settings{Environ: a.env.all, Dir: a.env.dir}); repo != nil {
		x.Branch = repo.Branch(ctx)
	}
}

func (a *app) resumption(r *result.Result, f *resumeFlags, paths []string) (*print.Resumption, error) {
	runs := result.MeantBy(r.Runs(), a.anchored(r.Workspace, paths), len(paths) > 0)
	runs = slices.DeleteFunc(slices.Clone(runs), func(run result.Run) bool {
		return f.workflow != "" && run.Instance.Plugin != f.workflow
	})
	runCommands(a.call(&f.lookFlags, paths), runs, r.Workspace)
	choice, found := r.Choose(runs, f.run)
	if found {
		return &print.Resumption{Choice: *choice}, nil
	}
	var names []string
	for _, run := range runs {
		names = append(names, run.Name())
	}
	slices.Sort(names)
	return nil, usagef("--run %q is not the name of a run here; %s", f.run, oneOf(f.run, slices.Compact(names)))
}

func knownWorkflow(name string, p *plugins) error {
	if name == "" || slices.Contains(pluginNames(p.list), name) || len(p.failures) > 0 {
		return nil
	}
	return usagef("--workflow %q is not a workflow of any plugin; %s", name, oneOf(name, pluginNames(p.list)))
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
