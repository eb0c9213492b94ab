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

func cutShort(r *check.Report, _ *model) { r.CutShort("tasks.md", "requirements.md", "bugfix.md") }
