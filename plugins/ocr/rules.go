package ocr

import (
	"slices"

	"github.com/stategate/stategate/sdk/check"
)

// rules are the rules, group by group.
var rules = slices.Concat(
	group("state", stateRules),
	group("phase", phaseRules),
	group("phase", roundRules),
	group("documents", documentRules),
	group("documents", finalRules),
	group("documents", resultRules),
	group("times", timeRules),
	group("history", historyRules),
	group("history", evidenceRules),
)

func group(name string, list []check.Rule[*Model]) []check.Rule[*Model] {
	for i := range list {
		list[i].Group = name
	}
	return list
}
