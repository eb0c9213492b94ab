package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/ordinal"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// planLost reports plans that ROADMAP.md lists but that have no file, and plans that were deleted before they were
// executed. A plan that also disappeared from ROADMAP.md was abandoned; summary-orphan covers executed plans. A
// directory that was renamed or deleted as a whole is one finding.
func planLost(r *check.Report, m *model) {
	for _, ph := range m.phases {
		lacks := m.unwritten(ph)
		if len(lacks) == 0 || len(ph.plans) == 0 {
			continue
		}
		var list []string
		for _, b := range lacks {
			list = append(list, b.id())
		}
		names := say.List(list)
		f := r.At(sdk.AtLine(roadmapPath, lacks[0].task.Line()), "ROADMAP.md lists "+names+", but "+ph.dir+" has only "+
			say.List(ids(ph.plans))).About(ph.subject()).See(sdk.At(ph.dir), "the phase").
			Advise("Write the plan or remove its line", "Restore "+names+" from git, or write it (plan-phase).",
				"If it was dropped, remove it from ROADMAP.md and from the plan counts.")
		if ordinal.Compare(ph.plans[len(ph.plans)-1].number, lacks[0].number) < 0 { // to be written later
			f.As(sdk.Info)
		}
	}
	if m.base == nil {
		return
	}
	for _, was := range m.base.phases {
		if to := m.movedTo(was); to != "" {
			if len(was.reports) == 0 {
				m.moved(r, was, to)
			}
			continue
		}
		if m.gone(was.number) == was {
			m.plansGone(r, was)
			continue
		}
		for _, p := range was.plans {
			if b := m.lost(was, p); b != nil {
				r.Whole(p.path, file(p.path)+" was deleted before it was executed, but ROADMAP.md still lists it"+
					say.Line(m.road.doc, b.task.Start())).About(was.subject()).Keyed(p.id()).
					Offer(sdk.Review, "Restore "+file(p.path), m.withNeeds(was, p, nil)...)
			} else {
				m.planHollow(r, was, p)
				m.planUnlisted(r, was, p)
			}
		}
	}
}

// withNeeds appends the edits that restore a plan that was deleted since the base, and the deleted plans that it
// depends on.
func (m *model) withNeeds(was *phase, p *plan, edits []sdk.Edit) []sdk.Edit {
	edits = append(edits, sdk.Restore(p.path))
	for _, text := range p.needs {
		if other, _ := p.need(text); other != nil && m.deleted(was, text) == other.path &&
			!slices.ContainsFunc(edits, func(e sdk.Edit) bool { return e == sdk.Restore(other.path) }) {
			edits = m.withNeeds(was, other, edits)
		}
	}
	return edits
}

// planHollow reports a waiting plan whose text was overwritten with a few other words. front-matter-unread reports a
// plan that also lost its front matter.
func (m *model) planHollow(r *check.Report, was *phase, p *plan) {
	now := m.docs.Get(p.path)
	if !m.waitsStill(p) || !now.Readable() || !p.doc.Readable() || !hasFront(now) || !hasFront(p.doc) {
		return
	}
	_, text, _ := strings.Cut(strings.TrimSpace(now.Text), "\n---")
	_, then, _ := strings.Cut(strings.TrimSpace(p.doc.Text), "\n---")
	if 4*len(text) >= len(then) {
		return
	}
	for line := range strings.Lines(text) {
		if words.Says(line) && strings.Contains(then, strings.TrimSpace(line)) {
			return
		}
	}
	r.Whole(p.path, file(p.path)+" lost its text before it was executed; the base has it").About(was.subject()).
		Keyed(p.id()).Offer(sdk.Review, "Restore "+file(p.path), sdk.Restore(p.path))
}

// planUnlisted reports a waiting plan whose box was deleted while other boxes of its phase remain. GSD still finds the
// plan by its file.
func (m *model) planUnlisted(r *check.Report, was *phase, p *plan) {
	of := func(b *box) bool { return b.phase == was.number && b.number == p.number }
	at := slices.IndexFunc(m.base.road.boxes, func(b *box) bool { return of(b) && !b.old && !b.off })
	if at < 0 || !m.waitsStill(p) || slices.ContainsFunc(m.road.boxes, of) || !m.sameMilestone() ||
		!slices.ContainsFunc(m.road.boxes, func(b *box) bool { return b.phase == was.number }) ||
		goesOn(m.road.doc, m.base.road.doc) >= 0 {
		return
	}
	r.Whole(roadmapPath, "ROADMAP.md no longer lists "+file(p.path)+
		", which is not executed yet; the base has its box"+
		say.Line(m.base.road.doc, m.base.road.boxes[at].task.Start())).About(was.subject()).Keyed(p.id()).
		See(sdk.At(p.path), "the plan").As(sdk.Info)
}

// waitsStill reports whether a plan from the base was not executed then, still exists, and has not been executed since.
func (m *model) waitsStill(p *plan) bool {
	return p.summary == "" && slices.ContainsFunc(m.phases, func(ph *phase) bool {
		return slices.ContainsFunc(m.waits(ph), func(is *plan) bool { return is.path == p.path && !is.lost })
	})
}

// plansGone reports a directory that was deleted with all its plans. If it had a summary, summary-lost reports it.
func (m *model) plansGone(r *check.Report, was *phase) {
	var lost []*plan
	for _, p := range was.plans {
		if m.lost(was, p) != nil {
			lost = append(lost, p)
		}
	}
	if len(was.reports) == 0 && lost != nil {
		r.Whole(was.dir, was.dir+" was deleted before its plans were executed, but ROADMAP.md still lists "+
			say.List(ids(lost))).About(was.subject()).Offer(sdk.Review, "Restore "+was.dir, m.base.restore(was.dir)...)
	}
}

// lost returns a plan's box if the plan was deleted since the base, before it was executed. Otherwise, it returns nil.
func (m *model) lost(was *phase, p *plan) *box {
	if p.summary != "" || m.docs.Get(p.path) != nil || !m.docs.Known(p.path) || m.archived[file(p.path)] {
		return nil
	}
	for _, b := range m.road.boxes {
		if b.phase == was.number && b.number == p.number && !b.old && !b.off && !m.planned(b) {
			return b
		}
	}
	return nil
}

// planned reports whether a plan that ROADMAP.md lists exists under any file name.
func (m *model) planned(b *box) bool {
	return slices.ContainsFunc(m.phases, func(ph *phase) bool {
		return ph.number == b.phase &&
			slices.ContainsFunc(ph.plans, func(p *plan) bool { return p.number == b.number && !p.lost })
	})
}

// recall adds the plans that were lost since the base to their phases again. They still have to be executed; without
// them, the phase would look executed and its counts would be wrong.
func (m *model) recall() {
	for _, was := range m.base.phases {
		list := m.byNumber[was.number]
		if len(list) != 1 || list[0].dir != was.dir {
			continue
		}
		for _, p := range was.plans {
			if m.lost(was, p) != nil {
				list[0].plans = append(list[0].plans, &plan{phase: list[0], path: p.path, number: p.number,
					name: p.name, lost: true, needs: p.needs, gaps: p.gaps})
			}
		}
		list[0].sort()
	}
}

// boxesLost reports unfinished phases that lost their boxes but kept their sections, while other phases have boxes. GSD
// ticks a box when it completes a phase.
func (m *model) boxesLost(r *check.Report) {
	if len(m.road.entries) == 0 || goesOn(m.road.doc, m.base.road.doc) >= 0 {
		return // the roadmap no longer has boxes, or end-lost reports it
	}
	for _, was := range m.base.road.entries {
		at := slices.IndexFunc(m.road.heads, func(h *head) bool {
			return h.number == was.number && !h.old && !h.off && !shipped(h.heading.Raw())
		})
		if at < 0 || was.old || was.off || was.task.Checked() || m.road.boxed(was.number) ||
			m.road.dismisses(was.number) ||
			slices.ContainsFunc(m.road.rows, func(w *row) bool { return w.number == was.number && w.complete }) {
			continue
		}
		h := m.road.heads[at]
		r.At(sdk.AtLine(roadmapPath, h.heading.Line()), "phase "+was.number+" no longer has a box; the base has one"+
			say.Line(m.base.road.doc, was.task.Start())).About("phase-"+was.number).Keyed("box").As(sdk.Warning).
			Advise("Restore the box", "Restore the phase's line in ROADMAP.md, or say there what became of the phase.")
	}
}

// gone returns the base's phase with the given number if its directory was deleted or renamed but ROADMAP.md still
// lists it. Otherwise, it returns nil.
func (m *model) gone(number string) *phase {
	if m.base == nil || !m.sameMilestone() || len(m.byNumber[number]) > 0 || len(m.base.byNumber[number]) != 1 {
		return nil
	}
	was := m.base.byNumber[number][0]
	for _, p := range was.plans {
		if m.docs.Get(p.path) != nil || !m.docs.Known(p.path) || m.archived[file(p.path)] {
			return nil
		}
	}
	if len(was.plans) == 0 || !m.road.lists(number) {
		return nil
	}
	return was
}

// movedTo returns the directory that a phase's directory in the base was renamed to if the new name has another phase's
// number but the files kept their old names, or "". Renumbering a phase properly also renames its files.
func (m *model) movedTo(was *phase) string {
	if m.gone(was.number) != was {
		return ""
	}
	prefix, _, _ := strings.Cut(unprefixed(strings.TrimPrefix(was.dir, "phases/")), "-") // of its files' names: 03
	for _, d := range m.docs.All() {
		rest, ok := strings.CutPrefix(d.Path, "phases/")
		dir, name, ok2 := strings.Cut(rest, "/")
		number, _ := m.phaseNumber(unprefixed(dir))
		if ok && ok2 && number != was.number && name != "" && slices.ContainsFunc(was.plans,
			func(p *plan) bool { return file(p.path) == name && strings.HasPrefix(name, prefix+"-") }) {
			return "phases/" + dir + "/"
		}
	}
	return ""
}

// misnamed reports whether a directory contains another phase's files.
func (m *model) misnamed(ph *phase) bool {
	return m.base != nil &&
		slices.ContainsFunc(m.base.phases, func(was *phase) bool { return m.movedTo(was) == ph.dir })
}

func (m *model) moved(r *check.Report, was *phase, to string) {
	r.Whole(was.dir, was.dir+" was renamed to "+to+", which has another phase's number; its files and "+
		"ROADMAP.md still name phase "+was.number).About(was.subject()).See(sdk.At(to), "the current directory").
		Offer(sdk.Review, "Rename "+to+" back to "+was.dir, sdk.Move(to, was.dir)).
		Advise("Renumber the phase", "Rename "+to+" back to "+was.dir+
			", or give its files and the phase in ROADMAP.md the new number.")
}

// back returns the next action for a phase whose directory is missing.
func (m *model) back(was *phase) string {
	if to := m.movedTo(was); to != "" {
		return "rename " + to + " back to " + was.dir + ", which has the plans for phase " + was.number
	}
	return "restore " + was.dir + " from the base: it has the plans for phase " + was.number
}
