package main

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/cmd/stategate/internal/configfile"
	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/result"
)

type acceptFlags struct {
	examineFlags
	rule   string
	reason string
	until  string
}

func acceptCommand(a *app) *cobra.Command {
	f := &acceptFlags{}
	c := &cobra.Command{
		Use:   "accept FINDING…",
		Short: "Accept findings, with a reason",
		Args:  cobra.MinimumNArgs(1),
		RunE:  func(c *cobra.Command, named []string) error { return accept(c.Context(), a, f, named) },
	}
	f.register(a, c, indexAndCommits)
	c.ValidArgsFunction = findingWords(a, &f.examineFlags)
	addFlag(c, otherFlags, &f.reason, "reason", "the reason, as `TEXT` (required)")
	addFlag(c, otherFlags, &f.until, "until", "accept through `DATE`, such as 2026-12-31 (UTC)")
	addFlag(c, otherFlags, &f.rule, "rule", "accept only findings of this `RULE`: workflow/rule or rule").
		completed(ruleWords(a, "/"))
	return c
}

// An acceptance says why findings are accepted, and for how long.
type acceptance struct {
	reason     string
	now, until time.Time // until is the last day; zero means forever
}

// acceptance reads --reason and --until, and rejects invalid values before anything is checked.
func (f *acceptFlags) acceptance() (why acceptance, err error) {
	if f.PolicyFrom != "" {
		return why, usagef("--policy-from %s: accept writes into the working tree; remove the flag",
			f.PolicyFrom)
	}
	if strings.TrimSpace(f.reason) == "" {
		return why, usagef("--reason is required; for example, --reason 'kept for the record'")
	}
	why.reason = f.reason
	if why.now, err = f.time(); err != nil || f.until == "" {
		return why, err
	}
	if why.until, err = time.Parse(time.DateOnly, f.until); err != nil {
		return why, usagef("--until %q is not a date; write it as %s", f.until,
			why.now.UTC().AddDate(0, 3, 0).Format(time.DateOnly))
	}
	if !why.now.Before(why.until.AddDate(0, 0, 1)) {
		return why, usagef("--until must be today or later; %s is before %s", f.until,
			why.now.UTC().Format(time.DateOnly))
	}
	return why, nil
}

func accept(ctx context.Context, a *app, f *acceptFlags, named []string) error {
	why, err := f.acceptance()
	if err != nil {
		return err
	}
	return changeConfiguration(ctx, a, f.Config, func(file *configfile.File) (stage []string, err error) {
		q, err := f.request(ctx, a, []string{file.Top}) // with the base that a hook would use
		if err != nil {
			return nil, err
		}
		q.NoResume = true
		r, err := examine(ctx, a, q)
		if err != nil {
			return nil, err
		}
		all := &acceptable{here: a.shell(file.Top), top: file.Top, result: r, rule: f.rule}
		var list []finding
		for _, name := range named {
			x, err := all.named(name)
			if err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(list, func(y finding) bool { return y.Fingerprint == x.Fingerprint }) {
				list = append(list, x)
			}
		}
		for _, x := range list {
			added, err := acceptOne(ctx, a, file, x, &why)
			if err != nil {
				return nil, err
			}
			if added {
				stage = []string{file.At}
			}
		}
		return stage, nil
	})
}

func acceptOne(ctx context.Context, a *app, file *configfile.File, x finding, why *acceptance) (added bool,
	err error) {
	at := x.Place
	at.Path = a.shell(file.Top).Path(at.Path)
	what := at.String() + ": " + x.summary()
	if x.known != "" {
		return false, a.say("already accepted, %s: %s", x.known, what)
	}
	entry := config.Ignore{Rules: []config.Text{{Value: x.Rule}}, Paths: []config.Text{{Value: x.Place.Path}},
		Fingerprint: x.Fingerprint, Message: x.Message, Reason: why.reason}
	if !why.until.IsZero() {
		entry.Until = config.LastDay(why.until)
	}
	place, added, err := file.Accept(ctx, entry, why.now)
	if err != nil {
		return false, err
	}
	limit := ""
	switch {
	case !added:
		return false, a.say("already accepted, at %s: %s", place, what)
	case !why.until.IsZero():
		limit = " until " + why.until.Format(time.DateOnly)
	}
	return true, a.say("%s: accepted%s: %s", place, limit, what)
}

type finding struct {
	result.Diagnostic
	known string // how it is already accepted, or "" if it is not
}

func (x *finding) summary() string {
	return x.Severity.String() + ": " + x.Message + " [" + x.Rule + "]"
}

// acceptable holds a check's findings, and chooses among them.
type acceptable struct {
	here   advice.Shell // for locations relative to the current directory
	top    string
	result *result.Result
	rule   string // value of --rule; "" means any
}

func (x *acceptable) named(text string) (finding, error) {
	list := x.distinct(func(i *result.Instance, d *result.Diagnostic) bool { return hasID(i, d, text) })
	if len(list) == 0 {
		list = x.distinct(func(_ *result.Instance, d *result.Diagnostic) bool { return x.isAt(d, text) })
	}
	switch {
	case len(list) == 1 && list[0].known == "" && result.Unread(list[0].Rule):
		return finding{},
			usagef("%s: %s [%s]: something could not be read, which can never be accepted; repair it (`stategate "+
				"recover` lists the options), or list its directory under exclude in %s",
				list[0].Place, list[0].Message, list[0].Rule, config.Name)
	case len(list) == 1:
		return list[0], nil
	case len(list) > 1:
		return finding{}, several(text, list)
	case len(x.result.Failures) > 0:
		return finding{},
			fmt.Errorf("no finding matches %q, and some state could not be checked: `stategate check` lists it", text)
	}
	return finding{},
		usagef("no finding matches %q; use a location (PATH:LINE) or id that check prints, or a fingerprint "+
			"(stategate check --format json)", text)
}

// distinct returns the matching findings, each fingerprint once.
func (x *acceptable) distinct(wanted func(*result.Instance, *result.Diagnostic) bool) (list []finding) {
	add := func(i *result.Instance, d *result.Diagnostic, known string) {
		same := func(y finding) bool { return y.Fingerprint == d.Fingerprint }
		ofRule := x.rule == "" || x.rule == d.Rule || x.rule == result.RuleName(d.Rule)
		if ofRule && wanted(i, d) && !slices.ContainsFunc(list, same) {
			list = append(list, finding{*d, known})
		}
	}
	for n := range x.result.Instances {
		i := &x.result.Instances[n]
		for at := range i.Diagnostics {
			add(i, &i.Diagnostics[at], "")
		}
		for at := range i.Suppressed {
			s := &i.Suppressed[at]
			known := "by the baseline"
			if s.Why == result.Ignored {
				known = "by an ignore (" + s.Reason + ")"
			}
			add(i, &s.Diagnostic, known)
		}
	}
	return list
}

var isID = regexp.MustCompile(`^[0-9a-f]{4,16}(-[0-9]+)?$`)

// hasID reports whether text is a prefix of a finding's fingerprint, or of the id of a remedy or recovery that fixes
// it.
func hasID(i *result.Instance, d *result.Diagnostic, text string) bool {
	text = strings.ToLower(text)
	if !isID.MatchString(text) {
		return false
	}
	ids := append([]string{d.Fingerprint}, d.Former...)
	for _, r := range slices.Concat(d.Remedies, i.RecoveriesOf(d)) {
		ids = append(append(ids, r.ID), r.Former...)
	}
	return slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(id, text) })
}

// isAt reports whether text is a finding's location, as PATH, PATH:LINE or PATH:LINE:COLUMN. The path may be relative
// to the top or to the current directory, or absolute.
func (x *acceptable) isAt(d *result.Diagnostic, text string) bool {
	text = filepath.Clean(strings.TrimRight(text, ":"))
	for _, file := range []string{d.Place.Path, x.here.Path(d.Place.Path),
		filepath.Join(x.top, d.Place.Path)} {
		file = filepath.Clean(file)
		line := fmt.Sprintf("%s:%d", file, d.Place.Line)
		if text == file || text == line || text == fmt.Sprintf("%s:%d", line, max(d.Place.Column, 1)) {
			return true
		}
	}
	return false
}

func several(text string, list []finding) error {
	const most = 20
	var lines []string
	for _, x := range list[:min(len(list), most)] {
		lines = append(lines, x.Fingerprint+"  "+x.Place.String()+": "+x.summary())
	}
	if len(list) > most {
		lines = append(lines, "…")
	}
	return usagef("%q matches %d findings; choose one by its fingerprint, or with --rule:\n%s", text, len(list),
		strings.Join(lines, "\n"))
}
