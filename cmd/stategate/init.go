package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/cmd/stategate/internal/setup"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/source/git"
)

func (a *app) initCommand() *cobra.Command {
	var o setup.Options
	var dryRun bool
	c := &cobra.Command{
		Use:   "init",
		Short: "Set the gate up: configuration, hook, CI job",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return a.init(c.Context(), o, dryRun) },
	}
	c.Flags().StringVar(&o.Hook, "hook", "", "set up this `HOOK`: pre-commit, git, lefthook, none (default: what the repository uses)")
	c.Flags().StringVar(&o.CI, "ci", "", "set up this `CI`: github, gitlab, none (default: what the repository uses)")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "show what would be written")
	return c
}

func (a *app) init(ctx context.Context, o setup.Options, dryRun bool) error {
	o.Dir, o.Version = a.env.dir, version()
	o.Repo = git.Find(a.env.dir, git.Settings{Environ: a.env.all, Dir: a.env.dir})
	if o.Repo != nil && o.Repo.Bare {
		if _, err := io.WriteString(a.stdout, setup.PreReceive); err != nil {
			return a.printed(err)
		}
		return usagef("%s is a bare repository, which has no work tree to set up: run stategate init in a clone; to gate what is pushed here, make the script on standard output hooks/pre-receive, executable", o.Repo.Top)
	}
	plan, err := setup.New(ctx, o)
	if err != nil {
		return err
	}
	if len(plan.Asks) > 0 {
		a.code = exitClosed
	}
	if dryRun {
		err = a.printed(print.Diff(a.stdout, plan.Changes(), a.printing(a.stdout)))
	} else {
		err = plan.Write()
	}
	if err != nil {
		return err
	}
	list := plan.Lines(dryRun)
	if names := plan.Tracked(); o.Repo != nil && len(names) > 0 {
		list = append(list, "next: "+a.gitAdd(plan.Top, names)+" (a hook reads what is staged or committed)")
	}
	for _, line := range append(list, "next: stategate check (--write-baseline accepts existing findings)") {
		err = errors.Join(err, lines(a.stdout, "", "    ", line))
	}
	return a.printed(err)
}
