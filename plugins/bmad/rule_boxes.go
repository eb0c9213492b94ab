package bmad

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
)

// eachChanged calls f with each story file whose text changed since the base.
func (m *model) eachChanged(f func(name string, was, s *story)) {
	for _, name := range m.base.names {
		if was, s := m.base.stories[name], m.stories[name]; s != nil && s.doc.Path == was.doc.Path &&
			s.doc.Text != was.doc.Text {
			f(name, was, s)
		}
	}
}

// wrecks returns the lines with a damaged checkbox that were tasks in the base.
func (s *story) wrecks(was *story) (list []tasks.Wreck) {
	for _, w := range tasks.Broken(s.doc.Text, &form, s.boxes().list, was.boxes().list) {
		if w.Was != nil && w.Mark != "" {
			list = append(list, w)
		}
	}
	return list
}

func boxUnreadable(r *check.Report, m *model) {
	m.eachChanged(func(name string, was, s *story) {
		for _, w := range s.wrecks(was) {
			t := w.Was
			f := r.AtLine(s.doc.Path, w.Line, "cannot read the checkbox of "+say.Quote(w.Text)+": found "+
				say.Quote(w.Mark)+", expected [ ] or [x]; the base has a checkbox there"+say.Line(was.doc,
				t.Start)).
				About(name).Keyed(t.Folded())
			if !w.Part || !t.Ticked && !w.Hidden {
				f.As(sdk.Warning)
			}
		}
	})
}

// boxesUnticked reports stories whose tasks lost ticks.
func boxesUnticked(r *check.Report, m *model) {
	m.eachChanged(func(name string, was, s *story) {
		var first *tasks.Task
		var texts []string
		var edits []sdk.Edit
		tasks.Pair(was.boxes().list, s.boxes().list).Unticked(func(before, t *tasks.Task, how tasks.How) {
			if how == tasks.Replaced {
				return
			}
			if first == nil {
				first = t
			}
			texts = append(texts, say.Quote(t.Text))
			edits = append(edits, t.TickAgain(s.doc.Path, before, was.doc.Text)...)
		})
		if first != nil {
			r.At(first.At(s.doc.Path), say.Count(len(texts), "task")+" of "+name+" "+were(len(texts))+
				" ticked in the base but "+say.Are(len(texts))+" open now: "+
				say.List(texts)).About(name).Keyed("boxes").
				Offer(sdk.Review, "Tick these tasks again", edits...)
		}
	})
}

// gone returns the base's tasks, ticked or open, that the story lost without a trace, and edits that restore them. It
// returns nothing if at least as many tasks are new.
func (s *story) gone(was *story, ticked bool) (texts []string, back []sdk.Edit) {
	p, wrecks, text := tasks.Pair(was.boxes().list, s.boxes().list), s.wrecks(was), markdown.Shown(s.doc.Text)
	gone := p.Gone(func(t *tasks.Task) bool {
		return t.Ticked == ticked && (ticked || t.Open() && !t.Cancelled) && !strings.Contains(text, t.Text) &&
			!slices.ContainsFunc(wrecks, func(w tasks.Wreck) bool { return w.Was == t })
	})
	if len(gone) <= len(p.New()) {
		return nil, nil
	}
	for _, t := range gone {
		texts = append(texts, say.Quote(t.Text))
	}
	return texts, p.PutBack(s.doc.Path, was.doc.Text, s.doc.Text, gone)
}

// tasksLost reports tasks that were deleted from a story.
func tasksLost(r *check.Report, m *model, ticked bool, how string) {
	m.eachChanged(func(name string, was, s *story) {
		if gone, back := s.gone(was, ticked); len(gone) > 0 {
			r.Whole(s.doc.Path, say.Count(len(gone), "task")+" of "+name+" that "+were(len(gone))+" "+how+
				" in the base "+say.Are(len(gone))+" missing: "+say.List(gone)).About(name).Keyed("boxes").
				Offer(sdk.Review, "Restore the tasks from the base", back...).
				Advise("Restore the tasks", "Restore the tasks from the base, or strike out abandoned ones.")
		}
	})
}

func doneTaskLost(r *check.Report, m *model) { tasksLost(r, m, true, "ticked") }

func tickLost(r *check.Report, m *model) {
	wentBack(r, m)
	boxesUnticked(r, m)
}

func itemLost(r *check.Report, m *model) {
	storyLost(r, m)
	tasksLost(r, m, false, "open")
}

func cutShort(r *check.Report, m *model) {
	trackerCutShort(r, m)
	for _, name := range m.names {
		for _, f := range r.CutShort(m.stories[name].doc.Path) {
			f.About(name)
		}
	}
}

func were(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}
