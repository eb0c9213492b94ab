package finding

import (
	"slices"

	"github.com/stategate/stategate/sdk/wire"
)

// A Hiding says that one finding of a list hides another, by index.
type Hiding struct{ By, Hidden int }

// A Topic is what decides whether one finding hides another.
type Topic struct {
	Rule, Subject string
	Severity      wire.Severity
}

// Hidings gives what hides what among findings; each is hidden once at most. A
// rule that hides others says so in the manifest; it hides their findings on the same
// subject behind its own first one that is no milder, so that nothing grave is lost behind a note.
// Of a chain, the rule that the manifest names first hides first.
func Hidings(rules []wire.Rule, findings []Topic) []Hiding {
	h := hidings{findings: findings, gone: make([]bool, len(findings)), byRule: map[string][]int{}}
	for i, f := range findings {
		h.byRule[f.Rule] = append(h.byRule[f.Rule], i)
	}
	for _, r := range rules {
		if len(h.byRule[r.Name]) == 0 {
			continue
		}
		for _, hidden := range r.Hides {
			if hidden != r.Name {
				h.add(h.byRule[r.Name], h.byRule[hidden])
			}
		}
	}
	return h.list
}

type hidings struct {
	findings []Topic
	gone     []bool
	byRule   map[string][]int
	list     []Hiding
}

func (h *hidings) add(by, hidden []int) {
	if len(hidden) == 0 {
		return
	}
	about := map[string][]int{}
	for _, i := range by {
		if f := h.findings[i]; !h.gone[i] {
			about[f.Subject] = append(about[f.Subject], i)
		}
	}
	for _, i := range hidden {
		f := h.findings[i]
		list := about[f.Subject]
		at := slices.IndexFunc(list, func(j int) bool { return h.findings[j].Severity >= f.Severity })
		if at >= 0 && !h.gone[i] {
			h.gone[i] = true
			h.list = append(h.list, Hiding{list[at], i})
		}
	}
}

// Fold makes findings that are hidden related notes of those that hide them. What a
// hidden finding hides is gone with it.
func Fold(m *wire.Manifest, list []Finding) []Finding {
	topics := make([]Topic, len(list))
	for i := range list {
		topics[i] = Topic{list[i].Rule, list[i].Subject, list[i].Severity}
	}
	pairs := Hidings(m.Rules, topics)
	if len(pairs) == 0 {
		return list
	}
	list = slices.Clone(list)
	gone := make([]bool, len(list))
	for _, p := range pairs {
		to, from := &list[p.By], &list[p.Hidden]
		gone[p.Hidden] = true
		to.Related = append(slices.Clip(to.Related),
			wire.Related{Range: from.Range, Message: from.Message + " [" + from.Rule + "]"})
		to.RelatedPlaces = append(slices.Clip(to.RelatedPlaces), from.Place)
	}
	var kept []Finding
	for i, f := range list {
		if !gone[i] {
			kept = append(kept, f)
		}
	}
	return kept
}
