package taskmaster

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
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
			say.Count(len(was.tasks), "task")+", "+say.Int(open)+" open").About(was.tag).
			Offer(sdk.Review, "Restore the list "+say.Quote(was.tag), m.restore(was)...)
		if open == 0 {
			f.As(sdk.Info)
		}
	}
}

// restore returns the edit that adds a lost base list to the current ones. A file without tags has no place for the
// list, so the whole file is restored.
func (m *model) restore(was *list) []sdk.Edit {
	if root, ok := object(m.docs.Get(tasksPath)); !ok || root.Get("tasks").Kind() == jsondoc.Array ||
		root.Get(was.tag).Exists() {
		return []sdk.Edit{sdk.Restore(tasksPath)}
	}
	return []sdk.Edit{sdk.Set(tasksPath, was.at, sdk.Literal(was.value.Raw()))}
}

// renamed reports whether a new list has most of a missing list's tasks.
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

// gone returns the tasks in a base list whose id and title are both missing from its successor, where a task may have
// become a subtask.
func gone(was, now *list) []*task {
	titles := map[string]bool{}
	for _, t := range now.all {
		titles[t.title] = true
	}
	for _, t := range was.all {
		if t.parent != nil { // it was a subtask already
			delete(titles, t.title)
		}
	}
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

// goneParts returns the subtasks in a base list that are missing although their task remains. If a task has only new
// subtasks, it was expanded again and lost none, unless it was also set to done. Open subtasks are not lost either if
// at least as many new ones replace the missing ones.
func goneParts(was, now *list) (lost []*task) {
	for _, parent := range was.tasks {
		is := now.byID[parent.id]
		if is == nil || !is.like(parent) || is.cleared(parent) {
			continue
		}
		kept := 0
		var gone []*task
		for _, s := range parent.subs {
			if is.hasSub(s) {
				kept++
			} else if now.byID[s.id] == nil &&
				!slices.ContainsFunc(now.all, func(o *task) bool { return o.title == s.title }) {
				gone = append(gone, s)
			}
		}
		cleared := len(is.subs) == 0
		if kept == 0 && !cleared && !setToDone(parent, is) {
			continue
		}
		replaced := len(is.subs)-kept >= len(gone)
		for _, s := range gone {
			if s.status == status.Done && (kept > 0 || cleared) || s.status.Left() && !replaced {
				lost = append(lost, s)
			}
		}
	}
	return lost
}

// cleared reports whether a task lost all of its subtasks, and at least one was done in the base.
func (t *task) cleared(was *task) bool {
	return t != nil && t.like(was) && t.status.Left() && len(t.subs) == 0 && len(was.done()) > 0
}

// like reports whether a task is the same as a base task with its id: the titles are similar, or the description or the
// details are the same.
func (t *task) like(was *task) bool {
	if t.title == was.title || tasks.SameTitle(tasks.FoldTitle(t.title), tasks.FoldTitle(was.title)) {
		return true
	}
	return slices.ContainsFunc([]string{"description", "details"}, func(field string) bool {
		text, _ := t.value.Get(field).Text()
		then, _ := was.value.Get(field).Text()
		return text == then && words.Says(text)
	})
}

// hasSub reports whether a task has a subtask with the title of a base subtask.
func (t *task) hasSub(was *task) bool {
	return slices.ContainsFunc(t.subs, func(o *task) bool { return o.title == was.title })
}

// setToDone reports whether a task was not done in the base and is done now.
func setToDone(was, is *task) bool { return was.status != status.Done && is.status == status.Done }

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

// reopened reports tasks that were done in the base and are open now. If most of a list's done tasks are, they share
// one error, because an older file then overwrote a newer one.
func reopened(r *check.Report, m *model) {
	m.pairs(func(was, now *list) {
		back, before := again(was, now)
		if !most(back, before) {
			return
		}
		var tasks []*task
		var edits []sdk.Edit // restoring the file would remove new tasks
		for _, p := range back {
			tasks = append(tasks, p.Is)
			edits = append(edits, p.Is.set(p.Was.text))
		}
		r.At(sdk.AtPointer(tasksPath, now.at+"/tasks"), say.Int(len(back))+" of "+say.Count(before, "task")+
			" that were done in the base are no longer done: "+work.Briefs(tasks)).Of(now.run).About(now.tag).
			Offer(sdk.Review, "Set these tasks to done again", edits...)
	})
	undone := shared.Undone(m)
	shared.TickLost(r, m, func(f *found) {
		title, edits, subs := "Set "+f.Item.name(), []sdk.Edit{f.Item.set("done")}, 0
		for _, p := range undone {
			if p.Is.parent == f.Item {
				edits = append(edits, p.Is.set("done"))
				subs++
			}
		}
		if subs > 0 {
			title += " and " + say.Count(subs, "subtask")
		}
		f.As(sdk.Warning).Offer(sdk.Review, title+" to done", edits...)
	})
}

func fileLost(r *check.Report, m *model) {
	if m.base.docs.Get(tasksPath) != nil && m.docs.Get(tasksPath) == nil && m.docs.Known(tasksPath) {
		r.Missing(tasksPath, "")
	}
	if m.docs.Get(statePath) != nil || !m.docs.Known(statePath) {
		return
	}
	if tag := m.base.current; tag != "" && tag != "master" && m.list(tag) != nil {
		r.Missing(statePath, ", with the current tag "+say.Quote(tag)).As(sdk.Warning)
	}
}
