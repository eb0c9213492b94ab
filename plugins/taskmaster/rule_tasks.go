package taskmaster

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/graph"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

func (m *model) each(f func(*task)) {
	for _, l := range m.lists {
		for _, t := range l.all {
			f(t)
		}
	}
}

// bare reports whether a subtask has no status, which it need not have.
func (t *task) bare() bool { return t.parent != nil && !t.value.Get("status").Exists() }

func statusUnreadable(r *check.Report, m *model) {
	m.each(func(t *task) {
		if t.status == status.Unknown && !words.Says(t.text) && !t.bare() {
			r.At(t.where(), say.Wrong("the status of "+t.called(), say.Quote(t.text),
				"pending, in-progress, review, done, deferred or cancelled")).Of(t.list.run).About(t.subject())
		}
	})
}

func statusUnknown(r *check.Report, m *model) {
	m.each(func(t *task) {
		if t.status == status.Unknown && words.Says(t.text) {
			r.At(t.where(), "the status of "+t.called()+" is "+say.Quote(t.text)+
				", which is not a known word: nothing in this revision is compared with it").
				Of(t.list.run).About(t.subject())
		}
	})
}

func idMissing(r *check.Report, m *model) {
	m.each(func(t *task) {
		if t.short == "" {
			r.At(t.at(), "a task has no id: "+say.Quote(say.Clip(t.title))).Keyed(t.title)
		}
	})
}

func idRepeated(r *check.Report, m *model) {
	for _, l := range m.lists {
		for _, pair := range l.twice {
			first, second := pair[0], pair[1]
			f := r.At(sdk.AtPointer(tasksPath, second.pointer+"/id"),
				second.called()+" is there twice: "+say.Quote(say.Clip(first.title))+" and "+
					say.Quote(say.Clip(second.title))).
				Of(second.list.run).About(second.subject()).See(sdk.AtPointer(tasksPath, first.pointer+"/id"), "the first one")
			if first.status.Finished() && second.status.Finished() {
				f.As(sdk.Warning)
			}
		}
	}
}

func titles(list []*task) string {
	var names []string
	for _, t := range list {
		names = append(names, t.id+" "+say.Quote(say.Clip(t.title)))
	}
	return say.List(names)
}

func doneEarly(r *check.Report, m *model) {
	m.each(func(t *task) {
		left := t.open()
		if t.status != status.Done || len(left) == 0 {
			return
		}
		f := r.At(t.where(), t.called()+" is done, but "+say.Count(len(left), "subtask")+" of it "+say.Are(len(left))+
			" not: "+titles(left)).Of(t.list.run).About(t.subject()).
			See(left[0].where(), "the first of them").
			Offer(sdk.Review, "Set it to in-progress", sdk.SetText(tasksPath, t.pointer+"/status", "in-progress"))
		if !t.refuted() {
			f.As(sdk.Warning)
		}
	})
}

// refuted reports whether a subtask that is not even in review contradicts a task that is done: subtasks were begun, so
// that their statuses are kept.
func (t *task) refuted() bool {
	return t.status == status.Done && slices.ContainsFunc(t.subs, func(s *task) bool { return s.status.Started() }) &&
		slices.ContainsFunc(t.open(), func(s *task) bool { return s.status != status.Review })
}

func subtasksDone(r *check.Report, m *model) {
	m.each(func(t *task) {
		if t.status != status.Open && t.status != status.InProgress || len(t.subs) == 0 || len(t.open()) > 0 {
			return
		}
		finished := 0
		for _, s := range t.subs {
			if s.status == status.Done {
				finished++
			}
			if s.status == status.Unknown {
				return
			}
		}
		if finished > 0 {
			r.At(t.where(), t.called()+" is "+t.text+", but all its "+say.Count(len(t.subs), "subtask")+
				" are done").Of(t.list.run).About(t.subject()).
				Offer(sdk.Review, "Set it to done", sdk.SetText(tasksPath, t.pointer+"/status", "done"))
		}
	})
}

func (m *model) needs(f func(*task, need)) {
	m.each(func(t *task) {
		for _, n := range t.needs {
			f(t, n)
		}
	})
}

func needUnreadable(r *check.Report, m *model) {
	m.needs(func(t *task, n need) {
		if n.unread {
			r.At(sdk.AtPointer(tasksPath, n.pointer), "a dependency of "+t.called()+" is no id").
				Of(t.list.run).About(t.subject())
		}
	})
}

func needMissing(r *check.Report, m *model) {
	m.needs(func(t *task, n need) {
		if n.unread || n.on != nil {
			return
		}
		f := r.At(sdk.AtPointer(tasksPath, n.pointer),
			t.called()+" depends on "+n.id+", which does not exist").Of(t.list.run).About(t.subject()).Keyed(n.id).
			Offer(sdk.Review, "Take it out", sdk.Unset(tasksPath, n.pointer))
		if t.status.Finished() || t.parent != nil && t.parent.status.Finished() {
			f.As(sdk.Warning)
		}
	})
}

func needCircular(r *check.Report, m *model) {
	for _, l := range m.lists {
		ids := make([]string, len(l.all))
		for i, t := range l.all {
			ids[i] = t.id
		}
		g := graph.New(ids...)
		for _, t := range l.all {
			for _, n := range t.needs {
				if n.on != nil && n.on != t.parent {
					g.Need(t.id, n.on.id)
				}
			}
		}
		for _, circle := range g.Cycles() {
			first := l.byID[circle[0]]
			over := true
			for _, id := range circle {
				over = over && l.byID[id].status.Finished()
			}
			text := strings.Join(circle, " → ")
			f := r.At(sdk.AtPointer(tasksPath, first.pointer+"/dependencies"),
				"tasks depend on each other in a circle: "+text).Of(first.list.run).About(first.subject()).Keyed(text)
			if over {
				f.As(sdk.Warning)
			}
		}
	}
}

func needOpen(r *check.Report, m *model) {
	m.each(func(t *task) {
		var left []*task
		at := ""
		for _, n := range t.needs {
			if t.status == status.Done && n.on != nil && n.on != t && n.on.status.Left() && n.on.parent != t {
				if left = append(left, n.on); at == "" {
					at = n.pointer
				}
			}
		}
		if len(left) > 0 {
			r.At(sdk.AtPointer(tasksPath, at), t.called()+" is done, but depends on "+say.Count(len(left), "task")+
				" that "+say.Are(len(left))+" not: "+titles(left)).Of(t.list.run).About(t.subject()).
				See(left[0].where(), left[0].name())
		}
	})
}

func countMismatch(r *check.Report, m *model) {
	for _, l := range m.lists {
		finished := 0
		for _, t := range l.tasks {
			if t.status == status.Done {
				finished++
			}
		}
		for _, c := range []struct {
			key string
			is  int
		}{{"taskCount", len(l.tasks)}, {"completedCount", finished}} {
			v := l.value.Get("metadata").Get(c.key)
			if n, ok := v.Int(); ok && v.Kind() == jsondoc.Number && int(n) != c.is {
				at := l.at + "/metadata/" + c.key
				r.At(sdk.AtPointer(tasksPath, at),
					say.Wrong(c.key, v.Raw(), say.Int(c.is)+", as many as the list has")).
					Of(l.run).About(l.tag).Keyed(c.key).
					Offer(sdk.Safe, "Set "+c.key+" to "+say.Int(c.is), sdk.Set(tasksPath, at, say.Int(c.is)))
			}
		}
	}
}

func tagUnknown(r *check.Report, m *model) {
	if m.current == "" || !m.read || len(m.lists) == 0 || m.list(m.current) != nil {
		return
	}
	f := r.At(sdk.AtPointer(statePath, "/currentTag"),
		"currentTag is "+say.Quote(m.current)+", which tasks.json does not have")
	f.Offer(sdk.Review, "Set it to "+say.Quote(m.lists[0].tag), sdk.SetText(statePath, "/currentTag", m.lists[0].tag))
}

// fileStale compares the printed files of the list that is printed: that of the current tag.
func fileStale(r *check.Report, m *model) {
	l := m.list(m.current)
	if l == nil && len(m.lists) == 1 {
		l = m.lists[0]
	}
	if l == nil {
		return
	}
	type stale struct {
		t    *task
		d    *sdk.Document
		line int
		text string
	}
	var list []stale
	files := 0
	for _, d := range m.docs.Match(taskFiles) {
		name := strings.TrimPrefix(d.Path, "tasks/task_")
		name = strings.TrimLeft(name[:strings.IndexByte(name, '.')], "0")
		t := l.byID[name]
		if t == nil || len(d.Summary.Probes) == 0 || d.Summary.Probes[0].Count != 1 {
			continue
		}
		files++
		probe := d.Summary.Probes[0]
		text := strings.TrimSpace(strings.TrimPrefix(probe.LastText, "# Status:"))
		if is := statusOf(text); is != status.Unknown && t.status != status.Unknown && is != t.status {
			list = append(list, stale{t, d, probe.LastLine, text})
		}
	}
	for _, s := range list {
		f := r.At(sdk.AtLine(s.d.Path, s.line), s.d.Path+" says "+say.Quote(say.Clip(s.text))+", but "+s.t.called()+
			" is "+s.t.text).Of(s.t.list.run).About(s.t.subject()).See(s.t.where(), s.t.name())
		if 2*len(list) > files && len(list) > 1 {
			f.As(sdk.Info)
		}
	}
}
