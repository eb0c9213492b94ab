package speckit

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
)

// boxUnreadable reports items whose id is missing among the tasks and that have something other than a checkbox. If
// that looks like a checkbox, the item is a task whatever its id is.
func boxUnreadable(r *check.Report, m *model) {
	if !m.tasks.Readable() {
		return
	}
	wanted := m.missing()
	var base []*tasks.Task
	if m.base != nil {
		base = m.base.plain()
	}
	for _, w := range tasks.Broken(m.tasks.Text, &written, m.plain(), base) {
		was, ok := wanted[w.ID]
		_, _, title := idOf(w.Text)
		if w.ID == "" || !ok && !w.Hidden ||
			w.Mark == "" && (was == nil || !strings.HasPrefix(tasks.FoldTitle(title), was.FoldedTitle())) {
			continue
		}
		found := "found none"
		if w.Mark != "" {
			found = "found " + say.Quote(w.Mark)
		}
		f := r.At(sdk.AtLine(tasksPath, w.Line), "cannot read the checkbox of "+w.ID+": "+found+
			", expected [ ] or [x]").Keyed(w.ID).
			Advise("Correct the checkbox", "Write [x] if the task is done, or [ ] if it is not.")
		if !w.Part || was == nil && !w.Hidden {
			f.As(sdk.Warning)
		}
		delete(wanted, w.ID)
	}
}

// missing returns the ids that no task has: those with checkboxes in the base, by their base task, and those that the
// numbering skips.
func (m *model) missing() map[string]*task {
	here, wanted := make(map[string]bool, len(m.list)), map[string]*task{}
	low, high, width := -1, -1, 0
	for i := range m.list {
		t := &m.list[i]
		if here[t.ID] = true; t.Last != "" {
			return nil
		}
		if t.number >= 0 {
			if low < 0 {
				low, high = t.number, t.number
			}
			low, high, width = min(low, t.number), max(high, t.number), len(t.ID)-1
		}
	}
	if m.base != nil && m.base.form == boxes {
		for i := range m.base.list {
			if was := &m.base.list[i]; !here[was.ID] && was.Last == "" && was.Boxed() && (was.Mark == "" ||
				was.Ticked) {
				wanted[was.ID] = was
			}
		}
	}
	for n := low + 1; n < high && high-low < 2*len(m.list)+2; n++ {
		id := say.Int(n)
		id = "T" + strings.Repeat("0", max(0, width-len(id))) + id
		if _, known := wanted[id]; !known && !here[id] {
			wanted[id] = nil
		}
	}
	return wanted
}
