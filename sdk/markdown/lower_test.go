package markdown

import (
	"testing"
	"unicode"
)

// TestLower checks that Lower agrees with Unicode and leaves no capital letter of these alphabets.
func TestLower(t *testing.T) {
	for r := range rune(0x1f00) {
		got, want := lower(r), unicode.ToLower(r)
		if got != want && got != r && unicode.IsLetter(r) {
			t.Errorf("%c becomes %c, expected %c", r, got, want)
		}
	}
	for _, alphabet := range []string{"ABCXYZ", "ÀÄÖÜÇÑÞ", "ĀČĘŁŃŘŠŤŮŹŻŽ", "ĂÂĐÊÔƠƯẠẢẤỆỘỢỨỸ", "ΑΒΓΣΩ", "ЀЁЇАБЯ"} {
		for _, r := range alphabet {
			if got := lower(r); got != unicode.ToLower(r) {
				t.Errorf("%c becomes %c", r, got)
			}
		}
	}
}
