package gsd

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/ordinal"
	"github.com/stategate/stategate/sdk/say"
)

// fresh reports whether a hand-off is current: it is not superseded, and it names the current milestone or none.
func (m *model) fresh(d *sdk.Document) bool {
	if d == nil {
		return false
	}
	f := front(d)
	if e := f.Get("status"); e != nil && mentions(e.Value, "superseded", "archived", "resumed") {
		return false
	}
	milestone := ""
	if e := f.Get("milestone"); e != nil {
		milestone = e.Value
	} else if _, rest, ok := strings.Cut(d.Text, `"milestone"`); ok { // HANDOFF.json
		milestone, _, _ = strings.Cut(rest, "\n")
	}
	v := version(milestone)
	return v == "" || m.state.milestone == "" || v == m.state.milestone
}

// past reports whether a path is in the directory of a phase before STATE.md's phase.
func (m *model) past(path string) bool {
	rest, ok := strings.CutPrefix(path, "phases/")
	if !ok || m.state.number == "" {
		return false
	}
	number, _ := m.phaseNumber(unprefixed(rest))
	return number != "" && ordinal.Compare(number, m.state.number) < 0
}

// resume writes the brief: which phase and plan come next, what to read first, and which gaps and tests are open.
func resume(p *sdk.Pass, d *sdk.Detection, found []sdk.Diagnostic) {
	m, b := p.Model.(*model), brief.Of(p, d, found)
	number, name, ph := m.at()
	b.Read(statePath)
	handOffs := []string{".continue-here.md", "HANDOFF.json"}
	if ph != nil { // pause-work writes the hand-off there
		handOffs = append(handOffs, ph.dir+".continue-here.md")
	}
	for _, path := range handOffs {
		if m.fresh(p.Docs.Get(path)) {
			b.Read(path)
		}
	}
	b.Read(roadmapPath)
	if pair := markdown.PairAmong(m.state.doc.Outline().Document().Pairs(), "Resume file"); pair != nil {
		m.resumeFile(p, b, strings.TrimPrefix(strings.Trim(pair.Value, "`[]"), ".planning/"))
	}
	if b.First != "" {
		d.State = sdk.Blocked
	}
	if number == "" && len(m.road.unread) > 0 {
		b.Do("find the next phase in ROADMAP.md; config.json does not say whether its numbers are ranges")
		return
	}
	if number == "" {
		m.resumeEnd(d, b, found)
		return
	}
	for _, other := range m.phases {
		waits, w := m.waits(other), cmp.Or(m.row(other), m.pastRow(other.number, other.title))
		is := ""
		switch {
		case other == ph || len(waits) == 0:
		case m.ticked(other) > 0:
			is = " is ticked"
		case w != nil && w.complete:
			is = " is complete in the table"
		}
		if is != "" {
			b.Verify("phase " + other.number + is + ", but these plans have no summary: " + say.List(ids(waits)))
		}
	}
	if last := m.lastTicked(); last != nil && last.untried() != nil && len(last.uats) == 0 {
		b.Verify(last.untried().path + " asks a person to test phase " + last.number + "; no tests are recorded")
	}
	for _, other := range m.phases {
		for _, p := range other.plans {
			if p.awaits() && other != ph {
				b.Verify(file(p.stopped.doc.Path) + " says: " + say.Clip(p.stopped.unfinished))
			}
			if path := m.restorable(p); path != "" {
				b.Verify("restore " + path + " from the base: it records what was done")
			}
		}
	}
	for _, e := range m.road.entries {
		if !e.old && !e.off && !e.task.Checked() && m.rowAlone(e) != nil {
			b.Verify("phase " + e.number + " is not ticked, but the table marks it complete")
		}
	}
	if later, _, _ := m.following(); later != number {
		b.Verify("phase " + later + " depends on phase " + number + ", which is not finished")
	}
	b.Warn(found, "done-with-open-parts", "open-with-done-parts")
	title := "phase " + number + ": " + say.Clip(name)
	if ph == nil {
		if was := m.gone(number); was != nil {
			b.Do(m.back(was))
		} else {
			b.Do("discuss and plan " + title)
		}
		b.Left(m.later(number)...)
		return
	}
	if ph.context != "" {
		b.Read(ph.context)
	}
	if ph.studied != "" && m.rung(ph) < 2 {
		b.Read(ph.studied)
	}
	if list := m.byNumber[number]; len(list) > 1 && m.of(number, name) == nil {
		b.DoWith("keep one directory for phase "+number+": ", list[0].dir+" or "+list[1].dir, "")
		for _, one := range list {
			for _, p := range m.waits(one) {
				b.Left("execute " + p.path)
			}
		}
		b.Left(m.later(number)...)
		return
	}
	plan, rest := m.next(ph)
	lacks := m.unwritten(ph)
	if plan != nil && len(lacks) > 0 && ordinal.Compare(lacks[0].number, plan.number) < 0 {
		plan, rest = nil, append(append(rest[:0:0], plan), rest...)
	}
	untested, failed := ph.untested()
	later := m.later(number)
	switch rung := m.rung(ph); {
	case plan != nil && m.restorable(plan) != "":
		b.Do("restore " + m.restorable(plan) + " from the base: " + file(plan.path) + " was executed")
	case plan != nil && (plan.lost || slices.ContainsFunc(found, func(f sdk.Diagnostic) bool {
		return f.Rule == "document-cut-short" && f.Range.Path == plan.path
	})):
		b.Do("restore " + plan.path + " from the base, and execute it")
	case plan != nil && plan.stopped != nil:
		b.Read(plan.path, plan.stopped.doc.Path)
		b.Do("continue " + plan.path + " from where its summary stops")
	case plan != nil && plan.void != nil && !hollow(plan.void.doc) && !plan.void.other:
		b.Read(plan.path, plan.void.doc.Path)
		b.Do("finish " + plan.void.doc.Path + ", or execute " + file(plan.path) + " if it was not executed")
	case plan != nil && m.toldDone(plan):
		b.Read(plan.path)
		b.Do("write " + file(summaryOf(plan)) + " if " + file(plan.path) + " was executed; otherwise, execute the plan")
	case plan != nil:
		b.Read(plan.path)
		do := "execute " + plan.path + " and write "
		if b.Do(do + summaryOf(plan)); b.Next != do+summaryOf(plan) { // too long for the brief
			b.Do(do + "its summary")
		}
	case m.unfounded(ph):
		b.DoWith("tick ", title, " if it is done, as STATE.md says; otherwise, plan it")
	case rung < 2:
		b.Do("plan " + title)
	case rung < 4:
		then := ""
		if len(lacks) > 0 {
			then, lacks = " with "+lacks[0].id()+", which ROADMAP.md lists", lacks[1:]
		}
		b.DoWith("continue ", title, then)
	case ph.gapsFound() != nil:
		b.Read(ph.gapsFound().path)
		b.DoWith("plan and close the gaps in ", title, "")
	case failed:
		b.Read(untested.path)
		b.DoWith("plan and close the gaps that "+file(untested.path)+" found in ", title, " (plan-phase --gaps)")
	case untested != nil:
		b.Read(untested.path)
		b.Do("finish the tests in " + untested.path + " (verify-work)")
	case rung == 4 && !ph.tried() && !slices.ContainsFunc(found, func(f sdk.Diagnostic) bool {
		return f.Rule == "open-with-done-parts" && f.Subject == ph.subject() // it is only not ticked
	}):
		for _, v := range ph.checks {
			b.Read(v.path)
		}
		b.Do("verify " + title)
	default:
		var ticks []string
		later = slices.DeleteFunc(later, func(text string) bool {
			rest, tick := strings.CutPrefix(text, "tick ")
			if tick {
				ticks = append(ticks, rest)
			}
			return tick
		})
		then := " in ROADMAP.md, then complete the milestone"
		if len(later) > 0 {
			_, next, _ := strings.Cut(later[0], "phase ")
			next, _, _ = strings.Cut(next, ":")
			then = " in ROADMAP.md and set STATE.md to phase " + next
			if ordinal.Compare(next, number) < 0 {
				then = " in ROADMAP.md, then return to phase " + next
			}
		}
		if ticks = append(ticks, title); len(ticks) > 1 {
			for i, text := range ticks {
				b.Know(text)
				ticks[i], _, _ = strings.Cut(text, ":")
			}
		}
		verb := "tick "
		if !m.road.boxed(number) {
			verb = "complete "
		}
		b.DoWith(verb, say.And(ticks...), then)
	}
	for _, p := range ph.plans {
		if p.summary != "" {
			b.Done(file(p.path))
		}
	}
	b.Done(ph.unkept()...)
	for _, v := range ph.uats {
		for _, t := range ph.waiting(v) {
			b.Verify("test in " + file(v.path) + ": " + say.Clip(t.title))
		}
	}
	for _, p := range rest {
		if m.toldDone(p) {
			b.Left("write " + file(summaryOf(p)) + ", or execute " + file(p.path) + " if it was not executed")
		} else {
			b.Left("execute " + file(p.path))
		}
	}
	for _, box := range lacks {
		b.Left("plan and execute " + box.id() + ", which ROADMAP.md lists")
	}
	b.Left(later...)
}

// unwritten returns an unfinished phase's open plans that ROADMAP.md lists but that have no file. It returns nil for a
// phase without any files, because ROADMAP.md then only lists the plans that it may need.
func (m *model) unwritten(ph *phase) (list []*box) {
	if w := m.row(ph); m.ticked(ph) > 0 || ph.passed() || w != nil && w.complete || len(ph.plans)+len(ph.reports) == 0 {
		return nil
	}
	for _, b := range m.road.boxes {
		if b.phase == ph.number && !b.off && !b.old && !b.task.Checked() &&
			(len(ph.plans) == 0 && !ph.has(b.number) || len(ph.plans) > 0 && m.ghost(b)) {
			list = append(list, b)
		}
	}
	return list
}

// lastTicked returns the last phase that is ticked, or nil.
func (m *model) lastTicked() (last *phase) {
	for _, ph := range m.phases {
		if m.ticked(ph) > 0 {
			last = ph
		}
	}
	return last
}

// resumeFile adds STATE.md's resume file to the brief, or reports that it is missing. A resume file in an earlier
// phase is outdated and skipped.
func (m *model) resumeFile(p *sdk.Pass, b *brief.Brief, path string) {
	if m.past(path) {
		return
	}
	for _, d := range p.Docs.All() {
		if path == d.Path {
			b.Read(path)
			return
		}
	}
	if strings.HasPrefix(path, "phases/") && strings.HasSuffix(path, ".md") && strings.Count(path, "/") == 2 &&
		p.Docs.Known(path) {
		b.Verify("STATE.md names the resume file " + path + ", which does not exist")
	}
}

// resumeEnd writes what comes after the last phase: archiving the milestone, and then starting the next one.
func (m *model) resumeEnd(d *sdk.Detection, b *brief.Brief, found []sdk.Diagnostic) {
	b.Warn(found)
	next := "complete and archive the milestone (complete-milestone)"
	if m.over() {
		next = "start the next milestone (new-milestone)"
		if s := m.state; s.phase != nil && s.number != "" && !s.shipped && !s.ended {
			b.Verify("STATE.md is at phase " + s.number + ", but its milestone is shipped")
		}
	}
	switch {
	case b.First != "":
		next = "fix what blocks the run, then " + next
	case m.over():
		d.State = sdk.Finished
	}
	b.Do(next)
}

// over reports whether the last milestone is shipped and no other one has begun: STATE.md says so, the milestone is
// archived or listed as shipped, or ROADMAP.md has only history.
func (m *model) over() bool {
	lost := m.road.doc == nil && m.base != nil && m.base.road.doc != nil
	current := m.state.milestone
	if ordinal.Compare(m.state.named, current) > 0 { // the front matter is updated after the position
		current = m.state.named
	}
	return m.state.archived || current != "" && m.ships(current) || !lost &&
		!slices.ContainsFunc(m.road.entries, func(e *entry) bool { return !e.old && !e.off }) &&
		!slices.ContainsFunc(m.road.heads, func(h *head) bool { return !h.old && !h.off })
}
