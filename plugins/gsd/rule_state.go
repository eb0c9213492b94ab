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

// current returns the directory of the phase that STATE.md names, or nil if none or several match.
func (m *model) current() *phase {
	if m.state.phase == nil || m.state.number == "" {
		return nil
	}
	if list := m.byNumber[m.state.number]; len(list) == 1 {
		return list[0]
	}
	return nil
}

// stateContradicts compares current_phase, Phase: and **Phase:**. All of them may be present, because one program
// updates Phase: and another one reads **Phase:**.
func stateContradicts(r *check.Report, m *model) {
	s := m.state
	if s.current != nil {
		r.At(pairAt(s.phase), "Phase is "+say.Quote(s.phase.Value)+", but current_phase is "+say.Quote(s.current.Value)+
			" (STATE.md:"+say.Int(s.current.Line)+"); expected the same phase").See(sdk.AtLine(statePath,
			s.current.Line),
			"the other phase")
		return
	}
	for i := range s.pairs {
		p := &s.pairs[i]
		if p == s.phase || s.number == "" || len(p.Value) > 120 || lower(strings.Trim(p.Key, " *:")) != "phase" {
			continue
		}
		number, _ := m.phaseIn(p.Value)
		if bold := m.bold(p.Start); number != "" && number != s.number && bold != m.bold(s.phase.Start) {
			r.At(pairAt(p), "Phase is "+say.Quote(p.Value)+", but also "+say.Quote(s.phase.Value)+say.Line(s.doc,
				s.phase.Start)+"; expected one phase").See(pairAt(s.phase), "the other phase")
			return
		}
	}
}

// bold reports whether the line at an offset begins with a bold Phase key.
func (m *model) bold(at int) bool {
	text := m.state.doc.Text
	line := text[strings.LastIndexByte(text[:at], '\n')+1:]
	return strings.HasPrefix(strings.TrimLeft(line, " -*"), "Phase") &&
		strings.HasPrefix(strings.TrimLeft(line, " -"), "**")
}

func stateAhead(r *check.Report, m *model) {
	ph := m.current()
	if ph == nil || m.state.complete == nil {
		return
	}
	at, waits := m.state.complete, m.waits(ph)
	if m.unfounded(ph) {
		r.At(pairAt(at), "STATE.md marks phase "+ph.number+" complete ("+say.Quote(at.Value)+"), but "+
			m.where(ph.number)).About(ph.subject()).See(sdk.At(ph.dir), "the phase").As(sdk.Warning).
			Advise("Record the work, or correct STATE.md", "If the phase is done, which git log may show, tick it in "+
				"ROADMAP.md, and write in its section that it was done without plans.",
				"Otherwise, set Status to Ready to plan.")
	}
	if len(waits) == 0 {
		return
	}
	f := r.At(pairAt(at), "STATE.md marks phase "+ph.number+" complete ("+say.Quote(at.Value)+"), but "+ph.summaries()+
		"; open: "+say.List(ids(waits))).
		About(ph.subject()).See(sdk.At(waits[0].path), "a plan without a summary")
	old := m.base != nil && m.base.state.complete != nil && m.base.state.number == ph.number && closing(waits)
	if m.excused(ph) || m.reopened(ph, waits) || m.leftover(ph) || old {
		f.As(sdk.Warning)
	}
}

// unfounded reports whether STATE.md marks its phase complete although the phase has neither a plan nor a summary, in a
// project that keeps them. The status must be about this phase: when the tool moves to the next phase, it may only
// advance Phase and Plan.
func (m *model) unfounded(ph *phase) bool {
	s := m.state
	if m.current() != ph || s.complete == nil || s.complete != s.phase && (s.at == 0 || s.at < s.of) || s.shipped {
		return false
	}
	_, archived := m.archives(ph.number, ph.title)
	return !archived && m.keeps() && m.unrecorded(ph.number) && m.ticked(ph) == 0
}

// leftover reports whether Status in STATE.md is left from the previous phase, because the tool advances Phase and Plan
// without Status.
func (m *model) leftover(ph *phase) bool {
	return m.state.notStarted() && len(ph.reports) == 0
}

// stateBehind reports a STATE.md at an executed phase if work has continued: the phase is ticked and a later phase has
// a summary, a later phase is ticked, or the phase is ticked and Plan is still at one of its first plans.
func stateBehind(r *check.Report, m *model) {
	s, ph := m.state, m.current()
	if ph == nil || s.complete != nil || s.shipped || s.current != nil {
		return
	}
	done, all := ph.executed()
	tick := m.ticked(ph)
	if tick == 0 {
		m.behindInPhase(r, ph, all)
	}
	if done < all || all == 0 {
		return
	}
	for i := len(m.phases) - 1; i >= 0; i-- {
		later := m.phases[i]
		n, _ := later.executed()
		if ordinal.Compare(later.number, ph.number) <= 0 {
			break
		}
		if n == 0 || m.entry(later) == nil || backlog(later.number) || tick == 0 && m.ticked(later) == 0 {
			continue
		}
		what, at, why := "ticked and executed", tick, "the tick"
		if tick == 0 {
			what, at, why = "executed", m.ticked(later), "the later phase's tick"
		}
		r.At(pairAt(s.phase), "STATE.md is at phase "+ph.number+", which is "+what+", but phase "+
			later.number+" has "+say.Count(n, "summary")+" in "+later.dir).
			About(ph.subject()).See(sdk.AtLine(roadmapPath, at), why)
		return
	}
	if tick > 0 && s.at > 0 && s.at < done && s.of == all {
		r.At(pairAt(s.plan), "Plan is "+say.Quote(s.plan.Value)+", but phase "+ph.number+" is ticked, and "+
			ph.summaries()).About(ph.subject()).See(sdk.AtLine(roadmapPath, tick), "the tick")
	}
}

// behindInPhase reports a Plan that already has a summary, as do all plans before it. STATE.md is updated after a
// summary is written, so one summary may be newer than STATE.md. So may the summaries of one wave, whose plans may be
// executed in parallel. A plan's box in ROADMAP.md is ticked after both.
func (m *model) behindInPhase(r *check.Report, ph *phase, all int) {
	s, plans := m.state, ph.plans[:0:0]
	for _, p := range ph.plans {
		if p.superseded {
			continue
		}
		if p.summary == "" {
			break
		}
		plans = append(plans, p)
	}
	if s.at == 0 || s.of != all || len(plans) < s.at {
		return
	}
	late := plans[s.at-1:]
	counted := s.counts["completed_plans"]
	proved, _ := m.counted("plans")
	severity := sdk.Info
	switch first := late[0]; {
	case len(late) == 1:
		if s.at == all || !m.boxTicked(first) || counted == nil || counted.value >= proved {
			return
		}
	case slices.ContainsFunc(late, func(p *plan) bool { return p.wave == 0 || p.wave != first.wave }):
		severity = sdk.Warning
	}
	last := late[len(late)-1]
	r.At(pairAt(s.plan), "Plan is "+say.Quote(s.plan.Value)+", but "+ph.summaries()).About(ph.subject()).
		Keyed("plan").See(sdk.At(last.summary), "the last summary").As(severity)
}

// boxTicked reports whether ROADMAP.md ticks a plan.
func (m *model) boxTicked(p *plan) bool {
	return slices.ContainsFunc(m.boxes(p.phase), func(b pairedBox) bool { return b.plan == p && b.task.Checked() })
}

// phasePassedOver reports an unfinished phase before STATE.md's phase: an inserted phase, the base's current phase, or
// a started phase directly before one that has not started.
func phasePassedOver(r *check.Report, m *model) {
	s := m.state
	if s.phase == nil || s.number == "" || s.shipped || s.current != nil {
		return // state-contradicts reports two phases
	}
	if e := m.skipped(); e != nil {
		what := "has no plans"
		if ph := m.of(e.number, e.name); ph != nil && len(ph.plans) > 0 {
			what = "is not finished: " + ph.summaries()
		}
		r.At(pairAt(s.phase), "Phase is "+say.Quote(s.phase.Value)+", but phase "+e.number+
			", which was inserted before it, "+what).About("phase-" + e.number)
		return
	}
	var before *entry
	for _, e := range m.road.entries {
		if e.old || e.off || ordinal.Compare(e.number, s.number) >= 0 {
			continue
		}
		ph := m.of(e.number, e.name)
		moved := m.base != nil && m.sameMilestone() && m.base.state.number == e.number
		if moved && m.unfinished(e, ph) {
			m.passedOver(r, e, ph)
			return
		}
		if before == nil || ordinal.Compare(before.number, e.number) < 0 {
			before = e
		}
	}
	if before != nil && s.notStarted() {
		if ph := m.of(before.number, before.name); m.unfinished(before, ph) && len(ph.reports) > 0 {
			m.passedOver(r, before, ph)
		}
	}
}

// unfinished reports whether a phase is not ticked and has waiting plans.
func (m *model) unfinished(e *entry, ph *phase) bool {
	return ph != nil && ph.fits(e.name) && !e.task.Checked() && len(m.waits(ph)) > 0 && !m.excused(ph)
}

func (m *model) passedOver(r *check.Report, e *entry, ph *phase) {
	r.At(pairAt(m.state.phase), "Phase is "+say.Quote(m.state.phase.Value)+", but phase "+e.number+" is not finished: "+
		ph.summaries()+"; open: "+say.List(ids(m.waits(ph)))).
		About(ph.subject()).See(sdk.AtLine(roadmapPath, e.task.Line()), "the checkbox of phase "+e.number)
}

// phaseUnknown reports nothing if ROADMAP.md or an archive contains the phase's number in any form.
func phaseUnknown(r *check.Report, m *model) {
	s := m.state
	if s.phase == nil || s.number == "" || s.shipped || s.ended || s.current != nil {
		return
	}
	if backlog(s.number) {
		if ph := m.current(); ph == nil || m.parkedAt(ph) {
			r.At(pairAt(s.phase), "Phase is "+say.Quote(s.phase.Value)+", but phase 999 is the backlog, which is not "+
				"planned work")
		}
		return
	}
	if len(m.byNumber[s.number]) > 0 ||
		len(m.road.entries)+len(m.road.heads) == 0 || m.road.says(s.number) || m.inArchive(s.number) {
		return
	}
	if s.status != nil {
		if done, _ := claims(s.status.Value); done { // left from a finished milestone
			return
		}
	}
	r.At(pairAt(s.phase), "Phase is "+say.Quote(s.phase.Value)+", but neither ROADMAP.md nor phases/ has phase "+
		s.number)
}

// planCount reports an outdated plan number or count. Plans added while a phase is executed are often forgotten.
func planCount(r *check.Report, m *model) {
	s, ph := m.state, m.current()
	if ph == nil || s.current != nil || s.of == 0 || s.at > s.of || len(ph.orphans) > 0 || s.shipped {
		return
	}
	done, all := ph.executed()
	may := done + 1 // Plan may be the next plan
	if words.Mentions(s.plan.Value, "complete", "completed", "executed") &&
		!words.Mentions(s.plan.Value, "not", "in progress", "await", "awaiting", "remain", "next", "executing",
			"pending") {
		may = done
	}
	switch {
	case all > 0 && s.of != all && s.of != all+len(m.unwritten(ph)):
		f := r.At(pairAt(s.plan), "Plan is "+say.Quote(s.plan.Value)+", but "+ph.dir+" has "+say.Count(all,
			"plan")).About(ph.subject()).See(sdk.At(ph.dir), "the phase")
		if left := m.leftOver(ph); len(left) > 0 && s.of == all-len(left) {
			m.retire(f, ph, left)
		}
	case all > 0 && s.at > may && !ph.proved():
		r.At(pairAt(s.plan), "Plan is "+say.Quote(s.plan.Value)+", but "+
			ph.summaries()).About(ph.subject()).See(sdk.At(ph.dir), "the phase")
	}
}

func planBeyond(r *check.Report, m *model) {
	if s := m.state; s.of > 0 && s.at > s.of {
		r.At(pairAt(s.plan), "Plan is "+say.Int(s.at)+" of "+say.Int(s.of)+"; expected at most "+say.Int(s.of))
	}
}

// quickOpen checks the table of quick tasks, which only lists completed tasks. A task with several plans is done when
// one of them has a summary.
func quickOpen(r *check.Report, m *model) {
	for _, t := range m.state.doc.Outline().Tables() {
		column := t.Column("Directory")
		if column < 0 || t.Column("Description") < 0 {
			continue
		}
		for _, row := range t.Rows() {
			_, name := cutLast("/"+strings.Trim(row.Cell(column).Text(), "[]()./ "), "/")
			plan, done := "", false
			for _, d := range r.Docs.All() {
				rest, ok := strings.CutPrefix(d.Path, "quick/"+name+"/")
				switch {
				case !ok || name == "":
				case strings.Contains(rest, "SUMMARY"):
					done = true
				default:
					plan = d.Path
				}
			}
			if plan != "" && !done && r.Docs.CompleteBelow("quick") {
				r.At(sdk.AtLine(statePath, row.Line()),
					"the quick task "+say.Quote(name)+" is listed as completed, but quick/"+name+
						"/ has no summary").Keyed(name).See(sdk.At(plan), "its plan")
			}
		}
	}
}
