package check

import (
	"cmp"
	"slices"

	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// intersect combines the verdicts against several bases into one. A merge has one base for each parent. A finding is
// reported if it exists against every base, with the lowest of its severities. If the check against one base failed,
// the whole instance counts as not checked. Everything else comes from the first base.
func intersect(verdicts []verdict) *verdict {
	all, stderr := *verdicts[0].Reply, verdicts[0].stderr
	for _, v := range verdicts[1:] {
		all.Findings = shared(all.Findings, v.Findings)
		all.RuleFailures = union(all.RuleFailures, v.RuleFailures)
		all.Refused = union(all.Refused, v.Refused)
		all.Uncompared = union(all.Uncompared, v.Uncompared)
		all.Failure = cmp.Or(all.Failure, v.Failure)
		stderr += v.stderr
	}
	return &verdict{Reply: &all, stderr: stderr}
}

func union[T comparable](a, b []T) []T {
	a = slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(a, x)
		}
	}
	return a
}

// A findingKey identifies a finding within a state directory.
type findingKey struct{ rule, path, subject, key string }

func keyOf(f *finding.Finding) findingKey {
	return findingKey{f.Rule, f.Place.Path, f.Subject, f.Key}
}

// shared keeps the elements of list that others also contain. It keeps an element at most as many times as
// others contain it.
func shared(list, others []finding.Finding) (kept []finding.Finding) {
	has := map[findingKey][]wire.Severity{}
	for i := range others {
		k := keyOf(&others[i])
		has[k] = append(has[k], others[i].Severity)
	}
	for _, f := range list {
		if k := keyOf(&f); len(has[k]) > 0 {
			f.Severity = min(f.Severity, has[k][0])
			has[k] = has[k][1:]
			kept = append(kept, f)
		}
	}
	return kept
}
