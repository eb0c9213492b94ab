package iterativework

import (
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// upper is strings.ToUpper of ASCII letters; that one would bring the tables of Unicode along.
func upper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

// isID reports whether a text is the id of a phase: one or two capitals, one to three digits.
func isID(s string) bool {
	letters := len(s) - len(strings.TrimLeft(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	digits := s[letters:]
	return letters >= 1 && letters <= 2 && len(digits) >= 1 && len(digits) <= 3 && strings.Trim(digits, "0123456789") == ""
}

// ids lists the ids in a text, in order.
func ids(s string) []string {
	var found []string
	for s != "" {
		w := words.First(s)
		if isID(w) {
			found = append(found, w)
		}
		s = s[max(len(w), 1):]
	}
	return found
}

// firstID is the first id in a text, "" if it has none.
func firstID(s string) string {
	for _, id := range ids(upper(s)) {
		return id
	}
	return ""
}

func mentionsID(s string) bool { return firstID(s) != "" }

// unmarked is a title without the symbols and the word Phase before an id.
func unmarked(title string) string {
	rest := strings.TrimLeftFunc(title, markdown.Symbol)
	if w := words.First(rest); words.Alike(w, "Phase") {
		rest = strings.TrimLeftFunc(rest[len(w):], markdown.Symbol)
	}
	return rest
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
