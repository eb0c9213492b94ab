package kiro

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/say"
)

// A loss holds the tasks that were ticked in the base and are open now.
type loss struct {
	list      []*task // nothing explains why
	undone    []*task // their files or subtasks are not done
	other     []*task // reworded
	replanned []*task // with other details
}

func (m *model) unticked(s *evidence.Search) (l loss) {
	lost := map[*task]bool{}                      // the tasks in list
	for i := len(m.base.tasks) - 1; i >= 0; i-- { // subtasks before their parents
		was := m.base.tasks[i]
		t := m.find(was)
		if !was.Ticked || t == nil || !t.Open() || t.Cancelled && (t.Dropped || !m.allUnticked()) ||
			has(t.Text, openAgain) {
			continue
		}
		if t.FoldedTitle() == was.FoldedTitle() && m.reopened(t) {
			l.replanned = append(l.replanned, t)
			continue
		}
		some, gone := m.unmade(s, t)
		is, _ := m.told(t)
		gone = gone || some && m.allUnticked() || is.Left() || m.blocked(t) != ""
		switch {
		case t.FoldedTitle() != was.FoldedTitle():
			l.other = append(l.other, t)
		// the task has unfinished work
		case gone || slices.ContainsFunc(t.OpenParts(), func(part *task) bool { return !lost[part] }):
			l.undone = append(l.undone, t)
		default:
			l.list, lost[t] = append(l.list, t), true
		}
	}
	for _, list := range [...][]*task{l.list, l.undone, l.other, l.replanned} {
		slices.Reverse(list)
	}
	return l
}

// allUnticked reports whether nearly all ticks of the base are lost. An older or regenerated list then replaced a newer
// one, and the loss says nothing about a single task.
func (m *model) allUnticked() bool {
	lost, all := 0, 0
	for _, was := range m.base.tasks {
		if was.Ticked {
			all++
			if t := m.find(was); t != nil && !t.Ticked {
				lost++
			}
		}
	}
	return lost > 3 && 10*lost >= 9*all
}

func taskUnticked(r *check.Report, m *model) {
	s := newSearch(r.Pass)
	l := m.unticked(s)
	list, undone, other, replanned := l.list, l.undone, l.other, l.replanned
	id := ""
	if m.allUnticked() { // a remedy that leaves some tasks open fixes this
		id = "all"
	}
	if len(list) > 0 {
		n, rest := len(list), ""
		if len(undone) > 0 && id != "" {
			n += len(undone)
			rest = "; missing files or open subtasks in " + say.Count(len(undone), "task") + ": " +
				textsOf(undone)
		}
		f := r.At(list[0].At("tasks.md"), say.Count(n, "task")+" "+say.Were(n)+" ticked in the base but "+say.Are(n)+
			" open now: "+textsOf(list)+rest).Keyed(id)
		title := again(list)
		if n > len(list) {
			title = "Tick " + say.Count(len(list), "task") + " again"
		}
		if edits := m.ticksAgain(s, list); edits != nil {
			f.Offer(sdk.Review, title, edits...)
		} else {
			f.Advise("Tick what is done", "Check the work, and tick the tasks that are done.")
		}
	} else if len(undone) > 0 {
		r.At(undone[0].At("tasks.md"),
			say.Count(len(undone), "task")+" "+say.Were(len(undone))+" ticked in the base but "+say.Are(len(undone))+
				" open now, and "+say.Verb(len(undone), "its", "their")+" work is not done: "+textsOf(undone)).
			Keyed(id).As(sdk.Info)
	}
	if len(replanned) > 0 {
		n := len(replanned)
		r.At(replanned[0].At("tasks.md"), say.Count(n, "task")+" "+say.Were(n)+" ticked in the base but "+say.Are(n)+
			" open now, with different details: "+textsOf(replanned)).Keyed("reopened").As(sdk.Info).
			Advise("Do the task again", "Do what the new details ask for, or tick the task if it is already done.")
	}
	now, _ := m.counts()
	then, _ := m.base.counts()
	all := then
	then -= len(list) + len(undone) + len(replanned)
	if len(other) > 0 && now < then { // otherwise, the ticks moved with the work
		lost := min(len(other), then-now)
		r.At(other[0].At("tasks.md"),
			"of "+say.Count(all, "tick")+" in the base, "+say.Int(lost)+" "+say.Are(lost)+
				" lost; reworded open tasks are in their place: "+textsOf(other)).Keyed("reworded").
			Advise("Carry the ticks over", "Tick the tasks whose work is already done.")
	}
}

// tickAgain offers to tick the open tasks that refute a claim if all of them lost their ticks since the base. The claim
// was then right.
func (m *model) tickAgain(r *check.Report, f *check.Finding, open []*task) *check.Finding {
	if slices.ContainsFunc(open, func(t *task) bool {
		was := m.before(t)
		return was == nil || !was.Ticked || was.FoldedTitle() != t.FoldedTitle() || m.reopened(t)
	}) {
		return f
	}
	return f.Offer(sdk.Review, again(open), m.ticksAgain(newSearch(r.Pass), open)...)
}

// ticksAgain returns the edits that tick tasks that lost their ticks, or nil if the files do not show that all of them
// are done.
func (m *model) ticksAgain(s *evidence.Search, list []*task) []sdk.Edit {
	if slices.ContainsFunc(list, func(t *task) bool {
		was := m.before(t)
		return len(m.untouched(s, t)) > 0 && !m.allUnticked() ||
			was.Folded() != t.Folded() && !evidence.Alike(was.Text, t.Text)
	}) {
		return nil
	}
	return m.ticks(s, list)
}

func again(list []*task) string {
	return say.Verb(len(list), "Tick the task again", "Tick the tasks again")
}

// reopened reports whether a task's details changed since the base together with requirements.md or design.md. The plan
// then changed, and the task is open again on purpose.
func (m *model) reopened(t *task) bool {
	was := m.before(t)
	if was == nil || was.Details() == t.Details() {
		return false
	}
	return slices.ContainsFunc([]string{"requirements.md", "bugfix.md", "design.md"}, func(path string) bool {
		now, then := m.docs.Get(path), m.base.docs.Get(path)
		if now == nil || then == nil {
			return false
		}
		kept, all := check.Kept(now, then)
		had, before := check.Kept(then, now)
		return kept < all || had < before
	})
}

// openAgain are words in a title that say why a task is open again.
var openAgain = []string{"reopen", "re-open", "redo", "rework", "reverted", "rolled back", "regression", "重新打开", "重做",
	"やり直し", "再開"}
