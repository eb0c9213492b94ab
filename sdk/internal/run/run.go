// Package run looks at one instance with a workflow: natively for tests, and
// inside the sandbox for real.
package run

import (
	"errors"
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
)

// Examine answers a request. It never panics: what an author's function throws
// becomes a rule failure or the failure of the report.
func Examine(w *sdk.Workflow, request *wire.Request) *wire.Report {
	look := &look{pass: sdk.NewPass(w, request), report: &wire.Report{}}
	look.run()
	look.report.ValidFrom, look.report.ValidUntil = look.pass.Valid()
	return look.report
}

type look struct {
	pass   *sdk.Pass
	report *wire.Report
}

func (l *look) run() {
	if !l.prepare() || !l.detect() || !l.identify() {
		return
	}
	for _, rule := range l.pass.Workflow.Rules {
		l.check(rule)
	}
	l.pass.Rule, l.pass.Report = nil, nil
	l.recover()
	l.resume()
	for i := range l.pass.Detections {
		l.report.Detections = append(l.report.Detections, detection(&l.pass.Detections[i]))
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

func (l *look) identify() bool {
	if l.pass.Workflow.Identity == nil {
		return true
	}
	return l.step("identity", func() error {
		l.report.Identity = l.pass.Workflow.Identity.Of(l.pass)
		return nil
	})
}

func (l *look) check(rule *sdk.Rule) {
	l.pass.Rule = rule
	l.pass.Report = func(d sdk.Diagnostic) {
		d.Rule = rule.Name
		if d.Severity == wire.Inherit {
			d.Severity = rule.Severity
		}
		d.Remedies = about(d.Subject, d.Remedies)
		l.report.Diagnostics = append(l.report.Diagnostics, d)
	}
	if err, panicked := guard(func() error { return rule.Check(l.pass) }); err != nil {
		l.report.RuleFailures = append(l.report.RuleFailures,
			wire.RuleFailure{Rule: rule.Name, Message: err.Error(), Panic: panicked})
	}
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
