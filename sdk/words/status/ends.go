package status

import (
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/words"
)

// Most headings and lines make no claim. Two bytes are enough to skip these lines before any
// folding.

// endings are the ends of headings that may make a claim.
var endings ends

// ends is the set of the last two bytes of the words and signs: for each last byte, the low six bits of the byte before
// it.
type ends struct{ made atomic.Pointer[[256]uint64] }

func (e *ends) get() *[256]uint64 {
	made := e.made.Load()
	if made == nil {
		made = new([256]uint64)
		for _, word := range slices.Concat(signs, finished, []string{"100%"}) {
			made[word[len(word)-1]] |= 1 << (word[len(word)-2] & 63)
		}
		e.made.Store(made)
	}
	return made
}

// may reports whether a text's last two bytes could be those of one of the words.
func (e *ends) may(text string) bool {
	at := max(0, len(text)-2*utf8.UTFMax)
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	text = words.Lower(text[at:])
	return len(text) > 1 && e.get()[text[len(text)-1]]>>(text[len(text)-2]&63)&1 != 0
}

// beginnings are the first two bytes of words that may begin a claim.
var beginnings starts

type starts struct{ made atomic.Pointer[words.List] }

func (s *starts) get() *words.List {
	made := s.made.Load()
	if made == nil {
		var list []string
		for _, word := range slices.Concat(progressKeys[:], allTasks, finished) {
			list = append(list, word[:2])
		}
		made = words.ListOf(list...).AnyCase()
		s.made.Store(made)
	}
	return made
}

// mayClaim reports whether a line's first two bytes could begin a claim.
func mayClaim(line string) bool {
	line = words.TrimLeft(line, " \t\r\n\v\f*_[]()")
	return len(line) > 1 && (line[0] >= utf8.RuneSelf || line[1] >= utf8.RuneSelf || beginnings.get().Begin(line))
}

// sides are parts of a piece of work.
var sides = []string{"server", "client", "backend", "frontend", "tests", "api", "ui"}

// ofAPart reports whether a title in lower case names one part of its section, after a dash or in parentheses:
// "Phase 7: Export — server".
func ofAPart(title string) bool {
	title = strings.TrimSuffix(words.TrimRight(title, " )*_"), " only")
	i := strings.LastIndexAny(title, " (") + 1
	before := strings.TrimRight(title[:i], " ")
	last, _ := utf8.DecodeLastRuneInString(before)
	return slices.Contains(sides, title[i:]) && strings.ContainsRune("(-–—", last) && strings.Contains(before, ":")
}
