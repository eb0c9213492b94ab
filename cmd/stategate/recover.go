package main

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/repair"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/shell"
	"github.com/stategate/stategate/sdk/wire"
)

type recoverFlags struct {
	lookFlags
	failFlags
	format string
	apply  []string
	dryRun bool
	undo   bool
}

func (a *app) recoverCommand() *cobra.Command {
	f := &recoverFlags{}
	c := &cobra.Command{
		Use:   "recover [PATH…]",
		Short: "List remedies for the findings, and apply them",
		Long: `recover lists the remedies of every finding, and recovery options for runs whose
state is lost. On a terminal it asks which one to apply and shows the difference
first; elsewhere it applies only what --apply names. After every change it checks
again and rolls back what did not help.

A safe remedy loses nothing; one for review decides something that a person
should review; a manual one is done by hand.

Exit codes: 0 done, or nothing to do; 1 a decision is needed, or something asked
for was not done; 2 the call is wrong; 3 something could not be checked or changed.`,
		RunE: func(c *cobra.Command, paths []string) error { return a.recover(c, f, paths) },
	}
	f.lookFlags.register(a, c)
	f.failFlags.register(c)
	c.Flags().StringVar(&f.format, "format", formatText, "print as `FORMAT`: "+formatNames)
	c.Flags().StringArrayVar(&f.apply, "apply", nil, "apply the remedy or recovery with this `ID`, or the only one that begins so (repeatable)")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "print what --apply would change as a unified diff, and change nothing")
	c.Flags().BoolVar(&f.undo, "undo", false, "restore, byte for byte, what was there before the last change")
	completeWords(c, "format", formatText, formatJSON)
	completeFlag(c, "apply", a.offers(&f.lookFlags))
	return c
}

func (f *recoverFlags) check() error {
	if err := known(f.format); err != nil {
		return err
	}
	switch {
	case f.undo && (f.dryRun || len(f.apply) > 0):
		return usagef("--undo goes with neither --apply nor --dry-run; give it alone")
	case f.dryRun && len(f.apply) == 0:
		return usagef("--dry-run shows what --apply ID would change; `stategate recover` lists the ids")
	case slices.Contains(f.apply, ""):
		return usagef("--apply has an empty value; `stategate recover` lists the ids")
	}
	return nil
}

// A recovery is one call of the verb.
type recovery struct {
	*app
	f      *recoverFlags
	o      check.Options
	how    print.Options
	repair *repair.Repair
	ask    *prompt        // nil: the user is not asked
	say    print.Recovery // for JSON
}

func (a *app) recover(c *cobra.Command, f *recoverFlags, paths []string) error {
	if err := f.check(); err != nil {
		return err
	}
	o, _, err := a.options(c, &f.lookFlags, paths)
	if err != nil {
		return err
	}
	r := &recovery{app: a, f: f, o: o}
	if r.how, err = a.how(c, f, paths, o.Workspace.Path); err != nil {
		return err
	}
	if r.repair, err = repair.OpenRepair(c.Context(), o); err != nil {
		return r.onlyList(c.Context(), err)
	}
	defer r.repair.Close()
	if r.say.Left = r.repair.Left; r.say.Left != nil {
		a.interrupted(r.say.Left)
	}
	err = r.run(c.Context())
	return errors.Join(r.json(), err)
}

// onlyList lists where nothing can be changed, because of err, and fails.
func (r *recovery) onlyList(ctx context.Context, err error) error {
	if r.f.undo || len(r.f.apply) > 0 || r.look(ctx) != nil {
		return err
	}
	return errors.Join(r.list(), r.json(), err)
}

func (r *recovery) json() error {
	if r.f.format != formatJSON {
		return nil
	}
	return r.printed(print.RecoverJSON(r.stdout, r.say, r.how))
}

func (a *app) how(c *cobra.Command, f *recoverFlags, paths []string, workspace string) (print.Options, error) {
	how := a.printing(a.stdout)
	failOn, err := f.severity(c, &f.configFlags)
	how.FailOn, how.Recover = failOn, a.fixCommand(&f.lookFlags, paths, &result.Result{Workspace: workspace}, f.words(c)...)
	return how, err
}

// interrupted says what became of a change that an earlier call did not finish.
func (a *app) interrupted(left *result.Outcome) {
	_ = lines(a.stderr, "stategate: note: ", "    ", "an earlier change was interrupted:")
	_ = print.Outcome(a.stderr, left, a.printing(a.stderr))
}

func (r *recovery) run(ctx context.Context) error {
	if r.f.undo {
		return r.undone(ctx)
	}
	if r.f.format == formatText {
		r.ask = r.newPrompt(r.stdout)
	}
	if err := r.look(ctx); err != nil {
		return err
	}
	switch {
	case len(r.f.apply) > 0:
		return r.named(ctx)
	case r.ask != nil:
		r.how.Recover = "" // it is asked for here
		return r.choose(ctx)
	}
	return r.list()
}

// look checks everything and takes what could not be checked into the exit code.
func (r *recovery) look(ctx context.Context) (err error) {
	r.say.Result, err = r.app.look(ctx, r.o, r.f.noCache)
	if err == nil {
		r.placed(&r.how, r.say.Result.Workspace)
	}
	if err == nil && len(r.say.Result.Failures) > 0 {
		r.code = exitBroken
	}
	return err
}

// decide says that a person has something left to do.
func (r *recovery) decide() { r.code = max(r.code, exitClosed) }

// remains sets the exit code to what is left: something to apply that ends more than an
// info, or findings that nothing is offered for.
func (r *recovery) remains() {
	r.code = gateCode(r.say.Result.Gate(r.how.FailOn))
	if slices.ContainsFunc(print.Offers(r.say.Result), func(f print.Offer) bool { return f.Finding == nil || f.Finding.Severity > wire.Info }) {
		r.decide()
	}
}

func (r *recovery) list() error {
	r.remains()
	return r.text(func() error { return print.Recover(r.stdout, r.say.Result, r.how) })
}

// text prints, unless the output is JSON.
func (r *recovery) text(show func() error) error {
	if r.f.format == formatJSON {
		return nil
	}
	return r.printed(show())
}

// named applies what --apply names.
func (r *recovery) named(ctx context.Context) error {
	offers, err := r.offers(ctx)
	if err != nil || len(offers) == 0 {
		return err
	}
	if byHand := slices.DeleteFunc(slices.Clone(offers), func(f print.Offer) bool { return f.Safety != wire.Manual }); len(byHand) > 0 {
		r.decide()
		return r.text(func() error { return print.ByHand(r.stdout, byHand, r.how) })
	}
	plan, err := r.plan(ctx, idsOf(offers))
	if err != nil || r.f.dryRun {
		return err
	}
	if !allSafe(offers) && r.ask != nil {
		if yes, err := r.agreed(ctx, plan); err != nil || !yes {
			r.decide()
			return err
		}
	}
	return r.make(ctx, plan)
}

func allSafe(offers []print.Offer) bool {
	return !slices.ContainsFunc(offers, func(f print.Offer) bool { return f.Safety != wire.Safe })
}

// plan works out a change and says what is left out of it; with --dry-run it
// shows the difference.
func (r *recovery) plan(ctx context.Context, ids []string) (*result.Plan, error) {
	plan, err := r.repair.Plan(ctx, r.say.Result, ids)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(plan.Instances, func(p result.Planned) bool { return len(p.Skipped) > 0 }) {
		r.decide()
	}
	if !r.f.dryRun {
		return plan, nil
	}
	r.say.Plan = plan
	return plan, r.text(func() error {
		return errors.Join(print.Skipped(r.stderr, plan.Instances, print.Options{}), r.diff(plan))
	})
}

func (r *recovery) diff(plan *result.Plan) error {
	for i := range plan.Instances {
		if err := print.Diff(r.stdout, plan.Instances[i].Files, r.how); err != nil {
			return err
		}
	}
	return nil
}

// agreed shows a change on the terminal and asks whether it is wanted.
func (r *recovery) agreed(ctx context.Context, plan *result.Plan) (bool, error) {
	err := errors.Join(print.Skipped(r.stdout, plan.Instances, r.how), r.diff(plan))
	if err != nil {
		return false, r.printed(err)
	}
	return r.ask.agree(ctx, "Apply this?")
}

// make applies a plan, says what changed and how to undo it, and looks again.
func (r *recovery) make(ctx context.Context, plan *result.Plan) error {
	out, err := r.repair.Apply(ctx, plan)
	if slices.ContainsFunc(out.Instances, func(i result.Repaired) bool { return i.Done != result.Applied }) {
		r.decide()
	}
	return r.after(ctx, out, err)
}

// after says what was changed and what is still wrong, and what stages it.
func (r *recovery) after(ctx context.Context, out *result.Outcome, err error) error {
	r.say.Outcome = out
	if shown := r.text(func() error { return r.made(out) }); err == nil {
		err = shown
	}
	if err != nil {
		return err
	}
	if err := r.look(ctx); err != nil {
		return err
	}
	if err := r.text(func() error { return print.Gate(r.stdout, r.say.Result, r.how) }); err != nil {
		return err
	}
	paths := r.repair.Stage(ctx, out)
	if len(paths) == 0 {
		return nil
	}
	if err := r.then("then: ", paths); err != nil || !r.repair.Detached(ctx) {
		return err
	}
	return r.text(func() error {
		return lines(r.stdout, "then: ", "", "git switch -c NAME  (HEAD is detached: the commit needs a branch)")
	})
}

func (r *recovery) made(out *result.Outcome) error {
	err := print.Outcome(r.stdout, out, r.how)
	if err == nil && out.Changed() && !r.f.undo {
		err = lines(r.stdout, "undo with: ", "", shell.Word(program())+" recover --undo")
	}
	return err
}

func (r *recovery) undone(ctx context.Context) error {
	r.placed(&r.how, r.repair.Top())
	out, err := r.repair.Undo(ctx)
	return r.after(ctx, out, err)
}
