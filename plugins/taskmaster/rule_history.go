package taskmaster

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
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
		f := r.Whole(tasksPath, "the list "+say.Quote(was.tag)+" is gone; the base has it, with "+
			say.Count(len(was.tasks), "task")+", "+say.Int(open)+" of them open").About(was.tag)
		if open == 0 {
			f.As(sdk.Warning)
		}
	}
}

// renamed reports whether another list, which the base does not have, has most tasks of one that is gone.
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

// gone are the tasks of a list of the base that its successor does not have, by id or by title.
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

// lists calls f with each list of the base and its successor.
func (m *model) pairs(f func(was, now *list)) {
	for _, was := range m.base.lists {
		if now := m.list(was.tag); now != nil {
			f(was, now)
		}
	}
}

// many is how many tasks must be gone, or reopened, for it to be no decision about single ones.
const many = 5

func tasksLost(r *check.Report, m *model) {
	m.pairs(func(was, now *list) {
		if lost := gone(was, now); len(lost) >= many && 3*len(lost) >= len(was.tasks) {
			f := r.At(sdk.AtPointer(tasksPath, now.at+"/tasks"),
				say.Int(len(lost))+" of "+say.Count(len(was.tasks), "task")+" of the base are gone: "+
					titles(lost)).Of(now.run).About(now.tag)
			planned := !slices.ContainsFunc(lost, func(t *task) bool {
				return t.status.Started() ||
					len(t.open()) < len(t.subs)
			})
			over := !slices.ContainsFunc(lost, func(t *task) bool { return !t.status.Finished() || len(t.open()) > 0 })
			if (planned || over) && 2*len(gone(now, was)) >= len(lost) {
				f.As(sdk.Warning) // another plan stands in its place
			}
		}
	})
}

func taskRemoved(r *check.Report, m *model) {
	m.pairs(func(was, now *list) {
		lost := gone(was, now)
		if len(lost) >= many && 3*len(lost) >= len(was.tasks) {
			return // items-lost reports them
		}
		for _, t := range lost {
			f := r.At(sdk.AtPointer(tasksPath, now.at+"/tasks"),
				t.called()+" is gone; in the base it is "+t.text+": "+say.Quote(say.Clip(t.title))).
				Of(t.list.run).About(t.subject())
			if !t.underway() {
				f.As(sdk.Info)
			}
		}
	})
}

// again are the tasks that were done in the base and are not, and how many were done.
func again(was, now *list) (back []*task, before int) {
	for _, t := range was.all {
		if t.status != status.Done {
			continue
		}
		before++
		if is := now.byID[t.id]; is != nil && is.title == t.title && !is.status.Finished() &&
			(is.status != status.Unknown || words.Says(is.text) || is.bare() && !is.parent.status.Finished()) {
			back = append(back, is)
		}
	}
	return back, before
}

func reopenedMany(r *check.Report, m *model) {
	m.pairs(func(was, now *list) {
		if back, before := again(was, now); len(back) >= many && 2*len(back) >= before {
			r.At(sdk.AtPointer(tasksPath, now.at+"/tasks"),
				say.Int(len(back))+" of "+say.Count(before, "task")+
					" that were done in the base are not done any more: "+titles(back)).Of(now.run).About(now.tag).
				Offer(sdk.Review, "Restore tasks.json", sdk.Restore(tasksPath))
		}
	})
}

func reopened(r *check.Report, m *model) {
	m.pairs(func(was, now *list) {
		back, before := again(was, now)
		if len(back) >= many && 2*len(back) >= before {
			return
		}
		for _, t := range back {
			is := "is " + t.text
			if t.bare() {
				is = "has no status"
			}
			r.At(t.where(), t.called()+" "+is+", but was done in the base").Of(t.list.run).About(t.subject()).
				Offer(sdk.Review, "Set it to done", sdk.SetText(tasksPath, t.pointer+"/status", "done"))
		}
	})
}

func fileLost(r *check.Report, m *model) {
	if m.base != nil && m.base.docs.Get(tasksPath) != nil && m.docs.Get(tasksPath) == nil && m.docs.Known(tasksPath) {
		r.Whole(tasksPath, tasksPath+" is missing; the base has it").Offer(sdk.Review, "Restore it",
			sdk.Restore(tasksPath))
	}
}
