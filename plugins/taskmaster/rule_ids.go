package taskmaster

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

func idRepeated(r *check.Report, m *model) {
	shared.IDRepeated(r, m, func(f *found) {
		first := f.Others[0]
		f.Range = sdk.AtPointer(tasksPath, f.Item.pointer+"/id")
		f.See(sdk.AtPointer(tasksPath, first.pointer+"/id"), "the first task")
		if first.status.Finished() && f.Item.status.Finished() {
			f.As(sdk.Warning)
		}
		for _, t := range []*task{f.Item, first} {
			if f.Item.value.Raw() != first.value.Raw() && m.numberAgain(f, t) {
				return
			}
		}
		renumber(f)
	})
}

// numberAgain offers to give one of two tasks with the same id the id that it has in the base, if no other task has
// that id now. It reports whether it made the offer.
func (m *model) numberAgain(f *found, t *task) bool {
	if m.base == nil || m.base.list(t.list.tag) == nil {
		return false
	}
	was := m.base.list(t.list.tag).titled(t)
	if was == nil || was.id == t.id || t.list.byID[was.id] != nil {
		return false
	}
	f.Offer(sdk.Review, "Give "+say.Quote(t.title)+" the id "+was.short+", as in the base",
		sdk.Set(tasksPath, t.pointer+"/id", sdk.Literal(was.value.Get("id").Raw())))
	return true
}

// renumber offers the next free number for the second of two tasks with the same id, unless a task depends on that id,
// which could refer to either.
func renumber(f *found) {
	first, second := f.Others[0], f.Item
	if first.value.Raw() == second.value.Raw() { // a copy
		f.Offer(sdk.Review, "Remove the second copy", sdk.Unset(tasksPath, second.pointer))
		return
	}
	beside := second.list.tasks
	if second.parent != nil {
		beside = second.parent.subs
	}
	last := 0
	for _, t := range beside {
		last = max(last, words.Number(t.short))
	}
	named := func(t *task) bool { return slices.ContainsFunc(t.needs, func(n need) bool { return n.on == first }) }
	if last == 0 || slices.ContainsFunc(second.list.all, named) {
		return
	}
	edit := sdk.SetInt(tasksPath, second.pointer+"/id", int64(last+1))
	if second.value.Get("id").Kind() == jsondoc.String {
		edit = sdk.SetText(tasksPath, second.pointer+"/id", say.Int(last+1))
	}
	f.Offer(sdk.Review, "Give the second task the id "+say.Int(last+1), edit)
}
