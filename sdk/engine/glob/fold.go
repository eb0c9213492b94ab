package glob

import (
	"iter"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/engine/edit"
)

// Folded returns a set that ignores case and Unicode form, as some file systems do. Its States cannot be used
// with the original set, but the indexes of the globs are the same.
func (s *Set) Folded() *Set {
	f := &Set{folds: true, floats: s.floats, dirOnly: s.dirOnly}
	for _, a := range s.alts {
		names := slices.Clone(a.names)
		for i, n := range names {
			names[i] = n.folded()
		}
		f.alts = append(f.alts, newAlternative(a.owner, names))
	}
	f.begin()
	return f
}

// folded returns the name in the form used for comparison. Folding would change the meaning of a character class,
// so a name with a class stays unchanged and is compared with unfolded names.
func (n name) folded() name {
	if strings.ContainsAny(n.text, `[\`) {
		n.raw = true
		return n
	}
	return name{kind: n.kind, text: edit.Fold(n.text), prefix: edit.Fold(n.prefix)}
}

// pick returns the folded or the raw form of a name.
func (n name) pick(folded, raw string) string {
	if n.raw {
		return raw
	}
	return folded
}

// Dead reports whether nothing can match here or below.
func (st State) Dead() bool { return st.at == nil }

// Idle reports whether a State of a floating set equals its start state, so that no name so far matters.
func (s *Set) Idle(st State) bool { return len(st.at) > 0 && &st.at[0] == &s.start.at[0] }

// EachLiteral returns, in order, every glob that spells out the name of a child of parent.
func (s *Set) EachLiteral(parent State, text string) iter.Seq[int] {
	if !s.literals[text] {
		return func(func(int) bool) {}
	}
	return s.owners(parent, func(a *alternative) (positions uint64) {
		for k, n := range a.names {
			if n.kind == literal && n.text == text {
				positions |= 1 << k
			}
		}
		return positions
	})
}

// Miscased returns the name that a glob spells out, if the child's name differs from it only in case or Unicode
// form and no glob spells out the child's own name. It also returns the glob's index; last is true if no more names
// follow.
func (s *Set) Miscased(parent State, text string) (expected string, owner int, last bool) {
	folded := edit.Fold(text)
	if !s.lowered[folded] {
		return "", -1, false
	}
	for i, mask := range parent.at {
		a := &s.alts[i]
		for k, n := range a.names {
			switch {
			case mask&(1<<k) == 0 || n.kind != literal:
			case n.text == text:
				return "", -1, false
			case expected == "" && edit.Fold(n.text) == folded:
				expected, owner, last = n.text, a.owner, k == len(a.names)-1
			}
		}
	}
	return expected, owner, last
}

// SpellAny is Spell for the first glob that matches.
func (s *Set) SpellAny(path string) string {
	for i := range s.dirOnly {
		if spelled := s.Spell(i, path); s.Matches(spelled) {
			return spelled
		}
	}
	return path
}

// Spell returns a path in the spelling of a glob that matches it if case and Unicode form are ignored. Names that
// wildcards match stay unchanged, unless they match only because case is ignored. Call it on the set that is not
// folded.
func (s *Set) Spell(owner int, path string) string {
	names := strings.Split(path, "/")
	st := s.Start()
	for i, text := range names {
		names[i] = s.spell(owner, st, text)
		st = s.Step(st, names[i])
	}
	return strings.Join(names, "/")
}

func (s *Set) spell(owner int, parent State, text string) string {
	spelled, folded := text, edit.Fold(text)
	for i, mask := range parent.at {
		a := &s.alts[i]
		for k, n := range a.names {
			switch fold := n.folded(); {
			case a.owner != owner || mask&(1<<k) == 0 || n.kind == stars || n.kind == star:
			case n.matches(text):
				return text
			case fold.matches(fold.pick(folded, text)):
				spelled = n.text
			}
		}
	}
	return spelled
}
