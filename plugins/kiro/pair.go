package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words"
)

// pair returns the pairing of the base's tasks with this revision's, or nil if there is no base.
func (m *model) pair() *tasks.Pairing {
	if m.pairs == nil && m.base != nil {
		if m.list != nil && m.base.list != nil && m.list.Text == m.base.list.Text {
			m.pairs = tasks.Identity(m.base.tasks, m.tasks)
		} else {
			m.pairs = tasks.Pair(m.base.tasks, m.tasks)
		}
	}
	return m.pairs
}

// find returns this revision's version of a task in the base, or nil if it is missing or ambiguous.
func (m *model) find(was *task) *task {
	t, _ := m.pair().Now(was)
	return t
}

// before returns the base's version of a task, or nil.
func (m *model) before(t *task) *task {
	if m.base == nil {
		return nil
	}
	was, _ := m.pair().Before(t)
	return was
}

// gone returns the accepted tasks of the base that this revision lacks. An ambiguous task does not count.
func (m *model) gone(accept func(*task) bool) []*task {
	list := m.pair().Gone(accept)
	if len(list) == 0 {
		return nil
	}
	moved, wrecks := m.moved(), tasks.Wrecks(m.list.Text, &form, m.tasks, m.base.tasks)
	return slices.DeleteFunc(list, func(t *task) bool {
		_, broken := wrecks[t] // box-unreadable reports it as an error
		return moved[t.ID] || broken
	})
}

// replaced reports whether tasks.md was overwritten with another plan on which work has begun, such as another spec's:
// two thirds of the base's tasks are gone, one of these was ticked, and a ticked task is new. In a plan that was only
// rewritten, the new tasks are open.
func (m *model) replaced() bool {
	gone, ticked := 0, false
	for _, was := range m.base.tasks {
		if _, how := m.pair().Now(was); how == tasks.Lost || how == tasks.Replaced {
			gone, ticked = gone+1, ticked || was.Ticked
		}
	}
	return ticked && gone > 2 && 3*gone >= 2*len(m.base.tasks) && slices.ContainsFunc(m.tasks, func(t *task) bool {
		_, how := m.pair().Before(t)
		return t.Ticked && (how == tasks.Lost || how == tasks.Replaced)
	})
}

// offerBack offers to restore tasks from the base, and the whole tasks.md if another plan took its place.
func (m *model) offerBack(f *check.Finding, gone []*task) *check.Finding {
	f.Offer(sdk.Review, "Restore the tasks from the base", m.putBack(gone)...)
	if m.replaced() {
		f.Offer(sdk.Review, "Restore tasks.md from the base", sdk.Restore("tasks.md"))
	}
	return f
}

// putBack returns the edits that restore tasks from the base, including their lost parents.
func (m *model) putBack(gone []*task) []sdk.Edit {
	all := slices.Clone(gone)
	for _, t := range gone {
		for up := t.Parent; up != nil && m.find(up) == nil && !slices.Contains(all, up); up = up.Parent {
			all = append(all, up)
		}
	}
	return m.pair().PutBack("tasks.md", m.base.list.Text, m.list.Text, all)
}

// moved returns the numbers of tasks that a line outside the tasks says were moved, merged or abandoned:
// "> Task 3 moved to …".
func (m *model) moved() map[string]bool {
	list := map[string]bool{}
	for line := range strings.Lines(m.list.Text) {
		line = words.TrimLeft(line, " \t>-*+_")
		if line == "" || line[0]|0x20 != 't' && line[0]|0x20 != 'n' {
			continue
		}
		line = words.Lower(line)
		if !strings.HasPrefix(line, "task") && !strings.HasPrefix(line, "note") {
			continue
		}
		if at := movedTo.Index(line); at >= 0 {
			for _, number := range numbersOf(line[:at]) {
				list[number] = true
			}
		}
	}
	return list
}

var movedTo = words.ListOf("moved", "merged", "dropped", "deferred", "removed", "superseded", "cancelled", "canceled",
	"covered by", "folded", "split")

// swapped reports whether a ticked task from the base was replaced by another task that has its number and tick but
// creates other files.
func (m *model) swapped(was, t *task) bool {
	if !was.Ticked || !t.Ticked || was.Folded() == t.Folded() || was.FoldedTitle() == t.FoldedTitle() {
		return false
	}
	then, now := filesOf(was.Body(m.base.list)), filesOf(t.Body(m.list))
	return len(then) > 0 && len(now) > 0 && !evidence.Alike(subject(was, then), subject(t, now)) &&
		!slices.ContainsFunc(now, func(f evidence.File) bool {
			return slices.ContainsFunc(then,
				func(o evidence.File) bool { return o.Path == f.Path })
		})
}

// subject returns a task's title and the names of the files that it creates.
func subject(t *task, files []evidence.File) string {
	text := t.FoldedTitle()
	for _, f := range files {
		text += " " + evidence.Name(f.Path)
	}
	return text
}
