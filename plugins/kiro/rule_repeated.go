package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/work"
)

func taskNumberRepeated(r *check.Report, m *model) {
	again, first := m.repeated()
	if len(again) == 0 {
		return
	}
	var numbers []string
	for i, t := range again {
		numbers = append(numbers, t.ID+place(first[i]))
	}
	f := r.At(sdk.AtLine("tasks.md", again[0].Line), say.Count(len(again), "task")+" "+say.Has(len(again))+
		" the same number as an earlier one: "+say.List(numbers))
	if wrong := m.misnumbered(again, first); len(wrong) > 0 {
		list, had := make([]*task, len(wrong)), make([]string, len(wrong))
		for i, t := range wrong {
			list[i], had[i] = t.Task, t.ID
		}
		f.Offer(sdk.Review, "Give "+textsOf(list)+" "+say.Verb(len(wrong), "its former number", "their former numbers"),
			tasks.GiveBack("tasks.md", m.list.Text, wrong)...)
		f.Advise("Correct the numbers", "Give "+textsOf(list)+say.Verb(len(wrong), " another number; it had ",
			" other numbers; they had ")+say.And(had...)+" in the base.")
		return
	}
	if m.offerOneCopy(f, again, first) {
		return
	}
	f.Advise("Renumber the later tasks",
		"Give "+textsOf(again)+" "+say.Verb(len(again), "a new number.", "new numbers."))
}

func (m *model) misnumbered(again, first []*task) []tasks.Former {
	if m.base == nil {
		return nil
	}
	repeats := make([]tasks.Repeat, len(again))
	for i, t := range again {
		repeats[i] = tasks.Repeat{Again: t, First: first[i]}
	}
	return m.pair().Misnumbered(repeats)
}

// vacated returns the numbers that id-repeated offers to give back.
func (m *model) vacated() map[string]bool {
	list := map[string]bool{}
	for _, t := range m.misnumbered(m.repeated()) {
		list[t.ID] = true
	}
	return list
}

// offerOneCopy offers to delete copies of tasks, and reports whether each task has the title of the earlier one. It
// keeps the copy with more details. If only one of two copies is ticked, it keeps the tick if the base has it.
// Otherwise, it offers both choices, because only the reader knows which copy is right.
func (m *model) offerOneCopy(f *check.Finding, again, first []*task) bool {
	repeats := true
	for i, t := range again {
		if t.FoldedTitle() != first[i].FoldedTitle() {
			return false
		}
		repeats = repeats && m.repeats(t, first[i])
	}
	if m.denied(again, first) {
		m.offerEither(f, again, first)
	} else if edits := m.copied(again, first); repeats && edits != nil {
		f.Offer(sdk.Review, "Delete the second copy", edits...)
	} else if edits := m.copied(first, again); edits != nil {
		title, ticks := "Delete the first copy", []sdk.Edit(nil)
		for i, t := range again {
			if first[i].Ticked && !t.Ticked {
				title, ticks = "Delete the first copy, and keep its tick", append(ticks, set(t, "x")...)
			}
		}
		f.Offer(sdk.Review, title, append(edits, ticks...)...)
	}
	f.Advise("Delete one of the copies", "Keep one copy of "+textsOf(first)+", with the right details and tick.")
	return true
}

// denied reports whether only one of the two copies of each task is ticked, and the base does not have the tick.
func (m *model) denied(again, first []*task) bool {
	for i, t := range again {
		if t.Ticked == first[i].Ticked || !t.Boxed() || !first[i].Boxed() || t.Section != first[i].Section ||
			t.FoldedTitle() != first[i].FoldedTitle() || m.base != nil &&
			slices.ContainsFunc(m.base.of(t.ID), func(was *task) bool { return was.Ticked }) {
			return false
		}
	}
	return true
}

// offerEither offers to keep either the ticked or the open copy of tasks, with the details that only one copy has.
func (m *model) offerEither(f *check.Finding, again, first []*task) {
	var ticked, open []*task
	for i, t := range again {
		if t.Ticked {
			ticked, open = append(ticked, t), append(open, first[i])
		} else {
			ticked, open = append(ticked, first[i]), append(open, t)
		}
	}
	copies, it := work.SayCopies(len(first), first[0].ID, "task")
	offer := func(name string, wrong, right []*task, mark, does, when string) {
		title := "Remove the " + name + " " + copies
		edits := m.copied(wrong, right)
		if edits == nil {
			if edits = m.copied(right, wrong); edits == nil {
				return
			}
			title, edits = "Keep one copy, "+does, append(edits, sets(wrong, mark)...)
		}
		f.Offer(sdk.Review, title+", if "+it+when, edits...)
	}
	offer("open", open, ticked, "x", "ticked", " done")
	offer("ticked", ticked, open, " ", "open", " not done")
}

// repeated returns the tasks that have the same number as an earlier task in their section, and the earlier tasks. A
// later section under a heading with the same words may restart the numbers, so its tasks are only returned if it is a
// complete copy.
func (m *model) repeated() (again, first []*task) {
	seen := make(map[string]*task, len(m.tasks))
	count, copies := map[int]int{}, map[int]int{} // by section
	for _, t := range m.tasks {
		key := m.heading(t).Text() + "\n" + t.ID
		other := seen[key]
		count[t.Section]++
		switch {
		case t.ID == "" || other == nil:
			seen[key] = t
			continue
		case t.Section != other.Section && !m.repeats(t, other):
			seen[key] = t
			continue
		case t.Section != other.Section:
			copies[t.Section]++
		}
		again, first = append(again, t), append(first, other)
	}
	n := 0
	for i, t := range again {
		if t.Repeated || count[t.Section] > 1 && copies[t.Section] == count[t.Section] {
			again[n], first[n] = t, first[i]
			n++
		}
	}
	return again[:n], first[:n]
}

// heading returns the heading that a task is under.
func (m *model) heading(t *task) (h markdown.Heading) {
	if t.Section > 0 {
		h = m.heads[t.Section-1]
	}
	return h
}

// repeats reports whether a task has no text and no mark that another task lacks.
func (m *model) repeats(t, other *task) bool {
	return t.Boxed() && other.Boxed() && (t.Mark == "" || t.Mark == other.Mark) && m.within(t, other)
}

// within reports whether another task has all of a task's text.
func (m *model) within(t, other *task) bool {
	text := m.list.Text
	return strings.HasPrefix(words.Spaced(text[other.TextStart():other.End]),
		words.Spaced(text[t.TextStart():t.End]))
}

// copied returns the edits that delete copies of tasks, along with their headings, for example after a plan was pasted
// twice. It returns nil if a task is not a copy, or if it precedes the one to keep and is in another section or
// contains tasks.
func (m *model) copied(list, kept []*task) (edits []sdk.Edit) {
	text := m.list.Text
	for i, t := range list {
		if before := t.Start < kept[i].Start; !t.Boxed() || !kept[i].Boxed() || !m.within(t, kept[i]) || before &&
			(t.Section != kept[i].Section || slices.ContainsFunc(m.tasks, func(u *task) bool {
				return u.Start > t.Start && u.Start < t.ItemEnd
			})) {
			return nil
		}
		start := lineStart(text, t.Start)
		h, was := m.heading(t), m.heading(kept[i])
		if t.Section != kept[i].Section && (i == 0 || list[i-1].Section != t.Section) &&
			words.Spaced(text[h.Start():t.Start]) == words.Spaced(text[was.Start():kept[i].Start]) {
			start = h.Start()
		}
		end := t.End
		for end < len(text) && strings.IndexByte("\r\n", text[end]) >= 0 { // empty lines
			end++
		}
		if end < len(text) {
			end = max(lineStart(text, end), start)
			if strings.HasSuffix(text[:start], "\n\n") && text[end-2] != '\n' && text[end] <= ' ' {
				start-- // the blank line before a group's own tasks
			}
		}
		edits = append(edits, sdk.Replace(sdk.AtBytes("tasks.md", start, end), ""))
	}
	return edits
}

func lineStart(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }
