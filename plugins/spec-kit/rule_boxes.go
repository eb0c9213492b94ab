package speckit

import (
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
)

// boxUnreadable reports items without a readable checkbox whose ids no task has. An item with a mark that looks like a
// mistyped checkbox is a task, whatever its id.
func boxUnreadable(r *check.Report, m *model) {
	if !m.tasks.Readable() {
		return
	}
	wanted := m.missing()
	var base []*tasks.Task
	if m.base != nil {
		base = m.base.plain()
	}
	for _, w := range tasks.Broken(m.tasks.Text, &written, m.plain(), base) {
		was, ok := wanted[w.ID]
		_, _, title := idOf(w.Text)
		if w.ID == "" || !ok && !w.Hidden && !slips(w.Mark) ||
			w.Mark == "" && (was == nil || !strings.HasPrefix(tasks.FoldTitle(title), was.FoldedTitle())) {
			continue
		}
		f := unreadable(r, w.ID, w.Line, w.Mark)
		lost := was != nil && was.state != done && slips(w.Mark) // an open task that is not counted
		if was == nil && !w.Hidden || !w.Part && !lost {
			f.As(sdk.Warning)
		}
		if at := m.lineAt(w.Line); w.Mark != "" && strings.HasPrefix(m.tasks.Text[at:], w.Mark) && w.Part && !w.Hidden {
			f.Message = w.ID + " has no list marker before its checkbox " + say.Quote(w.Mark)
			f.Remedies = nil
			f.Offer(sdk.Review, "Add the list marker", sdk.Replace(sdk.AtBytes(tasksPath, at, at), "- ")).
				Advise("Add the list marker", "Write `- "+w.Mark+" "+w.ID+" …`.")
		}
		delete(wanted, w.ID)
	}
	m.withoutMarker(r, wanted)
}

// slips reports whether a mark is a mistyped checkbox, such as [o] or the Cyrillic [х], and not a tag such as [P].
func slips(mark string) bool {
	inside := strings.TrimSuffix(strings.TrimPrefix(mark, "["), "]")
	return len(inside) == len(mark)-2 && utf8.RuneCountInString(inside) == 1 &&
		(inside[0] >= utf8.RuneSelf || strings.Contains("oOvVyY+*.", inside))
}

func unreadable(r *check.Report, id string, line int, mark string) *check.Finding {
	found := "found none"
	if mark != "" {
		found = "found " + say.Quote(mark)
	}
	return r.At(sdk.AtLine(tasksPath, line), "cannot read the checkbox of "+id+": "+found+", expected [ ] or [x]").
		Keyed(id).Advise("Correct the checkbox", "Write `- [x] "+id+" …` if the task is done, or `- [ ] "+id+
		" …` if it is not.")
}

// withoutMarker reports lines that begin with a base task's id and title, but lack its list marker and checkbox.
func (m *model) withoutMarker(r *check.Report, wanted map[string]*task) {
	for _, kind := range []markdown.Kind{markdown.KindParagraph, markdown.KindTask} {
		for _, part := range m.tasks.Outline().Document().Parts(kind) {
			n := part.Line()
			for line := range strings.Lines(part.Raw()) {
				id, _, title := idOf(markdown.Plain(strings.TrimSpace(line)))
				if was := wanted[id]; was != nil && strings.HasPrefix(tasks.FoldTitle(title), was.FoldedTitle()) {
					unreadable(r, id, n, "").As(sdk.Warning)
					delete(wanted, id)
				}
				n++
			}
		}
	}
}

// lineAt returns the offset of the first non-blank character in a line.
func (m *model) lineAt(line int) int {
	at := 0
	for ; line > 1; line-- {
		at += strings.IndexByte(m.tasks.Text[at:], '\n') + 1
	}
	return at + len(m.tasks.Text[at:]) - len(strings.TrimLeft(m.tasks.Text[at:], " \t"))
}

// missing returns the ids that no task has now: ids of tasks with checkboxes in the base, each with its base task, and
// ids that the numbering skips, each with nil.
func (m *model) missing() map[string]*task {
	here, wanted := make(map[string]bool, len(m.list)), map[string]*task{}
	low, high, width := -1, -1, 0
	for i := range m.list {
		t := &m.list[i]
		if here[t.ID] = true; t.Last != "" {
			return nil
		}
		if t.number >= 0 {
			if low < 0 {
				low, high = t.number, t.number
			}
			low, high, width = min(low, t.number), max(high, t.number), len(t.ID)-1
		}
	}
	if m.base != nil && m.base.form == boxes {
		for i := range m.base.list {
			if was := &m.base.list[i]; !here[was.ID] && was.Last == "" && was.Boxed() && (was.Mark == "" ||
				was.Ticked) {
				wanted[was.ID] = was
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
