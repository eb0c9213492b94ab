package speckit

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/graph"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/work"
)

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
	g := graph.New(m.openIDs()...)
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

// foundationOpen reports user story tasks that were ticked before the phase that, according to tasks.md, blocks them.
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
