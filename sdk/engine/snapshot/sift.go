package snapshot

import (
	"fmt"

	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

func (a *admission) siftDetections() {
	kept, all := a.report.Detections[:0:0], true
	for i := range a.report.Detections {
		d := &a.report.Detections[i]
		if err := a.detection(d); err != nil {
			if all {
				a.refuse(fmt.Errorf("detection %d (subject %q): %w", i, firstBytes(d.Subject), err))
			}
			all = false
			continue
		}
		kept = append(kept, *d)
	}
	a.report.Detections = kept
}

func (a *admission) siftRecoveries() {
	kept, all := a.report.Recoveries[:0:0], true
	for i := range a.report.Recoveries {
		r := &a.report.Recoveries[i]
		if err := a.remedy(r); err != nil {
			if all {
				a.refuse(fmt.Errorf("recovery %d (%s): %w", i, firstBytes(r.Title), err))
			}
			all = false
			continue
		}
		kept = append(kept, *r)
	}
	a.report.Recoveries = kept
}

// refuse records the reason for a removal.
func (a *admission) refuse(err error) { a.refused = append(a.refused, err) }

// siftDiagnostics removes findings that are refused, and reports one reason per rule.
func (a *admission) siftDiagnostics() {
	var kept []wire.Diagnostic
	failed := map[string]bool{}
	fail := func(rule string, err error) {
		if !failed[rule] {
			a.refuse(err)
		}
		failed[rule] = true
	}
	first := map[finding.Identity]*wire.Diagnostic{}
	for i := range a.report.Diagnostics {
		d := &a.report.Diagnostics[i]
		if err := a.diagnostic(d); err != nil {
			fail(d.Rule, fmt.Errorf("diagnostic %d (%s): %w", i, d.Rule, err))
			continue
		}
		remedies, err := a.siftRemedies(d.Remedies)
		if other := first[finding.IdentityOf(d)]; other == nil {
			first[finding.IdentityOf(d)] = d
		} else if err == nil && !equal(d, other) {
			err = indistinct(other, d)
		}
		if err != nil {
			fail(d.Rule, fmt.Errorf("diagnostic %d (%s): %w", i, d.Rule, err))
		}
		kept = append(kept, *d)
		kept[len(kept)-1].Remedies = remedies
	}
	a.report.Diagnostics = kept
}

// siftRemedies returns the allowed remedies, and the reason why the first other one is refused.
func (a *admission) siftRemedies(list []wire.Remedy) (kept []wire.Remedy, refused error) {
	for i := range list {
		if err := a.remedy(&list[i]); err == nil {
			kept = append(kept, list[i])
		} else if refused == nil {
			refused = fmt.Errorf("remedy %d (%s): %w", i, firstBytes(list[i].Title), err)
		}
	}
	return kept, refused
}

// equal reports whether two diagnostics are the same finding.
func equal(d, other *wire.Diagnostic) bool {
	return finding.IdentityOf(d) == finding.IdentityOf(other) && d.Range == other.Range &&
		d.Severity == other.Severity && d.Message == other.Message
}

func indistinct(first, second *wire.Diagnostic) error {
	return fmt.Errorf("two findings in %q have the subject %q and the key %q, so no baseline can tell them apart: "+
		"%q and %q; give each a unique Key",
		second.Range.Path, firstBytes(second.Subject), firstBytes(second.Key), firstBytes(first.Message),
		firstBytes(second.Message))
}
