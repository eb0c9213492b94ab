package snapshot

import (
	"errors"
	"fmt"
	"slices"

	"github.com/stategate/stategate/sdk/wire"
)

// Limits bound what a report may hold. The zero value has the defaults.
type Limits struct {
	Diagnostics int // findings, at most; 0 means 5,000
	Message     int // bytes of one text, at most; 0 means wire.MaxText
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

// A LimitError says that a report holds more than it may.
type LimitError struct{ Message string }

func (e *LimitError) Error() string { return e.Message }

// Admit reports everything in a report that the manifest and the request
// do not allow: a rule or phase that is not declared, a place outside the
// declared globs or inside a character, an edit outside the root, two findings that
// nothing tells apart, a text or a number of findings beyond the limits. The test kit
// refuses such a plugin; a host uses Sift. Remedies that would change a document whose
// name is not UTF-8 are taken out of the report, and those that would make a name which
// differs from another in case only become manual: the plugin cannot know.
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

// Sift takes out of a report what Admit would refuse, so that one fault of a plugin
// does not hide the rest: each finding, remedy, detection and recovery that is not allowed
// is taken out alone. It returns why, once for each rule: a host fails with that. An error
// means that nothing of the report can be trusted.
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

// whole refuses what no part of the report is to blame for.
func (a *admission) whole() error {
	if n := len(a.report.Diagnostics); n > a.limits.Diagnostics {
		return &LimitError{fmt.Sprintf("the report has %d diagnostics, the limit is %d", n, a.limits.Diagnostics)}
	}
	if a.report.Declined != "" && len(a.report.Diagnostics)+len(a.report.Detections)+len(a.report.Recoveries)+
		len(a.report.Identity) > 0 {
		return fmt.Errorf("the report declines the instance, and yet has findings, detections, recoveries or an " +
			"identity")
	}
	for i := range a.report.Diagnostics {
		if d := &a.report.Diagnostics[i]; a.rule(d.Rule) == nil {
			return fmt.Errorf("diagnostic %d (%s): the rule is not declared", i, firstBytes(d.Rule))
		}
	}
	return a.others()
}

// Identity reports what is wrong with the identity of a report.
func Identity(m *wire.Manifest, identity string) error {
	switch n := len(identity); {
	case n > wire.MaxIdentity:
		return &LimitError{fmt.Sprintf("the identity has %d bytes, the limit is %d", n, wire.MaxIdentity)}
	case n > 0 && m.Identity == "":
		return fmt.Errorf("the report has the identity %q, and the manifest does not say of what: set its member "+
			"identity", identity)
	}
	return nil
}

type admission struct {
	m       *wire.Manifest
	request *wire.Request
	report  *wire.Report
	limits  Limits
	refused []error
	runs    map[wire.RunName]*wire.Detection // of the report
	strict  bool                             // a test asks, so that what a host puts up with is refused as well

	documents map[string]*wire.Document // by path, made when first needed
	targets   map[string]string         // existing names by folded form, made when first needed
}

func (a *admission) rule(name string) *wire.Rule { return ruleOf(a.m, name) }

// ruleOf returns the declared rule of that name, or nil.
func ruleOf(m *wire.Manifest, name string) *wire.Rule {
	at := slices.IndexFunc(m.Rules, func(r wire.Rule) bool { return r.Name == name })
	if at < 0 {
		return nil
	}
	return &m.Rules[at]
}

// texts refuses the first text that is too long of what each goes through, those
// that Withhold does not cut.
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
			return fmt.Errorf("related place: %w", err)
		}
	}
	return nil
}

// others checks overrides and rule failures. What a failure says is cut, never refused.
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
