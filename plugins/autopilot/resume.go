package autopilot

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// most limits the lines that the brief lists as done and as remaining.
const most = 50

// resume writes the brief. The next agent knows nothing else, so the brief must be complete.
func resume(p *sdk.Pass, d *sdk.Detection, found []sdk.Diagnostic) {
	m := p.Model.(*model)
	b := brief.Of(p, d, found)
	m.reading(b)
	m.context(b)
	wrong := slices.ContainsFunc(found, denies) || m.s == readyToPlan && m.observed <= readyToDiscuss &&
		slices.ContainsFunc(found, isAhead)
	m.unrouted = m.s.complete() && m.n >= 1 && !m.flyable(m.n) && slices.ContainsFunc(found, isAhead)
	m.skip(b)
	if m.stopped() >= 0 && m.s == blocked {
		b.Know("The flight is also blocked. " + m.blockedStep())
	}
	if m.cdoc != nil && !m.holds() && slices.ContainsFunc(found, func(d sdk.Diagnostic) bool {
		return d.Rule == "position-went-back" && d.Severity == sdk.Error
	}) {
		b.Do("Decide which position is right: " + m.cdoc.Path + " has " + m.where() + ", the base has " +
			m.base.where())
	} else {
		m.do(b, d.State, wrong)
	}
	b.Warn(found, "phase-left-unfinished", "waypoint-not-migrated", "resume-file-missing",
		"interrupted-without-holding-pattern")
	for k := range kinds {
		if m.pausing(k) && !m.s.closed() {
			pause := "expect a pause: " + kindNames[k] + " is at alert"
			if v := &m.th.values[k]; v.ok {
				pause += " (" + say.Clip(v.raw) + ")"
			}
			b.Know(pause + " and not acknowledged")
		}
	}
	m.remaining(b, wrong)
	if m.holds() && m.s != projectComplete {
		b.Closing = "After the resume, delete " + m.hand.doc.Path + " and update TRANSPONDER.md"
	}
}

func isAhead(d sdk.Diagnostic) bool { return d.Rule == "phase-ahead" }

// denies reports whether a finding says that the phase documents or the position contradict the status. Work then
// continues from what the documents show. A status behind the documents counts although it is only a warning.
func denies(d sdk.Diagnostic) bool {
	return d.Rule == "phase-behind" || isAhead(d) && d.Severity == sdk.Error ||
		d.Rule == "completion-contradicted"
}

// reading lists what to read and check before work continues.
func (m *model) reading(b *brief.Brief) {
	f := m.phases.at(m.focus)
	docs, plan := []*sdk.Document{m.cdoc, nil, f.briefing}, m.p
	if m.holds() || m.misnumbered() {
		docs[1], plan = m.hand.doc, max(plan, m.hand.plan)
	}
	if docs = append(docs, f.routesOf(plan)...); f.route == nil {
		docs = append(docs, f.document)
	}
	if m.resumePath != "" && m.named(m.resumePath) != m.named(handPath) {
		docs = append(docs, m.named(m.resumePath))
	}
	for _, d := range docs {
		if d != nil {
			b.Read(d.Path)
		}
	}
	for _, e := range m.ak.entries {
		if e.valid() {
			b.Read(acksPath)
			b.Know("Alert acknowledged: " + say.Clip(e.name) + " at " + say.Clip(e.value.raw) + " on " + e.at.Text)
		}
	}
	b.Read("learnings.md")
	if m.cdoc != nil && !m.current() {
		b.Settle("the migration: create TRANSPONDER.md with the phase, plan, status and progress from " +
			m.cdoc.Path + ", and move " + m.cdoc.Path + " to archive/")
	}
	if path := m.resumePath; path != "" && m.absent(path) && m.midPlan() {
		b.Verify("Resume file is " + path +
			", which does not exist; restore it, or use git log and the route to find " +
			"out which tasks are done")
	}
	if m.bare() {
		says := ", but there is no hand-off"
		if words.Mentions(m.pos.get("stoppedat").given(), handArchived, handLost) {
			says = ""
		}
		b.Verify("Stopped at is " + quote(m.pos.get("stoppedat").given()) + says +
			"; use git log and the route to find out which tasks are done")
	} else if m.brokeOff() {
		b.Verify("Stopped at is " + quote(m.pos.get("stoppedat").given()) + ", and the position is " + m.where() +
			"; use git log and the route to find out whether plan " + itoa(m.pos.stopPlan.of) + " is done")
	}
}

// brokeOff reports whether Stopped at says that a session broke off a plan before the position, and no hand-off says
// more. The session that finished the plan may not have ended yet.
func (m *model) brokeOff() bool {
	plan := m.pos.stopPlan
	return m.s == inProgress && m.pos.midPlan && plan.n == m.n && plan.of >= 1 && plan.of < m.p && !m.holds()
}

// line returns a task or a phase as the brief lists it.
func line(what, name string) string {
	if none(name) || placeholder(name) {
		return what
	}
	return what + " — " + short(name, 120)
}

func (m *model) skip(b *brief.Brief) {
	h, tasks := m.hand, m.phases.at(m.focus).tasks
	if m.verdict == handLive && len(h.rows) > 0 {
		tasks = h.rows
	} else if m.verdict == handLive && !none(h.texts[textDone]) {
		b.Done(clip(h.texts[textDone], 300))
		tasks = nil
	}
	for _, t := range tasks {
		if t.state != taskDone || m.verdict == handLive && t.doubtful || len(b.Skip) >= most {
			continue
		}
		says := line("task "+t.id.String(), t.name)
		if isCommit(t.commit) {
			says += " (" + t.commit + ")"
		}
		b.Done(says)
	}
	plans := m.unproved() - 1
	if m.p > m.t && m.t >= 0 { // the plan is out of range
		plans = 0
		if was := m.base; was.n == m.n && was.p <= was.t {
			plans = was.p - 1
		}
	}
	switch {
	case m.holds():
		plans = min(plans, m.hand.plan-1)
	case m.brokeOff():
		plans = min(plans, m.pos.stopPlan.of-1)
	case m.unrouted:
		plans = 0
	}
	for n := 1; n <= min(plans, most) && m.focus == m.n && m.s >= readyToExecute && m.s <= blocked; n++ {
		why := " (the position is past it)"
		if n == m.p {
			why = " (complete according to Stopped at)"
		}
		b.Done("plan " + count{n, m.t}.String() + " of phase " + itoa(m.n) + why)
	}
	last := min(max(m.phases.last(), m.phases.total), mostPhases)
	for n := 1; n <= last && len(b.Skip) < 2*most; n++ {
		if m.s.complete() && m.stillOpen(n) != "" || n == m.n && m.unrouted {
			continue
		} else if m.done(n) && (n != m.n || m.openTasks(n) == "") {
			b.Done(line("phase "+itoa(n), m.phases.names[n]) + " (done)")
		} else if n < min(m.n, m.focus) && !m.denied(n) {
			b.Done(line("phase "+itoa(n), m.phases.names[n]) + " (the position is past it)")
		}
	}
	if m.verdict == handStale && !m.misnumbered() {
		b.Done(h.doc.Path + " (stale: " + h.place() + " is over)")
	}
}

// denied reports whether documents show that a phase is unfinished although the position has passed it.
func (m *model) denied(n int) bool {
	p := m.phases.at(n)
	_, listed := m.phases.names[n]
	return p.open > 0 || p.first(false) != nil || p.state == taskProgress || m.phases.kept && listed &&
		!m.phases.ticked[n] ||
		m.phases.logbooks || slices.Contains(m.passed(), n)
}

func (m *model) remaining(b *brief.Brief, wrong bool) {
	if m.s == abandoned || m.state() == sdk.Finished {
		return
	}
	var list []string
	h, plan := m.hand, max(m.flown()+1, 1)
	if text := h.texts[textRemaining]; m.holds() && (len(h.remaining) > 0 || !none(text)) {
		list, plan = m.skipped(), max(m.p, h.plan)+1
		for _, n := range m.unlisted() {
			list = append(list, "task "+itoa(n)+" (neither done nor remaining in "+h.doc.Path+
				"; check git log)")
		}
		done := h.finished()
		for _, it := range h.remaining {
			if it.from == it.to && done[it.from] { // a finding reports it
				b.Know(h.doc.Path + " has task " + itoa(it.from) + " both done and remaining; check its commit")
				continue
			}
			list = append(list, short(it.text, 300))
		}
		if len(h.remaining) == 0 {
			list = append(list, clip(text, 300))
		}
	} else {
		for _, t := range m.phases.at(m.focus).tasks {
			if t.state != taskDone {
				list = append(list, line("task "+t.id.String(), t.name))
			}
		}
		if len(list) > 0 { // the tasks belong to the first of the remaining plans
			plan++
		}
	}
	if m.p >= 0 && (m.focus == m.n || m.n < 0) && !m.restarts() && !m.unrouted &&
		(m.s != phaseComplete || wrong && m.p < m.t) {
		for ; plan <= min(m.t, 10*most); plan++ {
			list = append(list, "plan "+count{plan, m.t}.String())
		}
	}
	for n := m.unproved(); n <= m.flown() && m.focus == m.n; n++ {
		list = slices.Insert(list, n-m.unproved(), "plan "+count{n, m.t}.String()+
			" (the position is past it, but no record shows it as done)")
	}
	for i, n := range m.passed() {
		list = slices.Insert(list, i, m.phaseLine(n)+" (the position is past it, but no record shows it as done)")
	}
	if len(list) == len(m.passed()) && m.focus > 0 && !m.s.complete() && !m.done(m.focus) {
		list = append(list, m.phaseLine(m.focus))
	}
	if n := m.doubted(); n > 0 && n <= m.focus && len(list) == len(m.passed()) {
		list = append(list, m.phaseLine(n))
	} else if n == 0 && m.unrouted {
		list = append(list, m.phaseLine(m.n))
	}
	first := m.focus + 1
	if m.movedOn() && m.focus == m.n {
		first--
	}
	for n := first; m.focus > 0 && n <= min(m.phaseTotal(), m.focus+10*most); n++ {
		if !m.done(n) {
			list = append(list, m.phaseLine(n))
		}
	}
	for _, it := range m.pos.todos[:min(len(m.pos.todos), 10)] {
		list = append(list, "todo: "+short(it.text, 300))
	}
	b.Left(list[:min(len(list), most)]...)
	if more := len(list) - most; more > 0 {
		b.Left("… and " + itoa(more) + " more")
	}
}

// phaseTotal returns the position's total, or else the highest number in any document, or -1 if there is none.
func (m *model) phaseTotal() int {
	if m.m >= 0 || m.highest() < 1 {
		return m.m
	}
	return m.highest()
}

// phaseLine returns a phase as the brief lists it.
func (m *model) phaseLine(n int) string {
	return line("phase "+count{n, m.phaseTotal()}.String(), m.phases.names[n])
}

// skipped returns the work between the position and a hand-off that is ahead of it.
func (m *model) skipped() (list []string) {
	h, last := m.hand, m.t
	if h.phase == m.n {
		last = h.plan - 1
	}
	if m.verdict != handElse || m.n < 1 || h.phase < m.n {
		return nil
	}
	for n := max(m.flown()+1, 1); n <= min(last, most); n++ {
		list = append(list, "plan "+count{n, m.t}.String()+" of phase "+itoa(m.n))
	}
	for n := m.n + 1; n < min(h.phase, m.n+most); n++ {
		list = append(list, m.phaseLine(n))
	}
	return list
}

// context adds the facts that the next agent has to know.
func (m *model) context(b *brief.Brief) {
	add := func(title, text string) {
		if !none(text) && !placeholder(text) {
			b.Know(title + ": " + short(text, 300))
		}
	}
	if h := m.hand; m.holds() {
		if row := h.row(h.task); row != nil && row.state != taskDone {
			b.Know("Hand-off: " + strings.Join(m.handPlace(), ", "))
			add("Current task", line("task "+itoa(row.id.n), row.name))
		}
		for i, title := range [...]string{"Current state", "Decisions made", "Blockers", "Context"} {
			add(title, h.texts[i])
		}
	}
	if m.n >= 1 && m.s.unfinished() {
		b.Know("Position: " + line(m.where(), m.phases.names[m.n]))
		add("Stopped at", m.pos.get("stoppedat").given())
		if next := m.pos.get("nextaction").given(); m.s == blocked && !strings.HasPrefix(strings.Trim(next, "`"), "/") {
			add("Next action", next) // it may say how to resolve the blocker
		}
	}
	if !m.s.closed() && m.s != blocked {
		for _, it := range m.pos.blockers[:min(len(m.pos.blockers), 10)] {
			add("Blocker", it.text)
		}
	}
	for _, it := range m.pos.decisions[:min(len(m.pos.decisions), 10)] {
		add("Decision", it.text)
	}
}
