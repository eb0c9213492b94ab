package check

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// CutShort begins a finding for each document that ends within a line that the base has and goes on behind, as one does whose writing was
// interrupted: within a word, or between two where all before is as in the base. What was left out in whole lines, or at the end of the
// last one, may be a decision.
func (r *Report) CutShort(paths ...string) {
	for _, path := range paths {
		now, was := r.Docs.Get(path), r.Base.Docs.Get(path)
		if !now.Readable() || !was.Readable() {
			continue
		}
		if at, then := breaksOff(now.Text, was.Text); at >= 0 {
			r.At(sdk.AtLine(path, 1+strings.Count(now.Text[:at], "\n")), path+" ends within a line of the base"+say.Line(was, then)+", which goes on").Keyed(path).
				Advise("Put the end back", "Put back what is behind this line in the base, or write the line to its end if the rest is given up.")
		}
	}
}

// breaksOff says where the last line of a text begins, and the line of an earlier text of which it is the beginning, behind the same
// line as there, or behind all the same lines where it ends between two words; -1 if it is none, or the last line of that text, too.
func breaksOff(now, was string) (at, then int) {
	a, b := linesOf(now), linesOf(was)
	if len(a) == 0 {
		return -1, 0
	}
	n, last := len(a)-1, a[len(a)-1]
	for i, line := range b[:max(0, len(b)-1)] {
		rest, ok := strings.CutPrefix(line.text, last.text)
		if !ok || rest == "" || i == 0 != (n == 0) || n > 0 && a[n-1].text != b[i-1].text {
			continue
		}
		c, _ := utf8.DecodeRuneInString(rest)
		if unicode.IsLetter(c) || unicode.IsDigit(c) || strings.Count(last.text, "`")%2 == 1 || i == n && slices.EqualFunc(a[:n], b[:n], same) {
			return last.at, line.at
		}
	}
	return -1, 0
}

func same(a, b line) bool { return a.text == b.text }

// A line is one that says something, as it is compared: without the marks of lists and boxes.
type line struct {
	text string
	at   int
}

func linesOf(text string) (list []line) {
	unmarked, at := strings.NewReplacer("[x", "[", "[X", "[", "[ ", "[", "*", "", "|", " "), 0 // a guest that needs none is smaller without
	for l := range strings.Lines(text) {
		if s := strings.TrimRight(strings.Join(strings.Fields(unmarked.Replace(strings.TrimLeft(l, " \t-*+>"))), " "), " #"); s != "" {
			list = append(list, line{s, at})
		}
		at += len(l)
	}
	return list
}
