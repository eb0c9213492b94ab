package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// fixFlags are those of check that change files.
type fixFlags struct{ fix bool }

func (f *fixFlags) register(c *cobra.Command) {
	c.Flags().BoolVar(&f.fix, "fix", false, "apply the first safe remedy of every finding, then check again; exits 1 after changing anything")
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
		shown = errors.Join(shown, lines(w, "", "", "the work tree was changed and nothing was staged. What is staged is still:"))
	}
	if err == nil {
		err = a.printed(shown)
	}
	return fixed.Result, fixed.Changed(), err
}
