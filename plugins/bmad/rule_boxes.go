package bmad

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/work"
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

func (s *story) wrecks(was *story) map[*tasks.Task]tasks.Wreck {
	return tasks.Wrecks(s.doc.Text, &form, s.boxes().list, was.boxes().list)
}

func boxUnreadable(r *check.Report, m *model) {
	m.eachChanged(func(name string, was, s *story) {
		wrecks := s.wrecks(was)
		for _, t := range was.boxes().list {
			w, broken := wrecks[t]
			if !broken {
				continue
			}
			f := r.AtLine(s.doc.Path, w.Line, "cannot read the checkbox of "+say.Quote(w.Text)+": found "+
				say.Quote(w.Mark)+", expected [ ] or [x]; the base has a checkbox there"+say.Line(was.doc, t.Start)).
				About(name).Keyed(t.Folded())
			if !w.Part || !t.Ticked && !w.Hidden {
				f.As(sdk.Warning)
			}
		}
	})
}

// tickLost reports stories and tasks that were done in the base and are open now. If they are most of a tracker's done
// stories, they share one error. Otherwise each story, and the tasks of each file, get a warning.
func tickLost(r *check.Report, m *model) {
	overwritten(r, m)
	wentBack(r, m)
	m.eachChanged(func(name string, was, s *story) {
		var first *tasks.Task
		var texts []string
		var edits []sdk.Edit
		tasks.Pair(was.boxes().list, s.boxes().list).Unticked(func(before, t *tasks.Task) {
			first = cmp.Or(first, t)
			texts = append(texts, say.Quote(t.Text))
			edits = append(edits, t.TickAgain(s.doc.Path, before, was.doc.Text)...)
		})
		if n := len(texts); n > 0 {
			r.At(first.At(s.doc.Path), say.Count(n, "task")+" of "+name+" "+say.Were(n)+" ticked in the base but "+
				say.Are(n)+" open now: "+say.List(texts)).About(name).Keyed("boxes").As(sdk.Warning).
				Offer(sdk.Review, "Tick these tasks again", edits...)
		}
	})
}

// itemLost reports stories that a tracker lost, and tasks that were deleted from a story, without a trace.
func itemLost(r *check.Report, m *model) {
	storyLost(r, m)
	m.eachChanged(func(name string, was, s *story) {
		list := s.boxes().list
		p, wrecks, text := tasks.Pair(was.boxes().list, list), s.wrecks(was), tasks.Told(s.doc.Text, list)
		for _, state := range []string{"open", "ticked"} {
			gone, back := p.Deleted(s.doc.Path, was.doc.Text, s.doc.Text, func(t *tasks.Task) bool {
				_, broken := wrecks[t]
				return !broken && t.Ticked == (state == "ticked") && (t.Ticked || t.Open() && !t.Cancelled) &&
					!strings.Contains(text, t.Text)
			})
			if len(gone) > 0 {
				r.Whole(s.doc.Path, name+": "+work.SayGone(len(gone), "task", state)+": "+say.List(tasks.Texts(gone))).
					About(name).Keyed("boxes").Offer(sdk.Review, "Restore the tasks from the base", back...).
					Advise("Restore the tasks", "Restore the tasks from the base, or strike out abandoned ones.")
			}
		}
	})
}

func cutShort(r *check.Report, m *model) {
	trackerCutShort(r, m)
	for _, name := range m.names {
		for _, f := range r.CutShort(m.stories[name].doc.Path) {
			f.About(name)
		}
	}
}
