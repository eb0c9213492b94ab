package kiro

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

func boxUnreadable(r *check.Report, m *model) {
	if m.list == nil || m.base.list == nil {
		return
	}
	for _, item := range m.list.Outline().Document().Items() {
		if _, ok := readTask(item); ok {
			continue
		}
		mark, rest, _ := strings.Cut(item.Own().Raw(), " ")
		if inner, after, ok := strings.Cut(rest, "] "); ok && mark == "[" { // a blank in a box
			mark, rest = "["+inner+"]", after
		}
		text := markdown.Plain(strings.TrimSpace(rest))
		number, _ := numberOf(text)
		if !noMark(mark) || len(m.saying(fold(text)))+len(m.of(number)) > 0 {
			continue
		}
		list := slices.Concat(m.base.saying(fold(text)), m.base.of(number))
		if len(list) == 0 {
			continue
		}
		r.At(sdk.AtLine("tasks.md", item.Line()), "the box of "+say.Quote(text)+" cannot be read: it is "+say.Quote(mark)+", where [ ] or [x] is expected; the base has a box there"+say.Line(m.base.list, list[0].start)).Keyed(list[0].key()).
			Advise("Write the box", "Write [x] if the task is done, or [ ] if it is not.")
	}
}

// noMark reports whether a word is what is left of a box, and no bullet, number or sign that people write before a title.
func noMark(word string) bool {
	return word != "" && strings.Trim(word, "-*+#>~_.:") != "" && strings.IndexFunc(word, func(c rune) bool {
		return c >= utf8.RuneSelf || (unicode.IsLetter(c) || unicode.IsDigit(c)) && c != 'x' && c != 'X'
	}) < 0
}

func cutShort(r *check.Report, m *model) {
	for _, path := range []string{"tasks.md", "requirements.md"} {
		now, was := m.docs.Get(path), m.base.docs.Get(path)
		if now == nil || was == nil || !now.Readable() || !was.Readable() {
			continue
		}
		if at, then := breaksOff(now.Text, was.Text); at >= 0 {
			r.At(sdk.AtLine(path, 1+strings.Count(now.Text[:at], "\n")), path+" ends within a line of the base"+say.Line(was, then)+", which goes on").Keyed(path).
				Advise("Put the end back", "Put back what is behind this line in the base, or write the line to its end if the rest is given up.")
		}
	}
}

// breaksOff says where the last line of a text begins, and the line of an earlier text of which it is the beginning up to within a
// word, behind the same line as there; -1 if it is none, or the last line of that text, too.
func breaksOff(now, was string) (at, then int) {
	a, b := linesOf(now), linesOf(was)
	if len(a) == 0 {
		return -1, 0
	}
	last := a[len(a)-1]
	for i, line := range b[:max(0, len(b)-1)] {
		rest, ok := strings.CutPrefix(line.text, last.text)
		c, _ := utf8.DecodeRuneInString(rest)
		if within := unicode.IsLetter(c) || unicode.IsDigit(c) || strings.Count(last.text, "`")%2 == 1; !ok || rest == "" || !within {
			continue
		}
		if len(a) == 1 && i == 0 || len(a) > 1 && i > 0 && a[len(a)-2].text == b[i-1].text {
			return last.at, line.at
		}
	}
	return -1, 0
}

// A line is one that says something, as it is compared: without the marks of lists and boxes.
type line struct {
	text string
	at   int
}

var unmarked = strings.NewReplacer("[x", "[", "[X", "[", "[ ", "[", "*", "", "|", " ")

func linesOf(text string) (list []line) {
	at := 0
	for l := range strings.Lines(text) {
		if s := strings.TrimRight(strings.Join(strings.Fields(unmarked.Replace(strings.TrimLeft(l, " \t-*+>"))), " "), " #"); s != "" {
			list = append(list, line{s, at})
		}
		at += len(l)
	}
	return list
}
