package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// sourceFlags say what is checked and what it is compared with.
type sourceFlags struct {
	staged  bool
	rev     string
	changed bool
	bases   []string
}

// The values of --base that are no revisions.
const (
	baseAuto = "auto"
	baseNone = "none"
	baseLast = "last"
)

// registerBase is for every subcommand that checks.
func (s *sourceFlags) registerBase(a *app, c *cobra.Command) {
	c.Flags().StringArrayVar(&s.bases, "base", nil, "compare with `REV` (repeatable), an earlier revision or one of: auto (where CI or git says the change begins), last (the state when the gate was last open), none")
	completeFlag(c, "base", a.revisions(
		[2]string{baseAuto, "where CI or git says the change begins"},
		[2]string{baseLast, "the state when the gate was last open"},
		[2]string{baseNone, "nothing"},
	))
}

// registerSource is for the subcommands that check more than the work tree.
func (s *sourceFlags) registerSource(a *app, c *cobra.Command) {
	c.Flags().BoolVar(&s.staged, "staged", false, "check what git is going to commit, and compare it with HEAD")
	c.Flags().StringVar(&s.rev, "rev", "", "check the commit `REV`, and compare it with its parents")
	c.Flags().BoolVar(&s.changed, "changed", false, "check only runs that the change touches")
	completeFlag(c, "rev", a.revisions())
}

// set puts the flags into o. The environment speaks only where auto asks it.
func (s *sourceFlags) set(o *check.Options, env environment) error {
	switch {
	case s.staged && s.rev != "":
		return usagef("--staged and --rev %s cannot be combined: use only one of the two", s.rev)
	case s.staged:
		o.Source = wire.Index
	case s.rev != "":
		o.Source, o.Rev = wire.Commit, s.rev
	}
	o.Changed = s.changed
	if slices.Contains(s.bases, baseNone) {
		if len(s.bases) > 1 {
			return usagef("--base none cannot be combined with another --base: use only one of the two")
		}
		if s.changed {
			return usagef("--changed needs a base, and --base none compares with nothing; use only one of the two")
		}
		return nil
	}
	o.Predecessors = len(s.bases) == 0 && (o.Source != wire.Worktree || s.changed)
	for _, b := range s.bases {
		if b == baseLast {
			o.Last = true
			continue
		}
		if b != baseAuto {
			o.Bases = append(o.Bases, b)
			continue
		}
		begins, err := env.autoBase()
		if err != nil {
			return err
		}
		if begins == "" || begins == parents && s.rev != "" {
			o.Predecessors = true
		} else {
			o.Bases = append(o.Bases, begins)
		}
	}
	return nil
}

// remember keeps what was seen for --base last, if the gate is open by all rules.
func (a *app) remember(r *result.Result, chosen []string) {
	if r.Seen == nil || a.code != exitOpen || len(chosen) > 0 {
		return
	}
	if err := r.Seen.Keep(); err != nil {
		_ = lines(a.stderr, "stategate: note: ", "    ", err.Error())
	}
}

// words are the flags again, for a command that compares the work tree with the same.
func (s *sourceFlags) words() (list []string) {
	if len(s.bases) == 0 && (s.staged || s.changed) {
		return []string{"--base", baseAuto}
	}
	for _, b := range s.bases {
		list = append(list, "--base", b)
	}
	return list
}
