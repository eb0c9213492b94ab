package autopilot

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// planned reports whether the flight plan is new or was rolled back, so that the position may move back. A tick or a
// new note does not make the plan new. A project that keeps the first or last word of its name is the same project.
func (m *model) planned() bool {
	b, p := m.base, m.pos
	then, now := b.pos.get("project").given(), p.get("project").given()
	renumbered := m.m > b.m && b.m > 0 && m.phases.total > b.phases.total
	said := ""
	for _, key := range [...]string{"status", "reason", "lastactivity", "stoppedat"} {
		said += p.get(key).value + "\n"
	}
	last := func(name string) string { return name[strings.LastIndexByte(name, ' ')+1:] }
	renamed := then != "" && now != "" && !words.Alike(words.First(then), words.First(now)) &&
		!words.Alike(last(then), last(now))
	return renamed || m.phases.differs(b.phases) || !m.docs.Known(planPath) ||
		words.Mentions(said, "rollback", "rolled back") || renumbered && words.Mentions(said, "inserted", "renumbered")
}

// differs reports whether another flight plan replaced the earlier one: a phase has another name, or, if no phases
// are readable, the title differs.
func (s *phaseSet) differs(was *phaseSet) bool {
	switch {
	case s.plan == nil || was.plan == nil:
		return s.plan != nil
	case !s.plan.Readable() || !was.plan.Readable():
		return false
	case len(s.names) == 0 && len(was.names) == 0:
		return titleOf(s.plan) != titleOf(was.plan)
	}
	for n, name := range was.names { // a truncated plan is not a new one
		if now, ok := s.names[n]; ok && !strings.HasPrefix(markdown.Name(name), markdown.Name(now)) {
			return true
		}
	}
	return false
}

// then returns the location of a position field in the base.
func (m *model) then(f *field) string {
	was := m.base.pos
	return say.Line(was.doc, was.placeOf(f).Start)
}

// from returns a position field's current and base values, with the location in the base.
func (m *model) from(key, now, then string) string {
	return say.Was(m.pos.get(key).label, now, then, m.then(m.base.pos.get(key)))
}

// completed returns the number in Plans completed, or -1 if there is none.
func (p *position) completed() int { return integer(p.get("planscompleted").value) }

// positionWentBack reports the first of phase, plan, status, ticked tasks, completed plans and percentage that moved
// back.
func positionWentBack(r *check.Report, m *model) {
	b, p, was := m.base, m.pos, m.base.pos
	if m.planned() {
		return
	}
	known, bare := m.s != unknown && m.s != abandoned && b.s != projectComplete, ", but nothing records a rollback"
	var counts []string // counts that fell with the position
	if p.completed() >= 0 && p.completed() < was.completed() {
		counts, bare = append(counts, "planscompleted"), bare+"; "+m.from("planscompleted", itoa(p.completed()),
			itoa(was.completed()))
	}
	if p.hasPercent && p.percent < was.percent {
		counts = append(counts, "progress")
	}
	over := b.s == phaseComplete && b.p > 1 && m.s >= readyToDiscuss && m.s <= readyToExecute
	reset := (m.s == readyToPlan || m.s == readyToExecute) && (b.s == readyToExecute || b.s.flying()) &&
		m.p < b.flown() && m.docs.CompleteBelow("phases") && !m.replanned()
	more := m.m > b.m || m.phases.total > b.phases.total && b.phases.total > 0
	var f *check.Finding
	switch {
	case known && m.n >= 0 && m.n < b.n && p.get("phase") != noField:
		f = m.field(r, "phase", m.from("phase", itoa(m.n), itoa(b.n))+bare)
	case known && m.n >= 0 && m.n == b.n && m.p >= 0 && m.p < b.p && (reset || m.s >= readyToExecute &&
		!(m.p == 0 && m.s == phaseComplete) && (m.s == b.s || m.s != readyToExecute)):
		f = m.field(r, "plan", m.from("plan", itoa(m.p), itoa(b.p))+bare)
	case m.n >= 1 && m.n == b.n && (m.s == readyToDiscuss && b.s >= readyToPlan && b.s <= inProgress || over),
		m.reopened():
		m.status(r, say.Was("Status", quote(p.statusText), quote(was.statusText), m.then(was.statusField))+
			" for the same phase; the position is "+m.where()).As(sdk.Warning)
		return
	case b.s == projectComplete && m.s != unknown && !m.s.closed() && !more:
		m.but(r, "the project was complete in the base, and the flight plan is not new").As(sdk.Warning)
		return
	case m.unticked() > 0:
		d, then := m.phases.at(m.unticked()), b.phases.at(m.unticked())
		r.At(sdk.AtLine(d.route.Path, 1), say.Was("the number of ticked tasks in phase "+itoa(d.n), itoa(d.ticked),
			itoa(then.ticked), "")).As(sdk.Warning)
		return
	case p.completed() >= 0 && p.completed() < was.completed():
		m.field(r, "planscompleted", m.from("planscompleted", itoa(p.completed()),
			itoa(was.completed()))).As(sdk.Warning)
		return
	case p.hasPercent && was.hasPercent && p.percent < was.percent && m.m == b.m &&
		!(m.n == b.n && m.t > b.t): // no plan was added
		m.field(r, "progress", m.from("progress", trimFloat(p.percent)+"%", trimFloat(was.percent)+"%")).As(sdk.Info)
		return
	default:
		return
	}
	if reset {
		counts = append(counts, "status", "nextaction")
	}
	if (m.s.flying() || reset) && m.verdict == handNone && m.flyable(b.n) {
		edits := m.set("phase", clip(was.get("phase").value, 200))
		if b.p >= 0 {
			edits = also(edits, m.set("plan", clip(was.get("plan").value, 200))...)
		}
		for _, key := range counts {
			edits = also(edits, m.set(key, clip(was.get(key).value, 200))...)
		}
		f.Offer(sdk.Review, "Restore the position", m.stamped(edits)...)
	}
}

// replanned reports whether the current phase was planned again: Last Activity says so, or its route has other tasks.
func (m *model) replanned() bool {
	if !sameActivity(m.pos, m.base.pos) && words.Mentions(m.pos.activityText, "replan", "re-plan", "planned",
		"discussed", "discard", "scrap") {
		return true
	}
	d, then := m.phases.at(m.n).route, m.base.phases.at(m.n).route
	if !d.Readable() || !then.Readable() {
		return false
	}
	now, was := texts(d), texts(then)
	return !slices.EqualFunc(now[:], was[:], slices.Equal)
}

// reopened reports whether a complete phase is in progress again, in the same plan and without a recorded reason. A
// separate plan may close gaps.
func (m *model) reopened() bool {
	b := m.base
	return m.n >= 1 && m.n == b.n && b.s == phaseComplete && m.s == inProgress && m.p >= 1 && m.p == b.p &&
		m.t == b.t &&
		!words.Mentions(m.pos.activityText+m.pos.statusText, "gap", "reopen", "fix", "rework", "redo", "follow",
			"verif",
			"again", "bug")
}

// unticked returns the first phase whose routes have fewer ticked and more open boxes than in the base and were not
// planned again, or 0 if there is none.
func (m *model) unticked() int {
	for _, then := range m.base.phases.list {
		if words.Mentions(m.pos.activityText, "reopened") {
			break
		}
		if now := m.phases.at(then.n); now.ticked < then.ticked && now.open > then.open &&
			!(then.n == m.n && (m.s <= readyToExecute || m.p != m.base.p)) {
			return then.n
		}
	}
	return 0
}

// plan returns the phases with the flight plan: those of the base if the plan is missing or lost the position's phase.
func (m *model) plan() *phaseSet {
	if was := m.base.phases; m.phases.plan == nil || was.listed[m.n] && !m.phases.listed[m.n] {
		return was
	}
	return m.phases
}

// left returns why a phase that the position has left is unfinished, or "" if it may be finished.
func (m *model) left(n int) string {
	b, p := m.base, m.phases.at(n)
	plans, before := m.pos.completed(), b.pos.completed()
	_, listed := m.plan().names[n]
	open := n == b.n && b.p >= 0 && b.p < b.t && !b.s.complete() && b.s != abandoned
	switch {
	case open && plans >= 0 && plans == before && !m.logged(n):
		// a session that ticks the phase too early leaves the number of completed plans as it was
		return "the number of completed plans did not grow"
	case open && before >= 0 && plans > before && plans-before < b.t-b.p && !m.done(n) && p.open+p.ticked == 0:
		return "only " + itoa(plans-before) + " of the " + say.Count(b.t-b.p, "remaining plan") + " " +
			say.Are(plans-before) + " completed"
	case n > b.n && !listed && len(m.phases.names) > 0: // abandoned in the flight plan
		return ""
	case n > b.n && p == nothing && !m.filed():
		return "phase " + itoa(n) + " has no documents"
	case m.done(n), m.phases.ticked[n], p.ticked > 0 && p.open == 0, n == b.n &&
		(b.s.complete() || b.s == abandoned || b.t > 0 && b.p >= b.t):
		return ""
	case m.phases.logbooks:
		return "phase " + itoa(n) + " has no logbook"
	case before >= 0 && plans > before:
		return ""
	case p.ticked > 0 && p.open > 0:
		return p.route.Path + " has unticked tasks"
	case before >= 0 && plans >= 0:
		return "the number of completed plans did not grow"
	}
	return ""
}

// passed returns the phases that the position left since the base although no record marks them as finished.
func (m *model) passed() (list []int) {
	b := m.base
	if !m.pos.there() || !b.pos.there() || b.n < 1 || m.m > 0 && m.n > m.m || len(m.phases.numbered) == 0 ||
		!m.docs.CompleteBelow("phases") || m.planned() {
		return nil
	}
	for n := b.n; n < min(m.n, b.n+mostPhases); n++ {
		if m.left(n) != "" {
			list = append(list, n)
		}
	}
	return list
}

func phaseLeft(r *check.Report, m *model) {
	left := m.passed()
	if len(left) == 0 {
		return
	}
	f := m.field(r, "phase", m.from("phase", itoa(m.n), itoa(m.base.n))+", but "+m.left(left[0])).As(sdk.Warning)
	plan := m.plan()
	for _, n := range left { // the flight plan lists the skipped phase as unfinished
		if _, listed := plan.names[n]; listed && !plan.ticked[n] && n > m.base.n && m.phases.at(n) == nothing {
			f.As(sdk.Error)
		}
	}
}

// notAdvanced compares the position's stamp and the last threshold check with those in the base.
func notAdvanced(r *check.Report, m *model) {
	b := m.base
	if p := m.pos; p.there() && b.pos.there() {
		f, was := p.stampField, b.pos.stampField
		if message := advance(f.label, m.moved(), m.then(was), p.stamp, b.pos.stamp); message != "" &&
			(p.stamp.Before(b.pos.stamp, 0) || m.current() && b.current()) {
			// an older copy has another activity; with a wrong clock, restoring the base would discard a session's work
			if found := r.At(p.placeOf(f), message); p.stamp.Before(b.pos.stamp, 0) && m.cdoc.Path == b.cdoc.Path &&
				!sameActivity(p, b.pos) && !b.behind(p) {
				found.Offer(sdk.Review, "Restore "+m.cdoc.Path+" from the base", sdk.Restore(m.cdoc.Path))
			}
		}
	}
	if p, was := m.pos, b.pos; p.session.Before(was.session, 0) && p.there() && was.there() &&
		!p.stamp.Before(was.stamp, 0) && !m.planned() {
		m.field(r, "lastsession", m.from("lastsession", p.session.Text, was.session.Text)).Keyed("lastsession")
	}
	changed := ""
	for k := range kinds {
		if now, was := &m.th.values[k], &b.th.values[k]; changed == "" &&
			(now.ok != was.ok || now.v != was.v || m.th.levels[k].n != b.th.levels[k].n && b.fitting(k)) {
			changed = "the value or level of " + kindNames[k]
		}
	}
	line := say.Line(b.th.Doc.Doc, b.th.Get("/last_check").JSON.Start())
	if message := advance("last_check", changed, line, m.th.check, b.th.check); message != "" {
		if f := inJSON(r, thresholdsPath, "/last_check", message); m.th.check.Before(b.th.check, 0) {
			f.Offer(sdk.Review, "Restore "+thresholdsPath+" from the base", sdk.Restore(thresholdsPath))
		}
	}
}

// advance returns a message if a time moved back, or if it did not change although something else did. Otherwise, it
// returns "".
func advance(name, changed, line string, now, was instant.Moment) string {
	switch {
	case now.Before(was, 0):
		return say.Was(name, now.Text, was.Text, line)
	case stays(now, was) && changed != "":
		return changed + " changed, but " + name + " is still " + now.Text
	}
	return ""
}

// moved returns the name of the first part of the position that changed since the base, or "" if nothing changed.
func (m *model) moved() string {
	b := m.base
	switch {
	case m.n != b.n || m.m != b.m:
		return "Phase"
	case m.p != b.p || m.t != b.t:
		return "Plan"
	case m.s != b.s || m.s == unknown && m.pos.statusText != b.pos.statusText:
		return "Status"
	case m.pos.percent != b.pos.percent:
		return "Progress"
	}
	return ""
}

// changedTask returns the first done task whose commit or name differs between two hand-offs for the same plan, or 0.
func changedTask(h, then *hand) (n int, says string) {
	for _, was := range then.rows {
		now := h.row(was.id.n)
		kept := func(t *task) bool { return t.id.n == was.id.n && t.commit == was.commit && t.name == was.name }
		if was.state != taskDone || now == nil || now.state != taskDone || find(h.rows, kept) != nil {
			continue // if a task has two rows, one of them may be unchanged
		}
		what := "task " + itoa(was.id.n) + " is done"
		switch {
		case isCommit(was.commit) && now.commit != was.commit && !strings.HasPrefix(now.commit, was.commit) &&
			!strings.HasPrefix(was.commit, now.commit):
			return was.id.n, what + " with commit " + quote(now.commit) + "; it was " + quote(was.commit) +
				" in the base"
		case markdown.Name(now.name) != markdown.Name(was.name) && now.name != "" && was.name != "":
			return was.id.n, what + " as " + quote(now.name) + "; it was " + quote(was.name) + " in the base"
		}
	}
	return 0, ""
}

func handWentBack(r *check.Report, m *model) {
	h, then := m.hand, m.base.hand
	if m.base.verdict != handLive || h.cut || h.phase != then.phase || h.plan != then.plan || m.planned() {
		return
	}
	var f *check.Finding
	done := map[int]bool{}
	for _, row := range h.rows {
		done[row.id.n] = done[row.id.n] || row.state == taskDone
	}
	lost := find(then.rows, func(t *task) bool { return t.state == taskDone && !t.doubtful && !done[t.id.n] })
	if h.task > 0 && h.task < then.task {
		f = r.At(h.at[keyTask], say.Was("task", itoa(h.task), itoa(then.task),
			say.Line(then.doc, then.at[keyTask].Start)))
	} else if lost != nil {
		f = r.At(h.front, "task "+itoa(lost.id.n)+" is not done here; it is in the base"+say.Line(then.doc,
			lost.at.Start))
	}
	if n, says := changedTask(h, then); f == nil && n > 0 {
		f = r.At(h.row(n).at, says+say.Line(then.doc, then.row(n).at.Start)).As(sdk.Warning)
		f.Offer(sdk.Review, "Restore the hand-off from the base", sdk.Restore(then.doc.Path))
		return
	}
	if f != nil && (then.created.Before(h.created, 0) || h.task > then.task) {
		f.Advise("Copy the row from the base", "Copy the task's row from the base into Completed Work. Keep the rest, "+
			"which is newer than the base.")
	} else if f != nil && h.doc.Path == then.doc.Path {
		f.Offer(sdk.Review, "Restore the hand-off from the base",
			append([]sdk.Edit{sdk.Restore(then.doc.Path)}, m.stopAt(then, then.task)...)...)
	}
}
