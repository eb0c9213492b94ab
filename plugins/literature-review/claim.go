package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
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

// modeOf reads a mode. Of an upgrade the last one named counts, else the first.
func modeOf(s string) int {
	s = strings.ToLower(s)
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
	words     int // the phase that its words name if it is another one, else noPhase
}

var noClaim = claim{phase: noPhase, words: noPhase}

// named reports whether the text says where the review is.
func (c *claim) named() bool { return c.phase >= 0 || c.abandoned }

const phaseWords = "initial|interview|search|organi|antagoni|synthesi|complete,done,finished"

func claimOf(s string) claim {
	c := claim{text: s, phase: noPhase, words: noPhase}
	s = strings.ToLower(clean(s))
	if strings.HasPrefix(s, "abandoned") || strings.HasPrefix(s, "cancelled") {
		c.abandoned = true
		return c
	}
	rest := afterPhase(s)
	if rest == "" {
		c.phase = theWord(s)
		return c
	}
	n := 0
	for rest != "" && digit(rest[0]) && n < 10 {
		n, rest = n*10+int(rest[0]-'0'), rest[1:]
	}
	if rest != "" && rest[0] >= 'a' && rest[0] <= 'e' {
		rest = rest[1:]
	}
	named := strings.TrimLeft(rest, "-–—:(/,.[ \t")
	if named != "" && len(named) == len(rest) || n > 5 {
		return c // words that nothing parts from the number, or no such phase
	}
	c.phase = n
	word := begins(named, phaseWords) - 1
	if n == 5 && isComplete(named) {
		c.phase = complete
	}
	if word >= 0 && word != c.phase && word != complete && (c.phase != complete || word != synthesizing) {
		c.words = word
	}
	return c
}

// afterPhase is what a text has behind the word phase, from the digit on; "" if no number follows it.
func afterPhase(s string) string {
	for {
		at := strings.Index(s, "phase")
		if at < 0 {
			return ""
		}
		s = s[at+len("phase"):]
		rest := strings.TrimLeft(strings.TrimPrefix(s, "-"), " \t:#")
		if rest != "" && digit(rest[0]) {
			return rest
		}
	}
}

// isComplete reports whether a text says that the work is done, and not that it is not.
func isComplete(s string) bool {
	before := ""
	for _, word := range strings.FieldsFunc(s, markdown.Symbol) {
		if begins(word, "complete,done,finished") == 1 {
			return before != "not" && before != "nearly" && before != "almost"
		}
		before = word
	}
	return false
}

// theWord is the phase that a text without a number names with one word.
func theWord(s string) int {
	found := noPhase
	for _, word := range strings.FieldsFunc(s, markdown.Symbol) {
		if n := begins(word, phaseWords) - 1; n >= 0 {
			if found >= 0 && found != n {
				return noPhase
			}
			found = n
		}
	}
	if found == complete && !isComplete(s) {
		return noPhase
	}
	return found
}
