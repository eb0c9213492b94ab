package snapshot

import (
	"fmt"

	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

func (a *admission) siftDetections() {
	kept, refused := sift(a.report.Detections, a.detection, func(i int, d *wire.Detection) string {
		return fmt.Sprintf("detection %d (subject %q)", i, firstBytes(d.Subject))
	})
	a.report.Detections = kept
	a.refuse(refused)
}

func (a *admission) siftRecoveries() {
	kept, refused := a.siftRemedies("recovery", a.report.Recoveries)
	a.report.Recoveries = kept
	a.refuse(refused)
}

// refuse records the reason for a removal, if there is one.
func (a *admission) refuse(err error) {
	if err != nil {
		a.refused = append(a.refused, err)
	}
}

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
		remedies, err := a.siftRemedies("remedy", d.Remedies)
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

func (a *admission) siftRemedies(word string, list []wire.Remedy) (kept []wire.Remedy, refused error) {
	return sift(list, a.remedy, func(i int, r *wire.Remedy) string {
		return fmt.Sprintf("%s %d (%s)", word, i, firstBytes(r.Title))
	})
}

// sift returns the allowed elements of a list, and the reason why the first other one is refused.
func sift[T any](list []T, check func(*T) error, name func(int, *T) string) (kept []T, refused error) {
	for i := range list {
		if err := check(&list[i]); err == nil {
			kept = append(kept, list[i])
		} else if refused == nil {
			refused = fmt.Errorf("%s: %w", name(i, &list[i]), err)
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
