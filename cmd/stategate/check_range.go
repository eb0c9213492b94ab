package main

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/shell"
)

// rangeOf splits A..B. Like in git, a missing side means HEAD.
func rangeOf(rev string) (from, to string, ok bool) {
	from, to, ok = strings.Cut(rev, "..")
	return cmp.Or(from, "HEAD"), cmp.Or(to, "HEAD"), ok
}

// checkRange checks each commit in --rev A..B, like git rebase --exec, and returns the worst exit code.
func checkRange(c *cobra.Command, a *app, f *checkFlags, paths []string) error {
	from, to, _ := rangeOf(f.rev)
	format, err := checkFormats.named(f.format)
	switch {
	case err != nil:
		return err
	case strings.HasPrefix(to, "."):
		return usagef("--rev %s: a symmetric difference is not a range; write A..B", f.rev)
	case !format.People || len(f.reports) > 0:
		return usagef("--rev %s checks several commits, but a report covers one; run for c in $(git rev-list "+
			"--reverse %s); do stategate check --rev $c --format %s; done", f.rev, shell.Word(f.rev), f.format)
	}
	repo := a.repository(a.env.dir)
	if repo == nil {
		return usagef("--rev needs a git repository; %s is not in one", a.env.dir)
	}
	ids, err := repo.Between(c.Context(), from, to)
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return a.say("%s has no commits", f.rev)
	}
	worst := exitOpen
	for _, id := range ids {
		if err := a.say("commit %.12s", id); err != nil {
			return err
		}
		one := *f
		one.rev, one.keepWorkers = id, true
		if err := checkRuns(c, a, &one, paths); err != nil {
			p := problemOf(err)
			if c.Context().Err() != nil || p.code == exitUsage {
				return err
			}
			if p.message != "" {
				a.complain(p)
			}
			worst = max(worst, p.code)
		}
	}
	return exit(worst)
}
