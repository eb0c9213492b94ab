package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

// proper rates a directory among several with the same number. It counts the boxes and sections in ROADMAP.md whose
// names fit the directory. A directory that the base has ranks above one that the base lacks.
func (m *model) proper(ph *phase) (n int) {
	if m.base != nil && slices.ContainsFunc(m.base.phases, func(was *phase) bool { return was.dir == ph.dir }) {
		n += len(m.road.entries) + len(m.road.heads)
	}
	for _, e := range m.road.entries {
		if e.number == ph.number && !e.old && ph.fits(e.name) {
			n++
		}
	}
	for _, h := range m.road.heads {
		if h.number == ph.number && !h.old && ph.fits(h.name) {
			n++
		}
	}
	return n
}

// within reports whether another directory has the same text for each plan and summary of a phase.
func (ph *phase) within(other *phase) bool {
	for _, p := range ph.plans {
		if !slices.ContainsFunc(other.plans, func(o *plan) bool { return o.doc.Digest == p.doc.Digest }) {
			return false
		}
	}
	for _, s := range ph.reports {
		if !slices.ContainsFunc(other.reports, func(o *summary) bool { return o.doc.Digest == s.doc.Digest }) {
			return false
		}
	}
	return len(ph.plans)+len(ph.reports) > 0
}

// emptyDuplicate reports directories without documents. Such a directory is an error only if commands use it.
func (m *model) emptyDuplicate(r *check.Report) {
	for _, ph := range m.empty {
		if len(m.byNumber[ph.number]) == 0 {
			continue // it is left over from a shipped milestone
		}
		other := m.byNumber[ph.number][0]
		first := min(strings.TrimSuffix(ph.dir, "/"), strings.TrimSuffix(other.dir, "/")) + "/"
		f := r.Whole(ph.dir, ph.dir+" has no documents, and "+other.dir+" is also phase "+ph.number+
			"; commands use "+first).About(ph.subject()).See(sdk.At(other.dir), "this is also phase "+ph.number).
			Advise("Remove the empty directory", "Remove "+ph.dir+" if nothing in it is needed.")
		if first != ph.dir {
			f.As(sdk.Warning)
		}
	}
}

// listsCopied reports a section whose plan list is that of another phase. A list that also names plans of its own phase,
// or plans that the other section does not list, refers to them on purpose.
func (m *model) listsCopied(r *check.Report) {
	for _, h := range m.road.heads {
		var first, was *box
		var names []string
		own := h.old || h.off || slices.ContainsFunc(m.road.boxes, func(b *box) bool { return b.within == h.number })
		for _, b := range m.road.copies {
			at := slices.IndexFunc(m.road.boxes, func(o *box) bool { return o.phase == b.phase && o.number == b.number })
			if b.within != h.number || own {
				continue
			} else if own = at < 0 || first != nil && first.phase != b.phase; first == nil && !own {
				first, was = b, m.road.boxes[at]
			}
			names = append(names, b.id())
		}
		if !own && len(names) > 1 {
			r.At(sdk.AtLine(roadmapPath, first.task.Line()), "the section of phase "+h.number+" lists the plans of phase "+
				first.phase+": "+say.List(names)).About("phase-"+h.number).Keyed("list").
				See(sdk.AtLine(roadmapPath, was.task.Line()), "the same list").
				Advise("List the phase's own plans", "Remove the list. plan-phase writes the list of phase "+h.number+".")
		}
	}
}

// phaseRepeated only compares headings of the same level, because an overview may name a phase above its details.
func phaseRepeated(r *check.Report, m *model) {
	rowsRepeated(r, m)
	type place struct {
		number string
		level  int
	}
	seen := map[place]*head{}
	for _, h := range m.road.heads {
		at := place{h.number, h.heading.Level()}
		first := seen[at]
		if first == nil && !h.old && !h.off {
			seen[at] = h
		} else if first != nil && !h.old && !h.off {
			r.At(sdk.AtLine(roadmapPath, h.heading.Line()),
				"ROADMAP.md has a second section for phase "+h.number+", "+say.Quote(h.name)+"; the first is "+
					say.Quote(first.name)+say.Line(m.road.doc, first.heading.Start())).
				About("phase-"+h.number).See(sdk.AtLine(roadmapPath, first.heading.Line()), "the first section")
		}
	}
}

// rowsRepeated reports two rows in one table for the same phase, which a merge may leave behind.
func rowsRepeated(r *check.Report, m *model) {
	for i, w := range m.road.rows {
		for _, was := range m.road.rows[:i] {
			if w.number == was.number && w.name == was.name && !w.old && !was.old && w.complete != was.complete &&
				w.row.Table().Index() == was.row.Table().Index() {
				r.At(sdk.AtLine(roadmapPath, w.row.Line()), "the table has a second row for phase "+w.number+", "+
					say.Quote(w.row.Cell(w.status).Text())+"; the first is "+say.Quote(was.row.Cell(was.status).Text())+
					say.Line(m.road.doc, was.row.Start())).About("phase-"+w.number).Keyed("row").
					See(sdk.AtLine(roadmapPath, was.row.Line()), "the first row")
			}
		}
	}
}
