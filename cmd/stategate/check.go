package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/sdk/wire"
)

type checkFlags struct {
	lookFlags
	fixFlags
	policyFlags
	failFlags
	format     string
	selected   []string
	reports    []string
	show       string
	quiet      bool
	statistics bool
}

func (a *app) checkCommand() *cobra.Command {
	f := &checkFlags{}
	c := &cobra.Command{
		Use:   "check [PATH…]",
		Short: "Check all runs and say whether the gate is open",
		Long: `check reads every workflow state below the paths, or the current directory,
and prints what is wrong with it.

Exit codes: 0 the gate is open; 1 it is closed; 2 the call is wrong;
3 something could not be checked. With --fix, 1 after changing anything, too.

STATEGATE_ALLOW_FAILURE=1 lets a local commit pass (check --staged, not in CI) where stategate
or a plugin failed and nothing else closes the gate.`,
		RunE: func(c *cobra.Command, paths []string) error { return a.check(c, f, paths) },
	}
	f.lookFlags.register(a, c)
	f.registerSource(a, c)
	f.fixFlags.register(c)
	f.registerPolicy(a, c)
	f.failFlags.register(c)
	c.Flags().StringVar(&f.format, "format", formatText, "print as `FORMAT`: "+strings.Join(checkFormats[:], ", "))
	c.Flags().StringArrayVar(&f.reports, "report", nil, "write the verdict to a file as well, as `FORMAT=FILE` says, such as sarif=out.sarif (repeatable)")
	c.Flags().StringArrayVar(&f.selected, "select", nil, "report only rules that match `GLOB`, as workflow/rule or rule (repeatable)")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "in text output, show only what closes the gate, and nothing if it is open")
	c.Flags().StringVar(&f.show, "show", wire.Warning.String(), "in text output, show findings of this `SEVERITY` or worse, and count the others: error, warning, info")
	c.Flags().BoolVar(&f.statistics, "statistics", false, "in text output, show how many findings each rule has")
	completeWords(c, "show", "error", "warning", "info")
	completeWords(c, "format", checkFormats[:]...)
	completeFlag(c, "report", completeReport)
	completeFlag(c, "select", a.rules("/"))
	return c
}

func (a *app) check(c *cobra.Command, f *checkFlags, paths []string) error {
	if _, err := severityOf("fail-on", f.failOn); err != nil {
		return err
	}
	show, err := severityOf("show", f.show)
	if err != nil {
		return err
	}
	if f.statistics && f.format != formatText {
		return usagef("--statistics counts findings as text; use only one of --statistics and --format %s", f.format)
	}
	if err := oneFormat(f.format, checkFormats[:]...); err != nil {
		return err
	}
	out, err := a.outputs(f)
	if err != nil {
		return err
	}
	chosen := selection(f.selected)
	if err := f.beforeOptions(c, paths); err != nil {
		return err
	}
	o, p, err := a.options(c, &f.lookFlags, paths)
	if err != nil {
		return err
	}
	if err := chosen.refuse(p.list); err != nil {
		return err
	}
	failOn, err := f.severity(c, &f.configFlags)
	if err != nil {
		return err
	}
	if err := f.afterOptions(&o, chosen, p); err != nil {
		return err
	}
	how := a.printing(a.stdout)
	how.FailOn, how.Show, how.Quiet, how.Hook = failOn, show, f.quiet, f.staged && !f.fix
	r, changed, err := a.looked(c.Context(), o, f)
	if err != nil {
		return out.broken(a.stdout, err, how)
	}
	if err := f.demanded(r); err != nil {
		return err
	}
	if err := a.keepBaseline(f, r); err != nil {
		return err
	}
	a.code = r.Gate(failOn).ExitCode()
	if changed {
		a.code = max(a.code, exitClosed) // so that a hook stops and a person looks
	}
	a.remember(r, f.selected)
	how.Recover = a.fixCommand(&f.lookFlags, paths, r, f.words(c)...)
	how.Stage = func(paths []string) string { return a.gitAdd(r.Workspace, paths) }
	a.placed(&how, r.Workspace)
	err = out.write(a.stdout, r, how)
	if err == nil && a.code == exitBroken {
		a.code = a.despiteFailure(f, r, failOn)
	}
	return err
}
