package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/wire"
)

type statusFlags struct {
	lookFlags
	format    string
	watch     bool
	workflows []string
	states    []string
	stale     int
	all       bool
	facts     bool
}

// stateNames are the values of --state; active is what the table calls in progress.
var stateNames = map[string]wire.State{"blocked": wire.Blocked, "active": wire.Active, "finished": wire.Finished,
	"abandoned": wire.Abandoned}

func (a *app) statusCommand() *cobra.Command {
	f := &statusFlags{}
	c := &cobra.Command{
		Use:   "status [PATH…]",
		Short: "Show every run in progress: phase, progress, next step",
		RunE:  func(c *cobra.Command, paths []string) error { return a.status(c, f, paths) },
	}
	f.register(a, c)
	f.registerSource(c)
	statusFormats.flag(c, &f.format)
	c.Flags().BoolVar(&f.watch, "watch", false, "print the status again whenever it changes, until Ctrl-C")
	c.Flags().BoolVar(&f.all, "all", false, "show finished and abandoned runs, too")
	c.Flags().StringArrayVar(&f.workflows, "workflow", nil, "show only runs of the workflow `NAME` (repeatable)")
	c.Flags().StringSliceVar(&f.states, "state", nil,
		"show only runs that are `STATE`: blocked, active, finished, abandoned (repeatable)")
	c.Flags().IntVar(&f.stale, "stale", 0, "show only runs that were not touched in the last `DAYS` days")
	c.Flags().BoolVar(&f.facts, "facts", false, "show every run in full, with the facts that its plugin reports")
	return c
}

func (a *app) status(c *cobra.Command, f *statusFlags, paths []string) error {
	if _, err := statusFormats.named(f.format); err != nil {
		return err
	}
	if f.watch && f.format == formatHTML {
		return usagef("--watch prints a status below the last one, which makes no page; use only one of --watch and " +
			"--format html")
	}
	for _, s := range f.states {
		if _, ok := stateNames[s]; !ok {
			return usagef("--state %q is not a state of a run; available: blocked, active, finished, abandoned", s)
		}
	}
	if f.stale < 0 {
		return usagef("--stale %d: give a number of days", f.stale)
	}
	if f.watch {
		return a.watch(c, f, paths)
	}
	return a.printStatus(c, f, paths, a.stdout)
}

func (a *app) printStatus(c *cobra.Command, f *statusFlags, paths []string, w io.Writer) error {
	format, err := statusFormats.named(f.format)
	if err != nil {
		return err
	}
	o, p, err := a.options(c, &f.lookFlags, paths)
	if err != nil {
		return err
	}
	for _, name := range f.workflows {
		if err := knownWorkflow(name, p); err != nil {
			return err
		}
	}
	r, err := a.look(c.Context(), o, f.noCache)
	if err != nil {
		return err
	}
	if len(r.Failures) > 0 {
		a.code = exitBroken
	}
	how := a.printing(a.stdout)
	how.FailOn, how.Recover = f.closes(), a.call(&f.lookFlags, paths).Recover(r)
	a.placed(&how, r.Workspace)
	v := print.View{Now: o.Now, Facts: f.facts, Filtered: len(f.workflows)+len(f.states)+f.stale > 0}
	if f.watch && how.Width > 0 {
		const around = 6 // lines beside the runs
		_, height := terminalSize(a.stdout)
		v.Most = max(height-around, 1)
	}
	one := len(paths) > 0 && len(r.Instances) == 1
	v.Runs = f.chosen(r.RunsAndRoots(), one, how.FailOn)
	patience := touchPatience
	if f.format == formatHTML {
		patience *= 10 // it is read later, and by others
	}
	a.touched(c.Context(), r, v.Runs, o.Now, patience)
	v.Runs = f.ordered(v.Runs, o.Now, how.FailOn)
	v.Whole = f.facts || one
	return a.printed(format.Status(w, r, v, how))
}

// chosen keeps the runs of the states and workflows that are asked for; one that a PATH names is asked for.
func (f *statusFlags) chosen(all []result.Run, named bool, failOn wire.Severity) []result.Run {
	return slices.DeleteFunc(all, func(run result.Run) bool {
		s := run.StateIn(failOn)
		asked := slices.ContainsFunc(f.states, func(name string) bool { return stateNames[name] == s })
		if len(f.states) == 0 {
			asked = f.all || named || f.format == formatHTML || s <= wire.Blocked
		}
		return !asked || len(f.workflows) > 0 && !slices.Contains(f.workflows, run.Instance.Plugin)
	})
}

// ordered keeps the runs that are stale, if that is asked for: blocked ones first, then the last ones that were
// touched.
func (f *statusFlags) ordered(list []result.Run, now time.Time, failOn wire.Severity) []result.Run {
	if f.stale > 0 {
		list = slices.DeleteFunc(list, func(run result.Run) bool {
			at := run.Instance.LastTouch.At
			return at.IsZero() || now.Sub(at) < time.Duration(f.stale)*24*time.Hour
		})
	}
	result.SortRuns(list, failOn)
	return list
}

// touchPatience bounds how long history is searched.
const touchPatience = time.Second

// touched finds out when runs were touched last, not later than now.
func (a *app) touched(ctx context.Context, r *result.Result, runs []result.Run, now time.Time, patience time.Duration) {
	var roots []string
	for _, run := range runs {
		roots = append(roots, run.Instance.Root)
	}
	if len(roots) == 0 {
		return
	}
	repo := a.repository(r.Workspace)
	known := git.Touched(ctx, patience, repo, r.Workspace, r.Revision, roots)
	for _, run := range runs {
		t := result.Touch(known[run.Instance.Root])
		if t.At.After(now) {
			t.At = now
		}
		run.Instance.LastTouch = t
	}
}

// watchEvery is the pause between two checks of --watch; shorter in tests. After a check that takes long it is longer,
// so that watching takes a fifth of the time at most.
var watchEvery = time.Second

// clearScreen empties the terminal and goes to its first line.
const clearScreen = "\x1b[H\x1b[2J"

// watch prints the status, and prints it again whenever it changes, until it is interrupted: on a terminal in place of
// the last one, elsewhere below it. The first check says on stderr what it has to say, the others are silent; an error
// of the first one ends the watch, a later one is shown in place of the status.
func (a *app) watch(c *cobra.Command, f *statusFlags, paths []string) error {
	ctx, quiet, as, shown := c.Context(), *a, a, ""
	quiet.stderr = io.Discard
	for ; ctx.Err() == nil; as = &quiet {
		var text bytes.Buffer
		start := time.Now()
		if err := as.printStatus(c, f, paths, &text); err != nil && ctx.Err() == nil {
			if as == a {
				return err
			}
			_ = print.Lines(&text, 0, "could not check: ", "    ", problemOf(err).message)
		}
		if ctx.Err() == nil && text.String() != shown {
			begin := ""
			if isTerminal(a.stdout) && !a.env.dumb {
				begin = clearScreen
			} else if shown != "" {
				begin = "\n"
			}
			shown = text.String()
			if _, err := io.WriteString(a.stdout, begin+shown); err != nil {
				return a.printed(err)
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(max(watchEvery, 4*time.Since(start))):
		}
	}
	if isTerminal(a.stderr) {
		fmt.Fprint(a.stderr, "\r  \r") // over the ^C that the terminal shows
	}
	a.code = problemOf(context.Cause(ctx)).code
	return nil
}
