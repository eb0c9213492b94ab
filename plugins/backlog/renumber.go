package backlog

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// renumber offers the next free number for the newer of two tasks with the same id, unless another task names that id,
// which could refer to either. All findings of a check share next, which is 0 at first: each of them takes a different
// number, so that all remedies can be applied together.
func (m *model) renumber(f *found, next *int) {
	first, second := f.Others[0], f.Item
	if m.oldest(first) == second {
		first, second = second, first
	}
	if first.doc.Text == second.doc.Text { // a copy, such as one that an interrupted move left
		stale := second
		if first.folder == "tasks" && second.folder == "completed" && first.over {
			stale = first
		}
		f.Offer(sdk.Review, "Remove the copy "+stale.doc.Path, sdk.Remove(stale.doc.Path))
		return
	}
	last, name := 0, strings.SplitN(second.name, " ", 2)
	for _, t := range m.tasks {
		if t.parent != "" && m.find(t.parent) == f.Others[0] || slices.ContainsFunc(t.needs, func(id string) bool {
			return keyOf(id) == first.key
		}) {
			return
		}
		if _, number, _ := strings.Cut(t.key, "-"); !t.draft() {
			last = max(last, words.Number(number))
		}
	}
	at := strings.LastIndexByte(second.id, '-') + 1
	if last > 9999 || len(name) < 2 || nameKey(second.name) != second.key || strings.Contains(second.id[at:], ".") {
		return
	}
	*next = max(*next, last+1)
	number := say.Int(*next)
	*next++
	number = strings.Repeat("0", max(0, m.digits-len(number))) + number
	id := second.id[:at] + number
	to := second.folder + "/" + name[0][:strings.LastIndexByte(name[0], '-')+1] + number + " " + name[1]
	f.Offer(sdk.Review, "Renumber "+second.doc.Path+" to "+id, sdk.Replace(second.at("id"), "id: "+id),
		sdk.Move(second.doc.Path, to))
}

// oldest returns the oldest task with the id of first. That task keeps the id.
func (m *model) oldest(first *task) *task {
	oldest := first
	for _, p := range m.twice {
		if p.Was == first && m.newer(oldest, p.Is) {
			oldest = p.Is
		}
	}
	return oldest
}

// newer reports whether t is newer than o: only o is in the base, or, if both or neither are, t was created later.
func (m *model) newer(t, o *task) bool {
	if m.base != nil {
		if was := m.base.docs; (was.Get(t.doc.Path) == nil) != (was.Get(o.doc.Path) == nil) {
			return was.Get(t.doc.Path) == nil
		}
	}
	mine, _ := instant.Loose(t.front.Value("created_date"))
	other, _ := instant.Loose(o.front.Value("created_date"))
	return other.Before(mine, 0)
}
