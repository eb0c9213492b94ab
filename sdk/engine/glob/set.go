package glob

import (
	"iter"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/engine/edit"
)

// maxNames is the maximum number of names in a glob, because positions are bits in a word.
const maxNames = 62

// A Set is a list of compiled globs. It is immutable and safe for concurrent use.
type Set struct {
	alts    []alternative
	dirOnly []bool // by glob
	floats  bool
	folds   bool // compares folded names
	start   State
	firsts  map[string]bool // the first names of globs that are literal; nil if a glob begins with "*" or "**"
	others  []name          // the first names that are patterns

	literals map[string]bool // all literal names in the globs
	lowered  map[string]bool // their folded forms
}

// An alternative is a glob, or one expansion of its braces.
type alternative struct {
	owner    int // index of the glob
	names    []name
	literals uint64 // bit k: one of names[:k] is literal
}

// A State is the progress of each glob in a Set. The zero State is dead: nothing matches here or below.
type State struct {
	at []uint64 // by alternative; bit k: the path so far matches names[:k]
}

// Compile compiles globs that match from the top. It refuses globs that doublestar refuses, empty names, "." and
// "..", nested braces, more than 1,024 alternatives, and more than 62 names.
func Compile(globs []string) (*Set, error) { return compile(globs, false) }

// Floating compiles globs that match at any depth, as if each began with "**/".
func Floating(globs []string) (*Set, error) { return compile(globs, true) }

func compile(globs []string, floats bool) (*Set, error) {
	s := &Set{floats: floats, dirOnly: make([]bool, len(globs))}
	for i, g := range globs {
		alts, dirOnly, err := parse(g)
		if err != nil {
			return nil, err
		}
		s.dirOnly[i] = dirOnly
		for _, names := range alts {
			s.alts = append(s.alts, newAlternative(i, names))
		}
	}
	s.begin()
	return s, nil
}

// begin prepares the state before the first name.
func (s *Set) begin() {
	at := make([]uint64, len(s.alts))
	for i := range s.alts {
		at[i] = s.alts[i].close(1)
	}
	s.start = State{at}
	s.index()
	s.literals, s.lowered = map[string]bool{}, map[string]bool{}
	for _, a := range s.alts {
		for _, n := range a.names {
			if n.kind == literal {
				s.literals[n.text], s.lowered[edit.Fold(n.text)] = true, true
			}
		}
	}
}

// index records how globs begin, so that names that begin no glob are rejected immediately. Nearly all of the 100,000
// names in a walk begin no glob.
func (s *Set) index() {
	firsts := map[string]bool{}
	for _, a := range s.alts {
		switch first := a.names[0]; first.kind {
		case literal:
			firsts[first.text] = true
		case pattern:
			s.others = append(s.others, first)
		default:
			return
		}
	}
	s.firsts = firsts
}

// begins reports whether a name may begin a glob.
func (s *Set) begins(text, raw string) bool {
	if s.firsts == nil || s.firsts[text] {
		return true
	}
	for _, n := range s.others {
		if n.matches(n.pick(text, raw)) {
			return true
		}
	}
	return false
}

func newAlternative(owner int, names []name) alternative {
	a := alternative{owner: owner, names: names}
	seen := false
	for i, n := range names {
		seen = seen || n.kind == literal
		if seen {
			a.literals |= 1 << (i + 1)
		}
	}
	return a
}

// Start returns the state before the first name.
func (s *Set) Start() State { return s.start }

// Step returns the state after one more name.
func (s *Set) Step(from State, text string) State {
	if from.at == nil {
		return State{}
	}
	raw := text
	if s.folds {
		text = edit.Fold(text)
	}
	if len(from.at) > 0 && &from.at[0] == &s.start.at[0] && !s.begins(text, raw) {
		if s.floats {
			return s.start
		}
		return State{}
	}
	var room [32]uint64
	at := room[:0]
	alive, asStart := false, true
	for i := range s.alts {
		mask := s.alts[i].step(from.at[i], text, raw)
		if s.floats {
			mask |= s.start.at[i]
		}
		alive = alive || mask != 0
		asStart = asStart && mask == s.start.at[i]
		at = append(at, mask)
	}
	switch {
	case !alive:
		return State{}
	case asStart:
		return s.start
	}
	return State{slices.Clone(at)}
}

// owners returns every glob that has reached one of the given positions, in order and without repetition.
func (s *Set) owners(st State, positions func(a *alternative) uint64) iter.Seq[int] {
	return func(yield func(owner int) bool) {
		last := -1
		for i, mask := range st.at {
			a := &s.alts[i]
			if a.owner == last || mask&positions(a) == 0 {
				continue
			}
			if last = a.owner; !yield(last) {
				return
			}
		}
	}
}

// Each returns every glob that matches the path so far, in order. The caller must decide whether a glob that ends
// in a slash applies to the entry; see DirOnly.
func (s *Set) Each(st State) iter.Seq[int] { return s.owners(st, (*alternative).accept) }

// EachNamed returns, in order, every glob that matches here or could match below, if a literal name led here. A
// literal name means that the location is intended; wildcards alone do not.
func (s *Set) EachNamed(st State) iter.Seq[int] {
	return s.owners(st, func(a *alternative) uint64 { return a.literals })
}

// reaches reports whether any glob has reached one of the given positions.
func (s *Set) reaches(st State, positions func(a *alternative) uint64) bool {
	for i, mask := range st.at {
		if mask&positions(&s.alts[i]) != 0 {
			return true
		}
	}
	return false
}

// Accepts reports whether a glob matches the path so far.
func (s *Set) Accepts(st State) bool { return s.reaches(st, (*alternative).accept) }

// Named reports whether EachNamed would return a glob.
func (s *Set) Named(st State) bool {
	return s.reaches(st, func(a *alternative) uint64 { return a.literals })
}

// Below reports whether anything below the path so far can match.
func (s *Set) Below(st State) bool {
	return s.reaches(st, func(a *alternative) uint64 { return a.accept() - 1 })
}

// Remaining returns how many more names a glob expects after the path so far, if a literal name led there. Bit n
// stands for n names; bit 0 stands for a match.
func (s *Set) Remaining(owner int, st State) (counts uint64) {
	for i, mask := range st.at {
		a := &s.alts[i]
		for k := range len(a.names) + 1 {
			if a.owner == owner && mask&a.literals&(1<<k) != 0 {
				counts |= 1 << (len(a.names) - k)
			}
		}
	}
	return counts
}

// Matches reports whether a slash-separated path is accepted.
func (s *Set) Matches(path string) bool { return s.Accepts(s.After(path)) }

// LeadsBelow reports whether anything below a slash-separated path can match.
func (s *Set) LeadsBelow(path string) bool { return s.Below(s.After(path)) }

// After returns the state after the names of a path.
func (s *Set) After(path string) State {
	st := s.Start()
	for name := range strings.SplitSeq(path, "/") {
		st = s.Step(st, name)
	}
	return st
}

// Towards returns the first glob that could match below the child with that name because the child's name matches one
// of the glob's names other than "**". It returns -1 if there is no such glob.
func (s *Set) Towards(parent State, text string) (first int) {
	for i, mask := range parent.at {
		a := &s.alts[i]
		for k, n := range a.names[:len(a.names)-1] {
			if mask&(1<<k) != 0 && n.kind != stars && n.matches(text) {
				return a.owner
			}
		}
	}
	return -1
}

// DirOnly reports whether the glob ends in a slash.
func (s *Set) DirOnly(owner int) bool { return s.dirOnly[owner] }

// AnyName reports whether the glob's last name consists of wildcards, so that it requires nothing of the entry.
func (s *Set) AnyName(owner int) bool {
	for _, a := range s.alts {
		if a.owner == owner {
			k := a.names[len(a.names)-1].kind
			return k == star || k == stars
		}
	}
	return false
}

// Alternatives returns the number of globs after expanding braces, which determines the cost of a step.
func (s *Set) Alternatives() int { return len(s.alts) }

func (a *alternative) accept() uint64 { return 1 << len(a.names) }

func (a *alternative) step(mask uint64, text, raw string) uint64 {
	var next uint64
	for k := 0; mask>>k != 0 && k < len(a.names); k++ {
		switch {
		case mask&(1<<k) == 0:
		case a.names[k].kind == stars:
			next |= 1 << k
		case a.names[k].matches(a.names[k].pick(text, raw)):
			next |= 1 << (k + 1)
		}
	}
	return a.close(next)
}

// close adds the positions that a "**" reaches by matching no directory.
func (a *alternative) close(mask uint64) uint64 {
	for k := range a.names {
		if mask&(1<<k) != 0 && a.names[k].kind == stars {
			mask |= 1 << (k + 1)
		}
	}
	return mask
}
