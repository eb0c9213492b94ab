package openspec

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/work"
)

// successor returns the current version of a change in the base, even if the change was archived or renamed since. It
// returns nil if the change is missing.
func (m *model) successor(was *change) *change {
	if was.archived {
		return find(m.archived, was.dir)
	}
	if c := find(m.active, was.dir); c != nil {
		return c
	}
	for _, c := range m.archived {
		if c.name == was.name && m.fresh(c) {
			return c
		}
	}
	return m.renamedTo(was)
}

// renamedTo returns the new change that has most of a missing change's tasks. If there is none, it returns the new
// change that has a document of the missing one, because a rename may have lost the tasks; if several do, it returns
// nil.
func (m *model) renamedTo(was *change) (found *change) {
	several := false
	for _, c := range slices.Concat(m.active, m.archived) {
		if find(m.base.active, c.dir) != nil || find(m.base.archived, c.dir) != nil {
			continue
		}
		if c.keeps(was) {
			return c
		}
		if slices.ContainsFunc(was.docs, func(d *sdk.Document) bool {
			return strings.HasSuffix(d.Path, ".md") && c.copies(was, d)
		}) {
			several = found != nil
			found = c
		}
	}
	if several {
		return nil
	}
	return found
}

// keeps reports whether a change still has most of the tasks that a change has in the base.
func (c *change) keeps(was *change) bool {
	kept := 0
	for _, t := range was.tasks {
		if c.hasTask(t, false) {
			kept++
		}
	}
	return same(was.list, c.list) || kept*2 > len(was.tasks)
}

// hasTask reports whether a change still has a task from the base: a task with the same text or, if numbers is true,
// with the same number.
func (c *change) hasTask(was *task, numbers bool) bool {
	return slices.ContainsFunc(c.tasks, func(t *task) bool {
		return t.Folded() == was.Folded() || numbers && was.ID != "" && t.ID == was.ID
	})
}

// goesOn reports whether a change has a task whose text begins with the text of cut: cut may be what is left of that
// task in a list that was cut off.
func (c *change) goesOn(cut *task) bool {
	return slices.ContainsFunc(c.tasks, func(t *task) bool { return strings.HasPrefix(t.Folded(), cut.Folded()) })
}

func taskDropped(r *check.Report, m *model) {
	for _, was := range m.base.active {
		c := m.successor(was)
		if c == nil || c.list == nil || was.list == nil || c.unread() || was.unread() {
			continue
		}
		fewer := c.total()+c.marked < was.total() // in the archive, tasks are only counted
		wrecks := c.wrecks(was)                   // reported by box-unreadable
		if !c.archived && !c.torn && c.done > 0 {
			m.deleted(r, was, c, wrecks, "ticked", "Restore the tasks from the base, with their ticks.")
		}
		if !fewer && (c.archived || !c.complete()) {
			continue
		}
		if c.total()+c.marked == 0 {
			f := r.Whole(c.list.Path, c.list.Path+" has no tasks; the base has "+say.Int(was.total())+
				say.Line(was.list, was.tasks[0].Start)+", "+say.Int(was.done)+" of them ticked").Of(c.run())
			if c.list.Path == was.list.Path && strings.TrimSpace(c.list.Text) == "" || check.OnlyTitles(c.list) {
				f.Offer(sdk.Review, "Restore "+c.list.Path, sdk.Restore(c.list.Path))
			}
			f.Advise("Restore the tasks", "Restore the finished and the remaining tasks, each with its checkbox.")
			if was.done == 0 {
				f.As(sdk.Warning)
			}
		} else if c.complete() && was.open > 0 {
			m.openDropped(r, was, c, wrecks)
		} else if c.done == 0 && was.done > 0 && !c.archived &&
			!slices.ContainsFunc(was.tasks, func(t *task) bool {
				return t.Ticked && (c.hasTask(t, true) || c.isBare(t.Folded()) != nil || wrecks[t].Was != nil)
			}) {
			f := r.Whole(c.list.Path, say.Count(was.done, "task")+" ticked in the base "+
				say.Are(was.done)+" missing from "+c.name).Of(c.run()).
				Advise("Restore the tasks", "Restore the finished tasks, each with its checkbox.")
			if c.replanned(was) {
				f.As(sdk.Warning)
			}
		} else if !c.archived && !c.torn && !c.complete() {
			m.deleted(r, was, c, wrecks, "open", "Restore the tasks that still need doing, or move them to another "+
				"change. Keep dropped tasks, struck out and ticked, with the reason.")
		}
	}
}

// replanned reports whether a change has a task that is not in the base: its plan was rewritten, possibly only in
// other words.
func (c *change) replanned(was *change) bool {
	return slices.ContainsFunc(c.tasks, func(t *task) bool { return !was.hasTask(t, true) && !was.goesOn(t) })
}

// openDropped reports a change that is complete only because open tasks were deleted.
func (m *model) openDropped(r *check.Report, was, c *change, wrecks map[*task]tasks.Wreck) {
	var gone []string
	var lost []*task
	p := tasks.Pair(was.tasks, c.tasks)
	replaced := true // a task with new text about the same subject replaces each lost one
	for _, t := range p.Gone(func(t *task) bool { return !t.Ticked && wrecks[t].Was == nil && !m.elsewhere(c, t) }) {
		if !slices.ContainsFunc(p.New(), func(is *task) bool { return shortens(is, t) }) {
			gone, lost = append(gone, say.Quote(t.Text)), append(lost, t)
			replaced = replaced && slices.ContainsFunc(c.tasks, func(is *task) bool {
				_, how := p.Before(is)
				return (how == tasks.Lost || how == tasks.Replaced) && evidence.Alike(is.Title, t.Title)
			})
		}
	}
	if len(gone) <= m.splitOff(was, c) {
		return
	}
	text := "every task of " + c.name + " is ticked, but "
	if n := was.total() - c.total() - c.marked; c.archived && n < len(gone) { // archived tasks are only counted
		text += say.Count(n, "task") + " of the base " + say.Are(n) + " missing; these were open: " + say.List(gone)
	} else {
		text += work.SayGone(len(gone), "task", "open") + ": " + say.List(gone)
	}
	if n := len(p.New()); n > 0 {
		text += "; " + say.Count(n, "task") + " " + say.Are(n) + " new"
	}
	f := r.Whole(c.list.Path, text).Of(c.run()).
		Offer(sdk.Review, "Restore the tasks from the base",
			p.PutBack(c.list.Path, was.list.Text, c.list.Text, lost)...).
		Advise("Restore the tasks", "Restore the tasks that still need doing, or move them to another change. Keep "+
			"dropped tasks, struck out and ticked, with the reason.")
	// An archived, rewritten or hidden plan may contain the open work in other words. But if most of the plan is
	// unchanged, new tasks about other subjects do not replace that work.
	if c.archived || replaced || c.replanned(was) && !c.keeps(was) || !m.complete {
		f.As(sdk.Warning)
	}
}

// shortens reports whether all words in a task's title are in another task's title, ignoring numbers.
func shortens(is, was *task) bool {
	all, words := wordsOf(was.Title), wordsOf(is.Title)
	return len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(all, w) })
}

// boxLost reports tasks whose checkbox is damaged or missing while their text remains, so that no count includes them.
// item-lost covers a list without any checkbox.
func boxLost(r *check.Report, m *model) {
	for _, was := range m.base.active {
		c := m.successor(was)
		if c == nil || c.archived || c.list == nil || c.unread() || was.unread() || c.total()+c.marked == 0 {
			continue
		}
		wrecks := c.wrecks(was)
		for _, t := range was.tasks {
			w, broken := wrecks[t]
			item := c.isBare(t.Folded())
			if !broken && (item == nil || c.hasTask(t, false) || was.isBare(t.Folded()) != nil) {
				continue
			}
			mark := "[" + cmp.Or(t.Mark, " ") + "]"
			there := "; the base has " + mark + say.Line(was.list, t.Start)
			var f *check.Finding
			if broken {
				f = r.AtLine(c.list.Path, w.Line, say.Quote(t.Text)+" has "+say.Quote(w.Mark)+
					" instead of a checkbox"+there).
					Advise("Correct the checkbox", "Write [x] if the task is done, or [ ] if it is not.")
			} else {
				at := item.Own().Start()
				f = r.AtLine(c.list.Path, item.Line(), say.Quote(t.Text)+" has no checkbox"+there).
					Offer(sdk.Review, "Restore the checkbox", sdk.Replace(sdk.AtBytes(c.list.Path, at, at), mark+" "))
			}
			if f.Of(c.run()).Keyed(t.Text); !t.Ticked && !c.complete() {
				f.As(sdk.Warning)
			}
		}
	}
}

// wrecks returns the lines with a damaged checkbox, keyed by the base's tasks on these lines.
func (c *change) wrecks(was *change) map[*task]tasks.Wreck {
	if c.archived {
		return nil
	}
	return tasks.Wrecks(c.list.Text, &form, c.tasks, was.tasks)
}

// isBare returns the item without a checkbox that has this text, or nil if there is none.
func (c *change) isBare(text string) *markdown.Item {
	for i := range c.bare {
		if t := &c.bare[i]; fold(strings.TrimLeft(t.Own().Text(), "[] ")) == text &&
			!strings.Contains(t.Own().Raw(), "~~") {
			return t
		}
	}
	return nil
}

// taskUnticked compares open changes with the base task by task, and archived ones by their numbers of open and done
// tasks. An archived change is history, so its tasks should not be reopened.
func taskUnticked(r *check.Report, m *model) {
	for _, was := range m.base.archived {
		if c := find(m.archived, was.dir); c != nil && c.list != nil && c.open > was.open && c.done < was.done &&
			!c.unread() && !was.unread() {
			f := r.AtLine(c.list.Path, c.openLine, c.name+" is archived, but "+c.left()+" ("+say.Int(was.open)+
				" tasks were open in the base)").Of(c.run())
			if c.total()+c.marked == was.total()+was.marked {
				f.Offer(sdk.Review, "Restore "+c.list.Path+" from the base", sdk.Restore(c.list.Path))
			}
			f.Advise("Tick the finished tasks again", "If an older file overwrote "+c.list.Path+
				", restore it from the base.",
				"Otherwise tick the finished tasks, and move the others to an open change.")
		}
	}
	for _, was := range m.base.active {
		c := m.successor(was)
		if c == nil || c.archived {
			continue
		}
		tasks.Pair(was.tasks, c.tasks).Unticked(func(before, t *task) {
			at := sdk.AtLine(c.list.Path, t.Line)
			f := r.At(at, work.SayUnticked(say.Quote(t.Text), say.Line(was.list, before.Start))).
				Of(c.run()).Keyed(t.Text).As(sdk.Warning)
			if len(t.OpenParts()) > 0 { // it has unfinished work
				f.As(sdk.Info)
			} else if t.FoldedTitle() == before.FoldedTitle() { // otherwise the tick belonged to another title
				f.Offer(sdk.Review, "Tick "+say.Quote(t.Text), t.TickAgain(c.list.Path, before, was.list.Text)...).
					Advise("Keep the task open", "If it was reopened on purpose, accept the finding with the reason.")
			}
		})
	}
}
