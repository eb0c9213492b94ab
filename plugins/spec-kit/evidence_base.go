package speckit

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/evidence"
)

// fresh reports whether a task was ticked since the base, or is ticked in a new feature. A task that was ticked in the
// base also counts if its base text names none of its files; moved reports whether that text named others.
func (m *model) fresh(p *sdk.Pass, t *task, files []evidence.File) (fresh, moved bool) {
	if m.base == nil {
		return p.Base.State == sdk.BaseNew, false
	}
	if m.base.form != boxes {
		return false, false
	}
	same := func(was *task) bool {
		then := was.allFiles()
		return slices.ContainsFunc(files, func(f evidence.File) bool {
			return slices.ContainsFunc(then, func(o evidence.File) bool { return o.Path == f.Path })
		})
	}
	if was := m.base.of(t.ID); was != nil && was.state == done && (was.Raw == t.Raw || same(was)) {
		return false, false
	}
	for i := range m.base.list {
		was := &m.base.list[i]
		if was.state != done || was.ID != t.ID && !alike(was, t) {
			continue
		}
		if same(was) {
			return false, false
		}
		moved = moved || len(was.allFiles()) > 0
	}
	return true, moved
}

// worded returns the base version of a ticked task that names no file, if that version is open and says that it
// creates a file. It returns nil otherwise, or if the two have different subjects.
func (m *model) worded(t *task) *task {
	if m.base == nil || m.base.form != boxes {
		return nil
	}
	was := m.base.of(t.ID)
	if was == nil || was.state != open {
		return nil
	}
	files := was.allFiles()
	if len(files) == 0 || !was.creates(files) || !t.making() || t.exempt() || !evidence.Alike(t.Title, was.Title) {
		return nil
	}
	return was
}

// unnamed adds a task that was ticked without naming a file, if its base text names some and none exists.
func (m *model) unnamed(s *evidence.Search, l *lacks, t, was *task) {
	files := was.allFiles()
	found := m.look(s, t, files, true)
	if found.gone && found.near.Is == sdk.Absent && found.top == sdk.Present && !was.exempt() && !atRuntime(files) &&
		m.taken(t, files) != evidence.TakenAway {
		l.fresh = append(l.fresh, lack{task: t, sight: found, files: files, base: true})
	}
}
