package iterativework

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/jsondoc"
)

//go:noinline
func itoa(n int) string { return strconv.Itoa(n) }

//go:noinline
func quote(s string) string { return jsondoc.Quote(s) }

// push appends a text. It is a function of its own since every append costs a
// guest some 200 bytes.
//
//go:noinline
func push(texts *[]string, text string) { *texts = append(*texts, text) }

// count writes a number with its noun.
//
//go:noinline
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return itoa(n) + " " + noun + "s"
}

// short cuts a text from a file to what a message can hold.
//
//go:noinline
func short(s string) string {
	const limit = 80
	if len(s) <= limit {
		return s
	}
	cut := limit
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// list joins at most a few texts.
//
//go:noinline
func list(texts []string) string {
	const few = 6
	if len(texts) > few {
		return strings.Join(texts[:few], ", ") + ", …"
	}
	return strings.Join(texts, ", ")
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// isWord reports whether a byte belongs to a word; those beyond ASCII do.
func isWord(c byte) bool {
	return isDigit(c) || isUpper(c&^0x20) || c == '_' || c >= utf8.RuneSelf
}

// alike reports whether two texts are the same but for the case of ASCII letters.
// (strings.EqualFold would bring the tables of Unicode into the guest.)
//
//go:noinline
func alike(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if x, y := a[i], b[i]; x != y && (x^y != 0x20 || !isUpper(x&^0x20)) {
			return false
		}
	}
	return true
}

// mentions reports whether a text holds another, without regard to case.
func mentions(s, part string) bool {
	for i := 0; i+len(part) <= len(s); i++ {
		if alike(s[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

// isID reports whether a text is the id of a phase: one or two capitals, one
// to three digits.
func isID(s string) bool {
	letters := 0
	for letters < len(s) && isUpper(s[letters]) {
		letters++
	}
	digits := len(s) - letters
	if letters < 1 || letters > 2 || digits < 1 || digits > 3 {
		return false
	}
	for i := letters; i < len(s); i++ {
		if !isDigit(s[i]) {
			return false
		}
	}
	return true
}

// word returns the first word of a text: up to what is neither letter, digit
// nor underscore.
//
//go:noinline
func word(s string) string {
	for i := range len(s) {
		if !isWord(s[i]) {
			return s[:i]
		}
	}
	return s
}

// ids lists the ids in a text, in order.
func ids(s string) []string {
	var found []string
	for s != "" {
		w := word(s)
		if isID(w) {
			push(&found, w)
		}
		s = s[max(len(w), 1):]
	}
	return found
}

// idLess orders ids by letters, then number.
func idLess(a, b string) bool {
	la, lb := strings.TrimRight(a, "0123456789"), strings.TrimRight(b, "0123456789")
	if la != lb {
		return la < lb
	}
	return leading(a[len(la):]) < leading(b[len(lb):])
}

// leading is the number that a text begins with, -1 without one; beyond 9999
// it is 10000.
//
//go:noinline
func leading(s string) int {
	n := -1
	for i := 0; i < len(s) && isDigit(s[i]); i++ {
		n = min(max(n, 0)*10+int(s[i]-'0'), 10000)
	}
	return n
}

// isReal reports whether a value, as a reader sees it, says something.
//
//go:noinline
func isReal(value string) bool {
	value = strings.Trim(value, " .-–—…")
	if value == "" {
		return false
	}
	for _, no := range [...]string{"no", "0", "no blockers", "no issues"} {
		if alike(value, no) {
			return false
		}
	}
	for _, none := range [...]string{"None", "Nothing", "N/A"} {
		if len(value) < len(none) || !alike(value[:len(none)], none) {
			continue
		}
		rest := strings.TrimLeft(value[len(none):], " \t")
		if rest == "" || !isWord(rest[0]) || strings.HasPrefix(rest, "–") || strings.HasPrefix(rest, "—") {
			return false
		}
	}
	return true
}

// placeholder returns the {…} of a template that a value begins with, "" if
// none.
func placeholder(value string) string {
	end := strings.IndexByte(value, '}')
	if end < 2 || value[0] != '{' || !isWord(value[1]) || isDigit(value[1]) || value[1] == '_' {
		return ""
	}
	if inside := value[1:end]; strings.IndexByte(inside, '{') >= 0 || utf8.RuneCountInString(inside) > 81 {
		return ""
	}
	return value[:end+1]
}

// bare takes closed comments out of a text.
func bare(s string) string {
	for {
		from := strings.Index(s, "<!--")
		if from < 0 {
			return s
		}
		length := strings.Index(s[from:], "-->")
		if length < 0 {
			return s
		}
		s = s[:from] + " " + s[from+length+len("-->"):]
	}
}
