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
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/sdk/wire"
)

type statusFlags struct {
	examineFlags
	format    string
	watch     bool
	workflows []string
	states    []string
	stale     int
	all       bool
	facts     bool
}

// staleDays describes the value of --stale.
const staleDays = "a number of days, such as 30"

// stateNames lists the values of --state; the table shows active as "in progress".
var stateNames = []string{wire.Blocked.String(), wire.Active.String(), wire.Finished.String(), wire.Abandoned.String()}

func statusCommand(a *app) *cobra.Command {
	f := &statusFlags{}
	c := &cobra.Command{
		Use:   "status [PATH…]",
		Short: "Show runs in progress: phase, progress, next step",
		RunE:  func(c *cobra.Command, paths []string) error { return status(c.Context(), a, f, paths) },
	}
	f.register(a, c, indexAndCommits)
	f.baselineFlag(c)
	statusFormats.flag(c, whatIsShown, &f.format)
	addFlag(c, whatIsShown, &f.all, "all", "also show finished and abandoned runs")
	addFlag(c, whatIsShown, &f.workflows, "workflow", "show only runs of the workflow `NAME` (repeatable)").
		completed(workflowWords(a, noFiles))
	addChoices(c, whatIsShown, &f.states, "state", "show only runs that are `STATE`: %s (repeatable)", stateNames)
	addFlag(c, whatIsShown, &f.stale, "stale", "show only runs that were not updated in the last `DAYS` days").
		takes(staleDays)
	addFlag(c, whatIsShown, &f.facts, "facts", "show every run in full, with the facts that its plugin reports")
	addFlag(c, whatIsShown, &f.watch, "watch", "print the status again when it changes, until Ctrl-C")
	return c
}

func status(ctx context.Context, a *app, f *statusFlags, paths []string) error {
	if _, err := statusFormats.named(f.format); err != nil {
		return err
	}
	if f.watch && f.format == formatHTML {
		return usagef("--watch prints one status after another, which is not a valid HTML page; use only one of " +
			"--watch and --format html")
	}
	for _, s := range f.states {
		if !slices.Contains(stateNames, s) {
			return usagef("--state %q is not a state of a run; %s", s, suggest.OneOf(s, stateNames))
		}
	}
	if f.stale < 0 {
		return usagef("invalid value \"%d\" for --stale; use %s", f.stale, staleDays)
	}
	if f.watch {
		return watch(ctx, a, f, paths)
	}
	return printStatus(ctx, a, f, paths, a.stdout)
}

// printStatus checks, and prints the status. If something could not be checked, it returns an error made by exit.
func printStatus(ctx context.Context, a *app, f *statusFlags, paths []string, w io.Writer) error {
	format, err := statusFormats.named(f.format)
	if err != nil {
		return err
	}
	q, err := f.request(ctx, a, paths)
	if err != nil {
		return err
	}
	for _, name := range f.workflows {
		if err := q.plugins.refuseUnknownWorkflow(name); err != nil {
			return err
		}
	}
	r, err := examine(ctx, a, q)
	if err != nil {
		return err
	}
	how := a.printing(a.stdout)
	how.FailOn = closesAt(q.settings.Config)
	advise(a, &how, f.call(a, paths), r)
	v := print.View{Now: q.Now, Facts: f.facts, Filtered: len(f.workflows)+len(f.states)+f.stale > 0}
	if f.watch && how.Width > 0 {
		const around = 6 // lines besides the runs
		_, height := terminalSize(a.stdout)
		v.Most = max(height-around, 1)
	}
	one := len(paths) > 0 && len(r.Instances) == 1
	v.Runs = f.chosen(r.RunsAndRoots(), one, how.FailOn)
	patience := touchPatience
	if f.format == formatHTML {
		patience *= 10 // a page is read later, so its dates are worth waiting for
	}
	findUpdates(ctx, a, r, v.Runs, q.Now, patience)
	v.Runs = f.ordered(v.Runs, q.Now, how.FailOn)
	v.Whole = f.facts || one
	if f.format == formatHTML || f.format == formatMarkdown {
		v.Where = whereIs(ctx, a, r)
	}
	err = format.Status(w, r, v, how)
	if err == nil && len(r.Failures) > 0 {
		return exit(exitBroken)
	}
	return printed(err)
}

// whereIs describes the repository, branch and commit of r. It omits the branch for --rev, because a commit may be on
// any branch.
func whereIs(ctx context.Context, a *app, r *result.Result) print.Where {
	repo := a.repository(r.Workspace)
	if repo == nil {
		return print.Where{Repository: filepath.Base(r.Workspace)}
	}
	w := print.Where{Repository: repo.Name(ctx)}
	if r.Source != wire.Commit {
		w.Branch = repo.Branch(ctx)
		if heads, err := repo.Heads(ctx); err == nil && len(heads) > 0 {
			w.Commit = heads[0]
		}
	}
	return w
}

// chosen keeps the runs with the requested state and workflow. It also keeps a run that PATH names.
func (f *statusFlags) chosen(all []result.Run, named bool, failOn wire.Severity) []result.Run {
	return slices.DeleteFunc(all, func(run result.Run) bool {
		s := run.StateIn(failOn)
		asked := slices.Contains(f.states, s.String())
		if len(f.states) == 0 {
			asked = f.all || named || f.format == formatHTML || s <= wire.Blocked
		}
		return !asked || len(f.workflows) > 0 && !slices.Contains(f.workflows, run.Instance.Plugin)
	})
}

// ordered sorts the runs: blocked ones first, then by last update. If --stale is set, it keeps only stale
// runs.
func (f *statusFlags) ordered(list []result.Run, now time.Time, failOn wire.Severity) []result.Run {
	if f.stale > 0 {
		list = slices.DeleteFunc(list, func(run result.Run) bool {
			at := run.Updated.At
			return at.IsZero() || now.Sub(at) < time.Duration(f.stale)*24*time.Hour
		})
	}
	result.SortRuns(list, failOn)
	return list
}

// touchPatience limits how long history is searched for updates. A busy machine may need seconds for what others do in
// a tenth of a second, and both should print the same.
const touchPatience = 5 * time.Second

// findUpdates finds the time of each run's last update, at or before now.
func findUpdates(ctx context.Context, a *app, r *result.Result, runs []result.Run, now time.Time,
	patience time.Duration) {
	var paths []string
	for _, run := range runs {
		for _, p := range run.Paths() {
			if !slices.Contains(paths, p) {
				paths = append(paths, p)
			}
		}
	}
	if len(paths) == 0 {
		return
	}
	repo := a.repository(r.Workspace)
	known := git.Updated(ctx, patience, repo, r.Workspace, r.Revision, paths)
	for n := range runs {
		var last result.Update
		for _, p := range runs[n].Paths() {
			if u := result.Update(known[p]); u.At.After(last.At) {
				last = u
			}
		}
		if last.At.After(now) {
			last.At = now
		}
		runs[n].SetUpdated(last)
	}
}
