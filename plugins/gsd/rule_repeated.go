package gsd

import (
	"slices"

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
		list := m.byNumber[ph.number]
		if list == nil {
			continue // the other directory is left from a shipped milestone
		}
		f := r.Whole(ph.dir, ph.dir+" has no documents, but has the number of "+list[0].dir).About(ph.subject()).
			Advise("Remove the empty directory", "Remove "+ph.dir+" if nothing in it is needed.")
		if ph.dir[:len(ph.dir)-1] > list[0].dir[:len(list[0].dir)-1] { // commands use the first
			f.As(sdk.Warning)
		}
	}
}

// listsCopied reports a section whose plan list is that of another phase. If it also lists other plans, it refers to
// that phase's plans on purpose.
func (m *model) listsCopied(r *check.Report) {
	for _, h := range m.road.heads {
		of, names := "", []string(nil)
		for _, b := range m.road.copies {
			if b.within == h.number && of != "" && of != b.phase {
				names = nil
				break
			} else if b.within == h.number {
				of, names = b.phase, append(names, b.id())
			}
		}
		if len(names) > 1 && !h.old && !h.off && !slices.ContainsFunc(m.road.boxes,
			func(b *box) bool { return b.phase == h.number }) {
			r.At(sdk.AtLine(roadmapPath, h.heading.Line()), "the section of phase "+h.number+
				" lists the plans of phase "+of+": "+say.List(names)).About("phase-"+h.number).
				Advise("List the phase's own plans", "Remove the list if it was copied. plan-phase writes the right "+
					"one.")
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
