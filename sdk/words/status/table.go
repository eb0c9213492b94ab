package status

import (
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/words"
)

// A table is a list of words in lower case that is made on first use, so that a guest pays nothing for one that it does
// not ask. A stem ends with an asterisk. Here and elsewhere, what is made on first use may be made twice, by tests that
// run side by side: the same, and without what a mutex adds to a guest.
type table struct {
	words []string

	made atomic.Pointer[words.List]
}

// list returns the finder of the words, which finds them whatever the case of their letters.
func (t *table) list() *words.List {
	list := t.made.Load()
	if list == nil {
		bare := make([]string, len(t.words))
		for i, word := range t.words {
			bare[i] = strings.TrimSuffix(word, "*")
		}
		list = words.ListOf(bare...).AnyCase()
		t.made.Store(list)
	}
	return list
}

// at returns the length of the longest word that a text in lower case begins with and that ends there, 0 without one. A
// stem ends with the word that it begins.
func (t *table) at(low string) (n int) {
	if !t.list().Begin(low) {
		return 0
	}
	for _, word := range t.words {
		stem, inflects := strings.CutSuffix(word, "*")
		if len(stem) <= n || !strings.HasPrefix(low, stem) {
			continue
		}
		end := len(stem)
		for inflects && end < len(low) && words.IsWord(low[end]) {
			end++
		}
		if end == len(low) || low[end] == '_' || !words.IsWord(low[end]) || low[end-1] >= utf8.RuneSelf {
			n = end
		}
	}
	return n
}
