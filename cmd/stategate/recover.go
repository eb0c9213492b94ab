package main

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/repair"
	"github.com/stategate/stategate/host/result"
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
		RunE:  func(c *cobra.Command, paths []string) error { return a.recover(c, f, paths) },
	}
	f.lookFlags.register(a, c)
	f.failFlags.register(c)
	recoverFormats.flag(c, &f.format)
	c.Flags().StringArrayVar(&f.apply, "apply", nil,
		"apply the remedy or recovery with this `ID`, or the only one that begins so (repeatable)")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false,
		"print what --apply would change as a unified diff, and change nothing")
	c.Flags().BoolVar(&f.undo, "undo", false, "restore, byte for byte, what was there before the last change")
	_ = c.RegisterFlagCompletionFunc("apply", a.offers(&f.lookFlags))
	return c
}

func (f *recoverFlags) check() error {
	if _, err := recoverFormats.named(f.format); err != nil {
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
	return f.refuse(f.undo || len(f.apply) > 0 && !f.dryRun, "recover")
}

// A recovery is one call of the verb.
type recovery struct {
	*app
	f      *recoverFlags
	o      check.Options
	how    print.Options
	out    io.Writer // for text; with JSON it goes nowhere
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
	o.NoResume = true
	if len(f.apply) > 0 && len(paths) == 0 {
		o.Workspace = o.Workspace.Whole() // an id is printed by hooks, too, which check all of it
	}
	r := &recovery{app: a, f: f, o: o, how: a.printing(a.stdout), out: a.stdout}
	if f.format == formatJSON {
		r.out = io.Discard
	}
	if r.how.FailOn, err = f.severity(c, &f.configFlags); err != nil {
		return err
	}
	r.how.Recover = f.judging(c, a.call(&f.lookFlags, paths)).Recover(&result.Result{Workspace: o.Workspace.Path})
	if r.repair, err = a.repairing(c.Context(), o); err != nil {
		if f.undo || len(f.apply) > 0 || r.look(c.Context()) != nil {
			return err
		}
		return errors.Join(r.list(), r.json(), err) // where nothing can be changed, listing works
	}
	defer r.repair.Close()
	r.say.Left = r.repair.Left
	err = r.run(c.Context())
	return errors.Join(r.json(), err)
}

// repairing prepares to change files, and says what became of a change that an earlier call did not finish.
func (a *app) repairing(ctx context.Context, o check.Options) (*repair.Repair, error) {
	rep, err := repair.OpenRepair(ctx, o)
	if err == nil && rep.Left != nil {
		_ = lines(a.stderr, "stategate: note: ", "    ", "an earlier change was interrupted:")
		_ = print.Outcome(a.stderr, rep.Left, a.printing(a.stderr))
	}
	return rep, err
}

func (r *recovery) json() error {
	if r.f.format != formatJSON {
		return nil
	}
	return r.printed(print.RecoverJSON(r.stdout, r.say, r.how))
}

func (r *recovery) run(ctx context.Context) error {
	if r.f.undo {
		r.placed(&r.how, r.repair.Top())
		out, err := r.repair.Undo(ctx)
		return r.after(ctx, out, nil, err)
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
	if r.say.Result, err = r.app.look(ctx, r.o, r.f.noCache); err != nil {
		return err
	}
	r.placed(&r.how, r.say.Result.Workspace)
	if len(r.say.Result.Failures) > 0 {
		r.code = exitBroken
	}
	return nil
}

func (r *recovery) decide() { r.code = max(r.code, exitClosed) }

// remains sets the exit code to what is left: something to apply that ends more than an
// info, or findings that nothing is offered for.
func (r *recovery) remains() {
	r.code = r.say.Result.Gate(r.how.FailOn).ExitCode()
	if slices.ContainsFunc(r.say.Result.Offers(), func(f result.Offer) bool {
		return f.Finding == nil ||
			f.Finding.Severity > wire.Info
	}) {
		r.decide()
	}
}

func (r *recovery) list() error {
	r.remains()
	return r.printed(print.Recover(r.out, r.say, r.how))
}

// apply plans offers, shows the plan if it is to be agreed to, and applies it. It reports whether it was agreed to.
func (r *recovery) apply(ctx context.Context, offers []result.Offer, agree bool) (made bool, err error) {
	plan, err := r.repair.Plan(ctx, offers)
	if err != nil {
		return false, err
	}
	if len(plan.Skipped()) > 0 {
		r.decide()
	}
	if r.f.dryRun {
		r.say.Plan = plan
		leftOut := r.out
		if r.f.format == formatText {
			leftOut = r.stderr
		}
		return false, r.printed(r.show(leftOut, print.Options{}, plan))
	}
	if agree {
		if err := r.show(r.out, r.how, plan); err != nil {
			return false, r.printed(err)
		}
		if yes, err := r.ask.agree(ctx, "Apply this?"); err != nil || !yes {
			r.decide()
			return false, err
		}
	}
	out, err := r.repair.Apply(ctx, plan)
	if slices.ContainsFunc(out.Instances, func(i result.Repaired) bool { return i.Done != result.Applied }) {
		r.decide()
	}
	var idle result.Outcome // what nothing was done for, which the outcome leaves out
	for _, i := range plan.Instances {
		if len(i.Changes) == 0 && !agree {
			idle.Instances = append(idle.Instances, i)
		}
	}
	return true, r.after(ctx, out, idle.Skipped(), err)
}

func (r *recovery) show(leftOut io.Writer, how print.Options, plan *result.Outcome) error {
	err := print.Skipped(leftOut, plan.Skipped(), how)
	for i := range plan.Instances {
		err = errors.Join(err, print.Diff(r.out, plan.Instances[i].Files, r.how))
	}
	return err
}

// after says what was changed and left out, what is still wrong, and what comes next.
func (r *recovery) after(ctx context.Context, out *result.Outcome, skipped []result.Skipped, err error) error {
	r.say.Outcome = out
	if shown := r.printed(outcome(r.out, out, skipped, r.how)); err == nil {
		err = shown
	}
	if err != nil {
		return err
	}
	if err := r.look(ctx); err != nil {
		return err
	}
	var next []string
	if !r.f.undo { // what undo brings back may be what is wrong
		next = r.next(ctx, r.repair, out)
	}
	if len(next) > 0 {
		r.say.Then = next[0]
	}
	return r.printed(errors.Join(print.Gate(r.out, r.say.Result, r.how), thenLines(r.out, next)))
}

// outcome says what was changed, what was left out, and how to undo it.
func outcome(w io.Writer, out *result.Outcome, skipped []result.Skipped, how print.Options) error {
	err := errors.Join(print.Outcome(w, out, how), print.Skipped(w, skipped, how))
	if err == nil && slices.ContainsFunc(out.Instances,
		func(i result.Repaired) bool { return i.Done == result.Applied }) {
		err = lines(w, "undo with: ", "", advice.Undo(program()))
	}
	return err
}

func (a *app) next(ctx context.Context, rep *repair.Repair, out *result.Outcome) []string {
	paths := rep.Stage(ctx, out)
	if len(paths) == 0 {
		return nil
	}
	list := []string{a.shell(rep.Top()).Add(paths)}
	if rep.Detached(ctx) {
		list = append(list, "git switch -c NAME  (HEAD is detached: the commit needs a branch)")
	}
	return list
}

func thenLines(w io.Writer, commands []string) (err error) {
	for _, c := range commands {
		err = errors.Join(err, lines(w, "then: ", "", c))
	}
	return err
}
