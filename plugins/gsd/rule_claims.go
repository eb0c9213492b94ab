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

// keeps reports whether this project keeps its summaries under phases/ and no archive is hidden. In other projects, a
// tick without files says nothing about the work.
func (m *model) keeps() bool {
	return !m.hides() &&
		slices.ContainsFunc(m.phases, func(ph *phase) bool {
			return len(ph.reports) > 0 &&
				!backlog(ph.number)
		})
}

// hides reports whether archives may exist that the plugin cannot see.
func (m *model) hides() bool {
	return !m.docs.CompleteBelow("milestones") || !m.docs.CompleteBelow("archive")
}

// plans reports whether any phase has a plan under phases/.
func (m *model) plans() bool {
	return slices.ContainsFunc(m.phases, func(ph *phase) bool { return len(ph.plans) > 0 })
}

// cleaned reports whether a phase's files are archived, or were under phases/ in the base, which shows that they
// existed when the phase was ticked.
func (m *model) cleaned(number string) bool {
	return m.inArchive(number) || m.base != nil &&
		slices.ContainsFunc(m.base.byNumber[number], func(ph *phase) bool { return len(ph.reports) > 0 })
}

// inArchive reports whether a phase's files or its section are archived.
func (m *model) inArchive(number string) bool {
	return m.archivedPlan(number) || m.retired(&head{number: number})
}

// bare reports whether a phase has no directory, or one without plans and summaries, and nothing else records what was
// done.
func (m *model) bare(number string) bool { return !m.cleaned(number) && m.unrecorded(number) }

// unrecorded is like bare, but ignores archives and the base.
func (m *model) unrecorded(number string) bool {
	list := m.byNumber[number]
	if len(list) > 1 || m.road.otherwise(number) || len(list) == 1 &&
		(len(list[0].plans)+len(list[0].reports) > 0 || list[0].proved()) {
		return false
	}
	return !slices.ContainsFunc(m.road.heads, func(h *head) bool {
		return h.number == number &&
			planless(h.section.Raw())
	})
}

// planless reports whether a phase's section says that it was done without plans: "**Plans**: none, done inline".
func planless(section string) bool {
	for line := range strings.SplitSeq(section, "\n") {
		if line = lower(mark(line)); strings.HasPrefix(line, "plan") &&
			mentions(line, "inline", "no plan", "no plans", "none", "without", "n/a", "0 plans", "not needed", "direct",
				"directly", "quick", "hotfix", "retroactive") {
			return true
		}
	}
	return false
}

// where describes what is missing from a bare phase, for messages.
func (m *model) where(number string) string {
	if list := m.byNumber[number]; len(list) == 1 {
		return list[0].dir + " has no plan or summary"
	}
	return "phases/ has no directory for it"
}

// tickedForNothing reports ticked phases without any plan or summary. It is an error if the tick is new.
func (m *model) tickedForNothing(r *check.Report) {
	kept := m.keeps()
	if !kept && (m.hides() || !m.plans() && (m.base == nil || !m.base.plans())) {
		return
	}
	for _, e := range m.road.entries {
		if e.old || e.off || !e.task.Checked() || !m.bare(e.number) {
			continue
		}
		fresh := m.base != nil && m.sameMilestone() &&
			slices.ContainsFunc(m.base.road.entries,
				func(was *entry) bool { return was.number == e.number && !was.old && !was.task.Checked() })
		if !kept && !fresh {
			continue // old ticks prove nothing in a project that has not executed anything yet
		}
		var open []string
		for _, b := range m.road.boxes {
			if b.phase == e.number && !b.old && !b.off && !b.task.Checked() {
				open = append(open, b.id())
			}
		}
		if !fresh && open == nil && (len(m.byNumber[e.number]) == 0 || m.byNumber[e.number][0].context == "") {
			continue
		}
		what := "phase " + e.number + " is ticked, but " + m.where(e.number)
		if open != nil {
			what += "; unticked plans in ROADMAP.md: " + say.List(open)
		}
		f := r.At(sdk.AtLine(roadmapPath, e.task.Line()), what).About("phase-" + e.number)
		if fresh {
			f.Offer(sdk.Review, "Untick phase "+e.number, e.untick()...)
		}
		f.Advise("Record the work", "Plan phase "+e.number+" and write a summary for each plan, "+
			"or write in its section of ROADMAP.md that it was done without plans.")
		if !fresh {
			f.As(sdk.Warning).Offer(sdk.Review, "Untick phase "+e.number, e.untick()...)
		}
	}
}

// untick returns the edits that untick a phase's box and remove notes about its completion from the line: "(completed
// 2026-03-05)", "(2/2 plans complete)".
func (e *entry) untick() []sdk.Edit {
	box, _ := e.task.Uncheck()
	edits := sdk.Edits(roadmapPath, box)
	line, _, _ := strings.Cut(e.task.Raw(), "\n")
	for at, end := 0, 0; ; at = end + 1 {
		open := strings.IndexByte(line[at:], '(') + at
		if end = strings.IndexByte(line[max(open, at):], ')') + open; open < at || end < open {
			return edits
		}
		if note := lower(line[open+1 : end]); strings.HasPrefix(note, "completed ") ||
			strings.HasSuffix(note, "plans complete") {
			from := e.task.Start() + max(at, len(strings.TrimRight(line[:open], " ")))
			edits = append(edits, sdk.Replace(sdk.AtBytes(roadmapPath, from, e.task.Start()+end+1), ""))
		}
	}
}

// record adds remedies to a finding about plans that are not done as claimed: edits that withdraw the claim, and advice
// on how to make it true. The edits come first only if the claim is new or a summary refutes it. An older claim may be
// right, so that only the summaries are missing.
func record(f *check.Finding, plans []*plan, fresh bool, title string, edits []sdk.Edit) {
	list, write := say.List(names(plans)), say.Verb(len(plans), "Write its summary.", "Write a summary for each.")
	first := fresh || slices.ContainsFunc(plans, func(p *plan) bool { return p.stopped != nil })
	if first {
		f.Offer(sdk.Review, title, edits...)
	}
	if first || closing(plans) {
		f.Advise("Finish the plans", "Execute "+list+".", write)
	} else {
		f.Advise("Write the summaries", "If the work is done, which git log may show, write the summary of "+list+".",
			"Otherwise, execute "+list+". "+write)
	}
	if !first {
		f.Offer(sdk.Review, title, edits...)
	}
}

// closing reports whether all plans close gaps that a verification found.
func closing(plans []*plan) bool {
	return !slices.ContainsFunc(plans, func(p *plan) bool { return !p.gaps })
}

// retire advises the user to retire or list the plans that leftOver returns.
func (m *model) retire(f *check.Finding, ph *phase, left []*plan) {
	list, untick := say.List(names(left)), ""
	if m.ticked(ph) > 0 {
		untick = ", and untick the phase"
	}
	f.Advise("Retire or list the plan",
		"ROADMAP.md does not list "+list+". If it was dropped or deferred, move it out of "+ph.dir+".",
		"If it was executed, write its summary. Otherwise, list it in ROADMAP.md"+untick+".")
}

// freshRow reports whether the base has a row for the same phase but does not mark it complete.
func (m *model) freshRow(w *row) bool {
	is := func(was *row) bool { return was.number == w.number && !was.old }
	return m.base != nil && slices.ContainsFunc(m.base.road.rows, is) &&
		!slices.ContainsFunc(m.base.road.rows, func(was *row) bool { return is(was) && was.complete })
}

// pastRow returns the row that marks a phase of an earlier milestone complete, or nil.
func (m *model) pastRow(number, title string) *row {
	titled := &phase{title: strings.ReplaceAll(title, " ", "-")}
	at := slices.IndexFunc(m.road.rows, func(w *row) bool {
		return w.number == number && w.old && w.complete && w.name != "" && titled.fits(w.name)
	})
	if at < 0 || len(m.byNumber[number]) > 1 {
		return nil
	}
	return m.road.rows[at]
}

// toldDone reports whether ROADMAP.md or STATE.md says that a plan is executed although it has no summary: they mark
// the plan or its phase as done. Plans that close gaps do not count, because they are written after that.
func (m *model) toldDone(p *plan) bool {
	ph := p.phase
	switch {
	case p.gaps || p.stopped != nil:
		return false
	case m.boxTicked(p):
		return true
	case m.base != nil && m.base.docs.Get(p.path) == nil: // written after its phase was called complete
		return false
	}
	w := m.row(ph)
	return m.ticked(ph) > 0 || m.pastTick(ph) > 0 || m.pastRow(ph.number, ph.title) != nil || w != nil && w.complete ||
		m.current() == ph && m.state.complete != nil && !m.leftover(ph)
}

// pastTick returns the line in ROADMAP.md that ticks a phase within a shipped milestone, or 0. It ignores milestones
// before STATE.md's milestone, because there the phase may be another one with the same number.
func (m *model) pastTick(ph *phase) int {
	for _, e := range m.road.entries {
		if e.number != ph.number || !e.old || e.off || !e.task.Checked() || !ph.fits(e.name) {
			continue
		}
		for _, s := range m.road.spans {
			if s.start <= e.task.Start() && e.task.Start() < s.end && s.milestone != "" && m.state.milestone != "" &&
				ordinal.Compare(s.milestone, m.state.milestone) >= 0 && len(m.byNumber[ph.number]) == 1 {
				return e.task.Line()
			}
		}
	}
	return 0
}

// tickedWithoutPlan reports ticked plan boxes that match neither a plan nor a summary in the phase.
func (m *model) tickedWithoutPlan(r *check.Report) {
	if !m.keeps() {
		return
	}
	found, order := map[string][]*box{}, []string{}
	for _, b := range m.road.boxes {
		if b.old || b.off || !b.task.Checked() || !m.ghost(b) {
			continue
		}
		if found[b.phase] == nil {
			order = append(order, b.phase)
		}
		found[b.phase] = append(found[b.phase], b)
	}
	for _, number := range order {
		var names []string
		var edits []markdown.Edit
		fresh := false
		for _, b := range found[number] {
			untick, _ := b.task.Uncheck()
			names, edits = append(names, b.id()), append(edits, untick)
			fresh = fresh || m.base != nil && m.sameMilestone() && m.base.road.doc.Readable() &&
				!slices.ContainsFunc(m.base.road.boxes,
					func(was *box) bool { return was.phase == b.phase && was.number == b.number && was.task.Checked() })
		}
		where := "phases/ has no directory for phase " + number
		if list := m.byNumber[number]; len(list) == 1 {
			if where = list[0].dir + " has no matching plan or summary"; len(list[0].plans) > 0 {
				where += "; it has " + say.List(ids(list[0].plans))
			}
		}
		f := r.At(sdk.AtLine(roadmapPath, found[number][0].task.Line()),
			say.List(names)+" "+say.Are(len(names))+" ticked, but "+where).About("phase-" + number).Keyed("no plan")
		list := m.byNumber[number]
		proved := len(list) == 1 && list[0].proved() // only the record is missing
		if proved {
			f.Advise("Record the work", "Restore or write the summary of "+say.List(names)+".")
		} else if !fresh {
			f.Advise("Record the work", "Write the plan and its summary, or remove the line from ROADMAP.md.")
		}
		f.Offer(sdk.Review, "Untick "+say.Count(len(names), "plan")+" in phase "+number,
			sdk.Edits(roadmapPath, edits...)...)
		if !fresh {
			f.As(sdk.Warning)
		} else if !proved {
			f.Advise("Record the work", "Write the plan and its summary, or remove the line from ROADMAP.md.")
		}
	}
}

// id returns the plan's id with leading zeros, as in the names of its files.
func (b *box) id() string {
	pad := func(number string) string {
		if whole, _, _ := strings.Cut(number, "."); (len(whole) == 1 || strings.IndexByte(number, '-') == 1) &&
			isDigit(whole[0]) {
			return "0" + number
		}
		return number
	}
	return pad(b.phase) + "-" + pad(b.number)
}

// ghost reports whether a box names a plan that does not exist anywhere. If the phase is ticked as a whole and has no
// directory, its files were cleaned up.
func (m *model) ghost(b *box) bool {
	list := m.byNumber[b.phase]
	// summary-lost reports it
	if m.base != nil && slices.ContainsFunc(m.base.byNumber[b.phase],
		func(ph *phase) bool { return ph.has(b.number) }) {
		return false
	}
	if len(list) > 1 || m.cleaned(b.phase) && len(list) == 0 {
		return false
	}
	if len(list) == 0 {
		at := slices.IndexFunc(m.road.entries, func(e *entry) bool { return e.number == b.phase && !e.old })
		return at >= 0 && !m.road.entries[at].task.Checked()
	}
	ph := list[0]
	of := func(s *summary) bool { return s.number == b.number } // summary-unusable reports it
	return !ph.whole && !ph.has(b.number) && !slices.ContainsFunc(ph.voids, of) && !slices.ContainsFunc(ph.plans,
		func(p *plan) bool { return p.number == b.number || p.number == "" }) &&
		!slices.ContainsFunc(ph.reports, func(s *summary) bool { return s.number == "" })
}

// restores returns the edits that restore the summaries that plans had in the base, and the title of that remedy. Such
// plans were not ticked early; they lost their summaries. It returns nil unless the base has a summary for each plan.
func (m *model) restores(plans []*plan) (edits []sdk.Edit, title string) {
	if m.base == nil {
		return nil, ""
	}
	var names []string
	for _, p := range plans {
		for _, was := range m.base.phases {
			at := slices.IndexFunc(was.reports, func(s *summary) bool { return s.number == p.number })
			if was.dir == p.phase.dir && at >= 0 {
				path := was.reports[at].doc.Path
				names, edits = append(names, file(path)), append(edits, sdk.Restore(path))
			}
		}
	}
	if len(edits) < len(plans) {
		return nil, ""
	}
	return edits, "Restore " + say.List(names)
}
