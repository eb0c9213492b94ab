package speckit

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/evidence"
)

// fresh reports whether a task was ticked since the base, or is ticked in a new feature. A task that was ticked in the
// base also counts if its text in the base names none of its current files; moved reports whether that text names other
// files.
func (m *model) fresh(p *sdk.Pass, t *task, files []evidence.File) (fresh, moved bool) {
	if m.base == nil {
		return p.Base.State == sdk.BaseNew, false
	}
	if m.base.form != m.form {
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
