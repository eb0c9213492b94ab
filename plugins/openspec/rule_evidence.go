package openspec

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/say"
)

// deletedFile reports tasks that were ticked since the base although a file that they create was deleted since the
// base. Older ticks do not count, because files move later.
func deletedFile(r *check.Report, m *model) {
	s := newSearch(r.Pass)
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
				// The host answers in a second call, so the first must ask both questions.
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
	for _, c := range m.active {
		c.begun(s) // the brief's questions must be asked here too
	}
}

// newSearch looks for files in the workspace root and in the directory that contains openspec.
func newSearch(p *sdk.Pass) *evidence.Search {
	s := &evidence.Search{Pass: p, Tops: []string{""}}
	if home := strings.TrimSuffix(p.Root, "openspec"); home != "" && home != p.Root {
		s.Tops = append(s.Tops, home)
	}
	return s
}

// begun lists the open tasks whose new files exist: perhaps only their ticks are missing. A file that a ticked task
// also names does not count.
func (c *change) begun(s *evidence.Search) (list []*task) {
	var others []string
	for _, t := range c.tasks {
		if t.Ticked {
			others = append(others, evidence.Paths(evidence.Files(t.Body(c.list)))...)
		}
	}
	for _, t := range c.tasks {
		if t.Ticked || t.Cancelled {
			continue
		}
		own := func(f evidence.File) bool {
			return f.Use == evidence.Made && !f.Rooted && !slices.Contains(others, f.Path)
		}
		if s.Exist(evidence.Files(t.Body(c.list)), own) {
			list = append(list, t)
		}
	}
	return list
}

// ticked reports whether a change has a ticked task with the text of t.
func (c *change) ticked(t *task) bool {
	return slices.ContainsFunc(c.tasks, func(was *task) bool { return was.Ticked && was.Folded() == t.Folded() })
}
