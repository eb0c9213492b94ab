package main

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/schemas"
	"github.com/stategate/stategate/sdk/wire"
)

type acceptFlags struct {
	lookFlags
	rule   string
	reason string
	until  string
}

func (a *app) acceptVerb() *cobra.Command {
	f := &acceptFlags{}
	c := &cobra.Command{
		Use:   "accept FINDING…",
		Short: "Accept findings, with a reason",
		Long: `accept writes an ignore into ` + config.Name + ` that accepts exactly the findings that are
named, so that they no longer close the gate. A FINDING is what check prints: PATH:LINE:COLUMN,
PATH:LINE or PATH, with --rule where several stand there; the id of one of its remedies; or its
fingerprint, as --format json has it. Of an id or a fingerprint the first characters are enough.

A failure is never accepted, nor is a finding that something could not be read.

Exit codes: 0 the findings are accepted; 2 the call is wrong; 3 something could not be checked or written.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, named []string) error { return a.accept(c, f, named) },
	}
	f.register(a, c)
	f.registerSource(a, c)
	c.Flags().StringVar(&f.reason, "reason", "", "the reason, for the next reader: `TEXT` (required)")
	c.Flags().StringVar(&f.until, "until", "", "accept up to and including the day `DATE`, such as 2026-12-31 (UTC)")
	c.Flags().StringVar(&f.rule, "rule", "", "accept only findings of `RULE`, as workflow/rule or rule")
	completeFlag(c, "rule", a.rules("/"))
	c.ValidArgsFunction = a.findings(&f.lookFlags)
	return c
}

// An acceptance is why findings are accepted, and how long.
type acceptance struct {
	reason     string
	now, until time.Time // until the end of that day; zero: for ever
}

// acceptance reads --reason and --until, and refuses what is wrong before anything is checked.
func (f *acceptFlags) acceptance() (why acceptance, err error) {
	if f.policyFrom != "" {
		return why, usagef("--policy-from %s: what is accepted is written into the work tree; leave the flag out", f.policyFrom)
	}
	if strings.TrimSpace(f.reason) == "" {
		return why, usagef("--reason is missing: write why this is accepted, such as --reason 'kept as it was written'")
	}
	why.reason = f.reason
	if why.now, err = f.time(); err != nil || f.until == "" {
		return why, err
	}
	if why.until, err = time.Parse(time.DateOnly, f.until); err != nil {
		return why, usagef("--until %q is not a date; write it as %s", f.until, why.now.UTC().AddDate(0, 3, 0).Format(time.DateOnly))
	}
	if !why.now.Before(why.until.AddDate(0, 0, 1)) {
		return why, usagef("--until %s is over: today is %s; give today or a later day", f.until, why.now.UTC().Format(time.DateOnly))
	}
	return why, nil
}

func (a *app) accept(c *cobra.Command, f *acceptFlags, named []string) error {
	why, err := f.acceptance()
	if err != nil {
		return err
	}
	files, err := check.OpenFiles(c.Context(), a.hostOptions(limits.Default(), true), "")
	if err != nil {
		return err
	}
	defer files.Close()
	target, err := a.configTarget(files, f.configFile)
	if err != nil {
		return err
	}
	r, err := a.everything(c, f, files.Top)
	if err != nil {
		return err
	}
	all := &acceptable{app: a, files: files, result: r, rule: f.rule}
	var list []finding
	for _, name := range named {
		x, err := all.named(name)
		if err != nil {
			return err
		}
		list = append(list, x)
	}
	written := false
	for i, x := range list {
		if slices.ContainsFunc(list[:i], func(y finding) bool { return y.Fingerprint == x.Fingerprint }) {
			continue
		}
		wrote, err := a.acceptOne(c.Context(), target, x, &why)
		if err != nil {
			return err
		}
		written = written || wrote
	}
	if !written {
		return nil
	}
	return a.thenStage(target)
}

// everything looks at all below the top, compared with what a hook would compare with.
func (a *app) everything(c *cobra.Command, f *acceptFlags, top string) (*result.Result, error) {
	if len(f.bases) == 0 && f.rev == "" && a.inRepository() {
		f.bases = []string{baseAuto}
	}
	o, _, err := a.options(c, &f.lookFlags, []string{top})
	if err != nil {
		return nil, err
	}
	return a.look(c.Context(), o, f.noCache)
}

// acceptOne writes the ignore of one finding, unless there is one.
func (a *app) acceptOne(ctx context.Context, t *configTarget, x finding, why *acceptance) (wrote bool, err error) {
	at := x.Place
	at.Path = a.fromHere(t.files.Top, at.Path)
	what := at.String() + ": " + x.Severity.String() + ": " + x.Message + " [" + x.Rule + "]"
	if x.known != "" {
		return false, a.said("accepted already, %s: %s", x.known, what)
	}
	text, err := t.files.Read(ctx, t.name, config.MaxSize)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, unread(t.called, err)
	}
	c, err := config.Parse(t.called, text, schemas.Config)
	if err != nil {
		return false, err
	}
	if g := holding(c, x.Fingerprint, why.now); g != nil {
		return false, a.said("accepted already, at %s: %s", c.Place(g.At), what)
	}
	entry := config.Accepted{Rule: x.Rule, Path: x.Place.Path, Fingerprint: x.Fingerprint, Reason: why.reason, Until: why.until}
	if text, err = config.AddIgnore(t.called, text, entry, schemas.Config); err != nil {
		return false, err
	}
	if err := t.write(text); err != nil {
		return false, err
	}
	if c, err = config.Parse(t.called, text, schemas.Config); err != nil {
		return false, err
	}
	limit := ""
	if !why.until.IsZero() {
		limit = " until " + why.until.Format(time.DateOnly)
	}
	return true, a.said("%s: accepted%s: %s", c.Place(holding(c, x.Fingerprint, why.now).At), limit, what)
}

// holding is the ignore that accepts a finding by its fingerprint, and has not expired; nil if there is none.
func holding(c *config.Config, fingerprint string, now time.Time) *config.Ignore {
	i := slices.IndexFunc(c.Ignore, func(g config.Ignore) bool {
		return g.Fingerprint == fingerprint && (g.Until.IsZero() || now.Before(g.Until))
	})
	if i < 0 {
		return nil
	}
	return &c.Ignore[i]
}

// neverAccepted are the rules of findings that say that something could not be read, or not reliably.
var neverAccepted = []string{wire.RuleUnreadable, wire.RuleNotAFile, wire.RuleTooLarge, wire.RuleUnstable}

func refuseUnread(x finding) error {
	_, rule, _ := strings.Cut(x.Rule, "/")
	if x.known != "" || !slices.Contains(neverAccepted, rule) {
		return nil
	}
	return usagef("%s: %s [%s]: something could not be read, which is never accepted; repair it (`stategate recover` lists the options), or leave its directory out with exclude in %s",
		x.Place, x.Message, x.Rule, config.Name)
}
