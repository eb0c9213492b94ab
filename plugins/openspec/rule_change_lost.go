package openspec

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/work"
)

// lostChanges returns the changes with finished tasks that are missing since the base and were not archived.
func (m *model) lostChanges() (list []*change) {
	if m.base == nil {
		return nil
	}
	for _, was := range m.base.active {
		if was.done > 0 && m.successor(was) == nil && !m.copyRemoved(was) && !m.shelved[was.name] &&
			m.docs.Known(was.list.Path) {
			list = append(list, was)
		}
	}
	return list
}

func changeLost(r *check.Report, m *model) {
	for _, was := range m.lostChanges() {
		text, folded := was.dir+" is missing and not archived", m.folded(was)
		if folded {
			if was.open == 0 {
				continue
			}
			text += ", although the specs contain its delta"
		}
		f := r.Whole(was.list.Path, text+"; in the base, "+work.SayTicked(was.done, was.total(), "task")).Of(was.run())
		if folded {
			f.Advise("Move the open tasks to another change", "Add the tasks that still need doing to an open change: "+
				say.List(was.openTasks())+".")
		}
		f.Offer(sdk.Review, "Restore "+was.dir, m.restoreAll(was)...)
		if !folded {
			f.Advise("Restore the change and archive it", "Restore "+was.dir+" and archive it. To abandon the "+
				"change, run `openspec archive "+say.Word(was.subject())+" --skip-specs`.")
		}
		if folded || was.open == 0 || !m.complete {
			f.As(sdk.Warning)
		}
	}
}

// openTasks returns the quoted texts of a change's open tasks.
func (c *change) openTasks() (texts []string) {
	for _, t := range c.tasks {
		if !t.Ticked {
			texts = append(texts, say.Quote(t.Text))
		}
	}
	return texts
}

// folded reports whether all deltas of a deleted change were folded into the specs since the base.
func (m *model) folded(was *change) bool {
	return m.contains(was, m.base.active) && !m.base.contains(was, nil)
}

// contains reports whether the specs contain all deltas of a change, word for word. A requirement may be missing if
// another of the changes removes or renames it.
func (m *model) contains(was *change, others []*change) bool {
	for _, x := range was.deltas {
		now := m.byCap[x.capability]
		if !x.doc.Readable() || x.empty() || now == nil && !m.docs.Known(x.spec()) ||
			now != nil && !now.doc.Readable() {
			return false
		}
		for _, list := range [][]*requirement{x.added, x.modified} {
			for _, q := range list {
				is := now.find(q.key())
				if is != nil && !slices.Equal(is.meaning(), q.meaning()) || is == nil &&
					!anyDelta(others, x.capability, func(_ *change, y *delta) bool {
						return y != x && y.takes(q.key())
					}) {
					return false
				}
			}
		}
		left := func(n name) bool { k := fold(n.text); return now.find(k) != nil && !x.gives(k) }
		if slices.ContainsFunc(x.removed, left) || slices.ContainsFunc(x.renamed, func(p rename) bool {
			return left(p.from) || now.find(fold(p.to.text)) == nil
		}) {
			return false
		}
	}
	return len(was.deltas) > 0
}

// copyRemoved reports whether a deleted change was a copy of one that is still archived. active-and-archived advises
// removing such a copy.
func (m *model) copyRemoved(was *change) bool {
	old := m.base.archivedAs(was)
	if old == nil || !slices.ContainsFunc(was.docs, func(d *sdk.Document) bool { return old.copies(was, d) }) {
		return false
	}
	now := find(m.archived, old.dir)
	return now != nil && now.done >= was.done
}

// restoreAll returns edits that restore all documents of a deleted change, because tasks alone are not a plan.
func (m *model) restoreAll(was *change) []sdk.Edit {
	var edits []sdk.Edit
	for _, d := range was.docs {
		if m.docs.Get(d.Path) == nil {
			edits = append(edits, sdk.Restore(d.Path))
		}
	}
	return edits
}
