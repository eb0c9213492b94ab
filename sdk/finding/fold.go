//go:build !wasip1

package finding

import (
	"slices"

	"github.com/stategate/stategate/sdk/wire"
)

// A Hiding says that one finding of a list hides another, by index.
type Hiding struct{ By, Hidden int }

// Hidings gives what hides what among n findings; each is hidden once at most. A
// rule that hides others says so in the manifest; it hides their findings on the same
// subject behind its own first one. Of a chain, the rule that the manifest names first
// hides first. may refuses a pair; nil allows all.
func Hidings(rules []wire.Rule, n int, about func(i int) (rule, subject string), may func(by, hidden int) bool) []Hiding {
	h := hidings{about: about, may: may, gone: make([]bool, n), byRule: map[string][]int{}}
	for i := range n {
		rule, _ := about(i)
		h.byRule[rule] = append(h.byRule[rule], i)
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
	about  func(int) (string, string)
	may    func(int, int) bool
	gone   []bool
	byRule map[string][]int
	list   []Hiding
}

func (h *hidings) add(by, hidden []int) {
	if len(hidden) == 0 {
		return
	}
	first := map[string]int{}
	for _, i := range by {
		_, subject := h.about(i)
		if _, ok := first[subject]; !ok && !h.gone[i] {
			first[subject] = i
		}
	}
	for _, i := range hidden {
		_, subject := h.about(i)
		if at, ok := first[subject]; ok && !h.gone[i] && (h.may == nil || h.may(at, i)) {
			h.gone[i] = true
			h.list = append(h.list, Hiding{at, i})
		}
	}
}

// Fold makes findings that are hidden related notes of those that hide them. What a
// hidden finding hides is gone with it.
func Fold(m *wire.Manifest, list []Finding) []Finding {
	pairs := Hidings(m.Rules, len(list), func(i int) (string, string) { return list[i].Rule, list[i].Subject }, nil)
	if len(pairs) == 0 {
		return list
	}
	list = slices.Clone(list)
	gone := make([]bool, len(list))
	for _, p := range pairs {
		to, from := &list[p.By], &list[p.Hidden]
		gone[p.Hidden] = true
		to.Related = append(slices.Clip(to.Related), wire.Related{Range: from.Range, Message: from.Message + " [" + from.Rule + "]"})
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
