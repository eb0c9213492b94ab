package speckit

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

func taskIDLost(r *check.Report, m *model) {
	if m.base.form != boxes || m.form == none {
		return
	}
	if m.form != boxes {
		f := r.Whole(tasksPath, "no task has a checkbox with an id; "+say.Count(len(m.base.list), "task")+
			" of the base "+verb(len(m.base.list), "has", "have")+" one").
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
			at := t.TextStart() + len(m.tasks.Text[t.TextStart():]) - len(strings.TrimLeft(m.tasks.Text[t.TextStart():],
				" \t"))
			edits = append(edits, sdk.Edits(tasksPath, markdown.Edit{Start: at, End: at, New: id + " "})...)
		}
	}
	if n := len(names); n > 0 {
		f := r.At(sdk.AtLine(tasksPath, line), say.Count(n, "task")+" "+verb(n, "has", "have")+" no id; in the base "+
			verb(n, "it is", "they are")+" "+say.List(names)).Keyed("words")
		if len(edits) == n {
			f.Offer(sdk.Review, "Restore the ids", edits...)
		} else {
			f.Advise("Restore the ids", "Add each id from the base before its task's text.")
		}
	}
}
