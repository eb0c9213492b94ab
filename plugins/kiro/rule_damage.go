package kiro

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words"
)

func boxUnreadable(r *check.Report, m *model) {
	for _, w := range m.wrecks() {
		if at := m.unlisted(w); at >= 0 {
			r.At(sdk.AtLine("tasks.md", w.Line), "there is no list marker \"- \" before the box of "+say.Quote(w.Text)+
				w.why).Keyed(w.id).As(w.severity).
				Offer(sdk.Review, "Add the list marker", sdk.Replace(sdk.AtBytes("tasks.md", at, at), "- "))
			continue
		}
		r.At(sdk.AtLine("tasks.md", w.Line), "the box of "+say.Quote(w.Text)+" cannot be read: found "+
			say.Quote(cmp.Or(w.Mark, "-"))+", expected [ ] or [x]"+w.why).Keyed(w.id).As(w.severity).
			Advise("Write the box", "Write [x] if the task is done, or [ ] if it is not.")
	}
	m.misspaced(r)
}

// unlisted returns the offset at which a list marker is missing before a readable box, or -1.
func (m *model) unlisted(w wreck) int {
	if !w.Part || w.Hidden || !strings.HasSuffix(w.Mark, "]") || w.Mark[0] != '[' {
		return -1
	}
	at := 0
	for n := 1; n < w.Line; n++ {
		at += strings.IndexByte(m.list.Text[at:], '\n') + 1
	}
	if strings.HasPrefix(m.list.Text[at+w.Indent:], w.Mark) {
		return at + w.Indent
	}
	return -1
}

// misspaced reports boxes such as [] and [x ]. Markdown does not read them, so Kiro may not see their tasks.
func (m *model) misspaced(r *check.Report) {
	var list []*task
	var edits []sdk.Edit
	for _, t := range m.tasks {
		if box, _, _ := strings.Cut(t.Raw, "]"); t.Boxed() && (box == "[" || box != "["+t.Mark && t.Mark != "") {
			list, edits = append(list, t), append(edits, set(t, cmp.Or(t.Mark, " "))...)
		}
	}
	if n := len(list); n > 0 {
		box, _, _ := strings.Cut(list[0].Raw, "]")
		r.At(list[0].At("tasks.md"), say.Count(n, "task")+" "+say.Has(n)+" a box that Markdown does not read, such as "+
			say.Quote(box+"]")+": "+textsOf(list)).Keyed("form").As(sdk.Warning).
			Offer(sdk.Review, "Write [ ] or [x]", edits...)
	}
}

// A wreck is a task whose box is missing or unreadable.
type wreck struct {
	tasks.Wreck
	id, why  string
	severity sdk.Severity
}

// wrecks returns the tasks whose boxes are missing or unreadable. They may be done or open.
func (m *model) wrecks() []wreck {
	if m.wreckage != nil || m.list == nil {
		return m.wreckage
	}
	m.wreckage = []wreck{}
	var base []*task
	if m.base != nil && m.base.list != nil {
		base = m.base.tasks
	}
	for _, w := range tasks.Broken(m.list.Text, &form, m.tasks, base) {
		id, why, severity := w.ID, "; its neighbors have boxes", sdk.Warning
		switch was := w.Was; {
		case was != nil && w.Mark == "" && (!was.Open() || was.Cancelled):
			continue
		case was != nil:
			id, why = key(was), "; the base has a box there"+place(was)
			if w.Mark != "" {
				severity = sdk.Error
			}
		case w.Hidden:
			id, why, severity = cmp.Or(id, w.Text), "", sdk.Error
		case !m.between(w):
			continue
		}
		m.wreckage = append(m.wreckage, wreck{w, id, why, severity})
	}
	return m.wreckage
}

// wrecked reports whether box-unreadable reports a task from the base.
func (m *model) wrecked(was *task) bool {
	return slices.ContainsFunc(m.wrecks(), func(w wreck) bool { return w.Was == was })
}

// between reports whether a line without a readable box fills a gap in the numbers: the tasks around it have boxes and
// the numbers before and after it.
func (m *model) between(w tasks.Wreck) bool {
	number := w.ID
	head, last := number[:strings.LastIndexByte(number, '.')+1], number[strings.LastIndexByte(number, '.')+1:]
	if last == "" || len(last) > 3 || strings.Trim(last, "0123456789") != "" {
		return false
	}
	n := words.Number(last)
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

func cutShort(r *check.Report, m *model) {
	if len(r.CutShort("tasks.md")) == 0 {
		m.cutBetween(r)
	}
	r.CutShort("requirements.md", "bugfix.md", "design.md")
}

// cutBetween reports a tasks.md that ends between two lines of the base and has nothing new, if several tasks are lost
// with the rest and one of them is ticked. Removing only open tasks may be intended.
func (m *model) cutBetween(r *check.Report) {
	if m.list == nil || m.base.list == nil || len(m.tasks) == 0 {
		return
	}
	if kept, all := check.Kept(m.list, m.base.list); kept < all {
		return
	}
	first := len(m.base.tasks)
	for first > 0 && !slices.ContainsFunc(m.tasks, func(t *task) bool {
		return t.Folded() == m.base.tasks[first-1].Folded()
	}) {
		first--
	}
	lost := m.base.tasks[first:]
	if len(lost) < 2 || !slices.ContainsFunc(lost, func(t *task) bool { return t.Ticked }) {
		return
	}
	if f := r.CutAtLine("tasks.md"); f != nil {
		f.Message += ", including " + say.Count(len(lost), "task") + ": " + textsOf(lost)
	}
}

// damaged returns the unreadable documents: first those that the host offers to restore from the base, then the rest. A
// document with an unresolved merge conflict belongs to the rest, because the base has only one of its sides.
func (m *model) damaged() (list, rest []string) {
	for _, d := range m.docs.All() {
		if d.Dir || d.Need != sdk.Content || d.Readable() {
			continue
		}
		if !d.Conflicted() && m.base != nil && m.base.docs.Get(d.Path).Readable() {
			list = append(list, d.Path)
		} else {
			rest = append(rest, d.Path)
		}
	}
	return list, rest
}
