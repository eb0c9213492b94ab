package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/ordinal"
	"github.com/stategate/stategate/sdk/say"
)

// summaryLost checks directories that still exist or that ROADMAP.md still names. Other directories were archived,
// renumbered or removed as a whole. A renamed summary is found by its number.
func summaryLost(r *check.Report, m *model) {
	now := map[string]*phase{}
	for _, ph := range m.phases {
		now[ph.dir] = ph
	}
	for _, was := range m.base.phases {
		ph := now[was.dir]
		if ph == nil && slices.ContainsFunc(m.aside, func(ph *phase) bool { return ph.dir == was.dir }) {
			continue
		}
		if ph == nil {
			m.phaseGone(r, was)
			continue
		}
		for _, s := range m.missing(was, ph) {
			path, what := s.doc.Path, " is missing; the base has it in "+was.dir
			if void := ph.voided(path); void != nil {
				what = " " + void.void + "; the base has the full summary"
			} else if d := m.docs.Get(path); d != nil {
				what = check.Emptied(d, s.doc) + "; the base has the full summary"
			}
			f := r.Whole(path, file(path)+what).About(ph.subject()).Keyed(s.id(ph)).
				See(sdk.At(ph.dir), "the phase still exists").Offer(sdk.Review, "Restore "+file(path),
				sdk.Restore(path))
			if m.undone(was, s.number) {
				f.As(sdk.Warning)
			}
		}
	}
}

// missing returns the summaries that a phase had in the base and that are missing now or lost nearly all of their text.
func (m *model) missing(was, ph *phase) (list []*summary) {
	taken := map[*plan]bool{}
	for _, s := range was.reports {
		path := s.doc.Path
		if check.Emptied(m.docs.Get(path), s.doc) != "" {
			list = append(list, s)
			continue
		}
		if m.docs.Get(path) != nil && ph.voided(path) == nil || !m.docs.Known(path) || m.archived[file(path)] ||
			ph.has(s.number) || m.base.stray(was, s) || ph.renumbered(was, s, taken) {
			continue
		}
		list = append(list, s)
	}
	return list
}

// restorable returns the path of the summary that a plan had in the base and lost. It returns "" if there was none or
// the plan was reverted.
func (m *model) restorable(p *plan) string {
	if m.base == nil {
		return ""
	}
	for _, was := range m.base.phases {
		if was.dir != p.phase.dir {
			continue
		}
		for _, s := range m.missing(was, p.phase) {
			if s.number == p.number && !m.undone(was, s.number) {
				return s.doc.Path
			}
		}
	}
	return ""
}

// stray reports whether a summary does not belong to any plan: neither its phase nor ROADMAP.md has a plan with its
// number. summary-orphan reports it.
func (m *model) stray(ph *phase, s *summary) bool {
	return len(ph.plans) > 0 && slices.Contains(ph.orphans, s.doc.Path) &&
		!slices.ContainsFunc(m.road.boxes, func(b *box) bool { return b.phase == ph.number && b.number == s.number })
}

// renumbered reports whether a plan and its summary were given another number together: one of the two files has the
// same text except for numbers. taken holds the plans that were matched already.
func (ph *phase) renumbered(was *phase, s *summary, taken map[*plan]bool) bool {
	before := was.plan(s.number)
	if before == nil || s.number == "" || ph.plan(s.number) != nil {
		return false
	}
	for _, now := range ph.reports {
		p := ph.plan(now.number)
		if p == nil || taken[p] || was.plan(now.number) != nil || was.has(now.number) {
			continue
		}
		if letters(p.doc.Text) == letters(before.doc.Text) || letters(now.doc.Text) == letters(s.doc.Text) {
			taken[p] = true
			return true
		}
	}
	return false
}

// letters returns a text without digits, white space and punctuation.
func letters(text string) string {
	return strings.Map(func(c rune) rune {
		if '0' <= c && c <= '9' {
			return -1
		}
		return c
	}, meaning(text))
}

// undone reports whether work was reverted, as with git revert: its ticks were removed, none is left, and STATE.md
// moved back as well. plan is the number of the reverted plan, "" for a phase with its plans, or "-" for only the
// completion of the phase.
func (m *model) undone(was *phase, plan string) bool {
	ticks := func(m *model) (n int) {
		for _, e := range m.road.entries {
			if e.number == was.number && !e.old && e.task.Checked() {
				n++
			}
		}
		for _, b := range m.road.boxes {
			if b.phase == was.number && (b.number == plan || plan == "") && !b.old && b.task.Checked() {
				n++
			}
		}
		for _, w := range m.road.rows {
			if w.number == was.number && !w.old && w.complete {
				n++
			}
		}
		return n
	}
	// a hidden file may show the revert
	hidden := func(path string) bool { return m.docs.Get(path) == nil && !m.docs.Known(path) }
	return ticks(m) == 0 && (ticks(m.base) > 0 || hidden(roadmapPath)) &&
		(m.state.before(m.base.state) || hidden(statePath))
}

// before reports whether the position is before another one.
func (s *state) before(was *state) bool {
	if s.number == "" || was.number == "" {
		return false
	}
	switch c := ordinal.Compare(s.number, was.number); {
	case c != 0:
		return c < 0
	case s.complete != nil || s.shipped:
		return false
	case was.complete != nil || was.shipped || s.at < was.at:
		return true
	}
	now, then := s.counts["completed_plans"], was.counts["completed_plans"]
	return now != nil && then != nil && now.value < then.value
}

// vanished returns the summaries of a phase in the base, or nil if the phase still has a directory or is archived.
func (m *model) vanished(was *phase) (names []string) {
	if slices.ContainsFunc(m.phases, func(ph *phase) bool { return ph.number == was.number || ph.title == was.title }) {
		return nil
	}
	for _, s := range was.reports {
		if m.archived[file(s.doc.Path)] {
			return nil
		}
		names = append(names, file(s.doc.Path))
	}
	return names
}

// phaseGone reports a missing directory that had summaries if ROADMAP.md still has the phase's box or a box of a plan
// with a summary.
func (m *model) phaseGone(r *check.Report, was *phase) {
	names := m.vanished(was)
	if to := m.movedTo(was); to != "" && len(was.reports) > 0 {
		m.moved(r, was, to)
		return
	}
	task := m.road.taskOf(was)
	if task == nil {
		m.removed(r, was, names)
		return
	}
	if len(names) == 0 || !m.sameMilestone() {
		return
	}
	f := r.Whole(was.dir, was.dir+" was deleted with "+say.List(names)+", but ROADMAP.md still has phase "+was.number+
		say.Line(m.road.doc, task.Start())).About(was.subject()).
		See(sdk.AtLine(roadmapPath, task.Line()), "the checkbox").
		Offer(sdk.Review, "Restore "+was.dir, m.base.restore(was.dir)...).
		Advise("Restore the phase", "Restore "+was.dir+
			" from the base, or remove the phase from ROADMAP.md as well if it was removed on purpose.")
	if m.undone(was, "") {
		f.As(sdk.Warning)
	}
}

// taskOf returns a phase's box or, if ROADMAP.md has none, the first box of a plan with a summary, or nil.
func (r *roadmap) taskOf(ph *phase) *markdown.Task {
	for _, e := range r.entries {
		if e.number == ph.number && !e.old && !e.off && ph.fits(e.name) {
			return &e.task
		}
	}
	if r.boxed(ph.number) {
		return nil
	}
	for _, b := range r.boxes {
		if b.phase == ph.number && !b.old && !b.off && ph.has(b.number) {
			return &b.task
		}
	}
	return nil
}

// removed reports an unfinished phase that was deleted with its summaries, in phases/ and in ROADMAP.md. GSD removes
// only phases on which no work was done.
func (m *model) removed(r *check.Report, was *phase, names []string) {
	e := m.base.entry(was)
	if e == nil || e.off || e.old || e.task.Checked() || len(names) == 0 || !m.road.doc.Readable() ||
		!m.sameMilestone() || m.undone(was, "") || m.road.says(was.number) || m.inArchive(was.number) {
		return
	}
	r.Whole(was.dir, was.dir+" and phase "+was.number+" in ROADMAP.md were deleted with "+say.List(names)+
		", before the phase was finished").About(was.subject()).As(sdk.Warning).
		Advise("Keep the record", "Restore "+was.dir+" and the phase in ROADMAP.md. If it was abandoned, strike it "+
			"out there with the reason.")
}

// restore returns the edits that restore a revision's files in a directory.
func (m *model) restore(dir string) (edits []sdk.Edit) {
	for _, d := range m.docs.All() {
		if d.Path != dir && strings.HasPrefix(d.Path, dir) && len(d.Faults) == 0 {
			edits = append(edits, sdk.Restore(d.Path))
		}
	}
	return edits
}

// verificationLost checks directories that still have plans or summaries but no other verification.
func verificationLost(r *check.Report, m *model) {
	for _, was := range m.base.phases {
		at := slices.IndexFunc(m.phases, func(ph *phase) bool {
			return ph.dir == was.dir &&
				len(ph.plans)+len(ph.reports) > 0
		})
		if at < 0 {
			continue
		}
		gone := func(v *verdict) *check.Finding {
			if r.Docs.Get(v.path) != nil || !r.Docs.Known(v.path) || m.archived[file(v.path)] {
				return nil
			}
			return r.Whole(v.path, file(v.path)+" is missing; the base has it in "+
				was.dir).About(was.subject()).Keyed(file(v.path)).
				See(sdk.At(was.dir), "the phase still exists").Offer(sdk.Review, "Restore "+file(v.path),
				sdk.Restore(v.path))
		}
		if now := m.phases[at]; len(now.checks) == 0 {
			for _, v := range was.checks {
				f := gone(v)
				if e := m.base.entry(was); f != nil && e != nil && e.task.Checked() && m.undone(was, "-") {
					f.As(sdk.Warning)
				}
			}
		}
		if now := m.phases[at]; len(now.uats) == 0 {
			for _, v := range was.uats {
				if f := gone(v); f != nil {
					f.As(sdk.Warning) // verify-work writes it again
				}
			}
		}
	}
}
