package tasks

import (
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words/status"
)

// Headings reads tasks that are headings with ids, such as "## ✅ T1. Parse". A task is ticked if its heading has a
// sign for done, begins with a ticked box or with "[completed]", or says that the task is complete. It is also ticked
// if the Status field under it says so, or if all boxes under it are ticked. [Task.Set] returns no edit for these
// tasks. boxes are the boxes of the same document.
func Headings(o *markdown.Outline, f *Form, boxes []*Task) (list []*Task) {
	heads := o.Headings()
	for i, h := range heads {
		text := strings.TrimLeftFunc(h.Text(), func(r rune) bool { return r != '[' && markdown.Symbol(r) })
		mark := ""
		front, rest, ok := strings.Cut(text, "] ")
		if ok && text[0] == '[' && (len(front) == 2 || !isLabel(front[1:])) {
			mark, text = front[1:], rest
		}
		id, last, title := f.ID(text)
		if id == "" {
			continue
		}
		t := &Task{ID: id, Last: last, Text: text, Title: title, Raw: h.Raw(), Line: h.Line(), Depth: 1,
			Start: h.Start(), End: h.Section().End(), ItemEnd: h.Section().End(), doc: o.Text}
		if i+1 < len(heads) {
			t.End = min(t.End, heads[i+1].Start())
		}
		is := statusBelow(h)
		if t.Ticked = Ticks(mark) || status.Complete(mark) || is == "[x]" || is == "[X]" || status.Complete(is) ||
			strings.ContainsAny(h.Raw(), "✅✔☑") || status.Title(h.Text(), h.Raw()) || t.checked(boxes); t.Ticked {
			t.Mark = "x"
		}
		t.Dropped = !t.Ticked && (status.GivenUp("["+mark+"]") || status.GivenUp(title))
		t.Optional = status.Optional(title)
		t.Cancelled = t.Optional || t.Dropped
		list = append(list, t)
	}
	return list
}

// checked reports whether there are boxes under a heading and none of them is open.
func (t *Task) checked(boxes []*Task) bool {
	some := false
	for _, b := range boxes {
		if b.Start > t.Start && b.Start < t.ItemEnd {
			if some = true; !b.Ticked && !b.Cancelled {
				return false
			}
		}
	}
	return some
}

// statusBelow returns the Status field between a heading and the next one. Inlining it would add to a guest.
//
//go:noinline
func statusBelow(h markdown.Heading) string { return h.Body().Field("Status").Text() }
