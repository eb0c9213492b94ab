package openspec

import (
	"slices"

	"github.com/stategate/stategate/sdk/markdown"
)

// unfolded lists what a delta did to requirements and no spec shows, and counts what is in a spec, or went by another
// change. Of a change that was archived since the base more is known: which text it gave to a requirement, and what the
// spec said before.
func (m *model) unfolded(c *change, x *delta) (missing []name, found int) {
	now, before, was := m.byCap[x.capability], m.before(x.capability), m.openDelta(c, x.capability)
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
			// The name was there already. After an early sync, a few words or another change may have made it differ.
			folded = !adds(meant, then.meaning()) || adds(now.find(k).meaning(), then.meaning()) ||
				m.amended(x, x.capability, k)
		}
		count(folded, name{text: q.name, line: q.line})
	}
	for _, q := range x.modified {
		k := q.key()
		there, then, meant := now.find(k), before.find(was.formerly(k)), was.text(k)
		switch {
		case there == nil:
			count(m.shown(c, x, k), name{text: q.name, line: q.line})
		case meant == nil || holds(there.meaning(), meant, then):
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

// holds reports whether a requirement says what a delta makes of it: all, a line that is new, or of what it said only
// that which stays.
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

// adds reports whether a text says something that another one does not: more words than a typing error changes. A
// character of a script without blanks counts for half a word.
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

// wordsOf returns the words of a line in lowercase, without punctuation. Japanese, Chinese and later characters are
// words of their own.
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

// openDelta is a delta as it was in the base, where its change was open; nil without one.
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

// before is a spec as it was in the base, nil without one.
func (m *model) before(capability string) *spec {
	if m.base == nil {
		return nil
	}
	return m.base.byCap[capability]
}

// text is what a delta makes of a requirement, nil if it is not known.
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

// formerly is the key that a requirement has before a delta renames it.
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

// removals are the requirements that an archived delta removes, also those of a list, which only the open delta shows.
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

// renames are the renamings of an archived delta, which only the open one shows.
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

// line is that of the first section of a sort, 0 without one.
func (x *delta) line(op string) int {
	for _, s := range x.sections {
		if operation(s.title) == op {
			return s.line
		}
	}
	return 0
}

// shown reports whether some spec has a requirement that a delta made, or another change has removed it since. In
// another capability, a requirement with its own text in the base is a different one, and so is one from another delta.
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

// given reports whether a recent change makes a requirement by another delta than one.
func (m *model) given(but *delta, capability, key string) bool {
	return m.anyOther(but, capability, func(c *change, x *delta) bool {
		return m.recent(c) && (x.gives(key) || slices.ContainsFunc(m.openDelta(c, capability).renames(x),
			func(p rename) bool { return fold(p.to.text) == key }))
	})
}

// amended reports whether another change modifies a requirement and none of them made it.
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

// taken reports whether another change removes or renames a requirement. What a change brings that was archived since
// the base, an older one has not taken. What a requirement of the base may have become by an older one whose names are
// not shown, hinted says.
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

// hinted reports whether a change that is archived for long may remove or rename any requirement of a capability.
func (m *model) hinted(capability string) bool {
	return anyDelta(m.archived, capability, func(c *change, x *delta) bool { return x.vague && !m.fresh(c) })
}

// reworded reports whether a spec says something that it did not say in the base and that no other delta brought: the
// delta may be folded in with other words. What the purpose says is no part of a delta.
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
