package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/suggest"
)

type resumeFlags struct {
	examineFlags
	format   string
	budget   int
	run      string
	workflow string
}

func resumeCommand(a *app) *cobra.Command {
	f := &resumeFlags{}
	c := &cobra.Command{
		Use:   "resume [PATH|RUN]",
		Short: "Print a brief for continuing a run",
		Args:  cobra.MaximumNArgs(1),
		RunE:  func(c *cobra.Command, paths []string) error { return resume(c.Context(), a, f, paths) },
	}
	f.register(a, c, worktreeOnly)
	resumeFormats.flag(c, whatIsShown, &f.format)
	addFlag(c, otherFlags, &f.budget, "budget", "in Markdown, omit the least important parts to fit in about `N` "+
		"tokens (four characters each); 0 means no limit")
	addFlag(c, whatIsShown, &f.workflow, "workflow", "continue a run of the workflow `NAME`").filled().
		completed(workflowWords(a, noFiles))
	addFlag(c, whatIsShown, &f.run, "run", "continue the run `NAME`").filled()
	c.ValidArgsFunction = inOrder(c.ValidArgsFunction)
	return c
}

func resume(ctx context.Context, a *app, f *resumeFlags, paths []string) error {
	format, err := resumeFormats.named(f.format)
	if err != nil {
		return err
	}
	if f.budget < 0 || f.budget > 0 && f.format != formatMarkdown {
		return usagef("invalid value %d for --budget; use a number of tokens, with --format markdown", f.budget)
	}
	if f.run == "" && len(paths) == 1 && a.isName(paths[0]) {
		f.run, paths = paths[0], nil
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
	if f.format != formatJSON {
		addDate(ctx, a, r, x, q.Now)
	}
	how := a.printing(a.stdout)
	how.FailOn, how.Budget = closesAt(q.settings.Config), f.budget
	if !a.startedAt(r.Workspace) {
		how.Workspace = r.Workspace
	}
	ask := newPrompt(a, a.stdout)
	x.Asks = ask != nil && f.format == formatText && len(x.Choices) > 1
	if err := printed(format.Resume(a.stdout, x, how)); err != nil {
		return err
	}
	if x.Asks {
		n, err := ask.number(ctx, "Which one?", min(len(x.Choices), print.MostChoices))
		if err != nil {
			return err
		}
		if n > 0 {
			x.Choice = result.Choice{Run: &x.Choices[n-1], Failures: x.Failures}
			addDate(ctx, a, r, x, q.Now)
			if err := printed(format.Resume(a.stdout, x, how)); err != nil {
				return err
			}
		}
	}
	return exit(x.Gate().ExitCode())
}

// isName reports whether an argument is a run's name and not a path: no file has this name.
func (a *app) isName(arg string) bool {
	_, err := os.Lstat(a.absolute(arg))
	return errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(arg, `/\`)
}

// addDate adds the date and branch of a run's last update to its brief. If there are runs to choose from, it sorts them
// by their last update.
func addDate(ctx context.Context, a *app, r *result.Result, x *print.Resumption, now time.Time) {
	x.Now = now
	if x.Run == nil {
		for _, list := range [][]result.Run{x.Choices, x.Finished} {
			findUpdates(ctx, a, r, list, now, touchPatience)
			result.SortByUpdate(list)
		}
		return
	}
	chosen := []result.Run{*x.Run}
	findUpdates(ctx, a, r, chosen, now, touchPatience)
	*x.Run = chosen[0]
	if repo := a.repository(r.Workspace); repo != nil {
		x.Branch = repo.Branch(ctx)
	}
}

// resumption chooses the run to resume, by workflow and by name; "" matches any.
func resumption(a *app, r *result.Result, call *advice.Call, workflow, name string) (*print.Resumption, error) {
	runs := result.MeantBy(r.Runs(), askedAbout(a, r.Workspace, call.Paths), len(call.Paths) > 0)
	runs = slices.DeleteFunc(slices.Clone(runs), func(run result.Run) bool {
		return workflow != "" && run.Instance.Plugin != workflow
	})
	places := result.Places(runs)
	for i := range runs {
		run := &runs[i]
		run.Resume, run.Recover, run.Check = call.OfRun(runs, places, i, r.Workspace)
	}
	choice, found := r.Choose(runs, name)
	if found {
		return &print.Resumption{Choice: *choice}, nil
	}
	var names, subjects []string
	for i, run := range runs {
		if base := path.Base(places[i].Path); places[i].Alone && base != "." && run.Called(base) {
			names = append(names, base)
			continue
		}
		names = append(names, run.Name())
		if run.Self != nil && run.Self.Subject != "" {
			subjects = append(subjects, run.Self.Subject)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	otherwise := suggest.OneOf(name, names)
	if len(names) > 10 {
		otherwise = suggest.Or(name, names, "`stategate status --all` lists all "+strconv.Itoa(len(names)))
	}
	otherwise = suggest.Or(name, subjects, otherwise)
	return nil, usagef("%q is neither a path nor a run's name here; %s", name, otherwise)
}

// askedAbout returns the path that the user asked about, slash-separated below the workspace, or "" if it is unknown.
func askedAbout(a *app, workspace string, paths []string) string {
	asked := "."
	if len(paths) > 0 {
		asked = paths[0]
	}
	rel, err := filepath.Rel(workspace, git.Resolved(a.absolute(asked)))
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}
