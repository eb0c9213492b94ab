package speckit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/work"
)

// same returns the current version of a base task, or nil if there is none. A task with the same id but different text
// is another task.
func (m *model) same(was *task) *task { return m.mine(m.pairs().Now(was.Task)) }

// before returns a task's version in the base, or nil if there is none.
func (m *model) before(t *task) *task { return m.base.mine(m.pairs().Before(t.Task)) }

// mine returns the model's task for one that a pairing found, or nil if the pairing found none or only one that has the
// same id.
func (m *model) mine(found *tasks.Task, how tasks.How) *task {
	if found == nil || how == tasks.Replaced {
		return nil
	}
	return &m.list[slices.IndexFunc(m.list, func(t task) bool { return t.Task == found })]
}

func (m *model) pairs() *tasks.Pairing {
	if m.pairing == nil {
		m.pairing = tasks.Pair(m.base.plain(), m.plain())
	}
	return m.pairing
}

// manyTicks is the number of lost ticks above which one remedy restores them all.
const manyTicks = 10

func taskUnticked(r *check.Report, m *model) {
	if m.base.form != boxes {
		return
	}
	var gone []pair // finished tasks whose ids belong to open tasks now
	s := m.newSearch(r.Pass)
	var lost []*check.Finding
	var edits [][]sdk.Edit
	for i := range m.base.list {
		was := &m.base.list[i]
		if was.state != done {
			continue
		}
		t := m.same(was)
		if t == nil {
			if t = m.of(was.ID); t != nil && t.state == open {
				gone = append(gone, pair{t, was})
			}
			continue
		}
		if t.state != open || m.base.of(was.ID) == nil || m.of(t.ID) == nil {
			continue
		}
		f := r.At(sdk.AtLine(tasksPath, t.Line), work.SayUnticked(t.ID, say.Line(m.base.tasks, was.Start))).Keyed(t.ID)
		files := t.allFiles()
		switch found := m.look(s, t, files, false); {
		case len(t.OpenParts()) > 0 || len(files) > 0 && found.gone && found.top == sdk.Present:
			f.As(sdk.Info) // work remains, so it was unticked for a good reason
		case len(files) > 0 && (found.gone || found.same && evidence.AllChanged(files)) ||
			m.mentions(t.ID, false):
			f.Advise("Tick it if it is done", "Check the work of "+t.ID+", and tick it if it is done.")
		default:
			lost, edits = append(lost, f), append(edits, t.TickAgain(tasksPath, was.Task, m.base.tasks.Text))
			f.Offer(sdk.Review, "Tick "+t.ID, edits[len(edits)-1]...)
		}
	}
	if len(lost) > manyTicks { // one remedy for each takes long to try and to apply
		for i, f := range lost {
			if f.Remedies = nil; i > 0 {
				f.Advise("Tick it if it is done", "Check the work of "+f.Key+", and tick it if it is done. The remedy "+
					"at "+lost[0].Key+" ticks all "+say.Int(len(lost))+".")
			}
		}
		lost[0].Offer(sdk.Review, "Tick these "+say.Count(len(lost), "task")+" again", slices.Concat(edits...)...)
	}
	if len(gone) > 0 && len(gone) > m.news(done) {
		idReused(r, m, gone)
	}
}

// idReused reports finished tasks of the base whose ids now belong to open tasks with dissimilar text.
func idReused(r *check.Report, m *model, gone []pair) {
	var names []string
	for _, p := range gone {
		names = append(names, p.was.ID+" was "+say.Quote(p.was.Title)+" and is "+say.Quote(p.t.Title))
	}
	n := len(gone)
	f := r.At(sdk.AtLine(tasksPath, gone[0].t.Line), say.Count(n, "task")+" that "+say.Were(n)+
		" ticked in the base "+say.Are(n)+" missing, and "+say.Verb(n, "an open task has its id", "open tasks have "+
		"their ids")+": "+say.List(names)).Keyed("reworded")
	kept := 0
	for i := range m.base.list {
		if m.same(&m.base.list[i]) != nil {
			kept++
		}
	}
	if kept*2 < len(m.base.list) { // the whole list was rewritten
		f.Offer(sdk.Review, "Restore tasks.md", sdk.Restore(tasksPath))
	} else {
		f.Offer(sdk.Review, "Restore the finished "+say.Verb(n, "task", "tasks")+", and renumber the new "+
			say.Verb(n, "one", "ones"), m.putBefore(gone)...)
	}
	f.Advise("Keep the finished tasks", "Restore the finished tasks, and give new work new ids.",
		"If a new task is a finished one in other words, tick it instead.")
}

// putBefore returns edits that restore each base task before the task that has its id now, and renumber that task. It
// returns nil if the two are at different depths, or if the edits could be ambiguous; see renumber.
func (m *model) putBefore(gone []pair) []sdk.Edit {
	var list []*task
	for _, p := range gone {
		if p.t.Depth != p.was.Depth || p.was.ItemEnd != p.was.End {
			return nil
		}
		list = append(list, p.t)
	}
	edits := m.renumber(list)
	for i := range edits {
		at, was := gone[i].t.Start, gone[i].was
		text := strings.TrimRight(m.base.tasks.Text[was.Start:was.ItemEnd], " \t\r\n")
		indent := m.tasks.Text[strings.LastIndexByte(m.tasks.Text[:at], '\n')+1 : at]
		edits = append(edits, sdk.Replace(sdk.AtBytes(tasksPath, at, at), text+"\n"+indent))
	}
	return edits
}

// news counts the tasks in any of the given states that have no version in the base.
func (m *model) news(any ...state) (n int) {
	for i := range m.list {
		if t := &m.list[i]; slices.Contains(any, t.state) && m.before(t) == nil {
			n++
		}
	}
	return n
}

// struckOut reports whether a task was struck out together with its checkbox, as in "- ~~[x] T007 Write it~~". It is
// then no longer a task.
func (m *model) struckOut(id string) bool {
	for line := range strings.Lines(m.tasks.Text) {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t-*+"), "~~["); ok {
			_, rest, _ = strings.Cut(rest, "]")
			if rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " *"), id); ok &&
				(rest == "" || !words.IsWord(rest[0])) {
				return true
			}
		}
	}
	return false
}

// isLost returns a function that reports whether a base task had the given state, is missing now and was not struck
// out.
func (m *model) isLost(s state) func(*tasks.Task) bool {
	return func(t *tasks.Task) bool {
		return m.base.mine(t, tasks.Same).state == s && !m.has(t.ID) && !m.struckOut(t.ID)
	}
}

// taskDropped reports deleted tasks. While other tasks are open, it reports deleted open tasks only if no document
// mentions them and fewer tasks are new than were deleted: otherwise they may have been reworded or merged.
func taskDropped(r *check.Report, m *model) {
	if m.base.form != boxes {
		return
	}
	key := "" // only a second finding needs one
	put := func(state, why string, gone []*tasks.Task, back []sdk.Edit) *check.Finding {
		var names []string
		for _, t := range gone {
			names = append(names, t.Name()+" "+say.Quote(t.Title))
		}
		f := r.Whole(tasksPath, why+work.SayGone(len(gone), "task", state)+": "+say.List(names)).Keyed(key).
			Offer(sdk.Review, "Restore the tasks from the base", back...).
			Advise("Restore the tasks", "Restore the tasks. Strike out abandoned ones, with the reason.")
		key = "ticked"
		return f
	}
	p, before, now := m.pairs(), m.base.tasks.Text, m.tasks.Text
	if lost := p.Gone(m.isLost(open)); m.complete() && len(lost) > 0 {
		f := put("open", "every task is ticked, but ", lost, p.PutBack(tasksPath, before, now, lost))
		if m.news(open, done, off) > 0 {
			f.As(sdk.Warning)
		}
	} else if m.base.started() {
		gone, back := p.Deleted(tasksPath, before, now, func(t *tasks.Task) bool {
			return m.base.mine(t, tasks.Same).state == open && !m.mentions(t.ID, true) && !m.struckOut(t.ID)
		})
		if len(gone) > 0 {
			put("open", "", gone, back).As(sdk.Warning)
		}
	}
	if gone, back := p.Deleted(tasksPath, before, now, m.isLost(done)); len(gone) > 0 && m.news(open, done, off) == 0 {
		put("ticked", "", gone, back).As(sdk.Warning)
	}
}

// mentions reports whether a document has a new line that names an id, such as "T007 is part of T006", outside comments
// and examples and, unless inTasks is set, outside tasks. An old line does not say why its task was deleted or
// reopened.
func (m *model) mentions(id string, inTasks bool) bool {
	return slices.ContainsFunc(m.read(), func(d *sdk.Document) bool {
		was := m.base.docs.Get(d.Path)
		for line := range strings.Lines(tasks.Told(d.Text, m.plain())) {
			line = words.TrimLeft(strings.TrimRight(line, " \r\n"), " \t-*+>")
			if words.Names(line, id) && (inTasks || line[0] != '[') &&
				(was == nil || !strings.Contains(was.Text, line)) {
				return true
			}
		}
		return false
	})
}

func documentLost(r *check.Report, m *model) {
	if !m.base.started() {
		takenBack(r, m)
		return
	}
	if m.base.form == boxes && m.tasks.Readable() && m.form == none && m.written(m.tasks) {
		f := r.Whole(tasksPath, "tasks.md lists no tasks; "+say.Int(m.base.done)+" of "+
			say.Count(m.base.total(), "task")+" "+say.Are(m.base.done)+" ticked in the base")
		if strings.TrimSpace(m.tasks.Text) == "" || check.OnlyTitles(m.tasks) {
			f.Offer(sdk.Review, "Restore tasks.md", sdk.Restore(tasksPath))
		}
		f.Advise("Restore the tasks", "Restore tasks.md from git history.")
	}
	for _, was := range []*sdk.Document{m.base.spec, m.base.plan, m.base.tasks} {
		if was == nil {
			continue
		}
		how, now := " is missing; ", m.docs.Get(was.Path)
		if now != nil {
			if how = check.Emptied(now, was) + "; "; m.overwritten(was.Path) {
				how = " is the template again; "
			} else if how == "; " || was.Path == tasksPath {
				continue
			}
		} else if !m.docs.Known(was.Path) {
			continue
		}
		f := r.Whole(was.Path, was.Path+how+say.Int(m.base.done)+" of "+say.Count(m.base.total(), "task")+" "+
			say.Are(m.base.done)+" ticked in the base").
			Offer(sdk.Review, "Restore "+was.Path, sdk.Restore(was.Path))
		if was.Path == planPath && m.base.complete() {
			f.As(sdk.Warning)
		}
	}
}

// takenBack reports a document that was deleted before work began. The next step may write it again, so the finding is
// only a warning. It is an error for tasks.md if the feature is marked complete, because the deleted tasks would refute
// that. Without the finding, a deletion could hide a fault in the document. If tasks.md exists, spec-missing reports a
// missing spec.
func takenBack(r *check.Report, m *model) {
	for _, was := range []*sdk.Document{m.base.spec, m.base.plan, m.base.tasks} {
		if !was.Readable() {
			continue
		}
		now := m.docs.Get(was.Path)
		over, how := m.overwritten(was.Path), check.Emptied(now, was)
		if was.Path == tasksPath {
			how = "" // task-id-lost and item-lost report it
		}
		if !over && how == "" && (now != nil || !m.docs.Known(was.Path) || was.Path == specPath && m.tasks != nil) {
			continue
		}
		message, at := was.Path+cmp.Or(how, " was deleted")+" before any task was ticked in the base", sdk.At(was.Path)
		if over {
			message = was.Path + " was overwritten with its template"
		}
		claims := m.wholeClaims()
		refuted := was.Path == tasksPath && len(claims) > 0
		if refuted {
			message, at = claims[0].text+", but "+message, sdk.AtLine(claims[0].path, claims[0].line)
		}
		f := r.At(at, message).Keyed(was.Path).Offer(sdk.Review, "Restore "+was.Path, sdk.Restore(was.Path))
		if !refuted {
			f.As(sdk.Warning)
		}
	}
}

func cutShort(r *check.Report, _ *model) { r.CutShort(specPath, planPath, tasksPath) }
