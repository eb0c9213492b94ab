package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/wire"
)

// replayed is the default number of commits that plugin replay checks.
const replayed = 100

func replayCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:               "replay NAME|FILE [A..B]",
		Short:             "List a plugin's new findings in each commit",
		Args:              cobra.RangeArgs(1, 2),
		ValidArgsFunction: inOrder(workflowWords(a, filesToo)),
		RunE: func(c *cobra.Command, args []string) error {
			repo := a.repository(a.env.dir)
			if repo == nil {
				return usagef("plugin replay reads commits from a git repository; %s is not in one", a.env.dir)
			}
			ids, err := replayedCommits(c.Context(), repo, args[1:])
			if err != nil {
				return err
			}
			name := args[0]
			if p, file, err := pluginOrConfigured(c.Context(), a, name); err == nil && p.IsDeclared() {
				name = file // the configuration in earlier commits may not name it
			}
			r := &replay{app: a, plugin: name, repo: repo, found: map[string]map[string]bool{},
				rules: map[string]int{}, newest: len(args) == 1}
			return r.run(c.Context(), ids)
		},
	}
	return c
}

func replayedCommits(ctx context.Context, repo *git.Repo, revs []string) ([]string, error) {
	if len(revs) == 0 {
		return repo.Newest(ctx, "HEAD", replayed)
	}
	from, to, ok := rangeOf(revs[0])
	if !ok || strings.HasPrefix(to, ".") {
		return nil, usagef("%s is not a commit range; write it as A..B", revs[0])
	}
	return repo.Between(ctx, from, to)
}

// A replay checks commits, each with its parents as the base, and lists the findings that no parent has.
type replay struct {
	app     *app
	plugin  string
	repo    *git.Repo
	objects *git.Objects
	found   map[string]map[string]bool // fingerprints, by commit
	rules   map[string]int             // commits with new findings, by rule
	failed  bool
	newest  bool // no range was given
}

func (r *replay) run(ctx context.Context, ids []string) error {
	r.objects = r.repo.Objects(ctx)
	defer r.objects.Close()
	commits, states := 0, 0
	for _, id := range ids {
		parents, err := r.objects.Parents(id)
		if err != nil {
			return err
		}
		was := map[string]bool{}
		for _, p := range parents {
			if r.found[p] == nil {
				if _, err := r.check(ctx, p); err != nil {
					return err
				}
			}
			maps.Copy(was, r.found[p])
		}
		res, err := r.check(ctx, id)
		if err != nil {
			return err
		}
		if len(res.Instances)+len(res.Failures) > 0 {
			states++
		}
		if n, err := r.show(id, res, was); err != nil {
			return err
		} else if n > 0 {
			commits++
		}
	}
	var counts []string
	for _, rule := range slices.Sorted(maps.Keys(r.rules)) {
		counts = append(counts, fmt.Sprintf("%s in %d", rule, r.rules[rule]))
	}
	text := fmt.Sprintf("%s, %d with state, %d with new findings", print.Count(len(ids), "commit"), states, commits)
	if r.newest && len(ids) == replayed {
		text = "the newest " + text
	}
	if len(counts) > 0 {
		text += ": " + strings.Join(counts, ", ")
	}
	if err := r.app.say("%s", text); err != nil || !r.failed {
		return err
	}
	return exit(exitBroken)
}

// check checks a commit as of its commit date, and records its findings. It uses no baseline, because the replay
// judges the plugin and not the repository.
func (r *replay) check(ctx context.Context, id string) (*result.Result, error) {
	at, err := r.objects.Committed(id)
	if err != nil {
		return nil, err
	}
	l := &examineFlags{Flags: advice.Flags{Plugins: []string{r.plugin}}, rev: id, baseline: noBaseline,
		now: at.UTC().Format(time.RFC3339)}
	q, err := l.request(ctx, r.app, nil)
	if err != nil {
		return nil, err
	}
	q.NoResume = true
	res, err := check.Check(ctx, q.Options)
	if err != nil {
		return nil, err
	}
	r.found[id] = map[string]bool{}
	for _, d := range res.Findings() {
		r.found[id][d.Fingerprint] = true
	}
	return res, ctx.Err()
}

// show prints a commit's new findings and returns their number.
func (r *replay) show(id string, res *result.Result, was map[string]bool) (n int, err error) {
	rules := map[string]bool{}
	for i := range res.Instances {
		in := &res.Instances[i]
		in.Diagnostics = slices.DeleteFunc(in.Diagnostics, func(d result.Diagnostic) bool { return was[d.Fingerprint] })
		n += len(in.Diagnostics)
		for _, d := range in.Diagnostics {
			rules[d.Rule] = true
		}
	}
	for rule := range rules {
		r.rules[rule]++
	}
	r.failed = r.failed || len(res.Failures) > 0
	if n+len(res.Failures) == 0 {
		return 0, nil
	}
	if err := r.app.say("commit %.12s", id); err != nil {
		return 0, err
	}
	how := r.app.printing(r.app.stdout)
	how.FailOn, how.Show = wire.Error, wire.Info
	placed(r.app, &how, res.Workspace)
	return n, printed(print.Findings(r.app.stdout, res, how))
}
