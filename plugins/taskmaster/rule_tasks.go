package taskmaster

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

// bare reports whether a subtask has no status, which is optional.
func (t *task) bare() bool { return t.parent != nil && !t.value.Get("status").Exists() }

// known are the statuses that some version of Task Master accepts.
var known = []string{"pending", "in-progress", "review", "done", "deferred", "cancelled", "blocked", "completed"}

// statusUnknown reports a missing status, a word that stategate cannot read, and words for remaining or finished work
// that Task Master does not know, such as in_progress: its next command never offers a task with such a word, or never
// counts it as finished.
func statusUnknown(r *check.Report, m *model) {
	for _, l := range m.lists {
		for _, t := range l.all {
			if t.status != status.Unknown || t.bare() {
				continue
			}
			f := r.At(t.At(), say.Wrong("the status of "+t.Called(), say.Quote(t.text), "pending, in-progress, "+
				"review, done, deferred or cancelled")).Of(l.run).About(t.subject())
			if words.Says(t.text) {
				f.As(sdk.Warning)
			}
		}
		for _, list := range work.Grouped(l.all, (*task).foreignWord) {
			first := list[0]
			r.At(first.At(), say.Count(len(list), "task")+" "+say.Has(len(list))+" the status "+
				say.Quote(first.text)+", which Task Master does not know: "+work.Briefs(list)).
				Of(l.run).About(l.tag).Keyed(words.Lower(first.text)).As(sdk.Warning).
				Offer(sdk.Review, "Set the status to "+spelled[first.status], spell(list)...)
		}
	}
}

// foreignWord returns a task's status if it means remaining or finished work but Task Master does not know it.
// Otherwise it returns "".
func (t *task) foreignWord() string {
	word := words.Lower(t.text)
	if t.status == status.Unknown || t.status == status.Cancelled || strings.Trim(word,
		"abcdefghijklmnopqrstuvwxyz-_ ") != "" || slices.Contains(known, word) {
		return ""
	}
	return word
}

var spelled = map[status.Status]string{status.Open: "pending", status.InProgress: "in-progress",
	status.Review: "review", status.Done: "done"}

// spell returns the edits that write statuses in Task Master's words.
func spell(list []*task) (edits []sdk.Edit) {
	for _, t := range list {
		edits = append(edits, t.set(spelled[t.status]))
	}
	return edits
}

func idMissing(r *check.Report, m *model) {
	for _, l := range m.lists {
		for _, t := range l.all {
			if t.short == "" {
				r.At(t.at(), "a task has no id: "+say.Quote(t.title)).Keyed(t.title)
			}
		}
	}
}

// refuted reports whether a task is done although a subtask is not even in review. It requires that some subtask has
// begun, which shows that the project keeps subtask statuses.
func (t *task) refuted() bool {
	return t.status == status.Done && slices.ContainsFunc(t.subs, func(s *task) bool { return s.status.Started() }) &&
		slices.ContainsFunc(t.open(), func(s *task) bool { return s.status != status.Review })
}

// untouched reports whether a task is done although none of its subtasks ever began. Task Master's set-status leaves
// them pending, so they do not show that work remains.
func (t *task) untouched() bool {
	return t.status == status.Done && len(t.subs) > 0 && len(t.open()) == len(t.subs) &&
		!slices.ContainsFunc(t.subs, func(s *task) bool { return s.status.Started() })
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
					say.Wrong(c.key, v.Raw(), say.Int(c.is)+", the number in the list")).
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
	to := m.lists[0].tag
	if m.base != nil {
		if was := m.base.list(m.current); was != nil {
			f.Offer(sdk.Review, "Restore the list "+say.Quote(m.current), m.restore(was)...)
		} else if m.base.current != "" && m.list(m.base.current) != nil {
			to = m.base.current
		}
	}
	if to != "" {
		f.Offer(sdk.Review, "Set currentTag to "+say.Quote(to), sdk.SetText(statePath, "/currentTag", to))
	}
	for _, l := range m.lists { // each command fails until the tag is known
		if slices.ContainsFunc(l.tasks, func(t *task) bool { return !t.status.Finished() }) {
			f.Blocks(l.run)
		}
	}
}

// fileStale compares the generated files, such as task_001_TAG.md, with their tag's list. Files without a tag belong to
// master or the only list.
func fileStale(r *check.Report, m *model) {
	files, found := map[*list]int{}, map[*list][]*check.Finding{}
	for _, d := range m.docs.Match(taskFiles) {
		name := strings.TrimPrefix(d.Path, "tasks/task_")
		id, tag, _ := strings.Cut(name[:strings.LastIndexByte(name, '.')], "_")
		l := m.list(tag)
		if l == nil && tag == "" && len(m.lists) == 1 {
			l = m.lists[0]
		}
		if l == nil || len(d.Summary.Probes) == 0 || d.Summary.Probes[0].Count != 1 {
			continue
		}
		t := l.byID[strings.TrimLeft(id, "0")]
		if t == nil {
			continue
		}
		files[l]++
		probe := d.Summary.Probes[0]
		text := strings.TrimSpace(strings.TrimPrefix(probe.LastText, "# Status:"))
		if is := statusOf(text); is != status.Unknown && t.status != status.Unknown && is != t.status {
			f := r.AtLine(d.Path, probe.LastLine, d.Path+" says "+say.Quote(text)+", but "+
				t.Called()+" is "+t.text).Of(l.run).About(t.subject()).See(t.At(), t.name())
			if len(m.lists) > 1 { // the command writes the files of one list
				f.Advise("Regenerate or delete the files", "Run `task-master generate --tag "+
					say.Word(cmp.Or(l.tag, "master"))+"`, or delete the files.")
			}
			found[l] = append(found[l], f)
		}
	}
	for l, stale := range found {
		if l.tag != "" || 2*len(stale) > files[l] && len(stale) > 1 {
			for _, f := range stale {
				f.As(sdk.Info)
			}
		}
	}
}
