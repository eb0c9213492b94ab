// Package run evaluates a workflow for one instance, natively in tests and inside the sandbox in production.
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

// Examine answers a request. It never panics: a panic in an author's function becomes a rule failure or the
// report's failure.
func Examine(w *sdk.Workflow, request *wire.Request) *wire.Report {
	report, _ := Begin(w, request)
	return report
}

// Begin is Examine in two steps. If the report asks for paths, pass the answers to the Waiting that Begin returns.
func Begin(w *sdk.Workflow, request *wire.Request) (*wire.Report, *Waiting) {
	l := newLook(hook.NewPass(w, request))
	l.run(request)
	report := l.finish(request)
	if len(report.Ask) == 0 || len(request.Answers) > 0 {
		return report, nil
	}
	return report, &Waiting{Ask: report.Ask, request: request, look: l}
}

// A Waiting is an evaluation that has asked for paths.
type Waiting struct {
	Ask []string

	request *wire.Request
	look    *look
}

// Answer returns the report on the request with its answers. The results of Prepare and Detect are reused if only
// rules have asked.
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
	host     hook.Pass // the internal view of the pass
	report   *wire.Report
	rulesAsk bool // only rules ask
	// the rules that ask have been run only to ask; their questions are the same in this interval
	aside       bool
	from, until instant.Time
	late        bool                   // the rules that ask have run
	blamed      bool                   // a rule that asks without declaring it has failed
	doing       atomic.Pointer[string] // the rule or step that is running, for a caller that waits
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

// judge performs all steps that depend on the detections.
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

// asks runs the rules that ask, before the answers are known. It reports whether they asked. If so, the report is
// a list of questions.
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
				_, _ = guard(func() error { return rule.Check(l.pass) }) // a failure occurs again and is reported then
			}
		}
	})
	asked := len(l.host.Ask())
	l.aside, l.rulesAsk = asked > 0, before == 0 && asked > 0
	return l.aside
}

// applies reports whether a rule that needs a base has one.
func (l *look) applies(rule *sdk.Rule) bool {
	return !rule.NeedsBase || l.pass.Base.State == sdk.BaseAt
}

// rules runs all rules.
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

// check runs one rule or, if rule is nil, the workflow's Check for all rules without their own. If that fails, all
// of these rules fail and their findings are discarded.
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
		err = errors.New("it calls Pass.Presence but does not set Asks, although another rule does; set Asks")
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

// served returns the rule with this name if the workflow's Check covers it.
func (l *look) served(name string) *sdk.Rule {
	for _, rule := range l.pass.Workflow.Rules {
		if rule.Name == name && rule.Check == nil {
			return rule
		}
	}
	panic("Workflow.Check reports for \"" + name + "\", which is not a rule that it covers")
}

// add adds a rule's diagnostic.
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

// step runs one of the author's functions and reports whether to continue.
func (l *look) step(name string, f func() error) bool {
	l.doing.Store(&name)
	err, _ := guard(f)
	if err == nil {
		return true
	}
	if errors.Is(err, sdk.ErrNotMine) && err.Error() == "" {
		err = errors.New("sdk.NotMine has no reason; give one that a person can verify")
	} else if errors.Is(err, sdk.ErrNotMine) {
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
