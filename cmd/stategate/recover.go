package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/repair"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

type recoverFlags struct {
	examineFlags
	failOn string
	format string
	show   string
	apply  []string
	dryRun bool
	undo   bool
}

func recoverCommand(a *app) *cobra.Command {
	f := &recoverFlags{show: wire.Info.String()}
	c := &cobra.Command{
		Use:   "recover [PATH…]",
		Short: "List and apply remedies for findings",
		RunE:  func(c *cobra.Command, paths []string) error { return recoverRuns(c, a, f, paths) },
	}
	failFlag(c, &f.failOn)
	f.register(a, c, worktreeOnly)
	f.baselineFlag(c)
	recoverFormats.flag(c, whatIsShown, &f.format)
	showFlag(c, &f.show)
	addFlag(c, whatIsChanged, &f.apply, "apply",
		"apply the remedy or recovery with this id (or its first characters), "+
			"or one remedy to each finding of a rule: `ID|RULE` (repeatable)").
		completed(remedyWords(a, &f.examineFlags))
	addFlag(c, whatIsChanged, &f.dryRun, "dry-run", "print a unified diff of what --apply would change, and "+
		"change nothing")
	addFlag(c, whatIsChanged, &f.undo, "undo", "undo the last change, byte for byte")
	return c
}

func (f *recoverFlags) check() error {
	if _, err := recoverFormats.named(f.format); err != nil {
		return err
	}
	switch {
	case f.undo && (f.dryRun || len(f.apply) > 0):
		return usagef("--undo cannot be combined with --apply or --dry-run; use it alone")
	case f.dryRun && len(f.apply) == 0:
		return usagef("--dry-run shows what --apply ID would change; `stategate recover` lists the ids")
	case slices.Contains(f.apply, ""):
		return usagef("--apply has an empty value; `stategate recover` lists the ids")
	case f.undo, len(f.apply) > 0 && !f.dryRun:
		return f.refuseChanges("recover")
	}
	return nil
}

// A recovery is one call of the subcommand.
type recovery struct {
	*app
	f       *recoverFlags
	request *request
	call    *advice.Call
	how     print.Options
	out     io.Writer // for text; discards everything with --format json
	repair  *repair.Repair
	ask     *prompt        // nil if the user is not asked
	say     print.Recovery // for JSON
	code    int            // the exit code
}

func recoverRuns(c *cobra.Command, a *app, f *recoverFlags, paths []string) error {
	if err := f.check(); err != nil {
		return err
	}
	q, err := f.request(c.Context(), a, paths)
	if err != nil {
		return err
	}
	q.NoResume, q.Patient = true, true
	if len(f.apply) > 0 && len(paths) == 0 {
		q.Workspace = q.Workspace.Whole() // ids may come from hooks, which check the whole workspace
	}
	r := &recovery{app: a, f: f, request: q, how: a.printing(a.stdout), out: a.stdout}
	if r.how.Show, r.how.All, err = shownFrom(f.show); err != nil {
		return err
	}
	if f.format == formatJSON {
		r.out = io.Discard
	}
	call := f.call(a, paths)
	if r.how.FailOn, call.FailOn, err = closing(c, f.failOn, q.settings); err != nil {
		return err
	}
	r.call = call
	r.how.Recover, r.how.Explain = call.Recover(&result.Result{Workspace: q.Workspace.Path}), call.Explain()
	if r.repair, err = openRepair(c.Context(), a, q); err != nil {
		if f.undo || len(f.apply) > 0 || r.examine(c.Context()) != nil {
			return err
		}
		return errors.Join(r.list(), r.json(), err) // listing works even if nothing can be changed
	}
	defer r.repair.Close()
	r.say.Interrupted = r.repair.Interrupted
	err = r.run(c.Context())
	if err := errors.Join(r.json(), err); err != nil {
		return err
	}
	return exit(r.code)
}

// openRepair prepares to change files. If an earlier call left a change unfinished, it reports how that change
// was completed or undone.
func openRepair(ctx context.Context, a *app, q *request) (*repair.Repair, error) {
	rep, err := repair.OpenRepair(ctx, q.Options)
	if err == nil && rep.Interrupted != nil {
		a.note("an earlier change was interrupted:")
		_ = print.Outcome(a.stderr, rep.Interrupted, a.printing(a.stderr))
	}
	return rep, err
}

func (r *recovery) json() error {
	if r.f.format != formatJSON {
		return nil
	}
	return printed(print.RecoverJSON(r.stdout, r.say, r.how))
}

func (r *recovery) run(ctx context.Context) error {
	if r.f.undo {
		placed(r.app, &r.how, r.repair.Top())
		out, err := r.repair.Undo(ctx)
		return r.after(ctx, out, nil, err)
	}
	if r.f.format == formatText {
		r.ask = newPrompt(r.app, r.stdout)
	}
	if err := r.examine(ctx); err != nil {
		return err
	}
	switch {
	case len(r.f.apply) > 0:
		return r.named(ctx)
	case r.ask != nil:
		r.how.Recover = "" // this is the recover command
		return r.choose(ctx)
	}
	return r.list()
}

// examine checks everything, and sets the exit code if something could not be checked.
func (r *recovery) examine(ctx context.Context) (err error) {
	if r.say.Result, err = examine(ctx, r.app, r.request); err != nil {
		return err
	}
	placed(r.app, &r.how, r.say.Result.Workspace)
	if len(r.say.Result.Failures) > 0 {
		r.code = exitBroken
	}
	return nil
}

func (r *recovery) closeGate() { r.code = max(r.code, exitClosed) }

// remains sets the exit code for what is left. It is that of a closed gate if findings close the gate, or if there is
// an offer that does more than fix an info.
func (r *recovery) remains() {
	r.code = r.say.Result.Gate(r.how.FailOn).ExitCode()
	if slices.ContainsFunc(r.say.Result.Offers(), func(f result.Offer) bool {
		return f.Finding == nil || f.Finding.Severity > wire.Info
	}) {
		r.closeGate()
	}
}

func (r *recovery) list() error {
	r.remains()
	return printed(print.Recover(r.out, r.say, r.how))
}

// apply plans offers and applies the plan. If the user must agree, it shows the plan first. It reports whether the user
// agreed.
func (r *recovery) apply(ctx context.Context, offers []result.Offer, agree bool) (made bool, err error) {
	plan, err := r.repair.Plan(ctx, offers)
	if err != nil {
		return false, err
	}
	if len(plan.Skipped()) > 0 {
		r.closeGate()
	}
	if r.f.dryRun {
		r.say.Plan = plan
		leftOut := r.out
		if r.f.format == formatText {
			leftOut = r.stderr
		}
		return false, printed(r.show(leftOut, print.Options{}, plan))
	}
	if agree {
		_, err := fmt.Fprintln(r.out)
		err = errors.Join(err, r.show(r.out, r.how, plan))
		if _, end := fmt.Fprintln(r.out); errors.Join(err, end) != nil {
			return false, printed(errors.Join(err, end))
		}
		if yes, err := r.ask.agree(ctx, "Apply this change?"); err != nil || !yes {
			r.closeGate()
			return false, err
		}
	}
	out, err := r.repair.Apply(ctx, plan)
	if slices.ContainsFunc(out.Instances, func(i result.Repaired) bool { return i.Done != result.Applied }) {
		r.closeGate()
	}
	var idle result.Outcome // instances without a change, which the outcome omits
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

// after prints what was changed and skipped, the remaining findings, and the next commands.
func (r *recovery) after(ctx context.Context, out *result.Outcome, skipped []result.Skipped, err error) error {
	r.say.Outcome = out
	if shown := printed(printOutcome(r.out, out, skipped, r.how, r.call)); err == nil {
		err = shown
	}
	if err != nil {
		return err
	}
	if err := r.examine(ctx); err != nil {
		return err
	}
	var next []string
	if !r.f.undo { // after undo, findings are expected
		next = commandsAfter(ctx, r.app, r.repair, out)
	}
	if len(next) > 0 {
		r.say.NextCommand = next[0]
	}
	return printed(errors.Join(print.Gate(r.out, r.say.Result, r.how), thenLines(r.out, next...)))
}

// printOutcome prints what was changed, what was skipped, and how to undo it.
func printOutcome(w io.Writer, out *result.Outcome, skipped []result.Skipped, how print.Options,
	call *advice.Call) error {
	err := errors.Join(print.Outcome(w, out, how), print.Skipped(w, skipped, how))
	if err == nil && slices.ContainsFunc(out.Instances,
		func(i result.Repaired) bool { return i.Done == result.Applied }) {
		err = lines(w, "undo with: ", "", call.Undo())
	}
	return err
}

// commandsAfter returns the commands to run after a change: they stage it, and create a branch if HEAD is detached.
func commandsAfter(ctx context.Context, a *app, rep *repair.Repair, out *result.Outcome) []string {
	paths := rep.Stage(ctx, out)
	if len(paths) == 0 {
		return nil
	}
	list := []string{a.shell(rep.Top()).Add(paths)}
	if rep.Detached(ctx) {
		list = append(list, "git switch -c NAME  (HEAD is detached, so the commit needs a branch)")
	}
	return list
}

func thenLines(w io.Writer, commands ...string) (err error) {
	for _, c := range commands {
		err = errors.Join(err, lines(w, "then: ", "", c))
	}
	return err
}
