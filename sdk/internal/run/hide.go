package run

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
)

// hide turns findings of hidden rules into related notes of the finding on the
// same subject that explains them.
func hide(rules []*sdk.Rule, list *[]wire.Diagnostic) {
	for _, rule := range rules {
		for _, hidden := range rule.Hides {
			hideOne(rule.Name, hidden.Name, list)
		}
	}
}

func hideOne(by, hidden string, list *[]wire.Diagnostic) {
	kept := make([]wire.Diagnostic, 0, len(*list))
	for _, d := range *list {
		if d.Rule == hidden && attach(by, d, *list) {
			continue
		}
		kept = append(kept, d)
	}
	if len(kept) < len(*list) {
		*list = relate(by, hidden, kept, *list)
	}
}

// attach reports whether a finding of rule by speaks of d's subject.
func attach(by string, d wire.Diagnostic, list []wire.Diagnostic) bool {
	for i := range list {
		if list[i].Rule == by && list[i].Subject == d.Subject {
			return true
		}
	}
	return false
}

func relate(by, hidden string, kept, all []wire.Diagnostic) []wire.Diagnostic {
	for i := range kept {
		if kept[i].Rule != by || !first(kept, i) {
			continue
		}
		for _, d := range all {
			if d.Rule == hidden && d.Subject == kept[i].Subject {
				kept[i].Related = append(kept[i].Related, wire.Related{Range: d.Range, Message: d.Message + " [" + d.Rule + "]"})
			}
		}
	}
	return kept
}

// first reports whether no earlier finding has the rule and subject of list[i].
func first(list []wire.Diagnostic, i int) bool {
	for j := 0; j < i; j++ {
		if list[j].Rule == list[i].Rule && list[j].Subject == list[i].Subject {
			return false
		}
	}
	return true
}
