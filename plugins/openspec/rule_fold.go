package openspec

import (
	"slices"

	"github.com/stategate/stategate/sdk/markdown"
)

// unfolded returns the delta's requirements that are not in any spec, and counts those that are in a spec or were
// removed by another change. For a change archived since the base, it also compares the texts, because the base still
// has the open delta and the earlier spec.
func (m *model) unfolded(c *change, x *delta) (missing []name, found int) {
	now, before, was := m.byCap[x.capability], m.before(x.capability), m.openDelta(c, x.capability)
	// If the archived delta differs from the base's open one, only its names are known. The spec may have its text.
	edited := was != nil && !same(was.doc, x.doc)
	lost := map[string]bool{}
	count := func(folded bool, n name) {
		if folded {
			found++
		} else {
			missing, lost[fold(n.text)] = append(missing, n), true
		}
	}
	for _, q := range x.added {
		k := q.key()
		folded := m.shown(c, x, k)
		if then, meant := before.find(k), was.text(k); folded && then != nil && meant != nil && now.find(k) != nil {
			// The base's spec already has the name: the delta may have been folded in early. Since then, a few words
			// may have changed, or another change may have modified the requirement.
			folded = !adds(meant, then.meaning()) || adds(now.find(k).meaning(), then.meaning()) ||
				edited && len(now.find(k).lacks(q)) == 0 || m.amended(x, x.capability, k)
		}
		count(folded, name{text: q.name, line: q.line})
	}
	for _, q := range x.modified {
		k := q.key()
		there, then, meant := now.find(k), before.find(was.formerly(k)), was.text(k)
		switch {
		case there == nil:
			count(m.shown(c, x, k), name{text: q.name, line: q.line})
		case meant == nil || holds(there.meaning(), meant, then) || edited && len(there.lacks(q)) == 0:
			found++
		case then != nil && !adds(there.meaning(), then.meaning()):
			count(false, name{text: q.name, line: q.line})
		}
	}
	if !m.fresh(c) {
		return missing, found
	}
	for _, n := range was.removals(x) {
		if k := fold(n.text); before.find(k) != nil {
			count(now.find(k) == nil || m.given(x, x.capability, k), n)
		}
	}
	for _, p := range was.renames(x) {
		from, to := fold(p.from.text), fold(p.to.text)
		switch there := now.find(to); {
		case before.find(from) == nil || lost[to]:
		case from == to:
			count(there == nil || there.name == p.to.text, p.to)
		case now.find(from) != nil && !m.given(nil, x.capability, from):
			count(false, p.to)
		default:
			count(m.shown(c, x, to) || m.taken(c, x.capability, from), p.to)
		}
	}
	return missing, found
}

// holds reports whether a requirement's text, now, shows that the delta's text, meant, was folded in. It does if it
// equals meant, has a line that the delta adds, or has only those lines of then that the delta keeps.
func holds(now, meant []string, then *requirement) bool {
	if slices.Equal(now, meant) || then == nil {
		return true
	}
	var stay, gone []string
	for _, line := range then.meaning() {
		if slices.Contains(meant, line) {
			stay = append(stay, line)
		} else {
			gone = append(gone, line)
		}
	}
	return adds(gone, now) && !adds(stay, now) || slices.ContainsFunc(meant,
		func(line string) bool { return slices.Contains(now, line) && !slices.Contains(stay, line) })
}

// adds reports whether text has more words that before lacks than a corrected typo would explain. A character in a
// script without spaces counts as half a word.
func adds(text, before []string) bool {
	left := map[string]int{}
	for _, line := range before {
		for _, word := range wordsOf(line) {
			left[word]++
		}
	}
	weight := 0
	for _, line := range text {
		for _, word := range wordsOf(line) {
			if left[word]--; left[word] >= 0 {
				continue
			}
			if weight++; word[0] < 0xe3 {
				weight++
			}
		}
	}
	return weight > 4
}

// wordsOf returns a line's words in lowercase, without punctuation. Each character from U+3000 on, such as a Japanese
// or Chinese one, is a word.
func wordsOf(line string) []string {
	var list []string
	from := -1
	end := func(at int) {
		if from >= 0 {
			list, from = append(list, line[from:at]), -1
		}
	}
	line = markdown.Lower(line)
	for at, r := range line {
		switch {
		case r >= 0x3000:
			end(at)
			if !markdown.Symbol(r) {
				list = append(list, string(r))
			}
		case r >= 0x80 || r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			if from < 0 {
				from = at
			}
		default:
			end(at)
		}
	}
	end(len(line))
	return list
}

// openDelta returns the delta that the base has for a change that was open then and was archived since, or nil if there
// is none.
func (m *model) openDelta(c *change, capability string) *delta {
	if m.fresh(c) {
		for _, was := range m.base.active {
			for _, x := range was.deltas {
				if was.name == c.name && x.capability == capability && x.doc.Readable() {
					return x
				}
			}
		}
	}
	return nil
}

// before returns a capability's spec in the base, or nil if there is none.
func (m *model) before(capability string) *spec {
	if m.base == nil {
		return nil
	}
	return m.base.byCap[capability]
}

// text returns the text that a delta gives to a requirement, or nil if it is unknown.
func (x *delta) text(key string) []string {
	if x != nil {
		for _, list := range [][]*requirement{x.modified, x.added} {
			for _, q := range list {
				if q.key() == key {
					return q.meaning()
				}
			}
		}
	}
	return nil
}

// formerly returns a requirement's key before the delta renames it.
func (x *delta) formerly(key string) string {
	if x != nil {
		for _, p := range x.renamed {
			if fold(p.to.text) == key {
				return fold(p.from.text)
			}
		}
	}
	return key
}

// removals returns the requirements that an archived delta removes. Names in a list are known only from x, the base's
// open delta.
func (x *delta) removals(archived *delta) []name {
	line := archived.line("removed")
	if len(archived.removed) > 0 || x == nil || line == 0 {
		return archived.removed
	}
	list := slices.Clone(x.removed)
	for i := range list {
		list[i].line = line
	}
	return list
}

// renames returns an archived delta's renamings. They are known only from x, the base's open delta.
func (x *delta) renames(archived *delta) []rename {
	line := archived.line("renamed")
	if x == nil || line == 0 {
		return nil
	}
	list := slices.Clone(x.renamed)
	for i := range list {
		list[i].to.line = line
	}
	return list
}

// line returns the line of the first section for an operation, or 0 if there is none.
func (x *delta) line(op string) int {
	for _, s := range x.sections {
		if operation(s.title) == op {
			return s.line
		}
	}
	return 0
}

// shown reports whether some spec has a requirement from a delta, or another change has since removed it. In another
// capability, a requirement does not count if it has different text and is in the base or comes from another delta.
func (m *model) shown(c *change, x *delta, key string) bool {
	meant := m.openDelta(c, x.capability).text(key)
	return m.taken(c, x.capability, key) || slices.ContainsFunc(m.named[key], func(capability string) bool {
		if capability == x.capability || meant == nil {
			return true
		}
		return m.before(capability).find(key) == nil && !m.given(x, capability, key) ||
			slices.Equal(m.byCap[capability].find(key).meaning(), meant)
	})
}

// recent reports whether a change is open or was archived since the base.
func (m *model) recent(c *change) bool { return !c.archived || m.fresh(c) }

// given reports whether a recent change adds a requirement, or gives its name to another one, in a delta other than
// but.
func (m *model) given(but *delta, capability, key string) bool {
	return m.anyOther(but, capability, func(c *change, x *delta) bool {
		return m.recent(c) && (x.gives(key) || slices.ContainsFunc(m.openDelta(c, capability).renames(x),
			func(p rename) bool { return fold(p.to.text) == key }))
	})
}

// amended reports whether another change modifies a requirement and no other change adds it.
func (m *model) amended(but *delta, capability, key string) bool {
	return m.anyOther(but, capability, func(_ *change, x *delta) bool { return modifies(x, key) }) &&
		!m.anyOther(but, capability, func(_ *change, x *delta) bool { return x.gives(key) })
}

func modifies(x *delta, key string) bool {
	return slices.ContainsFunc(x.modified, func(q *requirement) bool { return q.key() == key })
}

func (m *model) anyOther(but *delta, capability string, accept func(*change, *delta) bool) bool {
	other := func(c *change, x *delta) bool { return (but == nil || x.doc != but.doc) && accept(c, x) }
	return anyDelta(m.archived, capability, other) || anyDelta(m.active, capability, other)
}

// taken reports whether a change other than but removes or renames a requirement. If but was archived since the base, a
// change archived earlier does not count. If but is nil, a change archived earlier counts only if its delta names the
// requirement; see hinted.
func (m *model) taken(but *change, capability, key string) bool {
	takes := func(c *change, x *delta) bool {
		if c == but || but != nil && m.fresh(but) && c.archived && !m.fresh(c) {
			return false
		}
		if but == nil && !m.recent(c) {
			return x.namesTaken(key)
		}
		if was := m.openDelta(c, capability); x.vague && was != nil && len(was.removed)+len(was.renamed) > 0 {
			return was.takes(key)
		}
		return x.takes(key)
	}
	return anyDelta(m.archived, capability, takes) || anyDelta(m.active, capability, takes)
}

// hinted reports whether a change archived before the base may have removed or renamed any requirement in a capability.
func (m *model) hinted(capability string) bool {
	return anyDelta(m.archived, capability, func(c *change, x *delta) bool { return x.vague && !m.fresh(c) })
}

// reworded reports whether a spec has text that is not in the base and does not come from another delta: the delta may
// have been folded in with other words. The purpose does not count, because deltas do not change it.
func (m *model) reworded(x *delta) bool {
	now, before := m.byCap[x.capability], m.before(x.capability)
	if now == nil {
		return false
	}
	var all []string
	if before != nil {
		all = before.doc.Outline().Document().Meaning()
	}
	if len(now.byKey) == 0 {
		return adds(now.doc.Outline().Document().Meaning(), all)
	}
	return slices.ContainsFunc(now.sections, func(s *section) bool {
		if len(s.reqs) == 0 {
			return s.line > 1 && fold(s.title) != "purpose" && adds(s.head.Section().Meaning(), all)
		}
		return slices.ContainsFunc(s.reqs, func(q *requirement) bool {
			then := before.find(q.key())
			return (then == nil || adds(q.meaning(), then.meaning())) && !m.given(x, x.capability, q.key()) &&
				!m.anyOther(x, x.capability, func(c *change, y *delta) bool {
					return m.recent(c) &&
						modifies(y, q.key())
				})
		})
	})
}
