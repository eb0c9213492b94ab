package check

import (
	"slices"

	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/sdk/finding"
)

// agreed makes one reply of those against several bases, of which a merge has
// one for each parent: a finding stands if it stands against every base, as mildly
// as it does against any. What could not be looked at against one was not looked
// at. Everything else is as the first base has it.
func agreed(replies []*exchange.Reply) *exchange.Reply {
	all := *replies[0]
	all.Findings, all.RuleFailures = slices.Clone(all.Findings), slices.Clone(all.RuleFailures)
	for _, r := range replies[1:] {
		all.Findings = shared(all.Findings, r.Findings)
		for _, f := range r.RuleFailures {
			if !slices.Contains(all.RuleFailures, f) {
				all.RuleFailures = append(all.RuleFailures, f)
			}
		}
		for _, why := range r.Refused {
			if !slices.Contains(all.Refused, why) {
				all.Refused = append(slices.Clip(all.Refused), why)
			}
		}
		if all.Failure == "" {
			all.Failure = r.Failure
		}
	}
	return &all
}

// A fault tells one finding of an instance from another, as its fingerprint does.
type findingKey struct{ rule, path, subject, key string }

func faultOf(f *finding.Finding) findingKey {
	return findingKey{f.Rule, f.Place.Path, f.Subject, f.Key}
}

// shared keeps of list what others have as well, as often as they have it.
func shared(list, others []finding.Finding) []finding.Finding {
	has := map[findingKey][]*finding.Finding{}
	for i := range others {
		k := faultOf(&others[i])
		has[k] = append(has[k], &others[i])
	}
	kept := list[:0]
	for _, f := range list {
		k := faultOf(&f)
		if len(has[k]) == 0 {
			continue
		}
		f.Severity = min(f.Severity, has[k][0].Severity)
		has[k] = has[k][1:]
		kept = append(kept, f)
	}
	return kept
}
