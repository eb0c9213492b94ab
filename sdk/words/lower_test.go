package words_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/words"
)

func TestLower(t *testing.T) {
	check := func(text string) {
		want, wide := strings.ToLower(text), words.LowerWide(text)
		if got := words.Lower(text); got != want {
			t.Errorf("%q: got %q, expected %q", text, got, want)
		}
		if words.Lower(wide) != want || utf8.ValidString(text) &&
			strings.Map(wideOnly, wide) != strings.Map(wideOnly, want) {
			t.Errorf("%q: got %q, expected %q but for ASCII", text, wide, want)
		}
	}
	for r := range rune(utf8.MaxRune + 1) {
		check(string(r))
	}
	for _, text := range []string{
		"", "plain", "Some TEXT", "A — b", "a — b", "日本語 ABC", "ÄRGER", "Ünd ABC", "ä ß ſ ı", "ДА нет", "İstanbul",
		"\u212aelvin", "ȺB",
		"a\xffB", "a\xff", "\xe2\x80", "A\xe2\x80", "\x00A\t\r\n", "\ufffd", strings.Repeat("Ab", 200),
		strings.Repeat("aé—", 200),
	} {
		check(text)
	}
}

// wideOnly drops ASCII characters.
func wideOnly(r rune) rune {
	if r < utf8.RuneSelf {
		return -1
	}
	return r
}
