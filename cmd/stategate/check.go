package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/sdk/wire"
)

type checkFlags struct {
	examineFlags
	failOn     string
	fix        bool
	format     string
	selected   []string
	required   []string
	reports    []string
	show       string
	quiet      bool
	statistics bool

	keepWorkers bool // this process will check again
}

func checkCommand(a *app) *cobra.Command {
	f := &checkFlags{show: wire.Warning.String()}
	c := &cobra.Command{
		Use:   "check [PATH…]",
		Short: "Check all runs and report contradictions",
		RunE: func(c *cobra.Command, paths []string) error {
			if _, _, isRange := rangeOf(f.rev); isRange {
				return checkRange(c, a, f, paths)
			}
			return checkRuns(c, a, f, paths)
		},
	}
	addFlag(c, advancedFlags, &f.selected, "select", "report only rules that match `GLOB`: workflow/rule or rule "+
		"(repeatable)").completed(ruleWords(a, "/"))
	failFlag(c, &f.failOn)
	f.baselineFlag(c)
	addFlag(c, advancedFlags, &f.writeBaseline, "write-baseline", "write all findings to the baseline `FILE`, so that "+
		"later checks report only new ones").filled().completed(files("json")).flag.NoOptDefVal = baselineName
	f.register(a, c, andMerges)
	addFlag(c, whatIsChecked, &f.required, "require", "exit with 2 unless `PLUGIN` checked something (repeatable)").
		completed(workflowWords(a, noFiles))
	checkFormats.flag(c, whatIsShown, &f.format)
	showFlag(c, &f.show)
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "in text output, show only findings that close the gate, and "+
		"nothing if it is open")
	option{c, c.Flag("quiet")}.annotated(keepsItsGroup, string(whatIsShown))
	addFlag(c, whatIsShown, &f.statistics, "statistics", "in text output, count findings per rule")
	addFlag(c, whatIsShown, &f.reports, "report", "also write a report, as `FORMAT=FILE`, such as "+
		"sarif=out.sarif (repeatable)").completed(reportWords)
	addFlag(c, whatIsChanged, &f.fix, "fix", "apply each finding's first safe remedy, then check again; exit with 1 "+
		"if anything changed")
	return c
}

func checkRuns(c *cobra.Command, a *app, f *checkFlags, paths []string) error {
	if _, err := severityOf("fail-on", f.failOn); err != nil {
		return err
	}
	show, all, err := shownFrom(f.show)
	if err != nil {
		return err
	}
	if f.statistics && f.format != formatText {
		return usagef("--statistics counts findings as text; use only one of --statistics and --format %s", f.format)
	}
	if f.fix {
		if err := f.refuseChanges("--fix"); err != nil {
			return err
		}
	}
	out, err := a.outputs(f)
	if err != nil {
		return err
	}
	if err := f.refuseTogether(c, paths); err != nil {
		return err
	}
	q, err := f.request(c.Context(), a, paths)
	if err != nil {
		return err
	}
	chosen, err := selectionOf(f.selected, q.plugins.list)
	if err != nil {
		return err
	}
	failOn, again, err := closing(c, f.failOn, q.settings)
	if err != nil {
		return err
	}
	for _, name := range f.required {
		if err := q.plugins.refuseUnknown("require", name, ": no enabled plugin has this name"); err != nil {
			return err
		}
	}
	if len(chosen.globs) > 0 {
		q.Policy.Select = chosen.selects
	}
	q.FindAll = len(f.required) > 0
	q.NoResume, q.FailOn = !out.has(formatJSON), failOn
	how := a.printing(a.stdout)
	how.FailOn, how.Show, how.All, how.Quiet, how.Hook = failOn, show, all, f.quiet, f.Staged && !f.fix
	r, changed, err := f.examine(c.Context(), a, q)
	if !f.keepWorkers {
		go a.reserve.Close() // freeing the workers' memory takes a while, and they are no longer needed
	}
	if err != nil {
		return out.broken(a.stdout, err, how)
	}
	if err := demanded(f.required, r); err != nil {
		return err
	}
	if err := keepBaseline(a, f.writeBaseline, q.settings, r); err != nil {
		return err
	}
	code := r.Gate(failOn).ExitCode()
	if changed {
		code = max(code, exitClosed) // so that a hook stops, and the user reviews the changes
	}
	call := f.call(a, paths)
	call.FailOn = again
	advise(a, &how, call, r)
	if first := !q.settings.Found && q.Policy.Baseline == nil; first && q.Source == wire.Worktree && !r.Changed {
		how.Init = call.Init()
	}
	noteLoosened(c.Context(), a, &f.examineFlags, q, r)
	if out.format.Name == formatText && !f.quiet {
		how.Last = unjudged(c.Context(), a, q, r, call)
	}
	if err := out.write(a.stdout, r, how); err != nil {
		return err
	}
	if code == exitBroken {
		code = despiteFailure(a, f.Staged, r, failOn)
	}
	return exit(code)
}

// advise sets the commands that a report of r prints, and the form of its paths.
func advise(a *app, how *print.Options, call *advice.Call, r *result.Result) {
	how.Recover, how.CheckAll, how.Stage = call.Recover(r), call.CheckAll(r), a.shell(r.Workspace).Add
	how.Accept, how.Explain = func(id string) string { return call.Accept(r, id) }, call.Explain()
	placed(a, how, r.Workspace)
}

func (f *checkFlags) refuseTogether(c *cobra.Command, paths []string) error {
	if f.writeBaseline == "" {
		return nil
	}
	if len(paths) == 1 && f.writeBaseline == baselineName && filepath.Ext(paths[0]) == ".json" {
		return usagef("--write-baseline %s needs an equals sign: --write-baseline=%s", paths[0], paths[0])
	}
	for _, flag := range []string{"baseline", "fix", "select", "plugin", "changed", "rev"} {
		if c.Flag(flag).Changed && c.Flag(flag).Value.String() != "false" {
			return usagef("--write-baseline records all findings and cannot be combined with --%s", flag)
		}
	}
	return nil
}

// demanded returns an error if a plugin that --require names checked nothing. A run that is missing, or reached through
// a link, does not count. A failure takes precedence.
func demanded(required []string, r *result.Result) error {
	for _, name := range required {
		if len(r.Failures) == 0 && r.Checked[name] == 0 {
			return usagef("--require %s: this plugin found no state here; check that the checkout is complete and the "+
				"directory is right", name)
		}
	}
	return nil
}

// allowFailure is the environment variable that lets a commit pass even if stategate or a plugin failed.
const allowFailure = "STATEGATE_ALLOW_FAILURE"

// despiteFailure returns the exit code of an incomplete check. In a local hook, the user can ask for the exit code of
// the findings alone. Unreadable state is always a failure.
func despiteFailure(a *app, staged bool, r *result.Result, failOn wire.Severity) int {
	unread := slices.ContainsFunc(r.Failures, func(f result.Failure) bool {
		return f.Kind == fault.Source || f.Kind == fault.Cancelled
	})
	why := ""
	switch {
	case a.env.get(allowFailure) != "1":
		return exitBroken
	case a.env.inCI():
		why = "in CI"
	case !staged:
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

// examine runs the check, and with --fix also applies safe remedies. It prints the changes to stdout before the
// result. If stdout receives a document, it prints them to stderr.
func (f *checkFlags) examine(ctx context.Context, a *app, q *request) (r *result.Result, changed bool, err error) {
	look := func(ctx context.Context) (*result.Result, error) { return examine(ctx, a, q) }
	if !f.fix {
		r, err = look(ctx)
		return r, false, err
	}
	q.Patient = true
	if f.rev != "" {
		return nil, false, usagef("--fix with --rev %s: a commit cannot be changed; use only one of the two", f.rev)
	}
	if f.merge != "" {
		return nil, false, usagef("--fix with --merge %s: the merge does not exist yet; use only one of the two",
			f.merge)
	}
	rep, err := openRepair(ctx, a, q)
	if err != nil {
		return nil, false, err
	}
	defer rep.Close()
	if r, err = look(ctx); err != nil {
		return nil, false, err
	}
	fixed, err := rep.Fix(ctx, r, look)
	w := a.stdout
	if f.format != formatText {
		w = a.stderr
	}
	how := a.printing(w)
	placed(a, &how, rep.Top())
	shown := errors.Join(printOutcome(w, &fixed.Outcome, fixed.Skipped, how, f.call(a, nil)),
		thenLines(w, commandsAfter(ctx, a, rep, &fixed.Outcome)...))
	if fixed.Changed() && q.Source == wire.Index {
		shown = errors.Join(shown, lines(w, "", "",
			"the working tree was changed, but nothing was staged. The index still contains:"))
	}
	if err == nil {
		err = printed(shown)
	}
	return fixed.Result, fixed.Changed(), err
}

// A selection holds the globs of --select. They also match former names of rules.
type selection struct {
	globs  []string
	former map[string][]string // former names by workflow/rule
}

// selectionOf returns an error for an invalid glob, or one that matches no rule of any plugin, because a typo must not
// open the gate.
func selectionOf(globs []string, list []*plugin.Plugin) (s selection, err error) {
	var all, rules []string
	for _, p := range list {
		for _, rule := range ruleNames(p.Manifest) {
			all, rules = append(all, rule), append(rules, p.Name+"/"+rule)
		}
	}
	s = selection{former: map[string][]string{}}
	for _, k := range knownRules(list) {
		for former, present := range k.Former {
			name := k.Plugin + "/" + present
			s.former[name] = append(s.former[name], k.Plugin+"/"+former)
		}
	}
	for _, glob := range globs {
		if _, err := path.Match(glob, ""); err != nil {
			return s, usagef("--select %q is not a valid glob: %v", glob, err)
		}
		// The rules of broken plugins are unknown. The message names only the closest rules, because the full list
		// would fill several screens.
		if len(list) > 0 && !slices.ContainsFunc(rules, selection{[]string{glob}, s.former}.selects) {
			return s, usagef("--select %q matches no rule; %s", glob,
				suggest.Or(path.Base(glob), all, "`stategate explain WORKFLOW` lists the rules of a workflow"))
		}
		s.globs = append(s.globs, glob)
	}
	return s, nil
}

// selects reports whether a glob matches workflow/rule, or only the rule, by its current name or a former one.
func (s selection) selects(rule string) bool {
	return slices.ContainsFunc(append([]string{rule}, s.former[rule]...), func(rule string) bool {
		return slices.ContainsFunc(s.globs, func(glob string) bool {
			name := rule
			if !strings.Contains(glob, "/") {
				name = result.RuleName(rule)
			}
			ok, _ := path.Match(glob, name)
			return ok
		})
	})
}
