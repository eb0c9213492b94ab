// Package words judges the words that people and agents put into state: whether a value
// says something, whether a template's placeholder is left, whether two words are the same.
// Lists of words that several plugins share belong here; finder.go only searches for them.
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Alike reports whether two texts are the same but for the case of ASCII letters.
// strings.EqualFold would bring the tables of Unicode into a guest.
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

// SameName reports whether two names are the same, whether their accents are composed or, as some file systems
// have them, characters of their own. Which accent it is does not count: a guest cannot afford the tables.
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

// combines reports whether a character belongs to the one before it: an accent, or the rest of a Korean syllable.
func combines(r rune) bool {
	return r >= 0x300 && r < 0x370 || r >= 0x1160 && r < 0x1200 || r == 0x3099 || r == 0x309a
}

// Mentions reports whether a text holds one of some words, without regard to the case of ASCII letters.
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

// Names reports whether a text has a phrase between blanks, punctuation or its ends: "go on with A2" names A2, and not
// A.
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

// Meant reports whether a text has a letter or a digit, or only dashes, dots and the like, so that somebody may have
// meant it.
func Meant(text string) bool {
	return strings.Trim(text, " -_.*~") == "" || strings.IndexFunc(text, func(c rune) bool {
		return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0xaa
	}) >= 0
}

// Says reports whether a text has a letter or a digit. Unlike [Meant], it ignores a text of dashes only.
func Says(text string) bool {
	return strings.IndexFunc(text, func(c rune) bool {
		return c < 0x80 && IsWord(byte(c)) && c != '_' || c >= 0xaa
	}) >= 0
}

// Fold writes a word as vocabularies do: in lower case, with an underscore for each
// run of blanks, hyphens and underscores, without symbols around it.
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

// Trim is strings.Trim, faster where little is to be cut off: it makes no set of the characters.
func Trim(text, cut string) string { return TrimRight(TrimLeft(text, cut), cut) }

// TrimLeft is strings.TrimLeft; see Trim.
func TrimLeft(text, cut string) string {
	for text != "" && holds(cut, text[0]) {
		if text[0] >= utf8.RuneSelf {
			return strings.TrimLeft(text, cut)
		}
		text = text[1:]
	}
	return text
}

// TrimRight is strings.TrimRight; see Trim.
func TrimRight(text, cut string) string {
	for text != "" && holds(cut, text[len(text)-1]) {
		if text[len(text)-1] >= utf8.RuneSelf {
			return strings.TrimRight(text, cut)
		}
		text = text[:len(text)-1]
	}
	return text
}

// holds reports whether a byte is in a text. For a few bytes it is faster than strings.IndexByte.
func holds(text string, c byte) bool {
	for i := range len(text) {
		if text[i] == c {
			return true
		}
	}
	return false
}

// Spaced returns a text with one blank between its words, and none around it.
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

// IsWord reports whether a byte belongs to a word: a letter, a digit, an underscore, or any beyond ASCII.
func IsWord(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c >= utf8.RuneSelf
}

// First returns the first word of a text, "" if it does not begin with one.
func First(text string) string {
	for i := range len(text) {
		if !IsWord(text[i]) {
			return text[:i]
		}
	}
	return text
}

// none is what says nothing as a whole value, in a few languages.
const none = "|no|0|null|not_applicable|no_blockers|no_issues|tbd|todo|-|keine|kein|keiner|keines|nein|aucun|aucune|rien|ninguno|ninguna|nada|nenhum|nenhuma|nessuno|nessuna|niente|geen|ingen|brak|Нет|нет|Ничего|ничего|无|無|無し|没有|没有了|なし|없음|nil|ingenting|"

// longestNone is at least the length of each of them, in bytes.
const longestNone = 20

// Real reports whether a value, as a reader sees it, says something: not only dots and dashes,
// not no, None, Nothing, N/A or their like in another language, even if an explanation in
// brackets or behind a dash follows, and not "None currently" or "No open blockers yet".
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

// filler are words that say nothing more behind none and no.
const filler = " currently current yet so far at this the time moment present right now for today known reported " +
	"identified open active remaining left blocker blockers issue issues "

// Placeholder returns the {…}, {{…}}, <…> or [TBD]-like part of a template that a value begins
// with, "" if there is none: braces or angle brackets around words that begin with a letter.
func Placeholder(value string) string {
	for _, mark := range [...]struct{ open, shut string }{{"{{", "}}"}, {"{", "}"}, {"<", ">"}} {
		inside, ok := strings.CutPrefix(value, mark.open)
		end := strings.Index(inside, mark.shut)
		if !ok || end < 1 {
			continue
		}
		inside = strings.TrimSpace(inside[:end])
		letter := inside != "" && (inside[0]|0x20 >= 'a' && inside[0]|0x20 <= 'z' || inside[0] >= utf8.RuneSelf)
		tag := mark.open == "<" && strings.IndexByte(inside, ' ') < 0 // an HTML tag, a generic type
		if letter && !tag && utf8.RuneCountInString(inside) <= 81 && !strings.ContainsAny(inside, "{<\"=") {
			return value[:len(mark.open)+end+len(mark.shut)]
		}
	}
	return ""
}

// Elision reports whether a line only says that content was left out, as one does who repeats a document and not all
// of it: "[... rest of the table unchanged ...]", "<!-- remaining rows omitted -->", "| ... | ... |".
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

// Number returns the number that a text begins with, -1 if it does not begin with one;
// beyond 9999 it is 10000.
func Number(text string) int {
	n := -1
	for i := 0; i < len(text) && '0' <= text[i] && text[i] <= '9'; i++ {
		n = min(max(n, 0)*10+int(text[i]-'0'), 10000)
	}
	return n
}

// Leading cuts off the number that a text begins with: -1, and the whole text, where it begins with none, or with one
// of more than nine digits. strconv.Atoi makes a guest 20 kB larger.
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
