// Package policy decides which findings count: severities, selection, ignores and the baseline.
package policy

import (
	"slices"
	"strings"
	"time"

	"github.com/stategate/stategate/host/policy/baseline"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/glob"
	"github.com/stategate/stategate/sdk/wire"
)

// A Policy says which findings count. The zero Policy lets every finding stand.
//
// A finding that the policy takes out hides no other: what a rule would have folded into it stands for itself.
type Policy struct {
	ID         string                   // object id of the commit that it was read from, "" for the source itself
	Severities map[string]wire.Severity // by workflow/rule, or by rule for all workflows: Off, Info and Warning are ceilings, Error makes every finding of it an error
	Select     func(rule string) bool   // of workflow/rule; nil selects all
	Ignore     []Ignore
	Baseline   *baseline.Baseline // nil: nothing is known
	Partial    bool               // not every plugin checks, so that what was not matched may still exist
}

// An Ignore takes findings out that match one of its paths and one of its rules. An
// empty list matches all. With a fingerprint it takes out that finding alone.
type Ignore struct {
	Paths       *glob.Set // of the documents, from the workspace root; nil matches all
	Rules       []string  // workflow/rule, or rule for all workflows
	Fingerprint string    // "" matches all
	Reason      string
	Until       time.Time    // from here it does not hold any more; zero: it holds for ever
	Place       result.Place // where it is written
}

// NewBaseline returns the baseline of all findings that stand, and of those that they hide. It leaves out those that
// say that something could not be read, and counts them.
func NewBaseline(r *result.Result) (b *baseline.Baseline, unread int) {
	var list []baseline.Finding
	for _, i := range r.Instances {
		for _, d := range slices.Concat(i.Diagnostics, i.Hidden) {
			if result.Unread(d.Rule) {
				unread++
				continue
			}
			list = append(list, baseline.Finding{Rule: d.Rule, Path: d.Place.Path, Message: d.Message, Fingerprint: d.Fingerprint})
		}
	}
	return baseline.New(list), unread
}

func (g *Ignore) matches(d *result.Diagnostic) bool {
	if g.Fingerprint != "" && g.Fingerprint != d.Fingerprint {
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
	ok := g.Paths.Accepts(st)
	return ok
}

// named reports whether a name, workflow/rule or rule, means a rule of a workflow.
func named(name, rule string) bool {
	if strings.Contains(name, "/") {
		return name == rule
	}
	_, short, _ := strings.Cut(rule, "/")
	return name == short
}
