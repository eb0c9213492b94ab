//go:build !wasip1

package snapshot

import (
	"fmt"
	"slices"

	"github.com/stategate/stategate/sdk/wire"
)

// Limits bound what a report may hold. The zero value has the defaults.
type Limits struct {
	Diagnostics int // findings, at most; 0 means 5,000
	Message     int // bytes of one text, at most; 0 means 4 KiB
}

func (l Limits) withDefaults() Limits {
	if l.Diagnostics == 0 {
		l.Diagnostics = 5000
	}
	if l.Message == 0 {
		l.Message = 4 << 10
	}
	return l
}

// A LimitError says that a report holds more than it may.
type LimitError struct{ Message string }

func (e *LimitError) Error() string { return e.Message }

// Admit reports the first thing in a report that the manifest and the request
// do not allow: a rule or phase that is not declared, a place outside the
// declared globs or inside a character, an edit outside the root, a text or a
// number of findings beyond the limits. A host refuses such a report whole; the
// test kit refuses the plugin. Remedies that would change a document whose name
// is not UTF-8 are taken out of the report: the plugin cannot know.
func Admit(m *wire.Manifest, request *wire.Request, report *wire.Report, limits Limits) error {
	withhold(request, report)
	a := &admission{m: m, request: request, report: report, limits: limits.withDefaults()}
	if n := len(report.Diagnostics); n > a.limits.Diagnostics {
		return &LimitError{fmt.Sprintf("the report has %d diagnostics, the limit is %d", n, a.limits.Diagnostics)}
	}
	if report.Declined != "" && len(report.Diagnostics)+len(report.Detections)+len(report.Recoveries)+len(report.Identity) > 0 {
		return fmt.Errorf("the report declines the instance and yet speaks of it")
	}
	if err := Identity(m, report.Identity); err != nil {
		return err
	}
	if err := a.detections(); err != nil {
		return err
	}
	for i := range report.Diagnostics {
		if err := a.diagnostic(&report.Diagnostics[i]); err != nil {
			return fmt.Errorf("diagnostic %d (%s): %w", i, report.Diagnostics[i].Rule, err)
		}
	}
	for i := range report.Recoveries {
		if err := a.remedy(&report.Recoveries[i]); err != nil {
			return fmt.Errorf("recovery %d (%s): %w", i, report.Recoveries[i].Title, err)
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
		return fmt.Errorf("the report has the identity %q, and the manifest does not say of what: set its member identity", identity)
	}
	return nil
}

type admission struct {
	m       *wire.Manifest
	request *wire.Request
	report  *wire.Report
	limits  Limits

	documents map[string]*wire.Document // by path, made when first needed
	targets   map[string]string         // existing names by folded form, made when first needed
}

func (a *admission) detections() error {
	for i := range a.report.Detections {
		d := &a.report.Detections[i]
		if err := a.detection(d); err != nil {
			return fmt.Errorf("detection %d (subject %q): %w", i, d.Subject, err)
		}
	}
	return nil
}

func (a *admission) detection(d *wire.Detection) error {
	at := slices.IndexFunc(a.m.Lifecycles, func(l wire.Lifecycle) bool { return l.Name == d.Lifecycle })
	if at < 0 {
		return fmt.Errorf("the lifecycle %q is not declared", d.Lifecycle)
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
	return nil
}

func tableShape(f wire.Fact) error {
	for _, row := range f.Value.Rows {
		if len(row) != len(f.Value.Columns) {
			return fmt.Errorf("the fact %s has a row of %d cells under %d columns", f.Name, len(row), len(f.Value.Columns))
		}
	}
	return nil
}

func (a *admission) diagnostic(d *wire.Diagnostic) error {
	at := slices.IndexFunc(a.m.Rules, func(r wire.Rule) bool { return r.Name == d.Rule })
	if at < 0 {
		return fmt.Errorf("the rule is not declared")
	}
	if d.Severity > a.m.Rules[at].Severity {
		return fmt.Errorf("the severity %s is above the declared %s", d.Severity, a.m.Rules[at].Severity)
	}
	if d.Message == "" {
		return fmt.Errorf("the message is empty")
	}
	if n := len(d.Message); n > a.limits.Message {
		return &LimitError{fmt.Sprintf("the message has %d bytes, the limit is %d", n, a.limits.Message)}
	}
	if err := a.place(d.Range); err != nil {
		return err
	}
	for _, r := range d.Related {
		if err := a.place(r.Range); err != nil {
			return fmt.Errorf("related place: %w", err)
		}
	}
	for i := range d.Remedies {
		if err := a.remedy(&d.Remedies[i]); err != nil {
			return fmt.Errorf("remedy %d (%s): %w", i, d.Remedies[i].Title, err)
		}
	}
	return nil
}

// others checks overrides and rule failures.
func (a *admission) others() error {
	for _, o := range a.report.Overrides {
		if !slices.Contains(wire.HostRules, o.Rule) {
			return fmt.Errorf("override of %q: no rule of the host has this name", o.Rule)
		}
		if o.Severity == wire.Inherit {
			return fmt.Errorf("override of %s: the severity is missing", o.Rule)
		}
	}
	for _, f := range a.report.RuleFailures {
		if !slices.ContainsFunc(a.m.Rules, func(r wire.Rule) bool { return r.Name == f.Rule }) {
			return fmt.Errorf("the failed rule %q is not declared", f.Rule)
		}
	}
	return nil
}
