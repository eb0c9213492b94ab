package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/graph"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/work"
)

// A pair is a task and an earlier one with its id.
type pair struct{ t, was *task }

func tasksOf(run []pair) (list []*task) {
	for _, p := range run {
		list = append(list, p.t)
	}
	return list
}

// renumber returns edits that give tasks the next free ids. It returns nil if the base has one of the tasks, or if
// another task depends on its id and the base does not show which task that means.
func (m *model) renumber(list []*task) (edits []sdk.Edit) {
	next := m.nextID()
	for _, t := range list {
		at := strings.Index(t.Raw, t.ID)
		unclear := m.base != nil && m.before(t) != nil || slices.ContainsFunc(m.list, func(o task) bool {
			return slices.Contains(o.needs, t.ID) && !m.needed(&o, t.ID)
		})
		if next == nil || t.number < 0 || t.Last != "" || at < 0 || unclear || t.adopted {
			return nil
		}
		start := t.Start + strings.Index(m.tasks.Text[t.Start:t.End], t.ID)
		edits = append(edits, sdk.Replace(sdk.AtBytes(tasksPath, start, start+len(t.ID)), next()))
	}
	return edits
}

// needed reports whether a task depends on an id in the base.
func (m *model) needed(t *task, id string) bool {
	if m.base == nil {
		return false
	}
	was := m.before(t)
	return was != nil && slices.Contains(was.needs, id)
}

func taskRepeated(r *check.Report, m *model) {
	first := map[string]*task{}
	var runs [][]pair // consecutive tasks were numbered together, so they have one cause
	last, lastMild := -2, false
	for i := range m.list {
		t := &m.list[i]
		if t.Last != "" || t.state == off {
			continue
		}
		was := first[t.ID]
		if was == nil {
			first[t.ID] = t
			continue
		}
		if mild := mild(t, was); i != last+1 || mild != lastMild {
			runs, lastMild = append(runs, nil), mild
		}
		n := len(runs) - 1
		runs[n], last = append(runs[n], pair{t, was}), i
	}
	for _, run := range runs {
		t, was := run[0].t, run[0].was
		message := t.ID + " appears twice: " + say.Quote(t.Title) + " and " + say.Quote(was.Title) +
			say.Line(m.tasks, was.Start)
		var ids []string
		for _, p := range run[1:] {
			ids = append(ids, p.t.ID)
		}
		if len(ids) > 0 {
			message += "; also repeated: " + say.List(ids)
		}
		f := r.At(sdk.AtLine(tasksPath, t.Line), message).Keyed(t.ID).
			Offer(sdk.Review, "Renumber "+say.Quote(t.Title), m.renumber(tasksOf(run))...).
			Advise("Renumber the second task", "Give "+say.Quote(t.Title)+" its own id, and update references to it.")
		if mild(t, was) {
			f.As(sdk.Warning)
		}
	}
}

// mild reports whether two tasks with the same id are harmless: both are done, they have the same text, or one is in a
// list that repeats others.
func mild(t, was *task) bool {
	return t.state == done && was.state == done || alike(t, was) || listed(was.phase)
}

// alike reports whether two tasks have the same text, or one is the beginning of the other.
func alike(a, b *task) bool {
	return a.Title == b.Title || strings.HasPrefix(a.FoldedTitle(), b.FoldedTitle()) ||
		strings.HasPrefix(b.FoldedTitle(), a.FoldedTitle())
}

// listed reports whether a section repeats tasks from other sections.
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

func dependencyMissing(r *check.Report, m *model) {
	for i := range m.list {
		t := &m.list[i]
		var gone []string
		for _, id := range t.needs {
			if !m.has(id) {
				gone = append(gone, id)
			}
		}
		if len(gone) > 0 && t.state != off {
			r.At(sdk.AtLine(tasksPath, t.Line), work.SayMissing(t.ID, gone...)).Keyed(t.ID).
				Advise("Correct the dependency", "Correct the dependency, or remove it.")
		}
	}
}

func dependencyOpen(r *check.Report, m *model) {
	for i := range m.list {
		t := &m.list[i]
		if t.state != done || t.Last != "" {
			continue
		}
		for _, id := range t.needs {
			if on := m.of(id); on != nil && on.state == open && on != t {
				r.At(sdk.AtLine(tasksPath, t.Line),
					work.SayOpen(t.ID, "ticked", id, say.Line(m.tasks, on.Start))).Keyed(t.ID+" "+id).
					Advise("Finish "+id, "Finish "+id+" or check that it is done, then tick it.", "If "+t.ID+
						" does not depend on "+id+", remove the dependency.")
			}
		}
	}
}

// dependencyCycle reports open tasks that depend on themselves, directly or through others.
func dependencyCycle(r *check.Report, m *model) {
	g := graph.New(m.ids(open)...)
	for i := range m.list {
		if t := &m.list[i]; t.state == open && m.of(t.ID) == t {
			for _, id := range t.needs {
				if on := m.of(id); on != nil && on.state == open {
					g.Need(t.ID, id)
				}
			}
		}
	}
	for _, circle := range g.Cycles() {
		r.At(sdk.AtLine(tasksPath, m.of(circle[0]).Line), work.SayCircle("task", circle)).Keyed(circle[0]).
			Advise("Break the circle", "Remove the wrong dependency.")
	}
}

var foundation = words.ListOf("found").AnyCase()

// foundationOpen reports user story tasks that were done before the phase that blocks them according to tasks.md.
func foundationOpen(r *check.Report, m *model) {
	var left, ahead []string
	line, phase, blocking := 0, "", false
	for i := range m.list {
		t := &m.list[i]
		if t.phase != phase {
			phase, blocking = t.phase, false
			if foundation.Index(phase) >= 0 {
				title := lower(phase)
				blocking = strings.Contains(title, "foundational") && strings.Contains(title, "block")
			}
		}
		switch {
		case blocking && t.state == open:
			if left = append(left, t.ID); line == 0 {
				line = t.Line
			}
		case !blocking && t.state == done && len(left) > 0 && strings.Contains(t.Title, "[US"):
			ahead = append(ahead, t.ID)
		}
	}
	if len(left) > 0 && len(ahead) > 0 {
		r.At(sdk.AtLine(tasksPath, line), say.Count(len(ahead), "task")+" of user stories "+say.Are(len(ahead))+
			" ticked, but "+say.Int(len(left))+" of the phase that blocks them "+say.Are(len(left))+" not: "+
			say.List(left)).
			Advise("Finish the foundational phase", "Tick the phase's finished tasks, and do the rest "+
				"first.", "Strike out abandoned tasks.")
	}
}
