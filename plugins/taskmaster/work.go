package taskmaster

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

// shared implements the task rules that other workflows also have.
var shared = work.Kind[*model, *task]{
	Noun: "task", Part: "subtask",
	Lists: func(m *model) (lists [][]*task) {
		for _, l := range m.lists {
			lists = append(lists, l.all)
		}
		return lists
	},
	Needs: func(_ *model, t *task) (needs []work.Need[*task]) {
		for _, n := range t.needs {
			needs = append(needs, work.Need[*task]{ID: n.id, At: sdk.AtPointer(tasksPath, n.pointer), On: n.on,
				Exists: n.on != nil})
		}
		return needs
	},
	Parts: func(t *task) []*task { return t.subs },
	Twice: func(m *model) (twice []work.Pair[*task]) {
		for _, l := range m.lists {
			twice = append(twice, l.twice...)
		}
		return twice
	},
	Apart: func(t *task) string { return say.Quote(t.title) },
	Undone: func(m *model) (undone []work.Pair[*task]) {
		m.pairs(func(was, now *list) {
			if back, before := again(was, now); !most(back, before) {
				undone = append(undone, back...)
			}
		})
		return undone
	},
	Lost: func(m *model) (losses []work.Loss[*task]) {
		m.pairs(func(was, now *list) {
			lost := slices.DeleteFunc(gone(was, now), m.moved)
			losses = append(losses, work.Loss[*task]{Items: lost, Of: len(was.tasks),
				At:     sdk.AtPointer(tasksPath, now.at+"/tasks"),
				Many:   len(lost) >= many && 3*len(lost) >= len(was.tasks),
				Assign: func(f *check.Finding) { f.Of(now.run).About(now.tag) }})
			for _, t := range was.tasks {
				if is := now.byID[t.id]; is.cleared(t) {
					losses = append(losses, work.Loss[*task]{Items: t.subs, Of: len(t.subs), At: is.at(), Many: true,
						Assign: is.Assign})
				}
			}
			for _, t := range goneParts(was, now) {
				losses = append(losses, work.Loss[*task]{Items: []*task{t}, At: now.byID[t.parent.id].at()})
			}
		})
		return losses
	},
}

func (t *task) Key() string { return t.id }

func (t *task) Brief() string { return t.id + " " + say.Quote(t.title) }

func (t *task) Titled() string { return t.title }

func (t *task) Says() string {
	if t.bare() {
		return "without a status"
	}
	return t.text
}

func (t *task) Is() status.Status { return t.status }

// Assign sets the run and subject of a finding.
func (t *task) Assign(f *check.Finding) { f.Of(t.list.run).About(t.subject()) }

type found = work.Found[*task]

func doneEarly(r *check.Report, m *model) {
	shared.DoneWithOpenParts(r, m, func(f *found) {
		t := f.Item
		to := "pending" // the status of its subtasks
		if was := m.was(t); was != nil && was.status.Left() {
			to = was.text
		} else if slices.ContainsFunc(t.subs, func(s *task) bool { return s.status.Started() }) {
			to = "in-progress"
		}
		if t.untouched() {
			f.Advise("Check whether the task is done", "If "+t.name()+" is done, set its subtasks to done: "+
				"`task-master set-status --id="+ids(t.open())+" --status=done"+m.flag(t.list)+"`.",
				"If it is not, set it to "+to+".")
		}
		f.Offer(sdk.Review, "Set "+t.name()+" to "+to, t.set(to))
		if !t.untouched() {
			f.Advise("Finish the subtasks", "Finish the open subtasks and set each to done. Set abandoned ones to "+
				"cancelled.")
		}
		if !t.refuted() {
			f.As(sdk.Warning)
		}
	})
}

// flag returns the flag that a Task Master command needs for a list whose tag is not the current one.
func (m *model) flag(l *list) string {
	if l.tag == "" || l.tag == cmp.Or(m.current, "master") {
		return ""
	}
	return " --tag " + say.Word(l.tag)
}

// ids lists the ids of tasks in the form that Task Master's commands expect.
func ids(list []*task) string {
	var ids []string
	for _, t := range list {
		ids = append(ids, t.id)
	}
	return strings.Join(ids, ",")
}

// was returns the base version of a task, or nil if there is none.
func (m *model) was(t *task) *task {
	if m.base == nil {
		return nil
	}
	if l := m.base.list(t.list.tag); l != nil {
		if was := l.byID[t.id]; was != nil && t.like(was) {
			return was
		}
	}
	return nil
}

func subtasksDone(r *check.Report, m *model) { shared.OpenWithDoneParts(r, m, setDone) }

func setDone(f *found) {
	f.As(sdk.Warning).Offer(sdk.Review, "Set "+f.Item.name()+" to done", f.Item.set("done"))
}

func needMissing(r *check.Report, m *model) {
	shared.DependencyMissing(r, m, func(f *found) {
		if was := m.wasNeeded(f.Item, f.Key); was != nil {
			switch now := f.Item.list.titled(was); {
			case now != nil && now.twin(): // id-repeated offers its former id
				f.Advise("Give "+say.Quote(now.title)+" the id "+was.id+" again", "In the base, "+was.name()+" is "+
					say.Quote(was.title)+", which has the id of another task now.")
				return
			case now != nil: // it has another id now
				now.renamed(f, was)
			default:
				f.Offer(sdk.Review, "Restore "+was.name()+" from the base", m.putBack(was)...)
			}
		}
		f.Offer(sdk.Review, "Remove the dependency", sdk.Unset(tasksPath, f.Range.Pointer))
		if t := f.Item; t.status.Finished() || t.parent != nil && t.parent.status.Finished() {
			f.As(sdk.Warning)
		}
	})
}

// twin reports whether another task has the same id.
func (t *task) twin() bool {
	return slices.ContainsFunc(t.list.twice, func(p work.Pair[*task]) bool { return p.Was == t || p.Is == t })
}

// titled returns the only task with the title of a base task, or the only subtask with that of a base subtask. It
// returns nil if there is none or more than one.
func (l *list) titled(was *task) (found *task) {
	for _, t := range l.all {
		if t.title == was.title && (t.parent == nil) == (was.parent == nil) {
			if found != nil {
				return nil
			}
			found = t
		}
	}
	return found
}

// renamed offers to change the dependency on a task that has another id now.
func (t *task) renamed(f *found, was *task) {
	id := jsondoc.Quote(t.id)
	if t.parent == nil || t.parent == f.Item.parent {
		id = t.value.Get("id").Raw()
	}
	var ids []string
	for i, d := range f.Item.value.Get("dependencies").Elements() {
		if ids = append(ids, d.Raw()); f.Item.needs[i].pointer == f.Range.Pointer {
			ids[i] = id
		}
	}
	f.Offer(sdk.Review, "Depend on "+t.name()+", which was "+was.name()+" in the base",
		sdk.Set(tasksPath, f.Item.pointer+"/dependencies", sdk.Literal("["+strings.Join(ids, ", ")+"]")))
}

// wasNeeded returns the base task that an id in t referred to, or nil if there is none.
func (m *model) wasNeeded(t *task, id string) *task {
	if m.base == nil || m.base.list(t.list.tag) == nil {
		return nil
	}
	return m.base.list(t.list.tag).needed(t, id)
}

func needCircular(r *check.Report, m *model) {
	shared.DependencyCircular(r, m, func(f *found) {
		if !slices.ContainsFunc(append(f.Others, f.Item), func(t *task) bool { return !t.status.Finished() }) {
			f.As(sdk.Warning)
		}
	})
}

// needOpen also reports, as info, tasks in progress whose dependencies have not begun.
func needOpen(r *check.Report, m *model) {
	shared.DependencyOpen(r, m, nil)
	for _, l := range m.lists {
		for _, t := range l.tasks {
			var open []*task
			for _, n := range t.needs {
				if t.status == status.InProgress && n.on != nil && n.on != t && n.on.parent != t &&
					n.on.status == status.Open {
					open = append(open, n.on)
				}
			}
			if len(open) > 0 {
				f := r.At(t.At(), t.Called()+" is in progress, but depends on "+say.Count(len(open), "task")+" that "+
					say.Has(len(open))+" not begun: "+work.Briefs(open)).As(sdk.Info).
					See(open[0].At(), open[0].Called())
				t.Assign(f)
			}
		}
	}
}

// taskLost lowers a loss of many tasks to a warning if another plan replaces a list that had not begun or was
// finished.
func taskLost(r *check.Report, m *model) {
	begun := func(t *task) bool { return t.status.Started() || len(t.open()) < len(t.subs) }
	open := func(t *task) bool { return !t.status.Finished() || len(t.open()) > 0 }
	shared.ItemLost(r, m, func(f *found) {
		t, up, lost := f.Item, f.Item.parent, append(f.Others, f.Item)
		switch {
		case up != nil && m.list(up.list.tag).byID[up.id].cleared(up):
			now := m.list(up.list.tag).byID[up.id]
			f.Message = now.Called() + " has no subtasks; in the base it has " + say.Int(len(lost)) + ", and " +
				say.Int(len(up.done())) + " " + say.Are(len(up.done())) + " done: " + work.Briefs(up.done())
			f.As(sdk.Warning).Offer(sdk.Review, "Restore the subtasks of "+now.name()+" from the base",
				sdk.Set(tasksPath, now.pointer+"/subtasks", sdk.Literal(up.value.Get("subtasks").Raw())))
		case len(lost) > 1:
			if (!slices.ContainsFunc(lost, begun) || !slices.ContainsFunc(lost, open)) &&
				2*len(gone(m.list(t.list.tag), t.list)) >= len(lost) {
				f.As(sdk.Warning)
			}
			return
		case up != nil && t.status.Left() && setToDone(up, m.list(up.list.tag).byID[up.id]):
			f.Message += "; " + up.name() + " was set to done"
			f.As(sdk.Warning)
		default:
			if f.As(sdk.Warning); up != nil && !t.underway() || !t.status.Left() {
				f.As(sdk.Info)
			}
			f.Offer(sdk.Review, "Restore "+t.name()+" from the base", m.putBack(t)...)
		}
		f.Advise("Restore the task, or mark it as abandoned", "Keep an abandoned task in the list, as cancelled.")
	})
}

// many is the number of lost or reopened tasks from which an accident is more likely than decisions about single tasks.
const many = 5

// most reports whether so many done tasks are open again that an accident is more likely than decisions about single
// tasks.
func most(back []work.Pair[*task], before int) bool {
	return len(back) >= many && 2*len(back) >= before
}

// again returns the tasks that were done in the base and are open now, and the number of tasks that were done in the
// base.
func again(was, now *list) (back []work.Pair[*task], before int) {
	var is map[*task]*task
	for _, t := range was.all {
		if t.status != status.Done || len(t.open()) > 0 { // it was not really done, so it may be reopened
			continue
		}
		before++
		if same := now.byID[t.id]; same != nil && same.like(t) && same.status.Finished() {
			continue
		}
		if is == nil {
			is = paired(was, now)
		}
		if t, now := t, is[t]; now != nil && !now.status.Finished() &&
			(now.status != status.Unknown || words.Says(now.text) || now.bare() && !now.parent.status.Finished()) {
			back = append(back, work.Pair[*task]{Was: t, Is: now})
		}
	}
	return back, before
}

// paired maps the tasks in a base list to those in its successor. A task with the same id but a different title is
// another task.
func paired(was, now *list) map[*task]*task {
	read := func(l *list) (list []*tasks.Task) {
		for i, t := range l.all {
			list = append(list, &tasks.Task{ID: t.id, Text: t.id + " " + t.title, Title: t.title, Line: i})
		}
		return list
	}
	before, found := read(was), map[*task]*task{}
	pairs := tasks.Pair(before, read(now))
	for _, t := range before {
		if is, how := pairs.Now(t); is != nil && how != tasks.Replaced {
			found[was.all[t.Line]] = now.all[is.Line]
		}
	}
	return found
}
