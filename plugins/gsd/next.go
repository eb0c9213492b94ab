package gsd

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/ordinal"
	"github.com/stategate/stategate/sdk/say"
)

// at returns the phase to work on: the phase that following returns or, if other phases have to be finished before it,
// the first of these. ph is nil if the phase has no directory. number is "" if no work is left.
func (m *model) at() (number, name string, ph *phase) {
	number, name, ph = m.following()
	for range m.road.heads {
		first := m.dependsOn(number, ph)
		if first == nil {
			return number, name, ph
		}
		number, name, ph = first[0].number, first[0].name, m.best(first[0].number, first[0].name)
	}
	return m.following() // the phases depend on each other in a circle
}

// dependsOn returns the phases that have to be finished before a phase: it depends on them, and they have waiting plans
// or, if the phase itself has not begun, have not begun either.
func (m *model) dependsOn(number string, ph *phase) (list []*listed) {
	at := slices.IndexFunc(m.road.heads, func(h *head) bool { return h.number == number && !h.old && !h.off })
	if at < 0 {
		return nil
	}
	needs := m.road.dependence(m.road.heads[at]).numbers
	begun := func(ph *phase) bool { return ph != nil && m.rung(ph) >= 3 }
	open := func(p *plan) bool { return !p.awaits() && !m.toldDone(p) && !m.archived[file(summaryOf(p))] }
	for _, e := range m.left() {
		other := m.best(e.number, e.name)
		if e.number != number && slices.Contains(needs, e.number) && !m.onHold(e.number) &&
			(other != nil && slices.ContainsFunc(m.waits(other), open) || !begun(other) && !begun(ph)) {
			list = append(list, e)
		}
	}
	return list
}

// following returns STATE.md's phase if it is unfinished, or else the first unfinished phase in the roadmap. It skips
// unfinished phases before STATE.md's phase unless they have waiting plans. A phase that was inserted before STATE.md's
// phase comes first.
func (m *model) following() (number, name string, ph *phase) {
	if e := m.skipped(); e != nil {
		return e.number, e.name, m.best(e.number, e.name)
	}
	if ph = m.current(); ph != nil && m.rung(ph) < 6 && !m.state.shipped && !m.closed(ph) && !m.parkedAt(ph) {
		return ph.number, ph.title, ph
	}
	from := cmp.Or(m.state.number, m.state.focus)
	if backlog(from) {
		from = ""
	}
	var first *listed
	for _, e := range m.todo() {
		ph := m.of(e.number, e.name)
		if m.onHold(e.number) {
			continue
		}
		next := from == "" || ordinal.Compare(e.number, from) >= 0 || ph != nil &&
			slices.ContainsFunc(m.waits(ph), func(p *plan) bool { return !p.awaits() })
		if first == nil || next {
			first = e
		}
		if next {
			break
		}
	}
	if from == "" { // a phase that has begun comes first
		for _, e := range m.todo() {
			if ph := m.of(e.number, e.name); ph != nil && m.rung(ph) == 3 && !m.onHold(e.number) {
				return e.number, e.name, ph
			}
		}
	}
	if first != nil {
		return first.number, first.name, m.best(first.number, first.name)
	}
	if m.state.doc == nil || hollow(m.state.doc) { // a phase of the next milestone, which ROADMAP.md does not list yet
		for _, ph := range m.phases {
			if len(ph.plans)+len(ph.reports) == 0 && m.entry(ph) == nil && !backlog(ph.number) {
				return ph.number, ph.title, ph
			}
		}
	}
	if len(m.road.entries) == 0 && !m.state.shipped {
		for _, ph := range m.phases {
			if len(m.waits(ph)) > 0 && !backlog(ph.number) {
				return ph.number, ph.title, ph
			}
		}
	}
	return "", "", nil
}

// onHold reports whether STATE.md puts a phase on hold: "Phase 8 (Payment) on hold per user."
func (m *model) onHold(number string) bool {
	for line := range strings.Lines(m.state.text()) {
		before, _, ok := strings.Cut(lower(line), " on hold")
		at := strings.LastIndex(before, "phase ")
		if !ok || at < 0 || mentions(before[at:], "not", "longer", "was", "until") {
			continue
		}
		n, rest := m.phaseNumber(before[at+len("phase "):])
		if n == number && !strings.ContainsAny(unbracketed(rest), ".;,") {
			return true
		}
	}
	return false
}

// parkedAt reports whether a phase is an idea in the backlog without waiting plans. Upstream's tool skips the backlog's
// numbers when it looks for the next phase.
func (m *model) parkedAt(ph *phase) bool { return backlog(ph.number) && len(m.waits(ph)) == 0 }

// A listed phase is one that ROADMAP.md lists.
type listed struct{ number, name string }

// skipped returns an unfinished phase that was inserted before STATE.md's phase, or nil if there is none or if
// STATE.md's phase already has plans. Upstream's tool continues with the lowest-numbered phase without plans, unless a
// planned phase is waiting to be executed.
func (m *model) skipped() *listed {
	if m.state.phase == nil || m.state.number == "" || m.state.shipped {
		return nil
	}
	if ph := m.current(); ph != nil && m.rung(ph) >= 2 {
		return nil
	}
	for _, e := range m.left() {
		if strings.Contains(e.number, ".") && ordinal.Compare(e.number, m.state.number) < 0 {
			return e
		}
	}
	return nil
}

// left returns the unfinished phases in ROADMAP.md, sorted by number: phases with an open box, and unfinished sections
// without a box. Upstream's tool adds and inserts phases as sections only.
func (m *model) left() (list []*listed) {
	for _, e := range m.road.entries {
		if !e.old && !e.off && !e.task.Checked() && m.rowAlone(e) == nil {
			list = append(list, &listed{e.number, e.name})
		}
	}
	for _, h := range m.road.heads {
		if !h.old && !h.off && !m.road.boxed(h.number) && m.unboxed(h) &&
			!slices.ContainsFunc(list, func(l *listed) bool { return l.number == h.number }) {
			list = append(list, &listed{h.number, h.name})
		}
	}
	slices.SortStableFunc(list, func(a, b *listed) int { return ordinal.Compare(a.number, b.number) })
	return list
}

// todo returns the phases in left, and the ticked phases whose verification found gaps that are still open: such a
// phase was ticked before it was verified.
func (m *model) todo() []*listed {
	list := m.left()
	for _, e := range m.road.entries {
		if ph := m.of(e.number, e.name); ph != nil && !e.old && !e.off && e.task.Checked() && ph.fits(e.name) &&
			m.closesGaps(ph) {
			list = append(list, &listed{e.number, e.name})
		}
	}
	slices.SortStableFunc(list, func(a, b *listed) int { return ordinal.Compare(a.number, b.number) })
	return list
}

// closesGaps reports whether a verification found gaps, and a plan that closes them is waiting or, in STATE.md's phase,
// no plan closes them yet.
func (m *model) closesGaps(ph *phase) bool {
	return m.current() == ph && ph.gapsFound() != nil ||
		slices.ContainsFunc(ph.checks, func(v *verdict) bool { return v.word == "gaps_found" }) &&
			slices.ContainsFunc(m.waits(ph), func(p *plan) bool { return p.gaps })
}

// boxed reports whether a phase has a box.
func (r *roadmap) boxed(number string) bool {
	return slices.ContainsFunc(r.entries, func(e *entry) bool { return e.number == number })
}

// ticks reports whether any box of a phase is ticked, including boxes in history.
func (r *roadmap) ticks(number string) bool {
	return slices.ContainsFunc(r.entries, func(e *entry) bool { return e.number == number && e.task.Checked() })
}

// unboxed reports whether a phase without a box is certainly unfinished. Its row, its section's status, its plans'
// boxes or its files may show that. Otherwise, its section may say that plans still have to be made, or STATE.md may be
// at the phase.
func (m *model) unboxed(h *head) bool {
	for _, w := range m.road.rows {
		if w.number == h.number && !w.old && (w.complete || w.open) {
			return w.open
		}
	}
	if m.pastRow(h.number, h.name) != nil {
		return false
	}
	complete, open, other := h.stated()
	if complete {
		return false
	}
	ticked := false
	for _, b := range m.road.boxes {
		if b.phase == h.number && !b.old && !b.off {
			if !b.task.Checked() {
				return true
			}
			ticked = true
		}
	}
	if ph := m.of(h.number, h.name); ph != nil && len(ph.plans) > 0 {
		return len(m.waits(ph)) > 0
	}
	if !ticked && (open || h.unplanned() || !other && m.unreached(h)) && !m.cleaned(h.number) && !m.reports(h.number) {
		return true
	}
	return !ticked && h.number == m.state.number && m.state.complete == nil && !m.state.shipped
}

// unreached reports whether a phase without plans was discussed, or follows every phase with a summary. Other phases
// may have been done without the tool.
func (m *model) unreached(h *head) bool {
	if backlog(h.number) || m.state.shipped || m.state.ended {
		return false
	}
	if ph := m.of(h.number, h.name); ph != nil && ph.context != "" {
		return true
	}
	for i := len(m.phases) - 1; i >= 0; i-- {
		if ph := m.phases[i]; len(ph.reports) > 0 && !backlog(ph.number) {
			return ordinal.Compare(ph.number, h.number) < 0
		}
	}
	return false
}

// stated reports whether a section's status, such as "**Status**: Planned", marks its phase complete or open. other is
// true if the status says something else.
func (h *head) stated() (complete, open, other bool) {
	for line := range strings.Lines(h.section.Raw()) {
		if rest, ok := strings.CutPrefix(lower(mark(line)), "status"); ok && strings.Contains(line, ":") {
			complete, open = claims(mark(rest))
			return complete, open, !complete && !open
		}
	}
	return false, false, false
}

// closed reports whether a phase without a box is complete: its section, its row or a line about shipped phases says
// so, and it has no waiting plans.
func (m *model) closed(ph *phase) bool {
	if m.road.boxed(ph.number) || len(m.waits(ph)) > 0 {
		return false
	}
	w := m.row(ph)
	has, fits := m.archives(ph.number, ph.title)
	return w != nil && w.complete || m.road.doc.Readable() && (fits || !has) &&
		m.road.shippedLine(ph.number, m.state.milestone, m.state.named) ||
		slices.ContainsFunc(m.road.heads, func(h *head) bool {
			complete, _, _ := h.stated()
			return complete && h.number == ph.number && !h.old
		})
}

// unplanned reports whether a phase's section says that its plans are still to be made: "**Plans:** 0 plans",
// "**Plans**: TBD", "**Estimated Plans:** 8-12 (TBD)".
func (h *head) unplanned() bool {
	for line := range strings.Lines(h.section.Raw()) {
		if rest, ok := strings.CutPrefix(strings.TrimPrefix(lower(mark(line)), "estimated "), "plans"); ok {
			if rest = mark(rest); mentions(rest, "tbd") || strings.HasPrefix(rest, "0 plans") {
				return true
			}
		}
	}
	return false
}

// reports reports whether a directory with the given number has a summary.
func (m *model) reports(number string) bool {
	return slices.ContainsFunc(m.byNumber[number], func(ph *phase) bool { return len(ph.reports) > 0 })
}

// unkept returns the names of a phase's summaries, without -SUMMARY.md, if its plans are not kept.
func (ph *phase) unkept() (list []string) {
	if len(ph.plans) == 0 {
		for _, s := range ph.reports {
			list = append(list, strings.TrimSuffix(file(s.doc.Path), "-SUMMARY.md"))
		}
	}
	return list
}

// later describes the other unfinished phases in the roadmap for the brief: those after this one, then those before it.
func (m *model) later(number string) (list []string) {
	var before []string
	for _, e := range m.todo() {
		if e.number == number {
			continue
		}
		text := "phase " + e.number + ": " + strings.TrimSpace(say.Clip(e.name))
		if ph := m.of(e.number, e.name); ph != nil && ph.gapsFound() != nil {
			text = "plan and close the gaps in " + text
		} else if ph != nil {
			v, _ := ph.untested()
			switch rung := m.rung(ph); {
			case (rung == 4 || rung == 5) && v != nil:
				text = "finish the tests in " + file(v.path) + " of " + text
			case rung == 4 || rung == 5:
				verb := "complete "
				if rung == 4 && !ph.tried() {
					verb = "verify "
				} else if m.road.boxed(e.number) {
					verb = "tick "
				}
				text = verb + text
			case rung == 3 && ph.unkept() != nil:
				text = "continue " + text + ", after " + say.List(ph.unkept())
			}
			if waits := m.waits(ph); len(waits) > 0 && !m.misnamed(ph) {
				text += ", with " + say.List(ids(waits))
			}
		}
		if ordinal.Compare(e.number, number) > 0 {
			list = append(list, text)
		} else {
			before = append(before, text)
		}
	}
	return append(list, before...)
}
