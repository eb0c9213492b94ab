package snapshot

import (
	"errors"
	"fmt"
	"slices"

	"github.com/stategate/stategate/sdk/wire"
)

// Limits are the limits of a report. The zero value means the defaults.
type Limits struct {
	Diagnostics int // maximum number of findings; 0 means 5,000
	Message     int // maximum bytes of a text; 0 means wire.MaxText
}

func (l Limits) withDefaults() Limits {
	if l.Diagnostics == 0 {
		l.Diagnostics = 5000
	}
	if l.Message == 0 {
		l.Message = wire.MaxText
	}
	return l
}

// A LimitError says that a report exceeds a limit.
type LimitError struct{ Message string }

func (e *LimitError) Error() string { return e.Message }

// Admit returns an error for everything in a report that the manifest and the request do not allow: undeclared
// rules or phases, locations outside the declared globs or inside a character, edits outside the root,
// indistinguishable findings, and values that exceed the limits. The test kit refuses such a plugin; a host uses
// Sift. Admit removes remedies that would change a document whose name is not UTF-8. It makes remedies manual if
// they would create a name that differs from an existing one only in case, because the plugin cannot know that.
func Admit(m *wire.Manifest, request *wire.Request, report *wire.Report, limits Limits) error {
	a := newAdmission(m, request, report, limits)
	a.withhold()
	a.strict = true
	sifted := *report
	a.report = &sifted
	if err := a.sift(); err != nil {
		return err
	}
	return errors.Join(a.refused...)
}

// Sift removes from a report everything that Admit would refuse, so that one fault of a plugin does not hide the
// rest. It removes each disallowed finding, remedy, detection and recovery option separately. It returns one
// reason per rule, which the host reports as failures. An error means that nothing in the report can be trusted.
func Sift(m *wire.Manifest, request *wire.Request, report *wire.Report, limits Limits) (refused []error, err error) {
	a := newAdmission(m, request, report, limits)
	a.withhold()
	err = a.sift()
	return a.refused, err
}

func newAdmission(m *wire.Manifest, request *wire.Request, report *wire.Report, limits Limits) *admission {
	return &admission{m: m, request: request, report: report, limits: limits.withDefaults()}
}

func (a *admission) sift() error {
	if err := a.whole(); err != nil {
		return err
	}
	if err := Identity(a.m, a.report.Identity); err != nil {
		a.refuse(err)
		a.report.Identity = ""
	}
	if err := Chooses(a.report.Chooses); err != nil {
		a.refuse(err)
		a.report.Chooses = nil
	}
	a.siftDetections()
	a.siftRuns()
	a.siftDiagnostics()
	a.siftRecoveries()
	return nil
}

// whole checks for faults that are not limited to one part of the report.
func (a *admission) whole() error {
	if n := len(a.report.Diagnostics); n > a.limits.Diagnostics {
		return &LimitError{fmt.Sprintf("the report has %d diagnostics, the limit is %d", n, a.limits.Diagnostics)}
	}
	if a.report.Declined != "" && len(a.report.Diagnostics)+len(a.report.Detections)+len(a.report.Recoveries)+
		len(a.report.Identity) > 0 {
		return fmt.Errorf("the report declines the instance but has findings, detections, recovery options or an " +
			"identity")
	}
	for i := range a.report.Diagnostics {
		if d := &a.report.Diagnostics[i]; a.rule(d.Rule) == nil {
			return fmt.Errorf("diagnostic %d (%s): the rule is not declared", i, firstBytes(d.Rule))
		}
	}
	return a.others()
}

// Identity returns an error if the identity of a report is invalid.
func Identity(m *wire.Manifest, identity string) error {
	switch n := len(identity); {
	case n > wire.MaxIdentity:
		return &LimitError{fmt.Sprintf("the identity has %d bytes, the limit is %d", n, wire.MaxIdentity)}
	case n > 0 && m.Identity == "":
		return fmt.Errorf("the report has the identity %q, but the manifest does not say what it identifies; set its "+
			"member identity", identity)
	}
	return nil
}

type admission struct {
	m       *wire.Manifest
	request *wire.Request
	report  *wire.Report
	limits  Limits
	refused []error
	runs    map[wire.RunName]*wire.Detection // runs in the report
	strict  bool                             // for a test, which also refuses faults that a host tolerates

	documents map[string]*wire.Document // by path; created on first use
	targets   map[string]string         // existing names by folded form; created on first use
}

func (a *admission) rule(name string) *wire.Rule { return ruleOf(a.m, name) }

// ruleOf returns the declared rule with this name, or nil.
func ruleOf(m *wire.Manifest, name string) *wire.Rule {
	at := slices.IndexFunc(m.Rules, func(r wire.Rule) bool { return r.Name == name })
	if at < 0 {
		return nil
	}
	return &m.Rules[at]
}

// texts returns an error for the first text that is too long, among those that Withhold does not cut.
func (a *admission) texts(each func(func(string, *string))) error {
	var err error
	each(func(name string, text *string) {
		if n := len(*text); err == nil && n > a.limits.Message {
			err = &LimitError{fmt.Sprintf("the %s has %d bytes, the limit is %d", name, n, a.limits.Message)}
		}
	})
	return err
}

func (a *admission) detection(d *wire.Detection) error {
	at := slices.IndexFunc(a.m.Lifecycles, func(l wire.Lifecycle) bool { return l.Name == d.Lifecycle })
	if at < 0 {
		return fmt.Errorf("the lifecycle %q is not declared", d.Lifecycle)
	}
	if err := Files(d); err != nil {
		return err
	}
	known := func(p wire.Phase) bool { return p.Name == d.Observed }
	if d.Observed != "" && !slices.ContainsFunc(a.m.Lifecycles[at].Phases, known) {
		return fmt.Errorf("the phase %q is not declared in the lifecycle %s", d.Observed, d.Lifecycle)
	}
	if d.Progress.Done < 0 || d.Progress.Done > d.Progress.Total {
		return fmt.Errorf("the progress is %d of %d", d.Progress.Done, d.Progress.Total)
	}
	for _, r := range d.Because {
		if err := a.place(r); err != nil {
			return err
		}
	}
	for _, f := range d.Facts {
		if err := tableShape(f); err != nil {
			return err
		}
	}
	return a.texts(d.EachText)
}

func tableShape(f wire.Fact) error {
	for _, row := range f.Value.Rows {
		if len(row) != len(f.Value.Columns) {
			return fmt.Errorf("the fact %s has a row of %d cells under %d columns", f.Name, len(row),
				len(f.Value.Columns))
		}
	}
	return nil
}

func (a *admission) diagnostic(d *wire.Diagnostic) error {
	if most := a.rule(d.Rule).Severity; d.Severity > most {
		return fmt.Errorf("the severity %s is above the declared %s", d.Severity, most)
	}
	if d.Message == "" {
		return fmt.Errorf("the message is empty")
	}
	if err := Runs(a.m, d); err != nil {
		return err
	}
	own := *d
	own.Remedies = nil
	if err := a.texts(own.EachText); err != nil {
		return err
	}
	if err := a.place(d.Range); err != nil {
		return err
	}
	for _, r := range d.Related {
		if err := a.place(r.Range); err != nil {
			return fmt.Errorf("related location: %w", err)
		}
	}
	return nil
}

// others checks overrides and rule failures. It cuts the message of a failure that is too long but never refuses it.
func (a *admission) others() error {
	for _, o := range a.report.Overrides {
		if !slices.Contains(wire.HostRules, o.Rule) {
			return fmt.Errorf("override of %q: no rule of the host has this name", o.Rule)
		}
		if o.Severity == wire.Inherit {
			return fmt.Errorf("override of %s: the severity is missing", o.Rule)
		}
	}
	for i := range a.report.RuleFailures {
		f := &a.report.RuleFailures[i]
		if a.rule(f.Rule) == nil {
			return fmt.Errorf("the failed rule %q is not declared", firstBytes(f.Rule))
		}
		f.Message = cut(f.Message, a.limits.Message)
	}
	a.report.Failure = cut(a.report.Failure, a.limits.Message)
	return nil
}
