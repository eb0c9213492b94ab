package status

import (
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/words"
)

// Most headings and lines claim nothing; two bytes of each tell so before they are folded.

// endings are the ends of headings that claim something.
var endings ends

// ends are the last two bytes of some words: by the last byte, the low six bits of the one before it.
type ends struct {
	once sync.Once
	made [256]uint64
}

func (e *ends) get() *ends {
	e.once.Do(func() {
		for _, word := range slices.Concat(signs, finished, []string{"100%"}) {
			e.made[word[len(word)-1]] |= 1 << (word[len(word)-2] & 63)
		}
	})
	return e
}

// may reports whether a text may end with one of the words, as far as two bytes say.
func (e *ends) may(text string) bool {
	at := max(0, len(text)-2*utf8.UTFMax)
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	text = words.Lower(text[at:])
	return len(text) > 1 && e.made[text[len(text)-1]]>>(text[len(text)-2]&63)&1 != 0
}

// beginnings are the first two bytes of the words that a line may begin a claim with.
var beginnings starts

type starts struct {
	once sync.Once
	made *words.List
}

func (s *starts) get() *words.List {
	s.once.Do(func() {
		var list []string
		for _, word := range slices.Concat(progressKeys, allTasks, finished) {
			list = append(list, word[:2])
		}
		s.made = words.ListOf(list...).AnyCase()
	})
	return s.made
}

// mayClaim reports whether a line may be a claim, as far as its first two characters say.
func mayClaim(line string) bool {
	line = words.TrimLeft(line, " \t\r\n\v\f*_[]()")
	return len(line) > 1 && (line[0] >= utf8.RuneSelf || line[1] >= utf8.RuneSelf || beginnings.get().Begin(line))
}
