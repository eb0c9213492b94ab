package speckit

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
)

func taskIDLost(r *check.Report, m *model) {
	if m.base.form != boxes || m.form == none {
		return
	}
	if m.form != boxes {
		f := r.Whole(tasksPath, "no task has a checkbox with an id; "+say.Count(len(m.base.list), "task")+
			" of the base "+say.Verb(len(m.base.list), "has", "have")+" one").
			Advise("Add the ids", "Give each task an id and a checkbox, as in `- [ ] T001 …`. Keep the ids from "+
				"the base.")
		if !m.base.started() {
			f.As(sdk.Warning)
		}
		return
	}
	var names []string
	var edits []sdk.Edit
	line := 0
	for i := range m.list {
		t := &m.list[i]
		if !t.adopted {
			continue
		}
		if line == 0 {
			line = t.Line
		}
		id := t.ID
		if t.Last != "" {
			id += "-" + t.Last
		}
		names = append(names, id+" "+say.Quote(t.Title))
		if t.Boxed() {
			edits = append(edits, m.addID(t.Task, id)...)
		}
	}
	if n := len(names); n > 0 {
		f := r.At(sdk.AtLine(tasksPath, line), say.Count(n, "task")+" "+say.Has(n)+" no id; in the base "+
			say.Verb(n, "it is", "they are")+" "+say.List(names)).Keyed("words")
		if len(edits) == n {
			f.Offer(sdk.Review, "Restore the ids", edits...)
		} else {
			f.Advise("Restore the ids", "Add each id from the base before its task's text.")
		}
	}
}

// addID returns the edit that adds an id after a task's checkbox.
func (m *model) addID(t *tasks.Task, id string) []sdk.Edit {
	rest := m.tasks.Text[t.TextStart():]
	at := t.TextStart() + len(rest) - len(strings.TrimLeft(rest, " \t"))
	return sdk.Edits(tasksPath, markdown.Edit{Start: at, End: at, New: id + " "})
}

// idMissing reports open tasks without an id among tasks with one. `/speckit.implement` works on every checkbox.
func idMissing(r *check.Report, m *model) {
	var names []string
	var edits []sdk.Edit
	list, next := m.openIDless(), m.nextID()
	for _, t := range list {
		names = append(names, say.Quote(t.Text))
		if next != nil && !strings.HasPrefix(t.Text, "TXXX") {
			edits = append(edits, m.addID(t, next())...)
		}
	}
	if n := len(list); n > 0 {
		f := r.At(sdk.AtLine(tasksPath, list[0].Line), say.Count(n, "open task")+" "+say.Verb(n, "has", "have")+
			" no id: "+say.List(names))
		if len(edits) == n {
			f.Offer(sdk.Review, "Add the next free ids", edits...)
		}
		f.Advise("Add the ids", "Give each task the next free id, or remove it.")
	}
}

// nextID returns a function that returns the next free id, or nil if the tasks have no plain numbers.
func (m *model) nextID() func() string {
	last, width := 0, 0
	for i := range m.list {
		t := &m.list[i]
		if last = max(last, t.number, t.until); t.number >= 0 {
			width = max(width, len(t.ID)-1)
		}
	}
	if last == 0 {
		return nil
	}
	return func() string {
		last++
		id := say.Int(last)
		return "T" + strings.Repeat("0", max(0, width-len(id))) + id
	}
}
