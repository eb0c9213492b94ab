package backlog

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/graph"
	"github.com/stategate/stategate/sdk/say"
)

func idRepeated(r *check.Report, m *model) {
	for _, pair := range m.twice {
		first, second := pair[0], pair[1]
		f := r.At(second.at("id"), second.id+" is there twice: "+first.doc.Path+" and "+second.doc.Path).Of(second.key).Keyed(second.doc.Path).See(first.at("id"), "the other one")
		if over(first) && over(second) || first.folder == "drafts" || second.folder == "drafts" {
			f.As(sdk.Warning)
		}
	}
}

// pagesRepeated compares the ids of documents and decisions. An id is that of the front matter, or else that of the file name.
func pagesRepeated(r *check.Report, m *model) {
	first := map[string]sdk.Range{}
	for _, d := range m.docs.Match("{docs,decisions}/**/*.md") {
		id, at := "", sdk.At(d.Path)
		if _, name := split(d.Path); numbered(name) {
			id, _, _ = strings.Cut(strings.TrimSuffix(name, ".md"), " ")
		}
		if len(d.Summary.Probes) == 1 && d.Summary.Probes[0].Count == 1 {
			probe := d.Summary.Probes[0]
			id, at = strings.Trim(strings.TrimPrefix(probe.LastText, "id:"), " '\""), sdk.AtLine(d.Path, probe.LastLine)
		}
		key := keyOf(id)
		if !strings.HasPrefix(key, "doc-") && !strings.HasPrefix(key, "decision-") {
			continue
		}
		if other, ok := first[key]; ok {
			r.At(at, id+" is there twice: "+other.Path+" and "+d.Path).Of(key).Keyed(d.Path).See(other, "the other one")
			continue
		}
		first[key] = at
	}
}

func over(t *task) bool { return t.status == done || t.status == off || t.folder == "completed" }

func idUnlikeName(r *check.Report, m *model) {
	for _, t := range m.tasks {
		if key := nameKey(t.name); key != "" && key != t.key && t.active() {
			r.At(t.at("id"), "the id is "+t.id+", but the file is "+t.name).Of(t.key).Keyed(t.doc.Path)
		}
	}
}

func taskUnreadable(r *check.Report, m *model) {
	for _, t := range m.unread {
		if t.doc.Readable() && t.active() {
			f := r.Whole(t.doc.Path, t.doc.Path+" is named like a task, but has no front matter with an id").Keyed(t.doc.Path)
			if m.base == nil || !slices.ContainsFunc(m.base.tasks, func(was *task) bool { return was.doc.Path == t.doc.Path }) {
				f.As(sdk.Warning)
			}
		}
	}
	for _, t := range m.tasks {
		if t.unclosed && t.active() {
			f := r.Whole(t.doc.Path, "the front matter of "+t.doc.Path+" has no closing ---").Keyed(t.doc.Path)
			whole := func(was *task) bool { return was.doc.Path == t.doc.Path && !was.unclosed }
			if m.base == nil || !slices.ContainsFunc(m.base.tasks, whole) {
				f.As(sdk.Warning)
			}
		}
	}
}

// meant reports whether a text has a letter or a digit, so that somebody may have meant it.
func meant(text string) bool {
	return strings.IndexFunc(text, func(c rune) bool {
		return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0xaa
	}) >= 0
}

func statusMissing(r *check.Report, m *model) {
	for _, t := range m.tasks {
		if t.folder == "tasks" && !meant(t.text) {
			r.At(t.at("status"), say.Wrong("the status of "+t.id, say.Quote(t.text), m.expected())).Of(t.key)
		}
	}
}

// expected names the statuses that a task may have.
func (m *model) expected() string {
	if len(m.statuses) == 0 {
		return "To Do, In Progress or Done"
	}
	return "one of " + say.List(m.statuses)
}

func statusUnknown(r *check.Report, m *model) {
	if len(m.statuses) == 0 {
		return
	}
	for _, t := range m.tasks {
		if t.folder != "tasks" || !meant(t.text) || m.place(t.text) >= 0 || strings.EqualFold(t.text, "draft") {
			continue
		}
		if f := r.At(t.at("status"), say.Wrong("the status of "+t.id, say.Quote(t.text), m.expected())).Of(t.key); t.status == off {
			f.As(sdk.Info)
		}
	}
}

// last is the status that means done.
func (m *model) last() string {
	for _, s := range m.statuses {
		if m.statusOf(s) == done {
			return s
		}
	}
	return "Done"
}

func completedNotDone(r *check.Report, m *model) {
	for _, t := range m.tasks {
		if t.folder == "completed" && (t.status == todo || t.status == progress) {
			r.At(t.at("status"), t.id+" is in completed, but its status is "+say.Quote(t.text)).Of(t.key).Offer(sdk.Review, "Set it to "+m.last(), t.set(m.last())...)
		}
	}
}

func criteriaOpen(r *check.Report, m *model) {
	for _, t := range m.tasks {
		if t.folder == "tasks" && t.status == done && t.ticked > 0 && t.ticked < t.boxes {
			f := r.At(sdk.AtLine(t.doc.Path, t.open), t.id+" is done, but "+t.criteria()).Of(t.key).See(t.at("status"), "its status")
			switch {
			case m.unticked(t):
			case t.explained():
				f.As(sdk.Info)
			case 4*t.ticked < t.boxes:
				f.As(sdk.Warning) // they are hardly kept
			}
		}
	}
}

// unticked reports whether fewer criteria of a task are ticked than in the base, where it was done, too.
func (m *model) unticked(t *task) bool {
	if m.base == nil {
		return false
	}
	was := m.base.byKey[t.key]
	return was != nil && was.title == t.title && was.status == done && was.ticked > t.ticked && was.boxes <= t.boxes
}

func (t *task) criteria() string {
	return say.Int(t.ticked) + " of its " + say.Int(t.boxes) + " acceptance criteria " + are(t.ticked) + " ticked"
}

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
			if s.status == todo || s.status == progress {
				left = append(left, s)
			}
		}
		if t.active() && t.status == done && len(left) > 0 {
			r.At(t.at("status"), t.id+" is done, but "+say.Count(len(left), "subtask")+" of it "+are(len(left))+" not: "+names(left)).Of(t.key).See(left[0].at("status"), left[0].id)
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
			r.At(t.at("parent_task_id"), t.id+" names "+t.parent+" as its parent, which does not exist").Of(t.key)
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
			if f := r.At(t.at("dependencies"), t.id+" depends on "+id+", which does not exist").Of(t.key).Keyed(keyOf(id)); over(t) {
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
		f := r.At(first.at("dependencies"), "tasks depend on each other in a circle: "+strings.Join(circle, " → ")).Of(first.key)
		if !slices.ContainsFunc(circle, func(key string) bool { return !over(m.byKey[key]) }) {
			f.As(sdk.Warning)
		}
	}
}

func needOpen(r *check.Report, m *model) {
	for _, t := range m.tasks {
		if t.folder != "tasks" || t.status != done {
			continue
		}
		var left []*task
		for _, id := range t.needs {
			if on := m.find(id); on != nil && on != t && on.key != keyOf(t.parent) && on.folder == "tasks" && (on.status == todo || on.status == progress) {
				left = append(left, on)
			}
		}
		if len(left) > 0 {
			r.At(t.at("dependencies"), t.id+" is done, but depends on "+say.Count(len(left), "task")+" that "+are(len(left))+" not: "+names(left)).Of(t.key).See(left[0].at("status"), left[0].id)
		}
	}
}

// many is how many tasks must be gone for it to be no decision about single ones.
const many = 5

// gone are the tasks of the base that are nowhere and were put away neither there nor here.
func (m *model) gone(of func(*task) bool) []*task {
	if !m.docs.Complete() {
		return nil
	}
	titles := map[string]bool{}
	for _, t := range m.tasks {
		titles[t.title] = true
	}
	var lost []*task
	for _, was := range m.base.tasks {
		if !of(was) || titles[was.title] || m.docs.Get(was.doc.Path) != nil {
			continue
		}
		// Or another task, which had the id then, too, or has taken it since.
		is := m.find(was.id)
		if is == nil || m.base.docs.Get(is.doc.Path) != nil || m.docs.Known(was.doc.Path) && was.unlike(is) {
			lost = append(lost, was)
		}
	}
	return lost
}

// unlike reports whether two tasks with the same id, but different titles and file names, share no line of prose.
// A task that only got a new title keeps its text. If one has no prose, they may be the same task.
func (t *task) unlike(o *task) bool {
	mine, other := t.prose(), o.prose()
	shared := func(line string) bool { return slices.Contains(other, line) }
	return len(mine) > 0 && len(other) > 0 && !slices.ContainsFunc(mine, shared)
}

// prose lists the lines of a task that are no headings, comments or acceptance criteria.
func (t *task) prose() (list []string) {
	for line := range strings.Lines(t.body) {
		line = strings.TrimSpace(line)
		box := strings.HasPrefix(line, "- [") || strings.HasPrefix(line, "* [")
		if line != "" && line[0] != '#' && !strings.HasPrefix(line, "<!--") && !box {
			list = append(list, line)
		}
	}
	return list
}

func unfinished(t *task) bool { return t.folder == "tasks" && !over(t) }

func givenUp(t *task) bool { return t.folder == "tasks" && t.status == off }

func finished(t *task) bool {
	return t.folder == "completed" || t.folder == "tasks" && t.status == done
}

func tasksLost(r *check.Report, m *model) {
	if lost := m.gone(unfinished); len(lost) >= many {
		r.Whole("tasks/", say.Count(len(lost), "task")+" of the base that were not done are gone: "+names(lost))
	}
}

func taskLost(r *check.Report, m *model) {
	lost := m.gone(unfinished)
	if len(lost) >= many {
		lost = nil
	}
	for _, was := range append(lost, m.gone(givenUp)...) {
		message := was.id + " is gone; in the base it is " + say.Quote(was.text) + ": " + say.Quote(say.Clip(was.title))
		f := r.Whole(was.doc.Path, message).Of(was.key)
		if is := m.byKey[was.key]; is != nil && is.active() {
			f.See(is.at("id"), "another task has the id now").
				Advise("Restore it", "Give the new task the next free number, then restore "+was.doc.Path+".")
			continue
		}
		f.Offer(sdk.Review, "Restore it", sdk.Restore(was.doc.Path))
	}
}

func doneTaskLost(r *check.Report, m *model) {
	var edits []sdk.Edit
	lost := m.gone(finished)
	for _, was := range lost {
		edits = append(edits, sdk.Restore(was.doc.Path))
	}
	if len(lost) > 0 {
		r.Whole(lost[0].doc.Path, say.Count(len(lost), "task")+" done in the base "+are(len(lost))+" gone: "+names(lost)).Offer(sdk.Review, "Restore what is gone", edits...)
	}
}

func reopened(r *check.Report, m *model) {
	for _, was := range m.base.tasks {
		is := m.find(was.id)
		if was.status == done && was.active() && is != nil && is.title == was.title && (is.status == todo || is.status == progress) {
			r.At(is.at("status"), is.id+" is "+say.Quote(is.text)+", but was done in the base").Of(is.key).Offer(sdk.Review, "Set it to "+m.last(), is.set(m.last())...)
		}
	}
}

// criteriaEnd is what Backlog.md writes behind the criteria.
const criteriaEnd = "<!-- AC:END -->"

func (t *task) closed() bool { return strings.Contains(t.body, criteriaEnd) }

// criteriaLost compares the criteria of tasks that were done and are: what was proved is the record of a task.
func criteriaLost(r *check.Report, m *model) {
	for _, was := range m.base.tasks {
		is := m.find(was.id)
		if was.status != done || was.ticked == 0 || is == nil || is.status != done || is.title != was.title {
			continue
		}
		then := "; the base has " + say.Int(was.boxes) + ", " + say.Int(was.ticked) + " of them ticked"
		switch {
		case is.boxes == 0 && !is.explained():
			r.At(is.at("status"), is.id+" is done, but has no acceptance criteria any more"+then).Of(is.key)
		case is.boxes > 0 && was.closed() && !is.closed():
			r.At(is.at("status"), is.id+" is done, but its acceptance criteria break off: "+criteriaEnd+" is missing behind them"+then).Of(is.key)
		}
	}
}

func are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
