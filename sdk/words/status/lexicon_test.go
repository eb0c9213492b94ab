package status

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestEachWordHasOneMeaning checks that no word is listed twice, because the last entry would win.
func TestEachWordHasOneMeaning(t *testing.T) {
	seen := map[string]string{}
	add := func(word, where string) {
		if was := seen[word]; was != "" {
			t.Errorf("%s is among the words of %s and %s", word, was, where)
		}
		seen[word] = where
		if len(word) > longest {
			t.Errorf("%s is longer than %d bytes", word, longest)
		}
		if Fold(word) != word || !utf8.ValidString(word) {
			t.Errorf("write %q as Fold does: %q", word, Fold(word))
		}
	}
	for _, e := range lexicon {
		for _, word := range strings.Fields(e.words) {
			add(word, e.is.String())
		}
	}
	for _, word := range finished {
		add(Fold(word), "finished")
	}
}
