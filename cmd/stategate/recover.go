package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/shell"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/sdk/wire"
)

type recoverFlags struct {
	lookFlags
	format string
	apply  []string
	dryRun bool
	undo   bool
}

func (a *app) recoverVerb() *cobra.Command {
	f := &recoverFlags{}
	c := &cobra.Command{
		Use:   "recover [PATH…]",
		Short: "List what ends the findings, and apply it",
		Long: `recover lists the remedies of every finding and the ways back of runs whose
state is lost. On a terminal it asks which one to apply and shows the difference
first; elsewhere it applies only what --apply names. After every change it looks
again and takes back what did not help.

A safe remedy loses nothing; one for review decides something that a person
should look at; a manual one is done by hand.

Exit codes: 0 done, or nothing to do; 1 a decision is needed, or something asked
for was not done; 2 the call is wrong; 3 it could not look or change anything.`,
		RunE: func(c *cobra.Command, paths []string) error { return a.recover(c, f, paths) },
	}
	f.register(a, c)
	c.Flags().StringVar(&f.format, "format", formatText, "print as `FORMAT`: "+formatNames)
	c.Flags().StringArrayVar(&f.apply, "apply", nil, "apply the remedy or recovery with this `ID` (repeatable)")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "print what --apply would change as a unified diff, and change nothing")
	c.Flags().BoolVar(&f.undo, "undo", false, "bring back, byte for byte, what the last change found")
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
	o      host.Options
	how    print.Options
	repair *host.Repair
	ask    *prompt        // nil: nobody is asked
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
	r := &recovery{app: a, f: f, o: o, how: a.how(f, paths)}
	if r.repair, err = host.OpenRepair(c.Context(), o); err != nil {
		return r.onlyList(c.Context(), unlooked(err))
	}
	defer r.repair.Close()
	if r.say.Left = r.repair.Left; r.say.Left != nil {
		a.interrupted(r.say.Left)
	}
	err = r.run(c.Context())
	return errors.Join(r.json(), unlooked(err))
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

func (a *app) how(f *recoverFlags, paths []string) print.Options {
	return print.Options{
		Color: a.env.color(a.stdout), FailOn: f.closes(), Version: version(),
		Recover: recoverCommand(&f.lookFlags, paths, &host.Result{}),
	}
}

// interrupted says what became of a change that an earlier call did not finish.
func (a *app) interrupted(left *host.Outcome) {
	_ = print.Lines(a.stderr, "stategate: note: ", "    ", "an earlier change was interrupted:")
	_ = print.Outcome(a.stderr, left, print.Options{Color: a.env.color(a.stderr)})
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
		r.how.Recover = "" // numbers are asked for, not ids
		return r.choose(ctx)
	}
	return r.list()
}

// look looks at everything and takes what could not be looked at into the exit code.
func (r *recovery) look(ctx context.Context) (err error) {
	r.say.Result, err = r.app.look(ctx, r.o, r.f.noCache)
	if err == nil && len(r.say.Result.Failures) > 0 {
		r.code = exitBroken
	}
	return err
}

// decide says that a person has something left to do.
func (r *recovery) decide() { r.code = max(r.code, exitClosed) }

// remains sets the exit code to what is left: something to apply, or findings
// that nothing is offered for.
func (r *recovery) remains() {
	r.code = gateCode(r.say.Result.Gate(wire.Error))
	if len(print.Offers(r.say.Result)) > 0 {
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
	offers, err := r.offers()
	if err != nil {
		return err
	}
	if byHand := slices.DeleteFunc(slices.Clone(offers), func(f print.Offer) bool { return f.Safety != wire.Manual }); len(byHand) > 0 {
		r.decide()
		return r.text(func() error { return print.ByHand(r.stdout, byHand, r.how) })
	}
	ids := make([]string, len(offers))
	for i, f := range offers {
		ids[i] = f.ID
	}
	plan, err := r.plan(ctx, ids)
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

// offers finds what --apply names, each once.
func (r *recovery) offers() ([]print.Offer, error) {
	all := print.Offers(r.say.Result)
	var named []print.Offer
	for i, id := range r.f.apply {
		at := slices.IndexFunc(all, func(f print.Offer) bool { return f.ID == id })
		if at < 0 {
			return nil, unknownOffer(id, all)
		}
		if !slices.Contains(r.f.apply[:i], id) {
			named = append(named, all[at])
		}
	}
	return named, nil
}

func unknownOffer(id string, all []print.Offer) error {
	ids := make([]string, len(all))
	for i, f := range all {
		ids[i] = f.ID
	}
	started := slices.DeleteFunc(slices.Clone(ids), func(s string) bool { return !strings.HasPrefix(s, id) })
	near := suggest.Nearest(id, ids)
	if len(started) == 1 {
		near = started[0]
	}
	if near != "" {
		return usagef("no remedy here has the id %q; did you mean %s?", id, near)
	}
	return usagef("no remedy here has the id %q: what it would end may be gone, or lies elsewhere; `stategate recover` lists what there is", id)
}

// plan works out a change and says what is left out of it; with --dry-run it
// shows the difference.
func (r *recovery) plan(ctx context.Context, ids []string) (*host.Plan, error) {
	plan, err := r.repair.Plan(ctx, r.say.Result, ids)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(plan.Instances, func(p host.Planned) bool { return len(p.Skipped) > 0 }) {
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

func (r *recovery) diff(plan *host.Plan) error {
	for i := range plan.Instances {
		if err := print.Diff(r.stdout, plan.Instances[i].Files, r.how); err != nil {
			return err
		}
	}
	return nil
}

// agreed shows a change on the terminal and asks whether it is wanted.
func (r *recovery) agreed(ctx context.Context, plan *host.Plan) (bool, error) {
	err := errors.Join(print.Skipped(r.stdout, plan.Instances, r.how), r.diff(plan))
	if err != nil {
		return false, r.printed(err)
	}
	return r.ask.agree(ctx, "Apply this?")
}

// make applies a plan, says what changed and how to undo it, and looks again.
func (r *recovery) make(ctx context.Context, plan *host.Plan) error {
	out, err := r.repair.Apply(ctx, plan)
	r.say.Outcome = out
	if slices.ContainsFunc(out.Instances, func(i host.Repaired) bool { return i.Done != host.Applied }) {
		r.decide()
	}
	if shown := r.text(func() error { return r.made(out) }); err == nil {
		err = shown
	}
	if err != nil {
		return err
	}
	if err := r.look(ctx); err != nil {
		return err
	}
	return r.text(func() error { return print.Gate(r.stdout, r.say.Result, r.how) })
}

func (r *recovery) made(out *host.Outcome) error {
	err := print.Outcome(r.stdout, out, r.how)
	if err == nil && out.Changed() {
		err = print.Lines(r.stdout, "undo with: ", "", shell.Word(program())+" recover --undo")
	}
	return err
}

func (r *recovery) undone(ctx context.Context) error {
	out, err := r.repair.Undo(ctx)
	r.say.Outcome = out
	if shown := r.text(func() error { return print.Outcome(r.stdout, out, r.how) }); err == nil {
		err = shown
	}
	return err
}
