package ocr

import (
	"strings"

	"github.com/stategate/stategate/sdk/words"
)

// A Series is what is known of the rounds of a session, or of its map runs.
type Series struct {
	Kind     *Kind
	Set      []int    // canonical numbers that own a document, ascending (Rset, Nset)
	Max      int      // the greatest of Set, 0 if empty (Rmax, Nmax)
	Begun    int      // the greatest that holds a word, 0 if none does: an empty one was made for later
	Claim    int      // claimR, claimN: 0 if there is none that the schema accepts
	Starting bool     // the claimed one is the next and owns no document yet
	Working  int      // R, N: the one that work is in; at least 1
	Strange  []string // directories with documents and no canonical name, "rounds/round-01/"
}

// readSeries enumerates the directories of rounds or runs that own a document.
func (m *Model) readSeries(k *Kind) Series {
	s, last := Series{Kind: k}, ""
	for _, d := range under(m.Docs, k.Parent) {
		name, _, nested := strings.Cut(d.Path[len(k.Parent):], "/")
		if !nested {
			continue
		}
		n, ok := canonicalNumber(strings.TrimPrefix(name, k.Unit+"-"))
		ok = ok && name == k.name(n)
		if ok && name != last {
			s.Set = inserted(s.Set, n)
			s.Max = max(s.Max, n)
		} else if name != last {
			s.Strange = append(s.Strange, k.Parent+name+"/")
		}
		if ok && n > s.Begun && Filled(d) {
			s.Begun = n
		}
		last = name
	}
	return s
}

// inserted adds a number at its place. There are few: package sort would take 20 KB of the guest.
func inserted(list []int, n int) []int {
	list = append(list, n)
	for i := len(list) - 1; i > 0 && list[i-1] > n; i-- {
		list[i-1], list[i] = n, list[i-1]
	}
	return list
}

// canonicalNumber reads a number from 1 to 999999 without leading zeros.
func canonicalNumber(s string) (int, bool) {
	n, rest := words.Leading(s)
	return n, rest == "" && n > 0 && s[0] != '0' && n <= 999999
}

// work finds out which round or run is being worked on. Starting is the normal state between "directory made" and "first
// file written": git and the host see no empty directory.
func (m *Model) work(s *Series) {
	s.Claim = m.State.claimedNumber(s.Kind)
	s.Starting = s.Kind == m.T && s.Claim == s.Max+1 && m.Index() >= 1 && m.Index() <= s.Kind.Index(s.Kind.Unproved) &&
		(s.Max == 0 || m.file(s.Kind.directory(s.Max)+s.Kind.Result()).Filled())
	switch {
	case s.Starting:
		s.Working = s.Claim
	case s.Claim > 0 && s.Claim <= s.Max:
		s.Working = max(s.Claim, s.Begun)
	default:
		s.Working = max(s.Max, 1)
	}
}

// readEra tells which versions wrote the session.
func (m *Model) readEra() {
	m.Era, m.v14 = EraState, true
	for _, s := range []*Series{&m.Rounds, &m.Runs} {
		for _, n := range append([]int{1}, s.Set...) {
			dir := s.Kind.directory(n)
			m.v14 = m.v14 && m.Known(dir+"round-meta.json") && m.Known(dir+"final-human.md") && m.Known(dir+"map-meta.json")
		}
	}
	if m.metaFile() != "" {
		m.Era, m.v14 = EraSQLite, false
	} else if m.Flat || m.State.Has("completed_phases") || m.State.Has("reviewers") || m.State.Alias == "requirements" {
		m.Era = EraLegacy
	}
}

// metaFile is the path of a file that only v1.5 and later write, "" if there is none.
func (m *Model) metaFile() string {
	for _, d := range m.Match("{rounds,map/runs}/*/{round-meta.json,final-human.md,map-meta.json}") {
		return d.Path
	}
	return ""
}

// readType decides T, and by which rule: the type that is named, that of the phase or of its number, that of the files.
func (m *Model) readType() {
	m.T = None
	if !m.State.OK() || m.Era == EraSQLite {
		return
	}
	for i, k := range []*Kind{m.State.Type, m.State.OnlyIn, m.State.numberOnlyIn(), m.onlyTree(), Review} {
		if m.T == None && k != None {
			m.T, m.TypeRule = k, i+1
		}
	}
}

// onlyTree is the workflow whose documents are the only ones.
func (m *Model) onlyTree() *Kind {
	switch review, mapped := m.HasTree(Review), m.HasTree(Map); {
	case review && !mapped:
		return Review
	case mapped && !review:
		return Map
	}
	return None
}

// HasTree reports whether a document of a workflow is there, in the flat layout, too.
func (m *Model) HasTree(k *Kind) bool { return k == Review && m.Flat || len(under(m.Docs, k.Tree)) > 0 }
