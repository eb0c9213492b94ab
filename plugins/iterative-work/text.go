package iterativework

import (
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

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

// unmarked is a title without the symbols, the box and the word Phase before an id.
func unmarked(title string) string {
	rest := strings.TrimLeftFunc(title, markdown.Symbol)
	if len(rest) > 1 && ticks(rest[:1]) && rest[1] == ']' {
		rest = strings.TrimLeftFunc(rest[1:], markdown.Symbol)
	}
	if w := words.First(rest); words.Alike(w, "Phase") {
		rest = strings.TrimLeftFunc(rest[len(w):], markdown.Symbol)
	}
	return rest
}

// arrange sorts short lists (Shell); package slices would make the guest 30 kB larger.
func arrange(n int, less func(i, j int) bool, swap func(i, j int)) {
	for gap := n / 2; gap > 0; gap /= 2 {
		for i := gap; i < n; i++ {
			for j := i - gap; j >= 0 && less(j+gap, j); j -= gap {
				swap(j, j+gap)
			}
		}
	}
}

// marked reports whether a text has a check mark.
func marked(text string) bool {
	return strings.ContainsAny(text, "✅☑✓✔") || words.Mentions(text, "[x]")
}

// markOf cuts a box off a text: [ ], [x], or another sign between the brackets.
func markOf(text string) (mark, behind string) {
	inner, ok := strings.CutPrefix(text, "[")
	mark, behind, closed := strings.Cut(inner, "]")
	if !ok || !closed || mark == "" || utf8.RuneCountInString(mark) > 2 || words.IsWord(mark[0]) && mark[0] < utf8.RuneSelf && !ticks(mark) && mark != "o" {
		return "", text
	}
	return mark, strings.TrimLeft(behind, " ")
}

// ticks reports whether the sign in a box ticks it.
func ticks(mark string) bool { return words.Alike(mark, "x") || mark != "" && marked(mark) }

// bare puts blanks in the place of closed comments.
func bare(s string) string {
	var b strings.Builder
	for {
		from := strings.Index(s, "<!--")
		length := strings.Index(s[max(from, 0):], "-->")
		if from < 0 || length < 0 {
			if b.Len() == 0 {
				return s
			}
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:from])
		to := from + length + len("-->")
		for i := from; i < to; i++ {
			if s[i] == '\n' {
				b.WriteByte('\n')
			} else {
				b.WriteByte(' ')
			}
		}
		s = s[to:]
	}
}
