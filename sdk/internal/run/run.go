// Package run looks at one instance with a workflow: natively for tests, and
// inside the sandbox for real.
package run

import (
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
)

// Examine answers a request. It never panics: what an author's function throws
// becomes a rule failure or the failure of the report.
func Examine(w *sdk.Workflow, request *wire.Request) *wire.Report {
	look := &look{pass: sdk.NewPass(w, request), report: &wire.Report{}}
	look.run()
	look.report.Asked, look.report.AskedGlobs = look.pass.Asked()
	look.report.ValidFrom, look.report.ValidUntil = look.pass.Valid()
	return look.report
}

type look struct {
	pass   *sdk.Pass
	report *wire.Report
}

func (l *look) run() {
	if !l.prepare() || !l.detect() {
		return
	}
	l.identify()
	l.rules()
	l.pass.Rule, l.pass.Report = nil, nil
	l.recover()
	l.resume()
	for i := range l.pass.Detections {
		l.report.Detections = append(l.report.Detections, detection(&l.pass.Detections[i]))
		l.report.Detections[i].EachText(cut)
	}
	l.report.Overrides = l.pass.Overrides()
}

func (l *look) prepare() bool {
	if l.pass.Workflow.Prepare == nil {
		return true
	}
	return l.step("prepare", func() (err error) {
		l.pass.Model, err = l.pass.Workflow.Prepare(l.pass)
		return err
	})
}

func (l *look) detect() bool {
	return l.step("detect", func() (err error) {
		l.pass.Detections, err = l.pass.Workflow.Detect(l.pass)
		return err
	})
}

func (l *look) identify() {
	if l.pass.Workflow.Identity == nil {
		return
	}
	l.step("identity", func() error {
		l.report.Identity = l.pass.Workflow.Identity.Of(l.pass)
		return nil
	})
}

// rules checks every rule. What the workflow's own Check finds is reported where its rules stand.
func (l *look) rules() {
	shared, failure := l.shared()
	for _, rule := range l.pass.Workflow.Rules {
		switch {
		case rule.Check != nil:
			l.check(rule)
		case failure != nil:
			failure.Rule = rule.Name
			l.report.RuleFailures = append(l.report.RuleFailures, *failure)
		default:
			l.report.Diagnostics = append(l.report.Diagnostics, shared[rule.Name]...)
		}
	}
}

// shared has the workflow check all rules without a Check of their own, and
// returns what it found by rule, or how it failed.
func (l *look) shared() (map[string][]wire.Diagnostic, *wire.RuleFailure) {
	w, found := l.pass.Workflow, map[string][]wire.Diagnostic{}
	if w.Check == nil {
		return nil, nil
	}
	served := map[string]*sdk.Rule{}
	for _, rule := range w.Rules {
		if rule.Check == nil {
			served[rule.Name] = rule
		}
	}
	l.pass.Report = func(d sdk.Diagnostic) {
		rule := served[d.Rule]
		if rule == nil {
			panic("Workflow.Check reports for \"" + d.Rule + "\", which is not one of the rules without a Check of their own")
		}
		found[d.Rule] = append(found[d.Rule], filled(rule, d))
	}
	if err, panicked := guard(func() error { return w.Check(l.pass) }); err != nil {
		return nil, &wire.RuleFailure{Message: err.Error(), Panic: panicked}
	}
	return found, nil
}

func (l *look) check(rule *sdk.Rule) {
	l.pass.Rule = rule
	l.pass.Report = func(d sdk.Diagnostic) {
		l.report.Diagnostics = append(l.report.Diagnostics, filled(rule, d))
	}
	if err, panicked := guard(func() error { return rule.Check(l.pass) }); err != nil {
		l.report.RuleFailures = append(l.report.RuleFailures,
			wire.RuleFailure{Rule: rule.Name, Message: err.Error(), Panic: panicked})
	}
}

// filled is a diagnostic of a rule with what the author may leave out.
func filled(rule *sdk.Rule, d sdk.Diagnostic) wire.Diagnostic {
	d.Rule = rule.Name
	if d.Severity == wire.Inherit {
		d.Severity = rule.Severity
	}
	d.Related = slices.Clone(d.Related)
	d.Remedies = about(d.Subject, d.Remedies)
	d.EachText(cut)
	return d
}

// about gives remedies that name no subject that of their diagnostic.
func about(subject string, remedies []wire.Remedy) []wire.Remedy {
	named := slices.Clone(remedies)
	for i := range named {
		if named[i].Subject == "" {
			named[i].Subject = subject
		}
	}
	return named
}

// cut shortens a text that is longer than a host takes, but for what tells findings apart.
func cut(name string, text *string) {
	if len(*text) <= wire.MaxText || name == "subject" || name == "key" {
		return
	}
	end := wire.MaxText - len("…")
	for !utf8.RuneStart((*text)[end]) {
		end--
	}
	*text = (*text)[:end] + "…"
}

func (l *look) recover() {
	if l.pass.Workflow.Recover == nil {
		return
	}
	l.step("recover", func() (err error) {
		l.report.Recoveries, err = l.pass.Workflow.Recover(l.pass)
		return err
	})
	for i := range l.report.Recoveries {
		l.report.Recoveries[i].EachText(cut)
	}
}

func (l *look) resume() {
	if l.pass.Workflow.Resume == nil {
		return
	}
	standing := shown(l.pass.Workflow.Rules, l.report.Diagnostics)
	for i := range l.pass.Detections {
		d := &l.pass.Detections[i]
		l.step("resume", func() error {
			l.pass.Workflow.Resume(l.pass, d, standing)
			sayOnce(&d.Resume)
			return nil
		})
	}
}

// sayOnce drops what a list of a brief repeats, as lists that come from documents may.
func sayOnce(r *sdk.Resume) {
	for _, list := range []*[]string{&r.Checks, &r.ReadFirst, &r.Context, &r.Skip, &r.Remaining} {
		var kept []string
		for _, line := range *list {
			if !slices.Contains(kept, line) {
				kept = append(kept, line)
			}
		}
		*list = kept
	}
}

// step runs one function of the author and reports whether to go on.
func (l *look) step(name string, f func() error) bool {
	err, _ := guard(f)
	if err == nil {
		return true
	}
	if errors.Is(err, sdk.ErrNotMine) {
		l.report.Declined = err.Error()
		return false
	}
	l.report.Failure = name + ": " + err.Error()
	return false
}

func detection(d *sdk.Detection) wire.Detection {
	w := wire.Detection{
		Subject: d.Subject, Claimed: d.Claimed, Fit: d.Fit, Because: d.Because, State: d.State,
		Progress: d.Progress, Resume: d.Resume, Facts: d.Facts, Pick: d.Pick,
	}
	if d.Lifecycle != nil {
		w.Lifecycle = d.Lifecycle.Name
	}
	if d.Observed != nil {
		w.Observed = d.Observed.Name
	}
	return w
}
