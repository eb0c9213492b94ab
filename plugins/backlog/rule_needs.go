package backlog

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/work"
)

// lacks reports whether no task has an id: neither a readable task nor an unreadable file whose name has its number.
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
			r.At(t.at("parent_task_id"), t.id+" has the parent "+t.parent+", which does not exist").About(t.key)
		}
	}
}

// milestoneMissing checks milestone ids, which Backlog.md writes. It skips titles, which projects choose.
func milestoneMissing(r *check.Report, m *model) {
	known := "|"
	for _, d := range m.docs.Match("{milestones,archive/milestones}/*.md") {
		name := file(d.Path)
		known += nameKey(name) + "|"
	}
	for _, t := range m.tasks {
		key := keyOf(t.goal)
		if t.folder != "tasks" || !strings.HasPrefix(key, "m-") || !m.docs.Complete() ||
			strings.Contains(known, "|"+key+"|") {
			continue
		}
		known += key + "|" // one finding for each milestone
		var list []*task
		for _, other := range m.tasks {
			if other.folder == "tasks" && keyOf(other.goal) == key {
				list = append(list, other)
			}
		}
		r.At(t.at("milestone"), say.Count(len(list), "task")+" "+say.Are(len(list))+" in the milestone "+t.goal+
			", which does not exist: "+work.Briefs(list)).Keyed(key)
	}
}
