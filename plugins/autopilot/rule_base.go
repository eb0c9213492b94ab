package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// planned reports whether the flight was planned anew or rolled back, so that a
// position may go back. A flight plan that is ticked or has a note more is not a new one.
func (m *model) planned() bool {
	b, p := m.base, m.pos
	then, now := b.pos.get("project").given(), p.get("project").given()
	if then != "" && now != "" && markdown.Name(then) != markdown.Name(now) || m.phases.differs(b.phases) || !m.docs.Known(planPath) {
		return true
	}
	for _, key := range [...]string{"status", "reason", "lastactivity", "stoppedat"} {
		if text := strings.ToLower(p.get(key).text()); strings.Contains(text, "rollback") || strings.Contains(text, "rolled back") {
			return true
		}
	}
	return false
}

// differs reports whether another flight plan took the place of the one before: a phase of it has
// another name, or if no phases can be read its title is another.
func (s *phaseSet) differs(was *phaseSet) bool {
	if s.plan == nil || was.plan == nil {
		return s.plan != nil
	}
	if !s.plan.Readable() || !was.plan.Readable() {
		return false
	}
	if len(s.names) == 0 && len(was.names) == 0 {
		return titleOf(s.plan) != titleOf(was.plan)
	}
	for n, name := range was.names { // a plan that was cut short is not another one
		if now, ok := s.names[n]; ok && !strings.HasPrefix(markdown.Name(name), markdown.Name(now)) {
			return true
		}
	}
	return false
}

// from says what a field of the position is now, what it was, and where.
func (l *finder) from(key string, now, then int) string {
	p, was := l.m.pos, l.m.base.pos
	return say.Was(p.get(key).label, itoa(now), itoa(then), say.Line(was.doc, was.placeOf(was.get(key)).Start))
}

func positionWentBack(l *finder) {
	m, b := l.m, l.m.base
	if m.s == unknown || m.s == abandoned || b.s == projectComplete || m.planned() {
		return
	}
	var f *check.Finding
	switch {
	case m.n >= 0 && m.n < b.n && m.pos.get("phase") != nil:
		f = l.field("phase", l.from("phase", m.n, b.n)+`, and nothing tells of a rollback`)
	case m.n >= 0 && m.n == b.n && m.p >= 0 && m.p < b.p && m.s >= readyToExecute && !(m.p == 0 && m.s == phaseComplete) && (m.s == b.s || m.s != readyToExecute):
		f = l.field("plan", l.from("plan", m.p, b.p)+`, and nothing tells of a rollback`)
	default:
		return
	}
	if m.s.flying() && m.verdict == handNone && m.flyable(b.n) {
		edits := m.cells("phase", clip(b.pos.get("phase").text(), 200))
		if b.p >= 0 && edits != nil {
			edits = append(edits, m.pos.get("plan").set(clip(b.pos.get("plan").text(), 200))...)
		}
		f.Offer(sdk.Review, "Put the position back", edits...)
	}
	if f.Remedies == nil {
		f.Advise("Say why", "note the rollback in Last Activity, or put the position back")
	}
}

func statusWentBack(l *finder) {
	m, b := l.m, l.m.base
	if m.n < 1 || m.n != b.n || m.planned() {
		return
	}
	over := b.s == phaseComplete && b.p > 1 && m.s >= readyToDiscuss && m.s <= readyToExecute
	if m.s == readyToDiscuss && b.s >= readyToPlan && b.s <= inProgress || over {
		was := b.pos
		l.status(say.Was("Status", quote(m.pos.statusText), quote(was.statusText), say.Line(was.doc, was.placeOf(was.statusField()).Start))+" for the same phase").
			Advise("Say why", "note the rollback in Last Activity, or put the status back")
	}
}

// gone is the first document of the phase of the position that the base has and nothing takes the place of.
func (m *model) gone() *sdk.Document {
	now, was := m.parts(), m.base.phases.at(m.n)
	if was == nil || !m.docs.CompleteBelow("phases") {
		return nil
	}
	for _, pair := range [...][2]*sdk.Document{{was.briefing, now.briefing}, {was.route, now.route}, {was.logbook, now.logbook}} {
		if pair[0] != nil && pair[1] == nil && m.docs.Get(pair[0].Path) == nil {
			return pair[0]
		}
	}
	return nil
}

func phaseDocumentGone(l *finder) {
	m := l.m
	if m.n < 1 || m.n != m.base.n || m.planned() {
		return
	}
	d := m.gone()
	if d == nil {
		return
	}
	f := l.Whole(d.Path, d.Path+" is gone; it was in the base, and phase "+itoa(m.n)+" is still the one that is flown")
	edits := []sdk.Edit{sdk.Restore(d.Path)}
	if b := m.base.pos; m.s != m.base.s {
		edits = append(edits, m.pos.get("plan").set(b.get("plan").text())...)
		edits = append(edits, m.pos.get("nextaction").set(b.get("nextaction").text())...)
		f.Offer(sdk.Review, "Bring it back, and the status with it", append(edits, m.pos.get("status").set(b.get("status").text())...)...)
		return
	}
	f.Offer(sdk.Review, "Bring it back", edits...)
}

// left says why a phase is not finished that the position has left, "" if it may be: nothing that
// tells of finished phases has it.
func (m *model) left(n int) string {
	b, p := m.base, m.phases.at(n)
	plans, before := integer(m.pos.get("planscompleted").text()), integer(b.pos.get("planscompleted").text())
	switch {
	case m.done(n), m.phases.ticked[n], p != nil && p.finished(), n == b.n && (b.s >= phaseComplete && b.s != blocked || b.t > 0 && b.p >= b.t):
		return ""
	case m.phases.logbooks:
		return "phase " + itoa(n) + " has no logbook"
	case n > b.n && p == nil:
		return "there is nothing of phase " + itoa(n)
	case before >= 0 && plans > before:
		return ""
	case p != nil && p.ticked > 0 && p.open > 0:
		return p.route.Path + " has open boxes"
	case before >= 0 && plans >= 0:
		return "no more plans are completed than before"
	}
	return ""
}

func phaseLeft(l *finder) {
	m, b := l.m, l.m.base
	if b.n < 1 || m.n <= b.n || len(m.phases.numbered) == 0 || !m.docs.CompleteBelow("phases") || m.planned() {
		return
	}
	for n := b.n; n < min(m.n, b.n+mostPhases); n++ {
		if why := m.left(n); why != "" {
			l.field("phase", l.from("phase", m.n, b.n)+", but "+why).
				Advise("Finish the phase", "finish phase "+itoa(n)+" and record it, or go back to it")
			return
		}
	}
}

func updatedWentBack(l *finder) {
	m, p, then := l.m, l.m.pos, l.m.base.pos
	switch {
	case p.stamp.Before(then.stamp, 0):
		f := p.stampField()
		l.At(p.placeOf(f), say.Was(f.label, p.stamp.Text, then.stamp.Text, say.Line(then.doc, then.placeOf(then.stampField()).Start))).
			Advise("Take the newer copy", "an older copy overwrote a newer one: compare both in git and keep what is so")
	case p.leg >= 0 && p.leg < then.leg && !m.planned():
		l.field("leg", l.from("leg", p.leg, then.leg)).
			Advise("Take the newer copy", "an older copy overwrote a newer one: compare both in git and keep what is so")
	}
}

func unstamped(l *finder) {
	m, b := l.m, l.m.base
	p, then := m.pos, b.pos
	if !m.current() || !b.current() || !stays(p.stamp, then.stamp) {
		return
	}
	if moved := m.moved(); moved != "" {
		f := p.stampField()
		l.At(p.placeOf(f), moved+" changed, but "+f.label+" is still "+p.stamp.Text).
			Advise("Stamp it", "write when the position was updated")
	}
}

// moved names what of the position changed since the base, "" for nothing.
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

func progressWentBack(l *finder) {
	m, b := l.m, l.m.base
	p, then := m.pos, b.pos
	plans, before := integer(p.get("planscompleted").text()), integer(then.get("planscompleted").text())
	switch {
	case m.planned():
	case plans >= 0 && plans < before:
		l.field("planscompleted", l.from("planscompleted", plans, before)).
			Advise("Count them again", "count the plans that are completed, in all phases")
	case p.hasPercent && then.hasPercent && p.percent < then.percent && m.m == b.m:
		l.field("progress", say.Was("Progress", trimFloat(p.percent)+"%", trimFloat(then.percent)+"%", say.Line(then.doc, then.placeOf(then.get("progress")).Start))).
			As(sdk.Info).Advise("Compute it again", "divide the done tasks by all tasks of all plans")
	}
}

func completionReopened(l *finder) {
	m, b := l.m, l.m.base
	more := m.m > b.m || m.phases.total > b.phases.total && b.phases.total > 0
	if b.s == projectComplete && m.s != unknown && m.s != phaseComplete && !m.s.closed() && !m.planned() && !more {
		l.status("Status is "+quote(m.pos.statusText)+", but the project was complete, and there is no new flight plan").
			Advise("Plan it", "run /autopilot:flightplan for the new work, or set the status back")
	}
}

func handWentBack(l *finder) {
	m, b := l.m, l.m.base
	if b.verdict != handLive || m.hand.phase != b.hand.phase || m.hand.plan != b.hand.plan || m.planned() {
		return
	}
	h, then := m.hand, b.hand
	var f *check.Finding
	switch lost := lostRow(h, then); {
	case h.task > 0 && h.task < then.task:
		f = l.At(h.at[keyTask], say.Was("task", itoa(h.task), itoa(then.task), say.Line(then.doc, then.at[keyTask].Start)))
	case lost != nil:
		f = l.At(h.front, "task "+itoa(lost.n)+" is not done here; it was in the base"+say.Line(then.doc, lost.at.Start))
	default:
		return
	}
	if h.doc.Path == then.doc.Path {
		f.Offer(sdk.Review, "Bring the earlier hand-off back", restore(then.doc.Path)...)
	}
	f.Advise("Find out what is done", "look at git log and write the rows that are so")
}

// lostRow is a row of a task that was done and is not, nil without one.
func lostRow(now, then *hand) *handRow {
	done := now.finished()
	for n := range then.rows {
		if r := &then.rows[n]; r.state == taskDone && !done[r.n] {
			return r
		}
	}
	return nil
}

func handDropped(l *finder) {
	m, b := l.m, l.m.base
	if b.verdict != handLive || m.verdict != handNone {
		return
	}
	path := b.hand.doc.Path
	if !m.absent(path) || m.cdoc.Path != b.cdoc.Path {
		return
	}
	named, ok := m.inside(m.pos.get("resumefile").given())
	if ok && named == path || m.moved() != "" || m.pos.stamp.Precision != 0 && !stays(m.pos.stamp, b.pos.stamp) || !sameActivity(m.pos, b.pos) && !strings.HasPrefix(b.pos.get("lastactivity").text(), m.pos.get("lastactivity").text()) {
		return // told as a file that is missing; or a session went on
	}
	l.At(head(m.cdoc.Path), path+" is gone, but "+m.cdoc.Path+" records no resume: its position, activity and stamp are those of the base").
		Offer(sdk.Review, "Bring the hand-off back", restore(path)...).
		Advise("Record the resume", "write into "+m.cdoc.Path+" what was done since, and when")
}

func waypointThrownAway(l *finder) {
	m := l.m
	was := m.base.waypoint
	if was == nil || m.waypoint != nil || !m.docs.Known(waypointPath) || !m.docs.CompleteBelow("archive") || faulty(was) || len(m.docs.Match("archive/waypoint*.md")) > 0 {
		return
	}
	at := sdk.At(waypointPath)
	if m.cdoc != nil {
		at = head(m.cdoc.Path)
	}
	l.At(at, "waypoint.md was deleted; expected it in archive/").
		Offer(sdk.Review, "Put it into the archive", sdk.Create("archive/waypoint.md", was.Text))
}
