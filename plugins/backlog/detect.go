package backlog

import (
	"cmp"
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

func detect(p *sdk.Pass) ([]sdk.Detection, error) {
	m := p.Model.(*model)
	if p.Name == "archive" {
		return nil, sdk.NotMine("it is a backlog's archive")
	}
	if len(m.tasks)+len(m.unread) == 0 && len(m.statuses) == 0 {
		return nil, sdk.NotMine("it contains neither a task with an id nor a configuration with statuses")
	}
	if p.Name != "backlog" && p.Name != ".backlog" && len(m.statuses) == 0 && !slices.ContainsFunc(m.tasks,
		func(t *task) bool { return t.key == nameKey(t.name) && words.Says(t.text) }) {
		return nil, sdk.NotMine("no task has a status and the same id as its file name")
	}
	for _, path := range configPaths {
		if p.Docs.Get(path) != nil {
			p.Override(path, "schema", "*", sdk.Warning)
		}
	}
	d := sdk.Detection{Lifecycle: life, Fit: sdk.Consistent, Because: []sdk.Range{sdk.At("tasks/")}}
	work.Observe(&d, "tasks", func(yield func(status.Status) bool) {
		for _, t := range m.active {
			is := t.status
			if t.folder == "completed" && t.over {
				is = status.Done
			}
			if !t.draft() && t.status != status.Cancelled && !yield(is) {
				return
			}
		}
	})
	return []sdk.Detection{d}, nil
}

// resume writes the brief: the task in progress or, if there is none, the first one that can begin, by priority.
func resume(p *sdk.Pass, d *sdk.Detection, found []sdk.Diagnostic) {
	m, b := p.Model.(*model), brief.Of(p, d, found)
	if b.First != "" {
		d.State = sdk.Blocked
	}
	var next *task
	for _, t := range m.tasks {
		if t.folder == "tasks" && t.status.Left() && m.ready(t) && (next == nil || m.comes(t, next)) {
			next = t
		}
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
		if i := slices.IndexFunc(m.tasks, (*task).shelved); i >= 0 {
			b.Do("decide about " + m.tasks[i].id + ", which is in completed, but not done: move it back to tasks, or " +
				"set its status to " + m.done)
			return
		}
		if slices.ContainsFunc(m.tasks, func(t *task) bool { return t.folder == "tasks" && t.status.Left() }) {
			b.Do("finish or remove the dependencies of the open tasks; no task can begin")
			return
		}
		b.Do("create a task or promote a draft; no task can begin")
		return
	}
	b.Read(next.doc.Path)
	b.Warn(found)
	before, after := next.id+": ", ""
	switch b := next.lists(); {
	case b.criteria.off > 0 && b.criteria.open == 0 && next.status == status.InProgress:
		c := b.criteria
		before, after = "continue "+before, ": "+work.SayTicked(c.ticked, c.all+c.off, "acceptance criterion")+
			", and "+say.Int(c.off)+" "+say.Are(c.off)+" put off"
	case next.met():
		before, after = "check "+before, ", then set its status to "+m.done
	case next.human() != "":
		before, after = "ask who does "+before, ", which has the label "+next.human()
	case next.status == status.InProgress && b.criteria.open > 0:
		before, after = "continue "+before, ": "+next.criteria()
	case next.status == status.InProgress:
		before = "continue " + before
	case next.status == status.Open:
		if before = "begin " + before; next.subsDone() {
			after = "; all its subtasks are done"
		}
	}
	b.DoWith(before, next.title, after)
	for _, t := range m.tasks {
		switch begun := t != next && t.folder == "tasks" && t.status == status.InProgress; {
		case begun && t.met():
			b.Left(t.doubt())
		case begun:
			b.Left("continue " + t.brief())
		}
	}
	claimed := m.claimed()
	for _, t := range m.tasks {
		switch {
		case t.shelved():
			b.Left("check " + t.id + ": " + say.Clip(t.title) + ", which is in completed, but not done")
		case t != next && t.folder == "tasks" && t.status == status.Open && slices.Contains(claimed, t):
			b.Left(t.doubt())
		case t != next && t.folder == "tasks" && t.status == status.Open:
			b.Left(t.brief())
		}
	}
	b.Closing = "tick each acceptance criterion when it is met, and set the status to " + m.done + " when all are met"
}

// ready reports whether all of a task's dependencies are done. As in Backlog.md, a task that has not begun also waits
// for its subtasks and for dependencies that do not exist.
func (m *model) ready(t *task) bool {
	begun := t.status == status.InProgress
	for _, id := range t.needs {
		if on := m.find(id); on != nil && !on.over || !begun && m.lacks(id) {
			return false
		}
	}
	return begun || !t.waits()
}

// brief names a task in the brief, with the label that reserves it for a human.
func (t *task) brief() string {
	text := t.id + ": " + say.Clip(t.title)
	if label := t.human(); label != "" {
		text += " (" + label + ")"
	}
	return text
}

// doubt names a task whose criteria are all ticked although its status is not done.
func (t *task) doubt() string {
	return "check " + t.brief() + ", whose acceptance criteria are all ticked"
}

// human and agent are labels that say who may do a task.
var (
	human = []string{"human", "human-only", "for-human", "needs-human", "ready-for-human"}
	agent = []string{"ready-for-agent"}
)

// human returns the label that reserves a task for a human, or "" if there is none.
func (t *task) human() string { return t.labeled(human) }

// labeled returns the first of a task's labels that is in a list, or "" if there is none.
func (t *task) labeled(list []string) string {
	if e := t.front.Get("labels"); e != nil {
		for _, label := range e.List {
			if slices.Contains(list, words.Lower(label)) {
				return label
			}
		}
	}
	return ""
}

// shelved reports whether an unfinished task is among the completed ones.
func (t *task) shelved() bool { return t.folder == "completed" && t.status.Left() }

// waits reports whether a task has an open subtask.
func (t *task) waits() bool {
	return slices.ContainsFunc(t.subs, func(s *task) bool { return !s.over })
}

// subsDone reports whether a task has subtasks, none is open, and one is done.
func (t *task) subsDone() bool {
	return !t.waits() && slices.ContainsFunc(t.subs, func(s *task) bool { return s.status == status.Done })
}

// comes reports whether t comes before o. Tasks that a human must do come last. Tasks in progress come first, but after
// their subtasks. Then come tasks that are ready for an agent. Tasks in progress with open criteria come before those
// that seem to be done. Then the priority decides, and then the last update: of the task itself if it is in progress,
// and otherwise of its siblings.
func (m *model) comes(t, o *task) bool {
	if a := t.human() == ""; a != (o.human() == "") {
		return a
	}
	if a, b := m.rank(t), m.rank(o); a != b {
		return a > b
	}
	if a := t.labeled(agent); (a != "") != (o.labeled(agent) != "") {
		return a != ""
	}
	begun := t.status == status.InProgress && o.status == status.InProgress
	if a := t.met(); begun && a != o.met() {
		return !a
	}
	if a, b := t.priority(), o.priority(); a != b {
		return a > b
	}
	if begun {
		return t.touched() > o.touched()
	}
	return m.lately(t) > m.lately(o)
}

// lately returns when work on a task's siblings was last recorded, or "" if none has begun or their parent is finished.
func (m *model) lately(t *task) (last string) {
	if p := m.find(t.parent); p != nil && !p.over {
		for _, s := range p.subs {
			if s != t && s.status.Started() {
				last = max(last, "since "+s.touched())
			}
		}
	}
	return last
}

// touched returns when a task was last changed, in Backlog.md's date format, which sorts by time.
func (t *task) touched() string {
	return cmp.Or(t.front.Value("updated_date"), t.front.Value("created_date"))
}

func (m *model) rank(t *task) int {
	switch p := m.find(t.parent); {
	case t.status == status.InProgress && !t.waits():
		return 3
	case p != nil && p != t && p.status == status.InProgress:
		return 2
	case t.status == status.InProgress:
		return 1
	}
	return 0
}

// priority returns a number that grows with the priority. As in Backlog.md, a task without one comes last.
func (t *task) priority() int {
	return 1 + slices.Index([]string{"low", "medium", "high", "critical"}, words.Lower(t.front.Value("priority")))
}
