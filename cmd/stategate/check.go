package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/suggest"
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
		RunE:  func(c *cobra.Command, paths []string) error { return a.check(c, f, paths) },
	}
	f.lookFlags.register(a, c)
	f.registerSource(c)
	c.Flags().StringVar(&f.merge, "merge", "", "check what merging `REV` into HEAD would give, and compare it with "+
		"both")
	f.fixFlags.register(c)
	f.registerPolicy(c)
	f.failFlags.register(c)
	checkFormats.flag(c, &f.format)
	c.Flags().StringArrayVar(&f.reports, "report", nil,
		"write the verdict to a file as well, as `FORMAT=FILE` says, such as sarif=out.sarif (repeatable)")
	c.Flags().StringArrayVar(&f.selected, "select", nil,
		"report only rules that match `GLOB`, as workflow/rule or rule (repeatable)")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false,
		"in text output, show only what closes the gate, and nothing if it is open")
	c.Flags().StringVar(&f.show, "show", wire.Warning.String(),
		"in text output, show findings of this `SEVERITY` or worse, and count the others: error, warning, info")
	c.Flags().BoolVar(&f.statistics, "statistics", false, "in text output, show how many findings each rule has")
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
	if _, err := checkFormats.named(f.format); err != nil {
		return err
	}
	if err := f.refuse(f.fix, "--fix"); err != nil {
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
	o.NoResume = !out.has(formatJSON)
	how := a.printing(a.stdout)
	how.FailOn, how.Show, how.Quiet, how.Hook = failOn, show, f.quiet, f.staged && !f.fix
	r, changed, err := a.looked(c.Context(), o, f)
	go a.reserve.Close() // freeing the memory of workers takes the system a while, and nothing is examined any more
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
	how.Recover = f.judging(c, a.call(&f.lookFlags, paths)).Recover(r)
	how.Stage = a.shell(r.Workspace).Add
	a.placed(&how, r.Workspace)
	err = out.write(a.stdout, r, how)
	if err == nil && a.code == exitBroken {
		a.code = a.despiteFailure(f, r, failOn)
	}
	return err
}

// failFlags say which findings close the gate.
type failFlags struct{ failOn string }

func (f *failFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.failOn, "fail-on", wire.Error.String(),
		"close the gate at findings of this `SEVERITY` or worse: error, warning, info")
}

// severity is what the flag says, or else the configuration.
func (f *failFlags) severity(c *cobra.Command, s *configFlags) (wire.Severity, error) {
	if !c.Flag("fail-on").Changed {
		return s.closes(), nil
	}
	return severityOf("fail-on", f.failOn)
}

// judging has the commands of a call judge by the same.
func (f *failFlags) judging(c *cobra.Command, call *advice.Call) *advice.Call {
	if c.Flag("fail-on").Changed {
		call.FailOn = f.failOn
	}
	return call
}

func severityOf(flag, word string) (wire.Severity, error) {
	s, ok := wire.ParseSeverity(word)
	if !ok || s == wire.Off {
		return s, usagef("--%s %q: give error, warning or info", flag, word)
	}
	return s, nil
}

// allowFailure is the variable that lets a commit pass although stategate or a plugin failed.
const allowFailure = "STATEGATE_ALLOW_FAILURE"

// despiteFailure is the exit code of a gate that is broken: that of the findings alone, if the caller asks
// for it, and only in a local hook. State that could not be read stays a failure.
func (a *app) despiteFailure(f *checkFlags, r *result.Result, failOn wire.Severity) int {
	unread := slices.ContainsFunc(r.Failures, func(f result.Failure) bool {
		return f.Kind == fault.Source ||
			f.Kind == fault.Cancelled
	})
	why := ""
	switch {
	case a.env.get(allowFailure) != "1":
		return exitBroken
	case a.env.inCI():
		why = "in CI"
	case !f.staged:
		why = "without --staged"
	case unread:
		why = "for state that cannot be read"
	}
	if why != "" {
		_ = lines(a.stderr, "stategate: ", "    ", allowFailure+"=1 does not apply "+why+": the check is incomplete")
		return exitBroken
	}
	findings := *r
	findings.Failures = nil
	if gate := findings.Gate(failOn); gate != result.Open {
		return gate.ExitCode()
	}
	_ = lines(a.stderr, "stategate: ", "    ", fmt.Sprintf("NOT EVERYTHING WAS CHECKED (%s): "+allowFailure+
		"=1 lets this commit pass here; CI will not", print.Count(len(r.Failures), "failure")))
	return exitOpen
}

// fixFlags are those of check that change files.
type fixFlags struct{ fix bool }

func (f *fixFlags) register(c *cobra.Command) {
	c.Flags().BoolVar(&f.fix, "fix", false, "apply the first safe remedy of every finding, then check again; exits "+
		"1 after changing anything")
}

// looked is a.look, or with --fix a look, changes and the last look. What was
// changed goes to stdout before the verdict, or to stderr where stdout holds a document.
func (a *app) looked(ctx context.Context, o check.Options, f *checkFlags) (r *result.Result, changed bool, err error) {
	if !f.fix {
		r, err = a.look(ctx, o, f.noCache)
		return r, false, err
	}
	if f.rev != "" {
		return nil, false, usagef("--fix with --rev %s: a commit does not change; use only one of the two", f.rev)
	}
	if f.merge != "" {
		return nil, false, usagef("--fix with --merge %s: the merge is not made yet; use only one of the two", f.merge)
	}
	rep, err := a.repairing(ctx, o)
	if err != nil {
		return nil, false, err
	}
	defer rep.Close()
	look := func(ctx context.Context) (*result.Result, error) { return a.look(ctx, o, f.noCache) }
	if r, err = look(ctx); err != nil {
		return nil, false, err
	}
	fixed, err := rep.Fix(ctx, r, look)
	w := io.Writer(a.stdout)
	if f.format != formatText {
		w = a.stderr
	}
	how := a.printing(w)
	a.placed(&how, rep.Top())
	shown := errors.Join(outcome(w, &fixed.Outcome, fixed.Skipped, how), thenLines(w, a.next(ctx, rep, &fixed.Outcome)))
	if fixed.Changed() && o.Source == wire.Index {
		shown = errors.Join(shown, lines(w, "", "",
			"the work tree was changed and nothing was staged. What is staged is still:"))
	}
	if err == nil {
		err = a.printed(shown)
	}
	return fixed.Result, fixed.Changed(), err
}

// A selection holds the globs of --select.
type selection []string

// refuse returns an error for a glob that is not valid, or that no rule of any plugin matches: a slip of the pen must
// not open the gate.
func (s selection) refuse(list []*plugin.Plugin) error {
	var all, rules []string
	for _, p := range list {
		for _, rule := range ruleNames(p.Manifest) {
			all, rules = append(all, rule), append(rules, p.Name+"/"+rule)
		}
	}
	for i := range s {
		if _, err := path.Match(s[i], ""); err != nil {
			return usagef("--select %q is not a valid glob: %v", s[i], err)
		}
		for _, k := range knownRules(list) {
			s[i] = k.Present(s[i])
		}
		// Which rules broken plugins have is not known. Of many rules the nearest is named: all would fill screens.
		if len(list) > 0 && !slices.ContainsFunc(rules, s[i:i+1].selects) {
			return usagef("--select %q matches no rule; %s", s[i],
				suggest.Or(path.Base(s[i]), all, "`stategate explain WORKFLOW` lists the rules of a workflow"))
		}
	}
	return nil
}

// selects reports whether a glob matches workflow/rule, or the rule alone.
func (s selection) selects(rule string) bool {
	return slices.ContainsFunc(s, func(glob string) bool {
		name := rule
		if !strings.Contains(glob, "/") {
			name = result.RuleName(rule)
		}
		ok, _ := path.Match(glob, name)
		return ok
	})
}

// ruleNames are the rules that a finding about a plugin's instances may have.
func ruleNames(m *wire.Manifest) []string {
	var names []string
	for _, r := range m.Rules {
		names = append(names, r.Name)
	}
	return append(names, wire.HostRules...)
}
