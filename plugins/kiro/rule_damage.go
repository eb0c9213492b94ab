package kiro

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words"
)

func boxUnreadable(r *check.Report, m *model) {
	if m.list == nil {
		return
	}
	var base []*task
	if m.base != nil && m.base.list != nil {
		base = m.base.tasks
	}
	for _, w := range tasks.Broken(m.list.Text, &form, m.tasks, base) {
		id, why, severity := w.ID, ", unlike its neighbors", sdk.Warning
		switch was := w.Was; {
		case was != nil && w.Mark == "" && (!was.Open() || was.Cancelled):
			continue
		case was != nil:
			id, why = key(was), "; the base has a box there"+place(was)
			if w.Mark != "" {
				severity = sdk.Error
			}
		case !m.between(w):
			continue
		}
		r.At(sdk.AtLine("tasks.md", w.Line), "the box of "+say.Quote(w.Text)+" cannot be read: it is "+
			say.Quote(cmp.Or(w.Mark, "-"))+", where [ ] or [x] is expected"+why).Keyed(id).As(severity).
			Advise("Write the box", "Write [x] if the task is done, or [ ] if it is not.")
	}
}

// between reports whether a number is missing where a line stands: the tasks around it have the numbers before and
// behind, and boxes.
func (m *model) between(w tasks.Wreck) bool {
	number := w.ID
	head, last := number[:strings.LastIndexByte(number, '.')+1], number[strings.LastIndexByte(number, '.')+1:]
	if last == "" || len(last) > 3 || strings.Trim(last, "0123456789") != "" {
		return false
	}
	n := atoi(last)
	before, behind := m.of(head+say.Int(n-1)), m.of(head+say.Int(n+1))
	near := func(list []*task, above bool) bool {
		return len(list) == 1 && (list[0].Line < w.Line) == above &&
			(w.Mark != "" || w.Indent == indentOf(m.list.Text, list[0].Start))
	}
	if w.Mark == "" {
		return near(before, true) && near(behind, false)
	}
	return near(before, true) || near(behind, false)
}

// indentOf returns the indentation of the text at an offset.
func indentOf(text string, at int) int {
	start := strings.LastIndexByte(text[:at], '\n') + 1
	return len(text[start:]) - len(words.TrimLeft(text[start:], " \t"))
}

func cutShort(r *check.Report, _ *model) { r.CutShort("tasks.md", "requirements.md", "bugfix.md") }
