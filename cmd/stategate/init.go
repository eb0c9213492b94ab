package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/cmd/stategate/internal/agent"
	"github.com/stategate/stategate/cmd/stategate/internal/declared"
	"github.com/stategate/stategate/cmd/stategate/internal/setup"
	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/policy"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

func initCommand(a *app) *cobra.Command {
	var o setup.Options
	var dryRun bool
	c := &cobra.Command{
		Use:   "init",
		Short: "Set up a configuration, a hook and a CI job",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return setUp(c.Context(), a, o, dryRun) },
	}
	addChoice(c, otherFlags, &o.Hook, "hook", "set up this `HOOK`: %s (default: what the repository uses)",
		setup.HookNames())
	addChoice(c, otherFlags, &o.CI, "ci", "set up this `CI`: %s (default: what the repository uses)", setup.CINames())
	addChoices(c, otherFlags, &o.Agents, "agent", "set up this `AGENT` (repeatable), and nothing else unless you "+
		"also use --hook or --ci: %s", agent.Names())
	addFlag(c, whatIsChanged, &dryRun, "dry-run", "show a diff, and write nothing")
	return c
}

func setUp(ctx context.Context, a *app, o setup.Options, dryRun bool) error {
	o.Dir, o.Version, o.Program = a.env.dir, version(), program()
	o.Repo = a.repository(a.env.dir)
	if o.Repo != nil && o.Repo.Bare {
		if _, err := io.WriteString(a.stdout, setup.PreReceive); err != nil {
			return printed(err)
		}
		return usagef("%s is a bare repository, which has no working tree to set up; run stategate init in a clone. "+
			"To gate pushes to this repository, save the script on standard output as hooks/pre-receive and make "+
			"it executable", o.Repo.Top)
	}
	var found, unacceptable []string
	if len(o.Agents) == 0 || o.Hook+o.CI != "" {
		var err error
		if found, unacceptable, err = survey(ctx, a, &o); err != nil {
			return err
		}
	}
	plan, err := setup.New(ctx, o)
	if err != nil {
		return err
	}
	plan.Asks = append(plan.Asks, unacceptable...)
	if dryRun {
		err = printed(print.Diff(a.stdout, plan.Changes(), a.printing(a.stdout)))
	} else {
		err = plan.Write()
	}
	if err != nil {
		return err
	}
	list := append(found, plan.Lines(dryRun)...)
	if names := plan.Tracked(); o.Repo != nil && len(names) > 0 {
		add := "next: " + a.shell(plan.Top).Add(names)
		if slices.Contains(names, config.Name) {
			add += " (a hook reads only staged or committed files)"
		}
		list = append(list, add)
	}
	next := "next: " + program() + " check"
	switch {
	case o.Baseline != nil && slices.Contains(plan.Tracked(), setup.BaselineName):
		next += fmt.Sprintf(" (existing findings now in the baseline: %d)", o.InBaseline)
	case o.Baseline != nil:
		next += " (--write-baseline accepts existing findings)"
	}
	for _, line := range append(list, next) {
		err = errors.Join(err, lines(a.stdout, "", "    ", line))
	}
	if err == nil && len(plan.Asks) > 0 {
		return exit(exitClosed)
	}
	return printed(err)
}

// survey checks the repository as it is. It reports which workflows were found, and creates a baseline of the
// findings that already close the gate. If a baseline cannot accept a finding, a person must fix it.
func survey(ctx context.Context, a *app, o *setup.Options) (found, unacceptable []string, err error) {
	how := hostOptions(a, false)
	how.Now, how.NoResume = time.Now(), true
	q, err := configured(ctx, a, &examineFlags{}, how)
	if err != nil {
		return nil, nil, nil // check judges an existing configuration
	}
	r, err := examine(ctx, a, q)
	if err != nil {
		return nil, nil, err
	}
	runs := map[string]int{}
	for _, i := range r.Instances {
		runs[i.Plugin] = 0
		for _, d := range i.Diagnostics {
			if result.Unread(d.Rule) && d.Severity == wire.Error {
				fix := "fix it"
				if i.HasFix(&d) {
					fix = "fix it with `" + program() + " recover`"
				}
				unacceptable = append(unacceptable, fmt.Sprintf("%s: %s (%s); a baseline cannot accept this; "+
					"%s, or list its directory under exclude in %s", d.Place.Path, print.Safe(d.Message), d.Rule, fix,
					config.Name))
			}
		}
	}
	for _, run := range result.Counted(r) {
		runs[run.Instance.Plugin]++
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(runs)) {
		list = append(list, fmt.Sprintf("%s (%s)", name, print.Count(runs[name], "run")))
	}
	s := r.Summary()
	switch o.InBaseline = s.InBaseline; {
	case len(list) == 0 && r.Whole && len(r.Failures) == 0:
		found = append(found, "found: no state of an available workflow (`stategate explain` lists them, "+
			"`stategate plugin add` adds one, `stategate plugin new --declare NAME` describes yours)")
	case len(list) > 0:
		found = append(found, fmt.Sprintf("found: %s; %s, %s, %s; %d in baseline", strings.Join(list, ", "),
			print.Count(s.Errors, "error"), print.Count(s.Warnings, "warning"), print.Count(s.Infos, "info"),
			s.InBaseline))
	}
	found = append(found, offers(o, runs)...)
	for _, dir := range slices.Sorted(maps.Keys(fixtures(r))) {
		found = append(found, fmt.Sprintf("note: the state in %s counts as a run; if it is test data, list it in %s: "+
			`exclude: ["%s/**"]`, dir, config.Name, dir))
	}
	if r.Whole && len(r.Failures) == 0 && s.Errors > 0 {
		b, _ := policy.NewBaseline(r)
		o.InBaseline = len(b.Findings)
		data, err := b.Encode()
		if err != nil {
			return nil, nil, err
		}
		o.Baseline = print.SafeJSON(data)
	}
	return found, unacceptable, nil
}

// offers returns notes about declarations in the gallery that fit files in the repository that no plugin checks.
func offers(o *setup.Options, runs map[string]int) (list []string) {
	top := o.Dir
	if o.Repo != nil {
		top = o.Repo.Top
	}
	names, files := declared.Offers(top)
	for i, name := range names {
		if runs[name] == 0 {
			list = append(list, fmt.Sprintf("note: no plugin checks %s; `%s plugin new %s --from %s` writes a gate "+
				"for it in a text file", print.Safe(files[i]), program(), name, name))
		}
	}
	return list
}

// testDirectories lists directory names whose state is probably not real work.
var testDirectories = []string{"test", "tests", "testdata", "__tests__", "fixtures", "__fixtures__"}

func fixtures(r *result.Result) map[string]bool {
	dirs := map[string]bool{}
	for _, i := range r.Instances {
		parts := strings.Split(i.Root, "/")
		at := slices.IndexFunc(parts, func(name string) bool { return slices.Contains(testDirectories, name) })
		if at >= 0 {
			dirs[strings.Join(parts[:at+1], "/")] = true
		}
	}
	return dirs
}
