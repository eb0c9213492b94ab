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
			r.At(t.At(), say.Wrong("the status of "+t.Called(), say.Quote(t.text),
				"pending, in-progress, review, done, deferred or cancelled")).Of(t.list.run).About(t.subject())
		}
	})
}

func statusUnknown(r *check.Report, m *model) {
	m.each(func(t *task) {
		if t.status == status.Unknown && words.Says(t.text) {
			r.At(t.At(), "the status of "+t.Called()+" is "+say.Quote(t.text)+
				", which is not a known word, so stategate does not compare it with other statuses").
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
	f.Offer(sdk.Review, "Set currentTag to "+
		say.Quote(m.lists[0].tag), sdk.SetText(statePath, "/currentTag", m.lists[0].tag))
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
