package openspec

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/say"
)

// deletedFile reports tasks ticked since the base that create a file which the same change deletes. Old ticks say
// nothing about the present, because files move.
func deletedFile(r *check.Report, m *model) {
	s := &evidence.Search{Pass: r.Pass, Tops: []string{""}}
	if home := strings.TrimSuffix(r.Root, "openspec"); home != "" && home != r.Root {
		s.Tops = append(s.Tops, home)
	}
	for _, c := range m.active {
		if c.unread() || c.list == nil {
			continue
		}
		for _, t := range c.tasks {
			if !t.Ticked || slices.ContainsFunc(m.base.active, func(was *change) bool { return was.ticked(t) }) {
				continue
			}
			var gone []string
			for _, f := range evidence.Files(t.Body(c.list)) {
				made := f.IsMade() || f.Use != evidence.Written && evidence.Creates(t.Title)
				if !made || f.Rooted || slices.ContainsFunc(c.tasks, func(other *task) bool {
					return evidence.Takes(other.Body(c.list), f.Path) != evidence.Kept
				}) {
					continue
				}
				// The host answers in a second call, so ask both questions in any case.
				found, near := s.Find(f.Path), s.Near(f.Path, nil)
				if found.Deleted() && near.Is == sdk.Absent {
					gone = append(gone, f.Path)
				}
			}
			if len(gone) > 0 {
				r.AtLine(c.list.Path, t.Line, say.Quote(t.Text)+" was ticked since the base, but the same change "+
					"deletes "+say.List(gone)).Of(c.run()).Keyed(t.Text).
					Advise("Restore the files, or untick the task", "Restore "+say.List(gone)+", or untick the task.",
						"If the work is elsewhere now, correct the path in the task.")
			}
		}
	}
}

// ticked reports whether a change has a task's text as a ticked task.
func (c *change) ticked(t *task) bool {
	return slices.ContainsFunc(c.tasks, func(was *task) bool { return was.Ticked && was.Folded() == t.Folded() })
}
