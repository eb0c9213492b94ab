package backlog

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

func names(list []*task) string {
	var ids []string
	for _, t := range list {
		ids = append(ids, t.id+" ("+say.Clip(t.text)+")")
	}
	return say.List(ids)
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
