package kiro

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

func boxUnreadable(r *check.Report, m *model) {
	if m.list == nil {
		return
	}
	seen := map[int]bool{}
	report := func(line int, key, text, mark, why string, severity sdk.Severity) {
		if !seen[line] {
			seen[line] = true
			r.At(sdk.AtLine("tasks.md", line), "the box of "+say.Quote(text)+" cannot be read: it is "+say.Quote(mark)+
				", where [ ] or [x] is expected"+why).Keyed(key).As(severity).
				Advise("Write the box", "Write [x] if the task is done, or [ ] if it is not.")
		}
	}
	compared := m.base != nil && m.base.list != nil
	for _, w := range m.wrecks() {
		number, _ := numberOf(w.text)
		between := m.between(number, w)
		if !between && !compared || len(m.of(number)) > 0 || len(m.saying(fold(w.text))) > 0 {
			continue
		}
		if was := m.wasTask(w.text, number); was != nil {
			if w.mark != "" {
				report(w.line, was.key(), w.text, w.mark, "; the base has a box there"+was.place(), sdk.Error)
			} else if was.open() && !was.waived() {
				report(w.line, was.key(), w.text, "-", "; the base has a box there"+was.place(), sdk.Warning)
			}
		} else if between {
			report(w.line, number, w.text, cmp.Or(w.mark, "-"), ", as its neighbours have", sdk.Warning)
		}
	}
	if !compared {
		return
	}
	o := m.list.Outline()
	for _, item := range o.Document().Items() {
		raw := item.Own().Raw()
		if raw == "" || isLetter(raw[0]) && raw[0]|0x20 != 'x' { // no mark
			continue
		}
		if b, ok := boxOf(o, item.Index()); ok && markdown.Plain(b.rest) != "" {
			continue
		}
		mark, rest, _ := strings.Cut(raw, " ")
		if inner, after, ok := strings.Cut(rest, "] "); ok && mark == "[" { // a blank in a box
			mark, rest = "["+inner+"]", after
		}
		text := markdown.Plain(strings.TrimSpace(rest))
		number, _ := numberOf(text)
		if !noMark(mark) || len(m.of(number)) > 0 || len(m.saying(fold(text))) > 0 {
			continue
		}
		if was := m.wasTask(text, number); was != nil {
			report(item.Line(), was.key(), text, mark, "; the base has a box there"+was.place(), sdk.Error)
		}
	}
}

// wasTask is the task of the base that has a text or a number, nil if none has.
func (m *model) wasTask(text, number string) *task {
	if m.base == nil || m.base.list == nil {
		return nil
	}
	if list := slices.Concat(m.base.saying(fold(text)), m.base.of(number)); len(list) > 0 {
		return list[0]
	}
	return nil
}

// A wreck is a line that may have been a task with a box.
type wreck struct {
	line, indent int
	mark, text   string // no mark: the text follows the bullet
}

// wrecks lists the lines that begin as a task does, but for the box.
func (m *model) wrecks() (list []wreck) {
	fenced, hidden, n := false, false, 0
	for line, text := "", m.list.Text; text != ""; {
		line, text = cutLine(text)
		n++
		bare := unindented(line)
		if bare == "" {
			continue
		}
		switch first := bare[0]; {
		case first == '`' && strings.HasPrefix(bare, "```"), first == '~' && strings.HasPrefix(bare, "~~~"):
			fenced = !fenced
		case hidden, first == '<' && strings.HasPrefix(bare, "<!--"):
			hidden = !strings.Contains(bare, "-->")
		case fenced, first != '[' && len(bare) > 2 && bare[1] == ' ' && isLetter(bare[2]): // an item without a box
		case first == '-', first == '*', first == '+', first == '[':
			mark, rest, ok := wreckOf(bare)
			if !ok {
				continue
			}
			if text := markdown.Plain(strings.TrimSpace(rest)); text != "" {
				list = append(list, wreck{n, len(line) - len(bare), mark, text})
			}
		}
	}
	return list
}

// unindented is a line without the blanks in front of it.
func unindented(line string) string {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	return line[i:]
}

var boxSigns = []string{"☐", "☑", "☒", "✅", "✔", "✓", "⬜", "🔲", "◻", "□", "■", "❌"}

// wreckOf cuts a line that begins with a bullet or a bracket, such as "-[ ] 2. NAME", "- ( ) 2. NAME", "- ☐ 2. NAME",
// "- [done] 2. NAME", "[ ] 2. NAME" or "- 2. NAME".
func wreckOf(line string) (mark, rest string, ok bool) {
	s, listed := line, line[0] != '['
	if listed {
		s = line[1:]
	}
	spaced := unindented(s)
	if listed && spaced != s && (strings.HasPrefix(spaced, "[ ] ") || strings.HasPrefix(spaced, "[x] ")) { // a task
		return "", "", false
	}
	if spaced == "" || spaced[0] < 0x80 && spaced[0] != '[' && spaced[0] != '(' && !isDigit(spaced[0]) {
		return "", "", false
	}
	for _, pair := range []string{"[]", "()"} {
		if spaced[0] != pair[0] {
			continue
		}
		end := strings.IndexByte(spaced, pair[1])
		if end < 0 || end > 12 || end+1 == len(spaced) || spaced[end+1] != ' ' {
			continue
		}
		inner := strings.TrimSpace(spaced[1:end])
		if pair == "()" && (!listed || len(inner) > 1 && !finishedAlone(words.Lower(inner))) {
			return "", "", false
		}
		if pair == "[]" && listed && spaced != s && isMark(inner) { // a task
			return "", "", false
		}
		mark = line[:len(line)-len(spaced)+end+1]
		if listed && spaced != s {
			mark = spaced[:end+1]
		}
		return mark, spaced[end+1:], true
	}
	if !listed || spaced == s {
		return "", "", false
	}
	for _, sign := range boxSigns {
		if rest, ok := strings.CutPrefix(spaced, sign); ok {
			return sign, strings.TrimPrefix(rest, "\ufe0f"), true
		}
	}
	return "", spaced, isDigit(spaced[0])
}

// between reports whether a number is missing where a line stands: the tasks around it have the numbers before and
// behind, and boxes.
func (m *model) between(number string, w wreck) bool {
	head, last := number[:strings.LastIndexByte(number, '.')+1], number[strings.LastIndexByte(number, '.')+1:]
	if last == "" || len(last) > 3 || strings.Trim(last, "0123456789") != "" {
		return false
	}
	n := atoi(last)
	before, behind := m.of(head+say.Int(n-1)), m.of(head+say.Int(n+1))
	near := func(list []*task, above bool) bool {
		return len(list) == 1 && (list[0].line < w.line) == above &&
			(w.mark != "" || w.indent == indentOf(m.list.Text, list[0].start))
	}
	if w.mark == "" {
		return near(before, true) && near(behind, false)
	}
	return near(before, true) || near(behind, false)
}

// indentOf is how far what stands at an offset is indented.
func indentOf(text string, at int) int {
	start := strings.LastIndexByte(text[:at], '\n') + 1
	return len(text[start:]) - len(unindented(text[start:]))
}

// noMark reports whether a word is what is left of a box, and no bullet, number or sign that people write before a
// title.
func noMark(word string) bool {
	return word != "" && strings.Trim(word, "-*+#>~_.:") != "" && strings.IndexFunc(word, func(c rune) bool {
		return c >= utf8.RuneSelf || (unicode.IsLetter(c) || unicode.IsDigit(c)) && c != 'x' && c != 'X'
	}) < 0
}

func cutShort(r *check.Report, _ *model) { r.CutShort("tasks.md", "requirements.md", "bugfix.md") }
