package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/graph"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/work"
)

// planTickedEarly reports one finding for each phase, because ticks are set together.
func planTickedEarly(r *check.Report, m *model) {
	m.tickedWithoutPlan(r)
	for _, ph := range m.phases {
		edits, plans, line := m.early(ph)
		if plans == nil {
			continue
		}
		who := say.List(ids(plans)) + " " + say.Are(len(plans))
		message := who + " ticked without a summary; expected " + summaryOf(plans[0])
		if stopped := plans[0].stopped; stopped != nil {
			message = who + " ticked but not finished"
		} else if plans[0].void != nil {
			message = who + " ticked without a usable summary"
		}
		f := r.At(sdk.AtLine(roadmapPath, line), message).About(ph.subject())
		if f.See(sdk.At(plans[0].path), "the plan"); ph.proved() {
			f.As(sdk.Warning).Advise("Write the summaries", "Write the summary of "+say.List(names(plans))+".")
			continue
		}
		back, title := m.restores(plans)
		f.Offer(sdk.Review, title, back...)
		fresh := m.base != nil && slices.ContainsFunc(plans, func(p *plan) bool { return !m.base.ticksPlan(p) })
		record(f, plans, fresh, "Untick "+say.Count(len(plans), "plan")+" in phase "+ph.number,
			sdk.Edits(roadmapPath, edits...))
	}
}

// early returns the waiting plans that are ticked, the edits that untick them, and the line of the first box.
func (m *model) early(ph *phase) (edits []markdown.Edit, plans []*plan, line int) {
	waits := m.waits(ph)
	for _, b := range m.boxes(ph) {
		if !b.task.Checked() || !slices.Contains(waits, b.plan) || slices.Contains(plans, b.plan) {
			continue
		}
		if line == 0 {
			line = b.task.Line()
		}
		untick, _ := b.task.Uncheck()
		edits, plans = append(edits, untick), append(plans, b.plan)
	}
	return edits, plans, line
}

// ticksPlan reports whether ROADMAP.md ticks a plan with the same phase and number.
func (m *model) ticksPlan(p *plan) bool {
	return slices.ContainsFunc(m.road.boxes, func(b *box) bool {
		return b.phase == p.phase.number && b.number == p.number && !b.old && b.task.Checked()
	})
}

// summaryOf returns the path that a plan's summary should have.
func summaryOf(p *plan) string {
	dir, name := cutLast(p.path, "/")
	if !strings.Contains(name, "PLAN") { // 02-P01-name.md
		return dir + "/" + strings.TrimSuffix(strings.TrimSuffix(name, ".md"), p.name) + "SUMMARY.md"
	}
	return dir + "/" + strings.Replace(name, "PLAN", "SUMMARY", 1)
}

// planNotTicked reports one finding for each phase. If a project does not keep plans, a summary alone shows that its
// plan is done.
func planNotTicked(r *check.Report, m *model) {
	for _, ph := range m.phases {
		var edits []markdown.Edit
		var names []string
		line, first := 0, ""
		lag := func(b *box, name, path string) {
			if line == 0 {
				line, first = b.task.Line(), path
			}
			tick, _ := b.task.Check()
			edits, names = append(edits, tick), append(names, name)
		}
		for _, b := range m.boxes(ph) {
			if !b.task.Checked() && b.plan.summary != "" && !b.plan.failed {
				lag(b.box, ids([]*plan{b.plan})[0], b.plan.summary)
			}
		}
		for _, b := range m.road.boxes {
			at := slices.IndexFunc(ph.reports, func(s *summary) bool { return s.number == b.number })
			if len(ph.plans) == 0 && len(m.byNumber[ph.number]) == 1 && b.phase == ph.number && at >= 0 &&
				!b.old && !b.off && !b.task.Checked() && ph.reports[at].unfinished == "" && !ph.reports[at].failed {
				lag(b, b.id(), ph.reports[at].doc.Path)
			}
		}
		if names == nil {
			continue
		}
		evidence := first + " exists"
		if len(names) > 1 {
			evidence = "their summaries exist, such as " + first
		}
		f := r.At(sdk.AtLine(roadmapPath, line), say.List(names)+" "+say.Are(len(names))+
			" not ticked, although "+evidence).
			About(ph.subject())
		if e := m.entry(ph); e != nil && e.task.Checked() {
			f.As(sdk.Info)
		}
		f.See(sdk.At(first), "the summary")
		if title := "Tick " + say.Count(len(names), "plan") + " in phase " + ph.number; len(ph.plans) == 0 {
			f.Advise(title, "Tick "+say.List(names)+" in ROADMAP.md.")
		} else {
			f.Offer(sdk.Review, title, sdk.Edits(roadmapPath, edits...)...)
		}
	}
}

// need returns the plan in the same phase that a depends_on entry names. If the phase does not have that plan, missing
// is the entry. Both are empty for an entry that names another phase, a bare number (which may be a plan or a phase) or
// no plan at all.
func (p *plan) need(text string) (found *plan, missing string) {
	text = strings.TrimSpace(text)
	phase, number := planRef(text, p.phase.number)
	if phase != p.phase.number {
		return nil, ""
	}
	if other := p.phase.plan(number); other != nil {
		return other, ""
	}
	if p.phase.has(number) { // it has a summary, so it was executed
		return nil, ""
	}
	return nil, text
}

func dependencyUnknown(r *check.Report, m *model) {
	for _, ph := range m.phases {
		for _, p := range ph.plans {
			for _, text := range p.needs {
				if _, missing := p.need(text); missing != "" && p.summary == "" && p.number != "" && !p.lost &&
					len(m.byNumber[ph.number]) == 1 {
					f := r.At(sdk.AtLine(p.path, p.needsLine),
						"depends_on names "+say.Quote(missing)+", which "+ph.dir+
							" does not have; it has "+say.List(ids(ph.plans))).
						About(ph.subject()).Keyed(p.id() + " " + missing)
					if path := m.deleted(ph, missing); path != "" {
						f.Offer(sdk.Review, "Restore "+file(path)+" from the base", sdk.Restore(path))
					}
				}
			}
		}
	}
}

// deleted returns the path of the plan that text refers to if only the base has it, or "".
func (m *model) deleted(ph *phase, text string) string {
	if m.base == nil {
		return ""
	}
	_, number := planRef(strings.TrimSpace(text), ph.number)
	for _, was := range m.base.phases {
		for _, p := range was.plans {
			if was.dir == ph.dir && p.number == number && m.docs.Get(p.path) == nil {
				return p.path
			}
		}
	}
	return ""
}

func dependencyCycle(r *check.Report, m *model) {
	for _, ph := range m.phases {
		byPath := map[string]*plan{}
		var names []string
		for _, p := range ph.plans {
			names, byPath[p.path] = append(names, p.path), p
		}
		g := graph.New(names...)
		for _, p := range ph.plans {
			for _, text := range p.needs {
				if other, _ := p.need(text); other != nil {
					g.Need(p.path, other.path)
				}
			}
		}
		for _, circle := range g.Cycles() {
			var list []string
			for _, path := range circle {
				list = append(list, strings.TrimSuffix(file(path), ".md"))
			}
			first := byPath[circle[0]]
			r.At(sdk.AtLine(first.path, first.needsLine),
				work.SayCircle("plan", list)).About(ph.subject()).Keyed(first.id())
		}
	}
}

func dependencyOpen(r *check.Report, m *model) {
	for _, ph := range m.phases {
		waits := m.waits(ph)
		for _, p := range ph.plans {
			for _, text := range p.needs {
				if other, _ := p.need(text); p.summary != "" && slices.Contains(waits, other) && !other.awaits() {
					r.At(sdk.AtLine(p.path, p.needsLine),
						file(p.path)+" is executed, but depends on "+file(other.path)+
							", which has no summary; expected "+summaryOf(other)).
						About(ph.subject()).Keyed(p.id()+" "+other.id()).See(sdk.At(other.path),
						"the plan without a summary")
				}
			}
		}
	}
}

func planWave(r *check.Report, m *model) {
	for _, ph := range m.phases {
		for _, p := range ph.plans {
			var last *plan
			for _, text := range p.needs {
				if other, _ := p.need(text); other != nil && other != p && other.wave >= p.wave &&
					(last == nil || other.wave > last.wave) {
					last = other
				}
			}
			if last != nil && p.wave > 0 && p.summary == "" {
				r.At(sdk.AtLine(p.path, p.waveLine), "wave in "+file(p.path)+" is "+say.Int(p.wave)+
					", but the plan depends on "+file(last.path)+", which is in wave "+say.Int(last.wave)+"; expected "+
					say.Int(last.wave+1)+" or more").About(ph.subject()).Keyed(p.id()).
					See(sdk.AtLine(last.path, last.waveLine), "the dependency's wave")
			}
		}
	}
}

// summaryOrphan reports one finding for each phase. It skips summaries whose names do not contain a plan's number, such
// as reports of fixes, waves or tests.
func summaryOrphan(r *check.Report, m *model) {
	for _, ph := range m.phases {
		if len(ph.plans) == 0 || len(ph.orphans) == 0 {
			continue
		}
		var names []string
		for _, path := range ph.orphans {
			names = append(names, file(path))
		}
		f := r.Whole(ph.orphans[0], say.List(names)+" "+say.Has(len(names))+" no plan; "+ph.dir+" has "+
			say.List(ids(ph.plans))).About(ph.subject())
		if done, all := ph.executed(); done == all { // no plan is left that the summary could belong to
			f.Advise("Add the plan", "Restore the plan from git if git has it.",
				"Otherwise, write it from its summary and its line in ROADMAP.md.")
		}
	}
}

// planRepeated reports copies: someone copied a plan to begin another one, and left it or its front matter unchanged.
func planRepeated(r *check.Report, m *model) {
	m.listsCopied(r)
	for _, ph := range m.phases {
		for _, p := range ph.copies {
			r.Whole(p.path, file(p.path)+" is a copy of "+file(p.original.path)).About(ph.subject()).Keyed(p.id()).
				See(sdk.At(p.original.path), "the same text").
				Offer(sdk.Review, "Delete the copy "+file(p.path), sdk.Remove(p.path)).
				Advise("Write the intended plan", "Write the plan that "+file(p.path)+" should contain, with its "+
					"number in the front matter.")
		}
		for _, p := range m.waits(ph) {
			if ph.isOther(p.ofPhase) && ph.isOtherPlan(p.number, p.ofPlan) && slices.ContainsFunc(m.phases,
				func(other *phase) bool { return other != ph && !other.isOther(p.ofPhase) }) {
				r.At(sdk.AtLine(p.path, 1), file(p.path)+" is for phase "+say.Quote(p.ofPhase)+", plan "+
					say.Quote(p.ofPlan)).About(ph.subject()).Keyed(p.id()).
					Advise("Correct the front matter", "Set phase and plan, and check the other keys: they may have "+
						"been copied, too.")
			}
		}
	}
}

// summaryUnusable reports summaries that prove nothing. If the base has a usable one, summary-lost reports it.
func summaryUnusable(r *check.Report, m *model) {
	for _, ph := range m.phases {
		for _, s := range ph.voids {
			if m.base != nil && slices.ContainsFunc(m.base.phases, func(was *phase) bool {
				return slices.ContainsFunc(was.reports, func(b *summary) bool { return b.doc.Path == s.doc.Path })
			}) {
				continue
			}
			f := r.Whole(s.doc.Path, file(s.doc.Path)+" "+s.void).About(ph.subject()).Keyed(s.id(ph))
			if of := m.copied(s); of != nil {
				f.See(sdk.At(of.doc.Path), "the same text").Offer(sdk.Review, "Delete the copy "+file(s.doc.Path),
					sdk.Remove(s.doc.Path))
			}
			if to := m.placeOf(s); to != "" {
				f.Advise("Move the summary", "Move "+s.doc.Path+" to "+to+".")
			}
			f.Advise("Write the summary", "If the plan was executed, write its summary again.",
				"If not, delete "+s.doc.Path+" and execute the plan.")
		}
	}
}

// placeOf returns the directory of the phase that a summary belongs to if its plan is waiting there, or "".
func (m *model) placeOf(s *summary) string {
	for _, ph := range m.phases {
		at := slices.IndexFunc(ph.plans, func(p *plan) bool { return p.number == s.number && p.open() && !p.lost })
		if s.of == strings.Trim(strings.TrimPrefix(ph.dir, "phases/"), "/") && at >= 0 &&
			file(summaryOf(ph.plans[at])) == file(s.doc.Path) {
			return ph.dir
		}
	}
	return ""
}

// copied returns a usable summary that has the same text as s, or nil if there is none.
func (m *model) copied(s *summary) *summary {
	for _, ph := range m.phases {
		for _, other := range ph.reports {
			if other.doc.Digest == s.doc.Digest {
				return other
			}
		}
	}
	return nil
}

func selfCheckFailed(r *check.Report, m *model) {
	for _, ph := range m.phases {
		for _, p := range ph.plans {
			if p.failed && p.summary != "" {
				r.Whole(p.summary, "Self-Check in "+file(p.summary)+" is FAILED; expected PASSED, because the plan "+
					"counts as executed").About(ph.subject()).Keyed(p.id())
			}
		}
	}
}
