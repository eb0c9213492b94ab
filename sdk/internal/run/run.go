// Package run looks at one instance with a workflow: natively for tests, and
// inside the sandbox for real.
package run

import (
	"errors"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
)

// Examine answers a request. It never panics: what an author's function throws
// becomes a rule failure or the failure of the report.
func Examine(w *sdk.Workflow, request *wire.Request) *wire.Report {
	look := &look{pass: sdk.NewPass(w, request), report: &wire.Report{}}
	look.run(request)
	look.report.Asked = look.pass.Asked()
	look.report.Ask = look.pass.Ask()
	if len(look.report.Ask) > 0 && len(request.Answers) == 0 {
		return &wire.Report{Ask: look.report.Ask, Asked: look.report.Asked}
	}
	look.report.ValidFrom, look.report.ValidUntil = look.pass.Valid()
	return look.report
}

type look struct {
	pass   *sdk.Pass
	report *wire.Report
}

func (l *look) run(request *wire.Request) {
	if !l.prepare() || !l.detect() {
		return
	}
	l.identify()
	if l.asks(request) {
		return
	}
	l.rules()
	l.corrected(request)
	l.recover()
	l.resume()
	for i := range l.pass.Detections {
		l.report.Detections = append(l.report.Detections, detection(&l.pass.Detections[i]))
	}
	l.report.Overrides = l.pass.Overrides()
}

// asks has the rules ask that do, before answers are known, and reports whether they did: then the report is a list of questions.
func (l *look) asks(request *wire.Request) bool {
	if len(request.Answers) > 0 {
		return false
	}
	l.pass.Report = func(sdk.Diagnostic) {}
	for _, rule := range l.pass.Workflow.Rules {
		if rule.Asks && rule.Check != nil {
			l.pass.Rule = rule
			_, _ = guard(func() error { return rule.Check(l.pass) }) // what fails fails again, and is reported then
		}
	}
	l.pass.Rule, l.pass.Report = nil, nil
	return len(l.pass.Ask()) > 0
}

// rules has all rules check.
func (l *look) rules() {
	if check := l.pass.Workflow.Check; check != nil {
		l.check(nil, check)
	}
	for _, rule := range l.pass.Workflow.Rules {
		if rule.Check != nil {
			l.check(rule, rule.Check)
		}
	}
	l.pass.Rule, l.pass.Report = nil, nil
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

// check has one rule check; or, where rule is nil, the workflow all rules without a
// Check of their own: if that fails they all do, and what it found counts for nothing.
func (l *look) check(rule *sdk.Rule, check func(*sdk.Pass) error) {
	l.pass.Rule = rule
	l.pass.Report = func(d sdk.Diagnostic) {
		of := rule
		if of == nil {
			of = l.served(d.Rule)
		}
		l.add(of, &d)
	}
	err, panicked := guard(func() error { return check(l.pass) })
	if err == nil {
		return
	}
	for _, r := range l.pass.Workflow.Rules {
		if r == rule || rule == nil && r.Check == nil {
			l.report.RuleFailures = append(l.report.RuleFailures, wire.RuleFailure{Rule: r.Name, Message: err.Error(), Panic: panicked})
		}
	}
	if rule == nil {
		l.report.Diagnostics = nil
	}
}

// served returns the rule of that name, which the workflow's own Check serves.
func (l *look) served(name string) *sdk.Rule {
	for _, rule := range l.pass.Workflow.Rules {
		if rule.Name == name && rule.Check == nil {
			return rule
		}
	}
	panic("Workflow.Check reports for \"" + name + "\", which is not a rule that it serves")
}

// add reports a diagnostic of a rule.
func (l *look) add(rule *sdk.Rule, d *sdk.Diagnostic) {
	d.Rule = rule.Name
	if d.Severity == wire.Inherit {
		d.Severity = rule.Severity
	}
	l.report.Diagnostics = append(l.report.Diagnostics, *d)
}

func (l *look) recover() {
	if l.pass.Workflow.Recover == nil {
		return
	}
	l.step("recover", func() (err error) {
		l.report.Recoveries, err = l.pass.Workflow.Recover(l.pass)
		return err
	})
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
			return nil
		})
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
