package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// The modes of a review.
const (
	noMode = iota
	narrow
	full
)

func modeName(mode int) string {
	return [...]string{"", "Narrow Search", "Full Review"}[mode]
}

// modeOf reads a mode. If the text names both modes, the last one counts in an upgrade, and otherwise the first one.
func modeOf(s string) int {
	s = markdown.Lower(s)
	upgraded := strings.Contains(s, "→") || strings.Contains(s, "->") || strings.Contains(s, "upgraded to")
	find := strings.Index
	if upgraded {
		find = strings.LastIndex
	}
	a, b := find(s, "narrow"), find(s, "full")
	switch {
	case a < 0 && b < 0:
		return noMode
	case b < 0, a >= 0 && (a < b) != upgraded:
		return narrow
	}
	return full
}

// A claim is what a Status says.
type claim struct {
	text      string
	phase     int
	abandoned bool
}

var noClaim = claim{phase: noPhase}

// named reports whether the Status names a phase or says that the review is abandoned.
func (c *claim) named() bool { return c.phase >= 0 || c.abandoned }

const phaseWords = "initial|interview|search|organi|antagoni|synthesi|complete,done,finished"

// claimOf reads a Status: the number after the word "phase", or else the only phase that its words name.
func claimOf(s string) claim {
	c := noClaim
	c.text = s
	s = markdown.Lower(clean(s))
	if c.abandoned = strings.HasPrefix(s, "abandoned") || strings.HasPrefix(s, "cancelled"); c.abandoned {
		return c
	}
	rest := afterPhase(s)
	if rest == "" {
		c.phase, _ = named(s)
		return c
	}
	n, rest := words.Leading(rest)
	if rest != "" && rest[0] >= 'a' && rest[0] <= 'e' {
		rest = rest[1:]
	}
	said := strings.TrimLeft(rest, "-–—:(/,.[ \t")
	if said != "" && len(said) == len(rest) || n > 5 || n < 0 {
		return c // no separator after the number, or no such phase
	}
	if _, isDone := named(said); n == 5 && isDone {
		n = complete
	}
	c.phase = n
	return c
}

// afterPhase returns the text after the word "phase", starting at the digit, or "" if no number follows.
func afterPhase(s string) string {
	for _, rest := range strings.Split(s, "phase")[1:] {
		if rest = strings.TrimLeft(strings.TrimPrefix(rest, "-"), " \t:#"); rest != "" && digit(rest[0]) {
			return rest
		}
	}
	return ""
}

// named returns the phase that the words of a text name, or noPhase if they name none or several. It also reports
// whether the text says that the work is done; "not done" does not count.
func named(s string) (only int, isDone bool) {
	only = noPhase
	several, before := false, ""
	for _, word := range strings.FieldsFunc(s, markdown.Symbol) {
		if n := begins(word, phaseWords) - 1; n >= 0 {
			several, only = several || only >= 0 && only != n, n
			isDone = isDone || n == complete && !among(before, "not|nearly|almost")
		}
		before = word
	}
	if several || only == complete && !isDone {
		only = noPhase
	}
	return only, isDone
}
