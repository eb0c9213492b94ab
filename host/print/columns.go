package print

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Columns is how many columns of a terminal a sanitised text takes.
func Columns(s string) int {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return uniseg.StringWidth(s)
		}
	}
	return len(s) // the usual case, a hundred times as fast
}

// FirstColumns cuts the end of a text that is wider than n columns.
func FirstColumns(s string, n int) string {
	if Columns(s) <= n {
		return s
	}
	if n < 1 {
		return ""
	}
	width := 0
	for g := uniseg.NewGraphemes(s); g.Next(); width += g.Width() {
		if from, _ := g.Positions(); width+g.Width() > n-1 {
			return s[:from] + "…"
		}
	}
	return s
}

// MiddleColumns cuts the middle of a text that is wider than n columns.
func MiddleColumns(s string, n int) string {
	if Columns(s) <= n {
		return s
	}
	first := FirstColumns(s, (n+1)/2)
	return first + trimColumns(s, n-Columns(first))
}

// lastColumns cuts the beginning of a text that is wider than n columns.
func lastColumns(s string, n int) string {
	if Columns(s) <= n {
		return s
	}
	return "…" + trimColumns(s, n-1)
}

// trimColumns is the end of a text that takes n columns at most.
func trimColumns(s string, n int) string {
	surplus, width := Columns(s)-n, 0
	for g := uniseg.NewGraphemes(s); g.Next(); width += g.Width() {
		if from, _ := g.Positions(); width >= surplus {
			return s[from:]
		}
	}
	return ""
}

func padded(s string, n int) string { return s + strings.Repeat(" ", max(n-Columns(s), 0)) }

// Wrap breaks a text between words into lines of so many columns.
func Wrap(text string, width int) []string { return wrap(text, width, width) }

// leastWidth is the narrowest column that text is wrapped into.
const leastWidth = 20

// wrap breaks a text between words: the first line has so many columns, the others have rest.
// It is not broken where that leaves too little.
func wrap(text string, first, rest int) []string {
	if rest < leastWidth || Columns(text) <= first {
		return []string{text}
	}
	var list []string
	line, room := "", first
	for word := range strings.SplitSeq(text, " ") {
		switch {
		case line == "" && (len(list) > 0 || Columns(word) <= room):
			line = word
		case line != "" && Columns(line)+1+Columns(word) <= room:
			line += " " + word
		default:
			list, line, room = append(list, line), word, rest
		}
	}
	return append(list, line)
}
