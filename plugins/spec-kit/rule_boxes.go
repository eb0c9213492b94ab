package speckit

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// boxUnreadable reports items whose ids are missing among the tasks, and in front of which something else stands than a
// box.
func boxUnreadable(r *check.Report, m *model) {
	wanted := m.missing()
	if len(wanted) == 0 {
		return
	}
	line, fenced := 0, false
	for text := range strings.Lines(m.tasks.Text) {
		line++
		if fence := strings.HasPrefix(strings.TrimLeft(text, " "), "```"); fence || fenced {
			fenced = fenced != fence
			continue
		}
		mark, rest, broken := markOf(text)
		n := idLen(rest)
		if n == 0 {
			continue
		}
		was, ok := wanted[rest[:n]]
		if !ok || mark == "" &&
			(was == nil || !strings.HasPrefix(fold(bare(strings.TrimLeft(markdown.Plain(rest[n:]), "])*~`:.,–— -"))),
				was.words())) {
			continue
		}
		found := "nothing is there"
		if mark != "" {
			found = "it is " + say.Quote(mark)
		}
		f := r.At(sdk.AtLine(tasksPath, line), "the box of "+rest[:n]+" cannot be read: "+found+
			", where [ ] or [x] is expected").Keyed(rest[:n]).
			Advise("Write the box", "Write [x] if the task is done, or [ ] if it is not.")
		if !broken || was == nil {
			f.As(sdk.Warning)
		}
		delete(wanted, rest[:n])
	}
}

// missing are the ids that are not among the tasks: those of boxes that the base has, and those that the numbers skip.
func (m *model) missing() map[string]*task {
	if n := len(m.list); m.base == nil && m.rising && m.list[n-1].number-m.list[0].number == n-1 &&
		len(m.list[n-1].id) == len(m.list[0].id) {
		return nil // they are numbered without a gap
	}
	here, wanted := make(map[string]bool, len(m.list)), map[string]*task{}
	low, high, width := -1, -1, 0
	for i := range m.list {
		t := &m.list[i]
		if here[t.id] = true; t.last != "" {
			return nil
		}
		if t.number >= 0 {
			if low < 0 {
				low, high = t.number, t.number
			}
			low, high, width = min(low, t.number), max(high, t.number), len(t.id)-1
		}
	}
	if m.base != nil && m.base.form == boxes {
		for i := range m.base.list {
			if was := &m.base.list[i]; !here[was.id] && was.last == "" && was.box.OK() {
				wanted[was.id] = was
			}
		}
	}
	for n := low + 1; n < high && high-low < 2*len(m.list)+2; n++ {
		id := say.Int(n)
		id = "T" + strings.Repeat("0", max(0, width-len(id))) + id
		if _, known := wanted[id]; !known && !here[id] {
			wanted[id] = nil
		}
	}
	return wanted
}

// boxSigns are signs that are drawn in place of a box.
var boxSigns = []string{"☐", "☑", "☒", "⬜", "🔲", "✅", "✓", "✔", "✗", "❌"}

// markOf cuts a line of a list into what stands in place of its box, "" for nothing, and what follows: "- [ T002 B",
// "-[ ] T002 B", "- ☐ T002 B". It is broken if a part of a box is left of it.
func markOf(line string) (mark, rest string, broken bool) {
	line = strings.TrimSpace(line)
	if line == "" || strings.IndexByte("-*+", line[0]) < 0 {
		return "", "", false
	}
	rest = strings.TrimLeft(line[1:], " \t")
	glued := len(rest) == len(line)-1
	for _, sign := range boxSigns {
		if after, ok := strings.CutPrefix(rest, sign); ok {
			return sign, strings.TrimLeft(after, "\ufe0f *`"), false
		}
	}
	if rest == "" || rest[0] != '[' && rest[0] != '(' {
		if glued {
			return "", "", false
		}
		return "", strings.TrimLeft(rest, "*`"), false
	}
	end := strings.IndexAny(rest, "])")
	if id := strings.IndexByte(rest, 'T'); id > 0 && (end < 0 || id < end) { // the box is not closed
		return strings.TrimSpace(rest[:id]), rest[id:], true
	} else if end < 0 {
		return "", "", false
	}
	inner := strings.TrimSpace(rest[1:end])
	broken = inner == "" || strings.EqualFold(inner, "x")
	if !broken && !slices.Contains([]string{"v", "V", "√", "✓", "✔", "✅", "o", "O", "y", "Y", "done", "Done", "DONE",
		"todo", "TODO", "ok", "OK"}, inner) || broken && rest[0] == '[' && rest[end] == ']' && !glued &&
		utf8.RuneCountInString(rest[1:end]) == 1 {
		return "", "", false
	}
	mark = rest[:end+1]
	if glued {
		mark = line[:1] + mark
	}
	return mark, strings.TrimLeft(rest[end+1:], " *`"), broken
}
