package openspec

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

// deltaOverlap reports a requirement that two open changes add, or that one modifies and the other modifies, removes or
// renames. If one of two modifications contains the other's text, it builds on that one and is not reported. Small
// modifications, which may seem to contain each other, are reported if they share no new word.
func deltaOverlap(r *check.Report, m *model) {
	type place struct{ op, capability, key string }
	seen := map[place]*requirement{}
	m.eachDelta(func(c *change, x *delta) {
		report := func(op string, q *requirement, what string, with sdk.Range) {
			r.AtLine(x.doc.Path, q.line, c.name+" "+op+" the requirement "+say.Quote(q.name)+", which "+what).
				Of(c.run()).Keyed(x.capability+" "+q.key()).See(with, "the other change").
				Advise("Base one delta on the other", "Decide which change is archived first.",
					"In the other delta, modify the requirement, and write it with both changes.")
		}
		for _, q := range x.added {
			at, s := place{"adds", x.capability, q.key()}, m.byCap[x.capability]
			if first := seen[at]; first == nil {
				seen[at] = q
			} else if first.doc != x.doc && (s == nil || s.byKey[at.key] == nil) {
				report(at.op, q, "another open change also adds", sdk.AtLine(first.doc.Path, first.line))
			}
		}
		for _, q := range x.modified {
			at := place{"modifies", x.capability, q.key()}
			var what string
			var with sdk.Range
			m.eachDelta(func(other *change, y *delta) {
				if other != c && y.capability == x.capability && y.namesTaken(at.key) {
					what, with = other.name+" removes or renames", sdk.At(y.doc.Path)
				}
			})
			first := seen[at]
			if first == nil {
				seen[at] = q
			} else if what == "" && (adds(q.meaning(), first.meaning()) && adds(first.meaning(), q.meaning()) ||
				m.apart(x.capability, q, first)) {
				what, with = "another open change also modifies", sdk.AtLine(first.doc.Path, first.line)
			}
			if what != "" {
				report(at.op, q, what, with)
			}
		}
	})
}

// apart reports whether two modified requirements each have words that the spec lacks, but have none of these words in
// common.
func (m *model) apart(capability string, a, b *requirement) bool {
	s := m.byCap[capability]
	if s == nil || s.byKey[a.key()] == nil {
		return false
	}
	was := s.byKey[a.key()].meaning()
	ours, theirs := news(a.meaning(), was), news(b.meaning(), was)
	return len(ours) > 0 && len(theirs) > 0 &&
		!slices.ContainsFunc(ours, func(word string) bool { return slices.Contains(theirs, word) })
}

// news returns the words of a text that the text before lacks.
func news(text, before []string) (list []string) {
	var old []string
	for _, line := range before {
		old = append(old, wordsOf(line)...)
	}
	for _, line := range text {
		for _, word := range wordsOf(line) {
			if !slices.Contains(old, word) {
				list = append(list, word)
			}
		}
	}
	return list
}
