// Package policy decides which findings count: severities, selection, ignores and the baseline.
package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/policy/baseline"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// A Policy decides which findings count. The zero Policy keeps every finding.
//
// A finding that the policy drops does not hide others. Findings that a rule would have folded into it are reported
// separately. A finding also never hides a more severe one, even if the policy caused the difference in severity.
type Policy struct {
	ID string // object id of the commit that it was read from; "" for the source itself
	// Severities is keyed by workflow/rule, or by only the rule for all workflows. Off, Info and Warning are upper
	// limits. Error turns every finding of the rule into an error.
	Severities map[string]wire.Severity
	Select     func(rule string) bool // by workflow/rule; nil selects all
	Ignore     []Ignore
	Baseline   *baseline.Baseline // nil if there is none
	Notes      []result.Note      // about the configuration itself
	Partial    bool               // not all plugins take part, so unmatched entries may still be valid
}

// An Ignore drops findings that match one of its paths and one of its rules. An empty list matches everything.
// With a fingerprint, it drops only that finding, and if it also has a message, it lapses when that finding
// gets worse.
type Ignore struct {
	Paths       *glob.Set // of the documents, relative to the workspace root; nil matches all
	Rules       []string  // workflow/rule, or only the rule for all workflows
	Fingerprint string    // "" matches all
	Message     string    // the finding's message when it was accepted; "" accepts any message
	Reason      string
	Until       time.Time    // when it expires; zero means never
	Place       result.Place // where it is defined
}

// NewBaseline returns a baseline of all findings that are not suppressed, including hidden ones. It omits findings
// about something that could not be read, and returns their number.
func NewBaseline(r *result.Result) (b *baseline.Baseline, unread int) {
	var list []baseline.Finding
	for _, i := range r.Instances {
		for _, d := range slices.Concat(i.Diagnostics, i.Hidden) {
			if result.Unread(d.Rule) {
				unread++
				continue
			}
			list = append(list, baseline.Finding{Rule: d.Rule, Path: d.Place.Path, Message: d.Message,
				Fingerprint: d.Fingerprint})
		}
	}
	return baseline.New(list), unread
}

func (g *Ignore) matches(d *result.Diagnostic) bool {
	if g.Fingerprint != "" && g.Fingerprint != d.Fingerprint && !slices.Contains(d.Former, g.Fingerprint) {
		return false
	}
	if len(g.Rules) > 0 && !slices.ContainsFunc(g.Rules, func(name string) bool { return named(name, d.Rule) }) {
		return false
	}
	if g.Paths == nil {
		return true
	}
	st := g.Paths.Start()
	for name := range strings.SplitSeq(strings.TrimSuffix(d.Place.Path, "/"), "/") {
		if name != "." && name != "" {
			st = g.Paths.Step(st, name)
		}
	}
	return g.Paths.Accepts(st)
}

// named reports whether a name (workflow/rule or only rule) refers to a workflow's rule.
func named(name, rule string) bool { return name == rule || name == result.RuleName(rule) }

// Apply determines which findings of a result count. It applies severities, selection, ignores and the baseline. Then
// it folds hidden findings into those that hide them. rules returns the rules that a plugin declares.
func (p *Policy) Apply(r *result.Result, rules func(plugin string) []wire.Rule, now time.Time) {
	r.Policy, r.Whole = p.ID, r.Whole && !p.Partial && p.Select == nil
	a := &application{policy: p, now: now, met: make([]bool, len(p.Ignore))}
	for i := range r.Instances {
		a.off = offByDefault(rules(r.Instances[i].Plugin))
		a.judge(&r.Instances[i])
	}
	missed := 0
	if p.Baseline != nil {
		missed = Accept(r, p.Baseline)
	}
	for i := range r.Instances {
		fold(&r.Instances[i], rules(r.Instances[i].Plugin))
	}
	// an unreadable file may hide the findings that an ignore or the baseline accepts
	whole := r.Whole && !slices.ContainsFunc(r.Instances, func(i result.Instance) bool {
		return slices.ContainsFunc(i.Diagnostics, func(d result.Diagnostic) bool { return result.Unread(d.Rule) })
	})
	r.Notes = slices.Concat(r.Notes, p.Notes, a.notes(whole, comparing(r)), a.outgrown)
	if missed > 0 && whole {
		r.Notes = append(r.Notes, stale(p.Baseline.Name, missed))
	}
}

type application struct {
	policy *Policy
	now    time.Time
	met    []bool   // by ignore
	off    []string // the rules of the instance's plugin that are off unless the policy names them

	outgrown []result.Note // about ignores whose finding got worse than what was accepted
}

// judge sets severities and removes findings that are off, not selected or ignored.
func (a *application) judge(inst *result.Instance) {
	kept := inst.Diagnostics[:0]
	for i, d := range inst.Diagnostics {
		severity := a.severity(&d)
		if d.Severity == wire.Error && severity < wire.Error {
			release(inst, &d, "", kept, inst.Diagnostics[i+1:])
		}
		if severity == wire.Off || a.policy.Select != nil && !a.policy.Select(d.Rule) {
			continue
		}
		d.Severity = severity
		if g := a.ignore(&d); g != nil && !result.Unread(d.Rule) {
			inst.Suppressed = append(inst.Suppressed,
				result.Suppressed{Diagnostic: d, Why: result.Ignored, Reason: g.Reason})
			release(inst, &d, g.Reason, kept, inst.Diagnostics[i+1:])
			continue
		}
		kept = append(kept, d)
	}
	inst.Diagnostics = kept
}

// release is called for a finding d that is no longer an error. In briefs that say to resolve d first, the run's next
// error among the others takes its place. If there is none, the run is no longer blocked. sdk/brief composes that text.
// why says what accepts the finding, or is "" if it is not accepted.
func release(inst *result.Instance, d *result.Diagnostic, why string, others ...[]result.Diagnostic) {
	what := result.RuleName(d.Rule) + ": " + d.Message
	for i := range inst.Detections {
		x := &inst.Detections[i]
		if x.Resume.First == "settle "+what && !result.Unread(d.Rule) {
			if next := firstError(x, others); next != nil {
				x.Resume.First = "settle " + result.RuleName(next.Rule) + ": " + next.Message
			} else {
				unblock(inst, x)
			}
		}
		if why != "" && concerns(d, x) {
			x.Resume.Context = append(x.Resume.Context, "accepted ("+why+"): "+what)
		}
	}
}

// firstError returns the first error about a run, or nil.
func firstError(x *wire.Detection, lists [][]result.Diagnostic) *result.Diagnostic {
	for _, list := range lists {
		for i := range list {
			if d := &list[i]; d.Severity == wire.Error && concerns(d, x) {
				return d
			}
		}
	}
	return nil
}

// unblock continues a run without errors, or finishes it if its last phase is complete and nothing remains.
func unblock(inst *result.Instance, x *wire.Detection) {
	x.Resume.First = ""
	if x.State != wire.Blocked {
		return
	}
	x.State = wire.Active
	at := slices.IndexFunc(inst.Lifecycles, func(l wire.Lifecycle) bool { return l.Name == x.Lifecycle })
	if at >= 0 && len(x.Resume.Remaining) == 0 {
		if phases := inst.Lifecycles[at].Phases; len(phases) > 0 && phases[len(phases)-1].Name == x.Observed {
			x.State, x.Resume.Next = wire.Finished, ""
		}
	}
}

// concerns reports whether a finding is about a run, by the same criteria as sdk/brief.
func concerns(d *result.Diagnostic, x *wire.Detection) bool {
	name := wire.RunName{Lifecycle: x.Lifecycle, Subject: x.Subject}
	return x.Subject == "" || d.Run == name || slices.Contains(d.Blocks, name) ||
		d.Run == (wire.RunName{}) && d.Subject == x.Subject
}

func offByDefault(rules []wire.Rule) (names []string) {
	for i := range rules {
		if rules[i].OffByDefault {
			names = append(names, rules[i].Name)
		}
	}
	return names
}

// severity returns a finding's severity under the policy.
func (a *application) severity(d *result.Diagnostic) wire.Severity {
	set, ok := a.policy.Severities[d.Rule]
	if !ok {
		set, ok = a.policy.Severities[result.RuleName(d.Rule)]
	}
	switch {
	case !ok && slices.Contains(a.off, result.RuleName(d.Rule)):
		return wire.Off
	case !ok:
		return d.Severity
	case set == wire.Error:
		return wire.Error
	}
	return min(d.Severity, set)
}

// ignore returns the first ignore that matches a finding. It records all matching ignores as used.
func (a *application) ignore(d *result.Diagnostic) *Ignore {
	var first, outgrown *Ignore
	for i := range a.policy.Ignore {
		g := &a.policy.Ignore[i]
		if !g.matches(d) {
			continue
		}
		a.met[i] = true
		switch {
		case a.expired(g) || first != nil:
		case g.Message != "" && !Covers(g.Message, d.Message):
			outgrown = cmp.Or(outgrown, g)
		default:
			first = g
		}
	}
	if first == nil && outgrown != nil {
		a.outgrown = append(a.outgrown, result.Note{Kind: result.IgnoreChanged, Place: outgrown.Place,
			Message: fmt.Sprintf(
				"the finding that this ignore accepts (%s) has changed: accepted: %s; is: %s; accept it again with "+
					"`stategate accept`, or restore the old state", outgrown.Reason, outgrown.Message, d.Message)})
	}
	return first
}

func (a *application) expired(g *Ignore) bool { return !g.Until.IsZero() && !a.now.Before(g.Until) }

// fold turns hidden findings into related notes of the findings that hide them.
func fold(inst *result.Instance, rules []wire.Rule) {
	stay, hidden := finding.Hide(rules, inst.Diagnostics, func(d *result.Diagnostic) finding.Topic {
		return finding.Topic{Rule: result.RuleName(d.Rule), Subject: d.Subject, Severity: d.Severity}
	}, func(by, d *result.Diagnostic) {
		by.Related = append(by.Related, result.Related{Place: d.Place,
			Message: d.Message + " [" + result.RuleName(d.Rule) + "]"})
	})
	inst.Diagnostics, inst.Hidden = stay, append(inst.Hidden, hidden...)
}

// comparing returns a function that reports whether a rule compares with a base. A finding of such a rule may be
// missing with this base but exist with another one, for example in CI.
func comparing(r *result.Result) func(rule string) bool {
	return func(name string) bool {
		return slices.ContainsFunc(r.Plugins, func(p *plugin.Plugin) bool {
			return slices.ContainsFunc(p.Manifest.Rules, func(x wire.Rule) bool {
				return x.NeedsBase && slices.ContainsFunc(append([]string{x.Name}, x.Replaces...),
					func(rule string) bool { return named(name, p.Name+"/"+rule) })
			})
		})
	}
}

// notes reports ignores that have expired, and ignores that matched nothing although everything was checked.
func (a *application) notes(whole bool, comparing func(rule string) bool) []result.Note {
	var list []result.Note
	for i := range a.policy.Ignore {
		g := &a.policy.Ignore[i]
		switch {
		case a.expired(g):
			day := g.Until.AddDate(0, 0, -1).Format(time.DateOnly)
			list = append(list, result.Note{Kind: result.IgnoreExpired, Place: g.Place,
				Message: "this ignore expired after " + day + " and no longer applies (" + g.Reason +
					"); remove it, or set a later day"})
		case whole && !a.met[i] && !slices.ContainsFunc(g.Rules, comparing):
			list = append(list, result.Note{Kind: result.IgnoreUnused, Place: g.Place,
				Message: "this ignore matches no finding (" + g.Reason +
					"); remove it unless you need it with another base"})
		}
	}
	return list
}
