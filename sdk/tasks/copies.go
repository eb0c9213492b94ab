package tasks

import (
	"strings"

	"github.com/stategate/stategate/sdk"
)

// A Repeat is a task with the id of an earlier task.
type Repeat struct{ Again, First *Task }

// A Former is a task that now has another task's id. ID is the id that it has in the base.
type Former struct {
	*Task
	ID string
}

// Misnumbered returns, for each repeat, the task that had another id in the base, if no present task has that id. It
// returns nil unless this is true of exactly one task in every repeat.
func (p *Pairing) Misnumbered(repeats []Repeat) (list []Former) {
	former := func(t *Task) (f Former, ok bool) {
		was, how := p.Before(t)
		if was == nil || how == Replaced || was.ID == "" || was.ID == t.ID || p.taken(was.ID) {
			return f, false
		}
		return Former{t, was.ID}, strings.Contains(t.Raw, t.ID)
	}
	for _, r := range repeats {
		first, isFirst := former(r.First)
		again, isAgain := former(r.Again)
		switch {
		case isFirst == isAgain:
			return nil
		case isFirst:
			list = append(list, first)
		default:
			list = append(list, again)
		}
	}
	return list
}

// Renumber returns the edit that gives a task another id. The task's text must contain its id.
func (t *Task) Renumber(path, text, id string) sdk.Edit {
	start := t.Start
	if t.Boxed() {
		start = t.TextStart()
	}
	start += strings.Index(text[start:t.End], t.ID)
	return sdk.Replace(sdk.AtBytes(path, start, start+len(t.ID)), id)
}

// GiveBack returns the edits that give tasks their former ids.
func GiveBack(path, text string, list []Former) (edits []sdk.Edit) {
	for _, f := range list {
		edits = append(edits, f.Renumber(path, text, f.ID))
	}
	return edits
}
