// Package words judges the words that people and agents write in state files: whether a value says anything,
// whether it still contains a template's placeholder, whether two words are the same. Word lists that several
// plugins share belong here; finder.go only searches for them.
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Alike reports whether two texts are equal, ignoring the case of ASCII letters. strings.EqualFold would link the
// Unicode tables into a guest.
func Alike(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if x, y := a[i], b[i]; x != y && (x^y != 0x20 || x|0x20 < 'a' || x|0x20 > 'z') {
			return false
		}
	}
	return true
}

// SameName reports whether two names are equal, regardless of whether accents are separate characters, as in the names
// that some file systems return. It does not distinguish different accents, because the tables for that would make a
// guest too large.
func SameName(a, b string) bool {
	for a != "" && b != "" {
		x, n := utf8.DecodeRuneInString(a)
		y, k := utf8.DecodeRuneInString(b)
		a, b = a[n:], b[k:]
		if x == y {
			continue
		}
		restA, restB := strings.TrimLeftFunc(a, combines), strings.TrimLeftFunc(b, combines)
		if (x < utf8.RuneSelf || len(restB) == len(b)) && (y < utf8.RuneSelf || len(restA) == len(a)) {
			return false
		}
		a, b = restA, restB
	}
	return a == b
}

// combines reports whether a character attaches to the preceding one: an accent, or the rest of a Korean syllable.
func combines(r rune) bool {
	return r >= 0x300 && r < 0x370 || r >= 0x1160 && r < 0x1200 || r == 0x3099 || r == 0x309a
}

// Mentions reports whether a text contains one of the words, ignoring the case of ASCII letters.
func Mentions(text string, any ...string) bool {
	for _, word := range any {
		for i := 0; i+len(word) <= len(text); i++ {
			if Alike(text[i:i+len(word)], word) {
				return true
			}
		}
	}
	return false
}

// Names reports whether a text contains a phrase that is delimited by blanks, punctuation or the ends of the text:
// "continue with A2" names A2 but not A.
func Names(text, phrase string) bool {
	for from := 0; phrase != ""; from++ {
		at := strings.Index(text[from:], phrase)
		if at < 0 {
			break
		}
		from += at
		end := from + len(phrase)
		if (from == 0 || !IsWord(text[from-1])) && (end == len(text) || !IsWord(text[end])) {
			return true
		}
	}
	return false
}

// Meant reports whether a text may be intended as a value: it has a letter or a digit, or consists only of dashes,
// dots and the like.
func Meant(text string) bool {
	return strings.Trim(text, " -_.*~") == "" || strings.IndexFunc(text, func(c rune) bool {
		return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0xaa
	}) >= 0
}

// Says reports whether a text has a letter or a digit. Unlike [Meant], it returns false for a text of only dashes.
func Says(text string) bool {
	return strings.IndexFunc(text, func(c rune) bool {
		return c < 0x80 && IsWord(byte(c)) && c != '_' || c >= 0xaa
	}) >= 0
}

// Fold converts a word to the form used in vocabularies: lower case, an underscore for each run of blanks, hyphens
// and underscores, and no surrounding symbols.
func Fold(word string) string {
	word = strings.Trim(word, " \t\r\n`*_-.!\"'")
	out := make([]byte, 0, len(word))
	for i := range len(word) {
		c := word[i]
		if c == ' ' || c == '\t' || c == '-' || c == '_' {
			if out[len(out)-1] != '_' {
				out = append(out, '_')
			}
			continue
		}
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		out = append(out, c)
	}
	return string(out)
}

// Trim is like strings.Trim but faster if there is little to trim: it builds no character set.
func Trim(text, cut string) string { return TrimRight(TrimLeft(text, cut), cut) }

// TrimLeft is like strings.TrimLeft; see Trim.
func TrimLeft(text, cut string) string {
	for text != "" && holds(cut, text[0]) {
		if text[0] >= utf8.RuneSelf {
			return strings.TrimLeft(text, cut)
		}
		text = text[1:]
	}
	return text
}

// TrimRight is like strings.TrimRight; see Trim.
func TrimRight(text, cut string) string {
	for text != "" && holds(cut, text[len(text)-1]) {
		if text[len(text)-1] >= utf8.RuneSelf {
			return strings.TrimRight(text, cut)
		}
		text = text[:len(text)-1]
	}
	return text
}

// holds reports whether a text contains a byte. For a few bytes it is faster than strings.IndexByte.
func holds(text string, c byte) bool {
	for i := range len(text) {
		if text[i] == c {
			return true
		}
	}
	return false
}

// Spaced returns a text with one blank between words and none around them.
func Spaced(text string) string {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == ' ' && (i == 0 || i+1 == len(text) || text[i+1] == ' ') || c >= 0xc2 &&
			wideSpace(text[i:]) {
			return string(spaced(text))
		}
	}
	return text
}

func spaced(text string) (out []byte) {
	gap := false
	for text != "" {
		r, n := utf8.DecodeRuneInString(text)
		word := !unicode.IsSpace(r)
		if word && len(out) > 0 && gap {
			out = append(out, ' ')
		}
		if gap = !word; word {
			out = append(out, text[:n]...)
		}
		text = text[n:]
	}
	return out
}

// wideSpace reports whether a text begins with white space beyond ASCII.
func wideSpace(text string) bool {
	switch {
	case text[0] == 0xc2, text[0] == 0xe1, text[0] == 0xe2, strings.HasPrefix(text, "\u3000"):
		r, _ := utf8.DecodeRuneInString(text)
		return unicode.IsSpace(r)
	}
	return false
}

// IsWord reports whether a byte belongs to a word: a letter, a digit, an underscore, or any byte beyond ASCII.
func IsWord(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c >= utf8.RuneSelf
}

// First returns the first word of a text, or "" if the text does not begin with a word.
func First(text string) string {
	for i := range len(text) {
		if !IsWord(text[i]) {
			return text[:i]
		}
	}
	return text
}

// none lists values that mean "nothing", in a few languages.
const none = "|no|0|null|not_applicable|no_blockers|no_issues|tbd|todo|-|keine|kein|keiner|keines|nein|aucun|aucune|rien|ninguno|ninguna|nada|nenhum|nenhuma|nessuno|nessuna|niente|geen|ingen|brak|Нет|нет|Ничего|ничего|无|無|無し|没有|没有了|なし|없음|nil|ingenting|"

// longestNone is the maximum length of these values, in bytes.
const longestNone = 20

// Real reports whether a rendered value says anything. It returns false for a value of only dots and dashes, and for
// no, None, Nothing, N/A and the like in several languages, even with an explanation in parentheses or after a dash. It
// also returns false for "None currently" and "No open blockers yet".
func Real(value string) bool {
	value = strings.Trim(value, " \t.-–—…*_")
	if value == "" {
		return false
	}
	folded := Fold(value)
	if len(folded) <= longestNone && strings.Contains(none, "|"+folded+"|") {
		return false
	}
	for _, word := range [...]string{"None", "Nothing", "N/A", "Nichts", "Keine", "无", "なし", "Aucun", "Rien", "Ninguno",
		"Nada"} {
		if len(value) < len(word) || !Alike(value[:len(word)], word) {
			continue
		}
		rest := strings.TrimLeft(value[len(word):], " \t")
		if rest == "" || !IsWord(rest[0]) || strings.HasPrefix(rest, "–") || strings.HasPrefix(rest, "—") {
			return false
		}
	}
	first, rest, _ := strings.Cut(folded, "_")
	if rest == "" || first != "none" && first != "nothing" && (first != "no" || !Mentions(rest, "blocker", "issue")) {
		return true
	}
	for _, word := range strings.Split(rest, "_") {
		if !strings.Contains(filler, " "+word+" ") {
			return true
		}
	}
	return false
}

// filler lists words that add no information after "none" and "no".
const filler = " currently current yet so far at this the time moment present right now for today known reported " +
	"identified open active remaining left blocker blockers issue issues "

// Placeholder returns the template placeholder that a value begins with, such as {…}, {{…}} or <…>, or "" if there is
// none. The text inside the braces or angle brackets must begin with a letter.
func Placeholder(value string) string {
	for _, mark := range [...]struct{ open, shut string }{{"{{", "}}"}, {"{", "}"}, {"<", ">"}} {
		inside, ok := strings.CutPrefix(value, mark.open)
		end := strings.Index(inside, mark.shut)
		if !ok || end < 1 {
			continue
		}
		inside = strings.TrimSpace(inside[:end])
		letter := inside != "" && (inside[0]|0x20 >= 'a' && inside[0]|0x20 <= 'z' || inside[0] >= utf8.RuneSelf)
		tag := mark.open == "<" && strings.IndexByte(inside, ' ') < 0 // an HTML tag or a generic type
		if letter && !tag && utf8.RuneCountInString(inside) <= 81 && !strings.ContainsAny(inside, "{<\"=") {
			return value[:len(mark.open)+end+len(mark.shut)]
		}
	}
	return ""
}

// Elision reports whether a line only says that content was left out, as in an incomplete copy of a document:
// "[... rest of the table unchanged ...]", "<!-- remaining rows omitted -->", "| ... | ... |".
func Elision(line string) bool {
	text := strings.Trim(line, " \t\r\n|*_`#>-")
	if len(text) < 3 || len(text) > 100 || text[0] == '[' && text[2] == ']' {
		return false
	}
	dots := strings.Count(text, "...") + strings.Count(text, "…")
	if strings.HasPrefix(strings.TrimSpace(line), "|") && dots > 2 || strings.Trim(text, "[]().… ") == "" {
		return dots > 0
	}
	left := Mentions(text, "unchanged", "omitted", "left out", "not shown", "as before", "remain the same",
		"remains the same", "for brevity")
	rest := Mentions(text, "rest of", "remaining", "existing", "previous", " more ", "other ")
	switch first, last := text[0], text[len(text)-1]; {
	case first == '(':
		return last == ')' && left && rest
	case first == '.', first == '<', first == '/', strings.HasPrefix(text, "…"), first == '[' && last == ']':
		return left || dots > 0 && rest
	}
	return false
}

// Number returns the number that a text begins with, or -1 if there is none. Numbers above 9999 become 10000.
func Number(text string) int {
	n := -1
	for i := 0; i < len(text) && '0' <= text[i] && text[i] <= '9'; i++ {
		n = min(max(n, 0)*10+int(text[i]-'0'), 10000)
	}
	return n
}

// Leading splits off the number that a text begins with. It returns -1 and the whole text if there is none, or if
// it has more than nine digits. Using strconv.Atoi would add 20 kB to a guest.
func Leading(text string) (n int, rest string) {
	i := 0
	for ; i < len(text) && '0' <= text[i] && text[i] <= '9'; i++ {
		if i == 9 {
			return -1, text
		}
		n = n*10 + int(text[i]-'0')
	}
	if i == 0 {
		return -1, text
	}
	return n, text[i:]
}
