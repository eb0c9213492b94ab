package run

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
)

// shown returns the findings for Resume. Findings of hidden rules become related notes of the finding on the same
// subject that explains them, unless that finding is less severe. The report itself contains all findings, and the
// host folds them, because a configuration may disable the explaining rule.
func shown(rules []*sdk.Rule, list []wire.Diagnostic) []wire.Diagnostic {
	for _, rule := range rules {
		for _, hidden := range rule.Hides {
			list = hideOne(rule.Name, hidden.Name, list)
		}
	}
	return list
}

func hideOne(by, hidden string, list []wire.Diagnostic) []wire.Diagnostic {
	var kept []wire.Diagnostic
	for i := range list {
		if d := &list[i]; d.Rule != hidden || firstOf(by, d, list) == nil {
			kept = append(kept, *d)
		}
	}
	for i := range list {
		d := &list[i]
		if d.Rule != hidden {
			continue
		}
		if to := firstOf(by, d, kept); to != nil {
			to.Related = append(slices.Clip(to.Related),
				wire.Related{Range: d.Range, Message: d.Message + " [" + d.Rule + "]"})
		}
	}
	return kept
}

// firstOf returns a rule's first finding on the same subject as another finding that is at least as severe, or nil.
func firstOf(rule string, of *wire.Diagnostic, list []wire.Diagnostic) *wire.Diagnostic {
	for i := range list {
		if d := &list[i]; d.Rule == rule && d.Subject == of.Subject && d.Severity >= of.Severity {
			return d
		}
	}
	return nil
}
