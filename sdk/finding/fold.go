package finding

import (
	"slices"

	"github.com/stategate/stategate/sdk/wire"
)

// A Topic holds the properties that determine whether one finding hides another.
type Topic struct {
	Rule, Subject string
	Severity      wire.Severity
}

// Hide splits findings into visible and hidden ones, and calls note for each pair. The manifest says which rules a
// rule hides. A rule's first finding hides the hidden rules' findings on the same subject, unless they are more
// severe, so that a note never hides an error. Each finding is hidden at most once. In a chain of rules, the rule
// that comes first in the manifest hides first.
func Hide[F any](rules []wire.Rule, list []F, topic func(*F) Topic, note func(by, hidden *F)) (stay, hidden []F) {
	type about struct{ rule, subject string }
	topics, gone, by := make([]Topic, len(list)), make([]bool, len(list)), map[about][]int{}
	byRule := map[string][]int{}
	for i := range list {
		t := topic(&list[i])
		topics[i], byRule[t.Rule] = t, append(byRule[t.Rule], i)
		by[about{t.Rule, t.Subject}] = append(by[about{t.Rule, t.Subject}], i)
	}
	for _, r := range rules {
		for _, name := range r.Hides {
			for _, i := range byRule[name] {
				others := by[about{r.Name, topics[i].Subject}]
				at := slices.IndexFunc(others,
					func(j int) bool { return !gone[j] && topics[j].Severity >= topics[i].Severity })
				if at >= 0 && !gone[i] && name != r.Name {
					gone[i] = true
					note(&list[others[at]], &list[i])
				}
			}
		}
	}
	for i, f := range list {
		if gone[i] {
			hidden = append(hidden, f)
		} else {
			stay = append(stay, f)
		}
	}
	return stay, hidden
}

// Fold turns hidden findings into related notes of the findings that hide them. Notes of a hidden finding are
// dropped.
func Fold(m *wire.Manifest, list []Finding) []Finding {
	stay, _ := Hide(m.Rules, slices.Clone(list),
		func(f *Finding) Topic { return Topic{f.Rule, f.Subject, f.Severity} },
		func(by, f *Finding) {
			by.Related = append(slices.Clip(by.Related),
				wire.Related{Range: f.Range, Message: f.Message + " [" + f.Rule + "]"})
			by.RelatedPlaces = append(slices.Clip(by.RelatedPlaces), f.Place)
		})
	return stay
}
