package backlog

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/graph"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words/status"
)

func names(list []*task) string {
	var ids []string
	for _, t := range list {
		ids = append(ids, t.id+" ("+say.Clip(t.text)+")")
	}
	return say.List(ids)
}

func doneEarly(r *check.Report, m *model) {
	for _, t := range m.tasks {
		var left []*task
		for _, s := range t.subs {
			if s.status.Left() {
				left = append(left, s)
			}
		}
		if t.active() && t.status == status.Done && len(left) > 0 {
			r.At(t.at("status"), t.id+" is done, but "+say.Count(len(left), "subtask")+" of it "+say.Are(len(left))+
				" not: "+names(left)).About(t.key).See(left[0].at("status"), left[0].id)
		}
	}
}

// lacks reports whether an id is that of no task: of none that can be read, and of no file that cannot.
func (m *model) lacks(id string) bool {
	key := keyOf(id)
	return key != "" && m.docs.Complete() && m.find(id) == nil && !slices.ContainsFunc(m.unread, func(t *task) bool {
		name := nameKey(t.name)
		return name[strings.LastIndexByte(name, '-'):] == key[strings.LastIndexByte(key, '-'):]
	})
}

func parentMissing(r *check.Report, m *model) {
	for _, t := range m.tasks {
		if t.folder == "tasks" && m.lacks(t.parent) {
			r.At(t.at("parent_task_id"), t.id+" names "+t.parent+" as its parent, which does not exist").About(t.key)
		}
	}
}

func needMissing(r *check.Report, m *model) {
	for _, t := range m.tasks {
		if t.folder != "tasks" {
			continue
		}
		for _, id := range t.needs {
			if !m.lacks(id) {
				continue
			}
			if f := r.At(t.at("dependencies"), t.id+" depends on "+id+
				", which does not exist").About(t.key).Keyed(keyOf(id)); over(t) {
				f.As(sdk.Warning)
			}
		}
	}
}

func needCircular(r *check.Report, m *model) {
	var keys []string
	for _, t := range m.tasks {
		keys = append(keys, t.key)
	}
	g := graph.New(keys...)
	for _, t := range m.tasks {
		for _, id := range t.needs {
			if on := m.find(id); m.byKey[t.key] == t && on != nil {
				g.Need(t.key, on.key)
			}
		}
	}
	for _, circle := range g.Cycles() {
		if !slices.ContainsFunc(circle, func(key string) bool { return m.byKey[key].active() }) {
			continue // it is put away
		}
		first := m.byKey[circle[0]]
		f := r.At(first.at("dependencies"), "tasks depend on each other in a circle: "+strings.Join(circle,
			" → ")).About(first.key)
		if !slices.ContainsFunc(circle, func(key string) bool { return !over(m.byKey[key]) }) {
			f.As(sdk.Warning)
		}
	}
}

func needOpen(r *check.Report, m *model) {
	for _, t := range m.tasks {
		if t.folder != "tasks" || t.status != status.Done {
			continue
		}
		var left []*task
		for _, id := range t.needs {
			if on := m.find(id); on != nil && on != t && on.key != keyOf(t.parent) && on.folder == "tasks" &&
				(on.status.Left()) {
				left = append(left, on)
			}
		}
		if len(left) > 0 {
			r.At(t.at("dependencies"), t.id+" is done, but depends on "+say.Count(len(left), "task")+" that "+
				say.Are(len(left))+" not: "+names(left)).About(t.key).See(left[0].at("status"), left[0].id)
		}
	}
}
