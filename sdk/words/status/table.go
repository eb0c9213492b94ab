package status

import (
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/words"
)

// A table is a list of lowercase words that is built on first use, so that a guest pays nothing for unused tables.
// An asterisk marks a stem. Here and elsewhere, parallel tests may build such a value twice. The results are equal,
// so this is cheaper than adding a mutex to every guest.
type table struct {
	words []string

	made atomic.Pointer[words.List]
}

// list returns the list of the words, which ignores case.
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

// at returns the length of the longest word that a lowercase text begins with, or 0. The text's word must end
// there. A stem extends to the end of the word that begins with it.
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
