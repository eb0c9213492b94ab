package bmad

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

// tasksOpen reports stories that are done or in review with open tasks. The dev-story checklist requires all tasks to
// be ticked before review.
func tasksOpen(r *check.Report, m *model) {
	var fresh, bare []*entry // stories without a tick: those that this change finished, and the others
	kept := 0
	for _, e := range m.all {
		f := e.file
		if f == nil || e.status != status.Done && (e.status != status.Review || f.status != status.Review || e.spec) {
			continue
		}
		now := m.finishes(e)
		switch {
		case !tasks.MayBeOpen(f.doc.Text):
			if strings.Contains(f.doc.Text, "[x]") && !now {
				kept++
			}
		case f.open().partly():
			found := r.AtLine(f.doc.Path, f.open().first, e.key+" is "+e.says()+", but "+f.tasks()).About(e.key).
				See(e.at, e.key)
			if e.status == status.Review && !now {
				found.As(sdk.Info)
			}
			fallthrough
		case f.open().ticked > 0:
			if !now {
				kept++
			}
		case f.open().first == 0 || f.status.Left() && f.status < e.status: // story-behind reports the others
		case now:
			fresh = append(fresh, e)
		default:
			bare = append(bare, e)
		}
	}
	for _, e := range fresh {
		if !work.Never(kept, len(bare)) {
			f := e.file
			r.AtLine(f.doc.Path, f.open().first, e.key+" is "+e.says()+", but "+f.tasks()).About(e.key).See(e.at, e.key)
		}
	}
	if len(bare) > 0 && work.Habit(kept, kept+len(bare)) {
		f := bare[0].file
		r.AtLine(f.doc.Path, f.open().first, say.Count(len(bare), "finished story")+" "+say.Has(len(bare))+
			" no ticked tasks, unlike "+say.Int(kept)+" others: "+names(bare)).Keyed("never ticked").As(sdk.Info)
	}
}

// finishes reports whether this change moves a story to its status from an earlier one.
func (m *model) finishes(e *entry) bool {
	if m.base == nil {
		return false
	}
	was := m.base.byKey[e.name]
	return was != nil && was.status.Left() && was.status < e.status
}
