package ocr

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/words"
)

// readSeries enumerates the directories of rounds or runs that own a document.
func readSeries(docs sdk.Docs, k Kind) Series {
	s := Series{Kind: k}
	for _, name := range children(docs, parent(k)) {
		digits, ok := strings.CutPrefix(name, k.Unit()+"-")
		n, isCanonical := canonicalNumber(digits)
		if ok && isCanonical {
			s.Set = append(s.Set, n)
		} else {
			s.Strange = append(s.Strange, parent(k)+name+"/")
		}
	}
	sortInts(s.Set)
	if len(s.Set) > 0 {
		s.Max = s.Set[len(s.Set)-1]
	}
	return s
}

// children returns the names of the directories below dir that own a document.
// A directory's documents lie next to each other.
func children(docs sdk.Docs, dir string) []string {
	var names []string
	for _, d := range under(docs, dir) {
		name, _, nested := strings.Cut(d.Path[len(dir):], "/")
		if nested && (len(names) == 0 || names[len(names)-1] != name) {
			names = append(names, name)
		}
	}
	return names
}

// sortInts sorts numbers, of which there are few and nearly in order: package
// sort would take 20 KB of the guest.
func sortInts(list []int) {
	for i := range list {
		for ; i > 0 && list[i] < list[i-1]; i-- {
			list[i], list[i-1] = list[i-1], list[i]
		}
	}
}

// canonicalNumber reads a number from 1 to 999999 without leading zeros.
func canonicalNumber(s string) (int, bool) {
	n, ok := readNumber(s)
	return n, ok && s[0] != '0' && n <= 999999
}

// readNumber reads a text of digits.
func readNumber(s string) (n int, ok bool) {
	n, rest := words.Leading(s)
	return n, rest == "" && n >= 0
}

// work finds out which round or run is being worked on.
func (m *Model) work(s *Series) {
	s.Claim = m.State.claimedNumber(s.Kind)
	s.Starting = m.isStarting(s)
	switch {
	case s.Starting:
		s.Working = s.Claim
	case s.Claim > 0 && s.Claim <= s.Max:
		s.Working = max(s.Claim, m.lastBegun(s))
	case s.Max > 0:
		s.Working = s.Max
	default:
		s.Working = 1
	}
}

// lastBegun is the last round (run) that holds a word, 0 if none does. A
// directory that holds none proves nothing: it was made for later.
func (m *Model) lastBegun(s *Series) int {
	last := 0
	for _, n := range s.Set {
		if slices.ContainsFunc(under(m.Docs, directory(s.Kind, n)), Filled) {
			last = n
		}
	}
	return last
}

// isStarting tells the normal state between "directory made" and "first file
// written": git and the host see no empty directory.
func (m *Model) isStarting(s *Series) bool {
	last := 4
	if s.Kind == Map {
		last = 2
	}
	index := m.Index()
	return s.Kind == m.T && s.Claim == s.Max+1 && index >= 1 && index <= last &&
		(s.Max == 0 || m.file(directory(s.Kind, s.Max)+resultName(s.Kind)).Filled())
}

// readEra tells which versions wrote the session.
func readEra(m *Model) Era {
	switch {
	case m.metaFile() != "":
		return EraSQLite
	case m.Flat || m.State.Has("completed_phases") || m.State.Has("reviewers") || m.State.Alias == "requirements":
		return EraLegacy
	}
	return EraState
}

// baseName is what follows a path's last slash.
func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// readType decides T; number tells which of the rules did.
func readType(m *Model) (t Kind, number int) {
	if !m.State.OK() || m.Era == EraSQLite {
		return None, 0
	}
	if t := m.State.Type; t != None {
		return t, 1
	}
	if t := m.State.OnlyIn; t != None {
		return t, 2
	}
	if t := m.State.numberOnlyIn(); t != None {
		return t, 3
	}
	if t := m.onlyTree(); t != None {
		return t, 4
	}
	return Review, 5
}

// onlyTree is the workflow whose documents are the only ones.
func (m *Model) onlyTree() Kind {
	review, mapped := m.HasTree(Review), m.HasTree(Map)
	switch {
	case review && !mapped:
		return Review
	case mapped && !review:
		return Map
	}
	return None
}

// HasTree reports whether a document lies under rounds/ (or in the flat
// layout), or under map/.
func (m *Model) HasTree(k Kind) bool {
	if k == Map {
		return len(under(m.Docs, "map/")) > 0
	}
	return m.Flat || len(under(m.Docs, "rounds/")) > 0
}

// readV14 reports whether no file shows that a later version keeps the session's
// state elsewhere, and none that cannot be seen might.
func (m *Model) readV14() bool {
	if m.SQLite() {
		return false
	}
	for _, s := range []*Series{&m.Rounds, &m.Runs} {
		for _, n := range append([]int{1}, s.Set...) {
			dir := directory(s.Kind, n)
			if !m.Known(dir+"round-meta.json") || !m.Known(dir+"final-human.md") || !m.Known(dir+"map-meta.json") {
				return false
			}
		}
	}
	return true
}

// metaFile is the path of a file that only v1.5 and later write, "" if there is none.
func (m *Model) metaFile() string {
	for _, d := range m.Docs.Match("{rounds,map/runs}/*/{round-meta.json,final-human.md,map-meta.json}") {
		return d.Path
	}
	return ""
}
