package iterativework

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words"
)

const digits = "0123456789"

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// upper is strings.ToUpper for ASCII letters; the standard function would add the Unicode tables to the guest.
func upper(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			r -= 'a' - 'A'
		}
		return r
	}, s)
}

// isID reports whether text is a phase id: one or two capitals followed by one to three digits.
func isID(s string) bool {
	letters := len(s) - len(strings.TrimLeft(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	digits := s[letters:]
	return letters >= 1 && letters <= 2 && len(digits) >= 1 && len(digits) <= 3 &&
		strings.Trim(digits, "0123456789") == ""
}

// tokens splits text into words and the bytes between them.
func tokens(s string) []string {
	var list []string
	for s != "" {
		n := max(len(words.First(s)), 1)
		list = append(list, s[:n])
		s = s[n:]
	}
	return list
}

// ids returns the ids in text, in order.
func ids(s string) []string {
	return slices.DeleteFunc(tokens(s), func(w string) bool { return !isID(w) })
}

// firstID returns the first id in text, or "".
func firstID(s string) string {
	for _, id := range ids(upper(s)) {
		return id
	}
	return ""
}

func mentionsID(s string) bool { return firstID(s) != "" }

// insert inserts x into an ordered list after all elements that come before it. Package slices would make the guest
// larger.
func insert[T any](list []T, x T, before func(T) bool) []T {
	at := len(list)
	for at > 0 && !before(list[at-1]) {
		at--
	}
	list = append(list, x)
	copy(list[at+1:], list[at:])
	list[at] = x
	return list
}

// unmarked removes the symbols, the box and the word Phase at the beginning of a title.
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

// marked reports whether text contains a check mark.
func marked(text string) bool {
	return strings.ContainsAny(text, "✅☑✓✔") || words.Mentions(text, "[x]")
}

// markOf returns the mark in the box at the beginning of text, and the text after the box. A box is [ ], [x], or
// another symbol in brackets.
func markOf(text string) (mark, behind string) {
	inner, ok := strings.CutPrefix(text, "[")
	mark, behind, closed := strings.Cut(inner, "]")
	if !ok || !closed || mark == "" || utf8.RuneCountInString(mark) > 2 || words.IsWord(mark[0]) &&
		mark[0] < utf8.RuneSelf && !ticks(mark) && mark != "o" {
		return "", text
	}
	return mark, strings.TrimLeft(behind, " ")
}

// ticks reports whether the symbol in a box means ticked.
func ticks(mark string) bool { return tasks.Ticks(strings.TrimSuffix(mark, "\ufe0f")) }
