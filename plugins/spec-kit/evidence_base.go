package speckit

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/evidence"
)

// fresh reports whether a task was ticked since the base, or came ticked into a feature that is new. So was one that
// the base has ticked in words that name no file of it; it is moved if they name others.
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

// worded returns what a ticked task that names no file is in the base, if it is open there and says that it creates
// one; nil if it is not, or if what it says is plainly something else.
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

// unnamed adds a task that was ticked in words that name no file, where those of the base name some, and none is there.
func (m *model) unnamed(s *evidence.Search, l *lacks, t, was *task) {
	files := was.allFiles()
	found := m.look(s, t, files, true)
	if found.gone && found.near.Is == sdk.Absent && found.top == sdk.Present && !was.exempt() && !atRuntime(files) &&
		m.taken(t, files) != evidence.TakenAway {
		l.fresh = append(l.fresh, lack{task: t, sight: found, files: files, base: true})
	}
}
