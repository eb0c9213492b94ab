package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/work"
)

// A pair is a task and an earlier one with the same id.
type pair struct{ t, was *task }

// renumber returns edits that give tasks the next free ids. It returns nil if the base has one of the tasks, or if
// another task depends on one of their ids and the base does not show which task it refers to.
func (m *model) renumber(list []*task) (edits []sdk.Edit) {
	next := m.nextID()
	for _, t := range list {
		unclear := m.base != nil && m.before(t) != nil || slices.ContainsFunc(m.list, func(o task) bool {
			return slices.Contains(o.needs, t.ID) && !m.needed(&o, t.ID)
		})
		if next == nil || t.number < 0 || t.Last != "" || unclear || t.adopted {
			return nil
		}
		edits = append(edits, t.Renumber(tasksPath, m.tasks.Text, next()))
	}
	return edits
}

// needed reports whether a task depended on an id in the base.
func (m *model) needed(t *task, id string) bool {
	if m.base == nil {
		return false
	}
	was := m.before(t)
	return was != nil && slices.Contains(was.needs, id)
}

// A repeat is a series of consecutive tasks that repeat earlier ones. They were numbered or copied together, so they
// have one cause.
type repeat struct {
	pairs []pair
	how   alikeness
	mild  bool
}

// An alikeness says how two tasks with the same id differ.
type alikeness int

const (
	different alikeness = iota
	copied              // the same text and state
	denied              // the same text, but only one is ticked
)

func taskRepeated(r *check.Report, m *model) {
	for _, run := range m.repeats() {
		t, was := run.pairs[0].t, run.pairs[0].was
		var titles, ids []string
		for _, p := range run.pairs {
			if p.t.ID == t.ID {
				titles = append(titles, say.Quote(p.t.Title))
			} else if !slices.Contains(ids, p.t.ID) {
				ids = append(ids, p.t.ID)
			}
		}
		message := t.ID + " appears " + m.times(run)
		switch run.how {
		case different:
			message += ": " + say.List(titles) + " and " + say.Quote(was.Title)
		case copied:
			message += " with the same text: " + say.Quote(t.Title)
		case denied:
			message += ", " + t.says() + " and " + was.says() + ": " + say.Quote(t.Title)
		}
		message += say.Line(m.tasks, was.Start)
		if len(ids) > 0 {
			message += "; also repeated: " + say.List(ids)
		}
		f := r.At(sdk.AtLine(tasksPath, t.Line), message).Keyed(t.ID)
		if run.mild {
			f.As(sdk.Warning)
		}
		if run.how == different {
			m.offerOldIDs(f, run.pairs)
		}
		switch n := len(run.pairs); {
		case run.how != different:
			m.offerOneCopy(f, r.Pass, run)
		case n == 1:
			f.Offer(sdk.Review, "Renumber "+say.Quote(t.Title), m.renumber(run.repeated())...).
				Advise("Renumber the second task", "Give "+say.Quote(t.Title)+" its own id, and update references to "+
					"it.")
		default:
			f.Offer(sdk.Review, "Renumber "+say.Count(n, "task")+", from "+say.Quote(t.Title),
				m.renumber(run.repeated())...).
				Advise("Renumber the second tasks", "Give each of the "+say.Count(n, "task")+" from "+
					say.Quote(t.Title)+" on its own id, and update references to them.")
		}
	}
}

// times says how often the first id of a series appears. For copies, only tasks with the same text count.
func (m *model) times(run repeat) string {
	n, t := 1, run.pairs[0].t
	for _, other := range m.repeats() {
		for _, p := range other.pairs {
			if p.t.ID == t.ID && (run.how == different || p.t.Folded() == t.Folded()) {
				n++
			}
		}
	}
	if n == 2 {
		return "twice"
	}
	return say.Int(n) + " times"
}

// offerOldIDs offers to give one task of each pair the id that it has in the base, if no task has that id now.
func (m *model) offerOldIDs(f *check.Finding, pairs []pair) {
	if m.base == nil {
		return
	}
	repeats := make([]tasks.Repeat, len(pairs))
	for i, p := range pairs {
		repeats[i] = tasks.Repeat{Again: p.t.Task, First: p.was.Task}
	}
	list := m.pairs().Misnumbered(repeats)
	title := "Give " + say.Count(len(list), "task") + " their former ids"
	if len(list) == 1 {
		title = "Give " + say.Quote(list[0].Title) + " its former id " + list[0].ID
	}
	f.Offer(sdk.Review, title, tasks.GiveBack(tasksPath, m.tasks.Text, list)...)
}

func (r *repeat) repeated() (list []*task) {
	for _, p := range r.pairs {
		list = append(list, p.t)
	}
	return list
}

// says returns a task's state for a message.
func (t *task) says() string {
	if t.state == done {
		return "ticked"
	}
	return "open"
}

// repeats lists the tasks that have the id of an earlier task. Abandoned tasks do not count, because their ids are
// free. Deferred and optional tasks count, because they may still be done.
func (m *model) repeats() (list []repeat) {
	first := map[string]*task{}
	last := -2
	for i := range m.list {
		t := &m.list[i]
		if t.Last != "" || t.state == off && !t.Optional && !t.isPutOff() {
			continue
		}
		was := first[t.ID]
		if was == nil {
			first[t.ID] = t
			continue
		}
		if t.isPutOff() != was.isPutOff() && alike(t, was) {
			continue // one task says that it was deferred to the other
		}
		how := different
		if t.Folded() == was.Folded() {
			if how = copied; t.says() != was.says() {
				how = denied
			}
		}
		is := mild(t, was)
		if n := len(list) - 1; i != last+1 || list[n].mild != is || list[n].how != how {
			list = append(list, repeat{how: how, mild: is})
		}
		n := len(list) - 1
		list[n].pairs, last = append(list[n].pairs, pair{t, was}), i
	}
	return list
}

// denied returns the lines of tasks that appear twice, ticked and open.
func (m *model) denied() map[int]bool {
	lines := map[int]bool{}
	for _, run := range m.repeats() {
		for _, p := range run.pairs {
			if run.how == denied {
				lines[p.t.Line], lines[p.was.Line] = true, true
			}
		}
	}
	return lines
}

// offerOneCopy offers to remove one copy of each task. If only one copy is ticked, only the reader knows which copy is
// right; missing files suggest that it is the open one.
func (m *model) offerOneCopy(f *check.Finding, p *sdk.Pass, run repeat) {
	var ticked, unticked, second []pair // each with the task to remove and the one to keep
	gone, s := false, m.newSearch(p)
	for _, p := range run.pairs {
		second = append(second, p)
		if p.t.state == done {
			p.t, p.was = p.was, p.t
		}
		unticked, ticked = append(unticked, p), append(ticked, pair{p.was, p.t})
		files := p.was.allFiles()
		gone = gone || run.how == denied && len(files) > 0 && m.look(s, p.was, files, false).gone
	}
	copies, it := work.SayCopies(len(run.pairs), run.pairs[0].t.ID, "task")
	offer := func(which, when string, list []pair) {
		f.Offer(sdk.Review, "Remove the "+which+" "+copies+when, m.without(list)...)
	}
	steps := []string{"Keep one copy of each task, with the notes of both."}
	switch {
	case run.how == copied:
		offer("second", "", second)
	case gone:
		offer("ticked", ", if "+it+" not done", ticked)
		offer("open", ", if "+it+" done", unticked)
	default:
		offer("open", ", if "+it+" done", unticked)
		offer("ticked", ", if "+it+" not done", ticked)
	}
	if run.how == denied {
		steps = append(steps, "Tick it only if the task is done.")
	}
	if t := run.pairs[0]; t.t.Section != t.was.Section {
		steps = append(steps, "If the whole section appears twice, remove one of the two sections.")
	}
	f.Advise("Remove one copy", steps...)
}

// without returns edits that remove the first task of each pair. It returns nil if that would remove subtasks, or text
// that the second task lacks, or if a whole section was copied.
func (m *model) without(list []pair) (edits []sdk.Edit) {
	text := m.tasks.Text
	var gone []*task
	for _, run := range m.repeats() {
		for _, p := range run.pairs {
			if run.how != different && p.t.Section != p.was.Section { // a copied section is removed as a whole
				gone = append(gone, p.t)
			}
		}
	}
	for _, p := range list {
		gone = append(gone, p.t)
	}
	left := map[int]bool{}
	for i := range m.list {
		t := &m.list[i]
		left[t.Section] = left[t.Section] || !slices.Contains(gone, t)
	}
	for _, p := range list {
		t := p.t
		if !left[t.Section] || !left[p.was.Section] || t.ItemEnd != t.End ||
			t.Details() != "" && t.Details() != p.was.Details() {
			return nil
		}
		start := strings.LastIndexByte(text[:t.Start], '\n') + 1
		end := t.Start + len(strings.TrimRight(text[t.Start:t.ItemEnd], " \t\r\n"))
		if n := strings.IndexByte(text[end:], '\n'); n >= 0 {
			end += n + 1
		}
		edits = append(edits, sdk.Replace(sdk.AtBytes(tasksPath, start, end), ""))
	}
	return edits
}

// mild reports whether two tasks with the same id are harmless: both are done, they have the same text, the earlier one
// is in a list that repeats other tasks, or one is deferred.
func mild(t, was *task) bool {
	return t.state == done && was.state == done || alike(t, was) || listed(was.phase) || t.isPutOff() ||
		was.isPutOff()
}

// alike reports whether two tasks have the same text, or one is the beginning of the other.
func alike(a, b *task) bool {
	return a.Title == b.Title || strings.HasPrefix(a.FoldedTitle(), b.FoldedTitle()) ||
		strings.HasPrefix(b.FoldedTitle(), a.FoldedTitle())
}

// listed reports whether a section's title suggests that it repeats tasks from other sections.
func listed(section string) bool {
	if section = lower(section); strings.HasPrefix(section, "phase") {
		return false
	}
	for _, word := range []string{"summary", "dependenc", "parallel", "strategy", "overview", "order", "note",
		"checklist", "criteria", "validation", "acceptance", "mvp", "example", "progress", "tracking"} {
		if strings.Contains(section, word) {
			return true
		}
	}
	return false
}
