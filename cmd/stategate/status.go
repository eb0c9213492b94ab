package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/print"
)

type statusFlags struct {
	lookFlags
	format string
	watch  bool
}

func (a *app) statusVerb() *cobra.Command {
	f := &statusFlags{}
	c := &cobra.Command{
		Use:   "status [PATH…]",
		Short: "Show every run: phase, progress, state, next step",
		Long: `status shows every run below the paths, or the current directory: its
workflow, the phase that its state file claims and the one that its documents
prove, progress, state, next step and facts. A star marks the run that the
workflow's own tool would choose.

With --watch it is printed again whenever it changes, until Ctrl-C.

Exit codes: 0; 2 the call is wrong; 3 something could not be checked.`,
		RunE: func(c *cobra.Command, paths []string) error { return a.status(c, f, paths) },
	}
	f.register(a, c)
	f.registerSource(a, c)
	c.Flags().StringVar(&f.format, "format", formatText, "print as `FORMAT`: "+formatNames)
	c.Flags().BoolVar(&f.watch, "watch", false, "print the status again whenever it changes, until Ctrl-C")
	completeWords(c, "format", formatText, formatJSON)
	return c
}

func (a *app) status(c *cobra.Command, f *statusFlags, paths []string) error {
	if err := known(f.format); err != nil {
		return err
	}
	if f.watch {
		return a.watch(c, f, paths)
	}
	return a.printStatus(c, f, paths, a.stdout, nil)
}

// printStatus checks and prints what it found. Every directory is reported to reading, if that is not nil, before it
// is read.
func (a *app) printStatus(c *cobra.Command, f *statusFlags, paths []string, w io.Writer, reading func(dir string)) error {
	o, _, err := a.options(c, &f.lookFlags, paths)
	if err != nil {
		return err
	}
	o.Reading = reading
	r, err := a.look(c.Context(), o, f.noCache)
	if err != nil {
		return err
	}
	if len(r.Failures) > 0 {
		a.code = exitBroken
	}
	how := print.Options{Color: a.env.color(a.stdout), FailOn: f.closes(), Version: version(), Recover: a.recoverCommand(&f.lookFlags, paths, r)}
	a.placed(&how, r.Anchor)
	if f.format == formatJSON {
		return a.printed(print.JSON(w, r, how))
	}
	return a.printed(print.Status(w, r, how))
}
