package backlog

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

func detect(p *sdk.Pass) ([]sdk.Detection, error) {
	m := p.Model.(*model)
	if p.Name == "archive" {
		return nil, sdk.NotMine("it holds what a backlog has put away")
	}
	if len(m.tasks)+len(m.unread) == 0 && len(m.statuses) == 0 {
		return nil, sdk.NotMine("there is neither a task with an id nor a configuration with statuses")
	}
	if p.Name != "backlog" && p.Name != ".backlog" && len(m.statuses) == 0 && !slices.ContainsFunc(m.tasks,
		func(t *task) bool { return t.key == nameKey(t.name) && words.Says(t.text) }) {
		return nil, sdk.NotMine("no task has the id of its file name and a status")
	}
	d := sdk.Detection{Lifecycle: life, Observed: life.Phases[0], Fit: sdk.Consistent,
		Because: []sdk.Range{sdk.At("tasks/")}}
	finished, total := 0, 0
	for _, t := range m.tasks {
		if !t.active || t.draft() || t.status == status.Cancelled {
			continue
		}
		total++
		if t.over {
			finished++
		}
		if t.over || t.status == status.InProgress {
			d.Observed = life.Phases[1]
		}
	}
	if finished == total && total > 0 {
		d.Observed = life.Phases[2]
	}
	d.Progress = sdk.Progress{Done: finished, Total: total, Unit: "tasks"}
	return []sdk.Detection{d}, nil
}

// resume writes the brief: the task in progress, or else the first one that can be begun, by priority.
func resume(p *sdk.Pass, d *sdk.Detection, found []sdk.Diagnostic) {
	m, b := p.Model.(*model), brief.Of(p, d, found)
	if b.First != "" {
		d.State = sdk.Blocked
	}
	var next *task
	for _, t := range m.tasks {
		if t.folder == "tasks" && (t.status.Left()) && m.ready(t) &&
			(next == nil || t.before(next)) {
			next = t
		}
	}
	if next == nil {
		if d.Observed == life.Phases[2] {
			if b.First == "" {
				d.State = sdk.Finished
			} else {
				b.Do("fix what the findings name: every task is done")
			}
			return
		}
		if slices.ContainsFunc(m.tasks, func(t *task) bool { return t.folder == "tasks" && t.status.Left() }) {
			b.Do("settle what the open tasks wait for: none of them can be begun")
			return
		}
		b.Do("make a task, or promote a draft: none can be begun")
		return
	}
	b.Read(next.doc.Path)
	b.Warn(found)
	before, after := next.id+": ", ""
	switch b := next.lists(); {
	case b.criteria.all > 0 && b.criteria.open == 0 && b.done.open == 0:
		before, after = "check "+before, ", then set its status to "+m.done
	case next.status == status.InProgress && b.criteria.open > 0:
		before, after = "continue "+before, ": "+next.criteria()
	case next.status == status.InProgress:
		before = "continue " + before
	case next.status == status.Open:
		before = "begin " + before
	}
	b.DoWith(before, next.title, after)
	for _, t := range m.tasks {
		if t != next && t.folder == "tasks" && t.status == status.InProgress {
			b.Left("continue " + t.id + ": " + say.Clip(t.title))
		}
	}
	for _, t := range m.tasks {
		if t != next && t.folder == "tasks" && t.status == status.Open {
			b.Left(t.id + ": " + say.Clip(t.title))
		}
	}
	b.Closing = "tick each acceptance criterion when it is met, and set the status to " + m.done + " when all are"
}

// ready reports whether everything is done that a task depends on, and all its subtasks.
func (m *model) ready(t *task) bool {
	for _, id := range t.needs {
		if on := m.find(id); on != nil && !on.over {
			return false
		}
	}
	for _, s := range t.subs {
		if !s.over {
			return false
		}
	}
	return true
}

// before reports whether a task is to be done before another: what is in progress, then by priority.
func (t *task) before(o *task) bool {
	if t.status != o.status {
		return t.status == status.InProgress
	}
	return t.priority() > o.priority()
}

func (t *task) priority() int {
	switch t.front.Value("priority") {
	case "critical":
		return 3
	case "high":
		return 2
	case "low":
		return 0
	}
	return 1
}
