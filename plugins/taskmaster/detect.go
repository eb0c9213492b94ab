package taskmaster

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

// mostTags limits the lists that are shown.
const mostTags = 100

func detect(p *sdk.Pass) ([]sdk.Detection, error) {
	m := p.Model.(*model)
	if why := m.foreign(); why != "" {
		return nil, sdk.NotMine(why)
	}
	if d := p.Docs.Get(statePath); d != nil && !m.home {
		p.OverrideAll(d, sdk.Off) // another tool's file
	} else if d != nil {
		p.Override(statePath, "schema", "*", sdk.Warning)
	}
	if len(m.lists) == 0 {
		d := sdk.Detection{Lifecycle: life, Fit: sdk.FitUnknown}
		if m.read {
			d.Observed = life.Phases[0]
		}
		return []sdk.Detection{d}, nil
	}
	var list []sdk.Detection
	for i, l := range m.lists {
		if i == mostTags {
			break
		}
		d := sdk.Detection{Lifecycle: life, Subject: l.run.Subject, Fit: sdk.Consistent,
			Because: []sdk.Range{sdk.AtPointer(tasksPath, l.at+"/tasks")}}
		if len(m.lists) == 1 { // several lists share one document
			d.Files = []string{tasksPath, taskFiles}
		}
		if l.tag != "" && l.tag == m.current {
			d.Chosen = 1
		}
		work.Observe(&d, "tasks", func(yield func(status.Status) bool) {
			for _, t := range l.tasks {
				is := t.status
				if t.refuted() {
					is = status.InProgress
				}
				if !yield(is) {
					return
				}
			}
		})
		list = append(list, d)
	}
	return list, nil
}

// resume writes a list's brief: the task that Task Master would offer next.
func resume(p *sdk.Pass, d *sdk.Detection, found []sdk.Diagnostic) {
	m, b := p.Model.(*model), brief.Of(p, d, found)
	if b.First != "" {
		d.State = sdk.Blocked
	}
	l := m.list(d.Subject)
	if d.Subject == "" && len(m.lists) > 0 {
		l = m.lists[0]
	}
	b.Read(tasksPath)
	var next *task
	if l != nil {
		next = l.next()
	}
	// the next action covers a warning about its task
	b.Warn(slices.DeleteFunc(slices.Clone(found), func(f sdk.Diagnostic) bool {
		return next != nil && f.Rule == "open-with-done-parts" && f.Subject == next.subject()
	}))
	switch {
	case !m.read:
		b.Do("make tasks.json readable; stategate cannot tell which tasks are done")
		return
	case l != nil && len(l.tasks) == 0 && len(m.lists) > 1 && l.tag != cmp.Or(m.current, "master") && b.First == "":
		d.State = sdk.Finished
		return
	case l == nil || len(l.tasks) == 0:
		b.Do("add tasks to the list, which is empty")
		return
	}
	if d.Subject != "" && d.Subject != m.current && m.current != "" {
		b.Know("the current tag is " + say.Quote(m.current) + "; first run `task-master use-tag " +
			say.Word(d.Subject) + "`")
	}
	if off := l.off(); len(off) > 0 {
		b.Know(say.Count(len(off), "task") + " " + say.Are(len(off)) + " deferred or cancelled: " + work.Briefs(off))
	}
	if next == nil {
		if d.Observed == life.Phases[2] {
			if b.First == "" {
				d.State = sdk.Finished
			} else {
				b.Do("fix the findings; every task is done")
			}
			return
		}
		b.Do("finish or remove the dependencies of the open tasks; none of the tasks is ready")
	} else {
		do, then := "begin ", ", then set its status to done"
		switch {
		case next.subsDone():
			do, then = "check ", ", all of whose subtasks are done"+then
		case next.status == status.InProgress:
			do = "continue "
		case next.status == status.Review:
			do, then = "review ", next.unmarked()+then
		}
		b.DoWith(do+next.name()+": ", next.title, then)
	}
	var parts []brief.Part
	at := -1
	for _, t := range l.tasks {
		if t.status == status.Cancelled {
			continue
		}
		if t == next || next != nil && t == next.parent {
			at = len(parts)
		}
		part := brief.Part{Title: t.id + " " + t.title, Done: t.status == status.Done && !t.refuted()}
		switch {
		case t.untouched():
			part.Doubt = "none of its " + say.Count(len(t.subs), "subtask") + " is done"
		case t.unmarked() != "":
			part.Title += t.unmarked()
		case !part.Done && t.subsDone():
			part.Title += " (all its subtasks are done)"
		}
		parts = append(parts, part)
		if at == len(parts)-1 { // the next action names this task, or one of its subtasks
			left := slices.DeleteFunc(slices.Clone(t.open()), func(s *task) bool { return s == next })
			if len(left) > 0 {
				parts = append(parts, brief.Part{
					Title: say.Count(len(left), "open subtask") + " of task " + t.id + ": " + listed(left)})
			}
		}
		if did := t.done(); len(did) > 0 && !part.Done && !t.subsDone() {
			parts = append(parts, brief.Part{Title: say.Count(len(did), "subtask") + " of task " + t.id + ": " +
				listed(did), Done: true})
		}
	}
	b.Rest(at, parts)
	b.Closing = "set each task to done when it is, after its subtasks"
}

// next returns the next task whose dependencies are all met: a subtask of a task in progress or, if there is no such
// subtask, a task or one of its subtasks. Tasks in progress come before pending ones; then higher priority, fewer
// dependencies and an earlier position decide.
func (l *list) next() *task {
	var best *task
	take := func(t *task) {
		if t.status != status.Open && t.status != status.InProgress && t.status != status.Review || !t.met() {
			return
		}
		if best == nil || better(t, best) {
			best = t
		}
	}
	for _, t := range l.tasks {
		if t.status == status.InProgress {
			for _, s := range t.subs {
				take(s)
			}
		}
	}
	if best != nil {
		return best
	}
	for _, t := range l.tasks {
		if t.status != status.Done && t.status != status.Cancelled {
			take(t)
		}
	}
	if whole := best; whole != nil && whole.status != status.Review {
		best = nil
		for _, s := range whole.subs {
			take(s)
		}
		best = cmp.Or(best, whole)
	}
	return best
}

// unmarked returns a remark if a task is in review although none of its subtasks has begun, or "" otherwise.
func (t *task) unmarked() string {
	if t.status != status.Review || len(t.subs) == 0 || len(t.open()) < len(t.subs) ||
		slices.ContainsFunc(t.subs, func(s *task) bool { return s.status.Started() }) {
		return ""
	}
	return " (in review; no subtask has begun)"
}

func listed(list []*task) string { return strings.ReplaceAll(ids(list), ",", ", ") }

// off returns the tasks that are deferred or cancelled.
func (l *list) off() (list []*task) {
	for _, t := range l.tasks {
		if t.status == status.Cancelled {
			list = append(list, t)
		}
	}
	return list
}

func better(a, b *task) bool {
	if x, y := a.underway(), b.underway(); x != y {
		return x
	}
	if a.high != b.high {
		return a.high > b.high
	}
	return len(a.needs) < len(b.needs)
}
