package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/repair"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/shell"
	"github.com/stategate/stategate/sdk/wire"
)

// fixFlags are those of check that change files.
type fixFlags struct{ fix bool }

func (f *fixFlags) register(c *cobra.Command) {
	c.Flags().BoolVar(&f.fix, "fix", false, "apply the first safe remedy of every finding, then check again; exits 1 after changing anything")
}

// looked is a.look, or with --fix a look, changes and the last look. What was
// changed goes to stdout before the verdict, or to stderr where stdout holds a document.
func (a *app) looked(ctx context.Context, o check.Options, f *checkFlags, chosen *selection) (r *result.Result, changed bool, err error) {
	if !f.fix {
		r, err = a.look(ctx, o, f.noCache)
		return r, false, err
	}
	if f.rev != "" {
		return nil, false, usagef("--fix with --rev %s: a commit does not change; use only one of the two", f.rev)
	}
	rep, err := repair.OpenRepair(ctx, o)
	if err != nil {
		return nil, false, err
	}
	defer rep.Close()
	if rep.Left != nil {
		a.interrupted(rep.Left)
	}
	look := func(ctx context.Context) (*result.Result, error) {
		r, err := a.look(ctx, o, f.noCache)
		if err == nil {
			chosen.apply(r)
		}
		return r, err
	}
	if r, err = look(ctx); err != nil {
		return nil, false, err
	}
	fixed, err := rep.Fix(ctx, r, look)
	w := io.Writer(a.stdout)
	if f.format != formatText {
		w = a.stderr
	}
	if shown := a.fixed(w, fixed, o.Source, rep.Stage(ctx, &fixed.Outcome)); err == nil {
		err = shown
	}
	return fixed.Result, fixed.Changed(), err
}

// fixed says what was changed, what was left out, how to undo it, and what to stage.
func (a *app) fixed(w io.Writer, fixed *result.Fixed, source wire.Source, stage []string) error {
	how := a.printing(w)
	if fixed.Result != nil {
		a.placed(&how, fixed.Result.Workspace)
	}
	err := errors.Join(print.Outcome(w, &fixed.Outcome, how), print.Skipped(w, fixed.Skipped, how))
	if err == nil && fixed.Changed() {
		err = lines(w, "undo with: ", "", shell.Word(program())+" recover --undo")
	}
	if err == nil && len(stage) > 0 {
		err = lines(w, "then: ", "", a.gitAdd(fixed.Result.Workspace, stage))
	}
	if err == nil && fixed.Changed() && source == wire.Index {
		err = lines(w, "", "", "the work tree was changed and nothing was staged. What is staged is still:")
	}
	return a.printed(err)
}
