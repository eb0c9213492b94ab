// Package run looks at one instance with a workflow: natively for tests, and
// inside the sandbox for real.
package run

import (
	"errors"
	"slices"
	"sync/atomic"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/internal/hook"
	"github.com/stategate/stategate/sdk/wire"
)

// Examine answers a request. It never panics: what an author's function throws
// becomes a rule failure or the failure of the report.
func Examine(w *sdk.Workflow, request *wire.Request) *wire.Report {
	report, _ := Begin(w, request)
	return report
}

// Begin is Examine in two steps: if the report asks for paths, the function that it returns takes the answers.
func Begin(w *sdk.Workflow, request *wire.Request) (*wire.Report, *Waiting) {
	l := newLook(hook.NewPass(w, request))
	l.run(request)
	report := l.finish(request)
	if len(report.Ask) == 0 || len(request.Answers) > 0 {
		return report, nil
	}
	return report, &Waiting{Ask: report.Ask, request: request, look: l}
}

// A Waiting look has asked for paths.
type Waiting struct {
	Ask []string

	request *wire.Request
	look    *look
}

// Answer is the report on the request with its answers. What was prepared and detected is still good where rules alone
// have asked.
func (w *Waiting) Answer(now, then []wire.Answer) *wire.Report {
	request := *w.request
	request.Answers, request.Base.Answers = now, then
	l := w.look
	if !l.rulesAsk {
		return Examine(l.pass.Workflow, &request)
	}
	l.host.Answer(&request)
	l.judge(&request)
	return l.finish(&request)
}

type look struct {
	pass     *sdk.Pass
	host     hook.Pass // the pass, to who runs it
	report   *wire.Report
	rulesAsk bool // and nothing else does
	// what asks has been checked for that alone: it asks the same from here up to but not including there
	aside       bool
	from, until instant.Time
	late        bool                   // the rules that ask have asked
	blamed      bool                   // a rule that asks nevertheless has failed
	doing       atomic.Pointer[string] // the rule that checks, or the step, for a caller that waits
}

func newLook(pass any) *look {
	return &look{pass: pass.(*sdk.Pass), host: hook.Of(pass), report: &wire.Report{}}
}

func (l *look) finish(request *wire.Request) *wire.Report {
	l.report.Asked, l.report.Ask = l.host.Asked(), l.host.Ask()
	if l.blamed {
		l.report.Ask = nil
	}
	if len(l.report.Ask) > 0 && len(request.Answers) == 0 {
		from, until := l.host.Valid()
		if l.aside {
			from, until = l.from, l.until
		}
		return &wire.Report{Ask: l.report.Ask, Asked: l.report.Asked, ValidFrom: from, ValidUntil: until}
	}
	l.report.ValidFrom, l.report.ValidUntil = l.host.Valid()
	return l.report
}

func (l *look) run(request *wire.Request) {
	if !l.prepare() || !l.detect() {
		return
	}
	l.identify()
	if !l.asks(request) {
		l.judge(request)
	}
}

// judge does all that rests on what was detected.
func (l *look) judge(request *wire.Request) {
	l.late = len(request.Answers) > 0 && slices.ContainsFunc(l.pass.Workflow.Rules,
		func(r *sdk.Rule) bool { return r.Asks })
	l.rules()
	l.corrected(request)
	l.recover()
	if !request.NoResume {
		l.resume()
	}
	for i := range l.pass.Detections {
		l.report.Detections = append(l.report.Detections, detection(&l.pass.Detections[i]))
	}
	l.report.Overrides, l.report.Chooses = l.host.Overrides(), l.host.Chooses()
}

// asks has the rules ask that do, before answers are known, and reports whether they did: then the report is a list of
// questions.
func (l *look) asks(request *wire.Request) bool {
	if len(request.Answers) > 0 {
		return false
	}
	before := len(l.host.Ask())
	l.from, l.until = l.host.Aside(func() {
		for _, rule := range l.pass.Workflow.Rules {
			if rule.Asks && rule.Check != nil && l.applies(rule) {
				l.pass.Rule = rule
				l.doing.Store(&rule.Name)
				_, _ = guard(func() error { return rule.Check(l.pass) }) // what fails fails again, and is reported then
			}
		}
	})
	asked := len(l.host.Ask())
	l.aside, l.rulesAsk = asked > 0, before == 0 && asked > 0
	return l.aside
}

// applies reports whether a rule has what it compares with.
func (l *look) applies(rule *sdk.Rule) bool {
	return !rule.NeedsBase || l.pass.Base.State == sdk.BaseAt
}

// rules has all rules check.
func (l *look) rules() {
	l.pass.Report = func(d sdk.Diagnostic) {
		rule := l.pass.Rule
		if rule == nil {
			rule = l.served(d.Rule)
		}
		l.add(rule, &d)
	}
	if check := l.pass.Workflow.Check; check != nil {
		l.check(nil, check)
	}
	for _, rule := range l.pass.Workflow.Rules {
		if rule.Check != nil && l.applies(rule) {
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
	name := "check"
	if l.pass.Rule = rule; rule != nil {
		name = rule.Name
	}
	l.doing.Store(&name)
	asked := len(l.host.Ask())
	err, panicked := guard(func() error { return check(l.pass) })
	if l.late && rule != nil && !rule.Asks && err == nil && len(l.host.Ask()) > asked {
		l.blamed = true
		err = errors.New("it calls Pass.Presence and does not say that it asks, which another rule does: declare Asks")
	}
	if err == nil {
		return
	}
	for _, r := range l.pass.Workflow.Rules {
		if r == rule || rule == nil && r.Check == nil {
			l.report.RuleFailures = append(l.report.RuleFailures,
				wire.RuleFailure{Rule: r.Name, Message: err.Error(), Panic: panicked})
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

// step runs one function of the author and reports whether to continue.
func (l *look) step(name string, f func() error) bool {
	l.doing.Store(&name)
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
		Progress: d.Progress, Resume: d.Resume, Facts: d.Facts,
		Files: d.Files, PartOf: d.PartOf, Chosen: d.Chosen,
	}
	if d.Lifecycle != nil {
		w.Lifecycle = d.Lifecycle.Name
	}
	if d.Observed != nil {
		w.Observed = d.Observed.Name
	}
	return w
}
