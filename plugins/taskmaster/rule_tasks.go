package taskmaster

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
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

// bare reports whether a subtask has no status, which is optional.
func (t *task) bare() bool { return t.parent != nil && !t.value.Get("status").Exists() }

func statusUnreadable(r *check.Report, m *model) {
	m.each(func(t *task) {
		if t.status == status.Unknown && !words.Says(t.text) && !t.bare() {
			const expected = "pending, in-progress, review, done, deferred or cancelled"
			message := say.Wrong("the status of "+t.Called(), say.Quote(t.text), expected)
			if !t.value.Get("status").Exists() {
				message = t.Called() + " has no status; expected " + expected
			}
			r.At(t.At(), message).Of(t.list.run).About(t.subject())
		}
	})
}

// known are the statuses that some version of Task Master accepts.
var known = []string{"pending", "in-progress", "review", "done", "deferred", "cancelled", "blocked", "completed"}

// statusUnknown reports words that stategate cannot read. It also reports words for remaining or finished work that
// Task Master does not know: its next command never offers such a task, or waits for it. Other spellings of its own
// words are read as intended.
func statusUnknown(r *check.Report, m *model) {
	m.each(func(t *task) {
		if t.status == status.Unknown && words.Says(t.text) {
			r.At(t.At(), "the status of "+t.Called()+" is "+say.Quote(t.text)+
				", which neither Task Master nor stategate knows; nothing is compared with it").
				Of(t.list.run).About(t.subject())
		}
	})
	for _, l := range m.lists {
		by := map[string][]*task{}
		var found []string
		for _, t := range l.all {
			word := words.Lower(t.text)
			plain := strings.NewReplacer("_", "-", " ", "-").Replace(word)
			if t.status == status.Unknown || t.status == status.Cancelled || slices.Contains(known, plain) ||
				strings.Trim(word, "abcdefghijklmnopqrstuvwxyz-_ ") != "" {
				continue
			}
			if by[word] == nil {
				found = append(found, word)
			}
			by[word] = append(by[word], t)
		}
		for _, word := range found {
			first := by[word][0]
			r.At(first.At(), say.Count(len(by[word]), "task")+" "+say.Has(len(by[word]))+" the status "+
				say.Quote(first.text)+", which Task Master does not know: "+titles(by[word])).
				Of(l.run).About(l.tag).Keyed(word).
				Offer(sdk.Review, "Set the status to "+spelled[first.status], spell(by[word])...)
		}
	}
}

var spelled = map[status.Status]string{status.Open: "pending", status.InProgress: "in-progress",
	status.Review: "review", status.Done: "done"}

// spell returns the edits that write statuses in Task Master's words.
func spell(list []*task) (edits []sdk.Edit) {
	for _, t := range list {
		edits = append(edits, sdk.SetText(tasksPath, t.pointer+"/status", spelled[t.status]))
	}
	return edits
}

func idMissing(r *check.Report, m *model) {
	m.each(func(t *task) {
		if t.short == "" {
			r.At(t.at(), "a task has no id: "+say.Quote(say.Clip(t.title))).Keyed(t.title)
		}
	})
}

func titles(list []*task) string {
	var names []string
	for _, t := range list {
		names = append(names, t.id+" "+say.Quote(say.Clip(t.title)))
	}
	return say.List(names)
}

// refuted reports whether a task is done although a subtask is not even in review. It requires that some subtask has
// begun, which shows that the project keeps subtask statuses.
func (t *task) refuted() bool {
	return t.status == status.Done && slices.ContainsFunc(t.subs, func(s *task) bool { return s.status.Started() }) &&
		slices.ContainsFunc(t.open(), func(s *task) bool { return s.status != status.Review })
}

// untouched reports whether a task is done although none of its subtasks ever began. Task Master's set-status leaves
// them pending, so they prove nothing.
func (t *task) untouched() bool {
	return t.status == status.Done && len(t.subs) > 0 && len(t.open()) == len(t.subs) &&
		!slices.ContainsFunc(t.subs, func(s *task) bool { return s.status.Started() })
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
			r.At(sdk.AtPointer(tasksPath, n.pointer), "a dependency of "+t.Called()+" is not a task id").
				Of(t.list.run).About(t.subject())
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

// fileStale compares the printed files, such as task_001_TAG.md, with their tag's list. Files without a tag belong to
// master or the only list.
func fileStale(r *check.Report, m *model) {
	files, list := map[*list]int{}, []*stale{}
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
			list = append(list, &stale{t, d, probe.LastLine, text})
		}
	}
	for _, s := range list {
		f := r.AtLine(s.d.Path, s.line, s.d.Path+" says "+say.Quote(say.Clip(s.text))+", but "+s.t.Called()+" is "+
			s.t.text).Of(s.t.list.run).About(s.t.subject()).See(s.t.At(), s.t.name())
		n := 0
		for _, other := range list {
			if other.t.list == s.t.list {
				n++
			}
		}
		if s.t.list.tag != "" || 2*n > files[s.t.list] && n > 1 {
			f.As(sdk.Info)
		}
	}
}

// A stale is a printed file with a different status than the list.
type stale struct {
	t    *task
	d    *sdk.Document
	line int
	text string
}
