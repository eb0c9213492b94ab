package speckit

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// adopt gives boxes without an id the ids that their words have in the base, where no other box has them: they are
// still those tasks. It reports whether there are any.
func adopt(all []task, base *model) (any bool) {
	at := 0
	for i := range base.list {
		was := &base.list[i]
		if at = after(all, at, was.id); at >= 0 {
			continue
		}
		at = 0
		for j := range all {
			if t := &all[j]; t.id == "" && t.depth == was.depth && !listed(t.phase) && t.saysIt(was) {
				t.id, t.last, t.number, t.until, t.adopted, any = was.id, was.last, was.number, was.until, true, true
				break
			}
		}
	}
	return any
}

// after is the place of the task of an id, looked for from another place on, since tasks mostly keep their order; -1 if
// there is none.
func after(all []task, from int, id string) int {
	for n := range all {
		i := from + n
		if i >= len(all) {
			i -= len(all)
		}
		if all[i].id == id {
			return i
		}
	}
	return -1
}

// saysIt reports whether the words of a task are those of one of the base, with or without a number in front.
func (t *task) saysIt(was *task) bool {
	front, ok := strings.CutSuffix(t.words(), was.words())
	return ok && was.words() != "" && (front == "" || strings.HasSuffix(front, " ") && len(strings.Fields(front)) <= 2)
}

func taskIDLost(r *check.Report, m *model) {
	if m.base.form != boxes || m.form == none {
		return
	}
	if m.form != boxes {
		f := r.Whole(tasksPath, "no task has a box with an id; "+say.Count(len(m.base.list), "task")+" of the base "+
			verb(len(m.base.list), "has", "have")+" one").
			Advise("Write ids", "Give each task an id and a box, as in `- [ ] T001 …`; a task that stays keeps the "+
				"id that it has in the base.")
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
			line = t.line
		}
		id := t.id
		if t.last != "" {
			id += "-" + t.last
		}
		names = append(names, id+" "+say.Quote(t.text))
		if t.box.OK() {
			at := t.box.End() - len(strings.TrimLeft(t.box.Raw()[3:], " \t"))
			edits = append(edits, sdk.Edits(tasksPath, markdown.Edit{Start: at, End: at, New: id + " "})...)
		}
	}
	if n := len(names); n > 0 {
		f := r.At(sdk.AtLine(tasksPath, line), say.Count(n, "task")+" "+verb(n, "has", "have")+" no id; in the base "+
			verb(n, "it is", "they are")+" "+say.List(names)).Keyed("words")
		if len(edits) == n {
			f.Offer(sdk.Review, "Put the ids back", edits...)
		} else {
			f.Advise("Put the ids back", "Write each id in front of its task, as the base has it.")
		}
	}
}
