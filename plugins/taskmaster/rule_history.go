package taskmaster

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

func tagLost(r *check.Report, m *model) {
	if len(m.lists) == 0 && len(m.base.lists) == 0 {
		return
	}
	for _, was := range m.base.lists {
		if m.list(was.tag) != nil || len(was.tasks) == 0 || m.renamed(was) {
			continue
		}
		open := 0
		for _, t := range was.tasks {
			if !t.status.Finished() {
				open++
			}
		}
		f := r.Whole(tasksPath, "the list "+say.Quote(was.tag)+" is missing; the base has it, with "+
			say.Count(len(was.tasks), "task")+", "+say.Int(open)+" of them open").About(was.tag)
		if open == 0 {
			f.As(sdk.Warning)
		}
	}
}

// renamed reports whether a new list has most tasks of a missing one.
func (m *model) renamed(was *list) bool {
	for _, l := range m.lists {
		if m.base.list(l.tag) != nil {
			continue
		}
		same := 0
		for _, t := range was.tasks {
			if now := l.byID[t.id]; now != nil && now.title == t.title {
				same++
			}
		}
		if 2*same > len(was.tasks) {
			return true
		}
	}
	return false
}

// gone returns the tasks in a base list whose id and title are both missing from its successor.
func gone(was, now *list) []*task {
	titles := map[string]bool{}
	for _, t := range now.tasks {
		titles[t.title] = true
	}
	var lost []*task
	for _, t := range was.tasks {
		if now.byID[t.id] == nil && !titles[t.title] {
			lost = append(lost, t)
		}
	}
	return lost
}

// moved reports whether a task was moved to another list, which did not have it in the base.
func (m *model) moved(t *task) bool {
	return slices.ContainsFunc(m.lists, func(l *list) bool {
		same := func(o *task) bool { return o.title == t.title }
		was := m.base.list(l.tag)
		return l.tag != t.list.tag && slices.ContainsFunc(l.tasks, same) &&
			(was == nil || !slices.ContainsFunc(was.tasks, same))
	})
}

// putBack returns the edit that restores a base task or subtask after its former predecessor, or nil if its parent or
// list is missing.
func (m *model) putBack(t *task) []sdk.Edit {
	now := m.list(t.list.tag)
	if now == nil {
		return nil
	}
	at, before, beside := now.at+"/tasks/", t.list.tasks, now.tasks
	if t.parent != nil {
		parent := now.byID[t.parent.id]
		if parent == nil || parent.value.Get("subtasks").Kind() != jsondoc.Array {
			return nil
		}
		at, before, beside = parent.pointer+"/subtasks/", t.parent.subs, parent.subs
	}
	place := 0
	for _, o := range before[:slices.Index(before, t)] {
		if i := slices.IndexFunc(beside, func(is *task) bool { return is.id == o.id }); i >= 0 {
			place = i + 1
		}
	}
	return []sdk.Edit{sdk.Set(tasksPath, at+say.Int(place), sdk.Literal(t.value.Raw()))}
}

// pairs calls f with each base list and its successor.
func (m *model) pairs(f func(was, now *list)) {
	for _, was := range m.base.lists {
		if now := m.list(was.tag); now != nil {
			f(was, now)
		}
	}
}

func reopenedMany(r *check.Report, m *model) {
	m.pairs(func(was, now *list) {
		if back, before := again(was, now); most(back, before) {
			var tasks []*task
			for _, p := range back {
				tasks = append(tasks, p.Is)
			}
			r.At(sdk.AtPointer(tasksPath, now.at+"/tasks"),
				say.Int(len(back))+" of "+say.Count(before, "task")+
					" that were done in the base are no longer done: "+titles(tasks)).Of(now.run).About(now.tag).
				Offer(sdk.Review, "Restore tasks.json", sdk.Restore(tasksPath))
		}
	})
}

func fileLost(r *check.Report, m *model) {
	if m.base != nil && m.base.docs.Get(tasksPath) != nil && m.docs.Get(tasksPath) == nil && m.docs.Known(tasksPath) {
		r.Whole(tasksPath, tasksPath+" is missing; the base has it").Offer(sdk.Review, "Restore "+
			tasksPath, sdk.Restore(tasksPath))
	}
}
