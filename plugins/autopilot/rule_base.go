package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
)

// planned reports whether the flight was planned anew or rolled back, so that a
// position may go back.
func (m *model) planned() bool {
	b := m.base
	now, then := m.docs.Get(planPath), b.docs.Get(planPath)
	if now == nil && !m.docs.Known(planPath) || (now == nil) != (then == nil) || now != nil && now.Digest != then.Digest {
		return true
	}
	p := m.pos
	if p.get("project").text() != b.pos.get("project").text() {
		return true
	}
	for _, key := range [...]string{"status", "reason", "lastactivity", "stoppedat"} {
		if text := strings.ToLower(p.get(key).text()); strings.Contains(text, "rollback") || strings.Contains(text, "rolled back") {
			return true
		}
	}
	return false
}

func positionWentBack(l *look) {
	m, b := l.m, l.m.base
	if m.s == unknown || m.s != b.s || m.planned() {
		return
	}
	switch status := ", status still " + quote(m.pos.statusText); {
	case m.n >= 0 && m.n < b.n:
		l.field("phase", "phase went from "+itoa(b.n)+" back to "+itoa(m.n)+status)
	case m.n >= 0 && m.n == b.n && m.p >= 0 && m.p < b.p && !(m.p == 0 && m.s == phaseComplete):
		l.field("plan", "plan went from "+itoa(b.p)+" back to "+itoa(m.p)+status)
	default:
		return
	}
	if m.s.flying() && m.verdict == handNone && m.flyable(b.n) {
		if o := l.offer(sdk.Review, "Put the position back"); o != nil {
			o.cell("phase", clip(b.pos.get("phase").text(), 200))
			if b.p >= 0 {
				o.cellIf("plan", clip(b.pos.get("plan").text(), 200))
			}
		}
		return
	}
	l.manual("Say why", "note the rollback in Last Activity, or change the status")
}

func phaseLeft(l *look) {
	m, b := l.m, l.m.base
	if b.n < 1 || m.n <= b.n || !m.phases.logbooks || !m.docs.CompleteBelow("phases") || m.planned() {
		return
	}
	for n := b.n; n < m.n; n++ {
		if !m.done(n) {
			l.field("phase", "moved on to phase "+itoa(m.n)+", phase "+itoa(n)+" has no logbook")
			l.manual("Finish the phase", "write LOGBOOK.md of phase "+itoa(n)+", or go back to it")
			return
		}
	}
}

func updatedWentBack(l *look) {
	m, p, then := l.m, l.m.pos, l.m.base.pos
	switch {
	case p.stamp.backFrom(&then.stamp):
		l.tell(p.placeOf(p.stampField()), "", "stamp went back from "+then.stamp.text+" to "+p.stamp.text)
	case p.leg >= 0 && p.leg < then.leg && !m.planned():
		l.field("leg", "leg went back from "+itoa(then.leg)+" to "+itoa(p.leg))
	default:
		return
	}
	l.manual("Take the newer copy", "an older copy overwrote a newer one: compare both in git and keep what is so")
}

func unstamped(l *look) {
	m, b := l.m, l.m.base
	p, then := m.pos, b.pos
	if p.path != transponderPath || then.path != transponderPath || !p.stamp.same(&then.stamp) {
		return
	}
	if m.n != b.n || m.m != b.m || m.p != b.p || m.t != b.t || p.statusText != then.statusText || p.percent != then.percent {
		l.tell(p.placeOf(p.stampField()), "", "position changed, stamp did not")
		l.manual("Stamp it", "write when the position was updated")
	}
}

func progressWentBack(l *look) {
	m, b := l.m, l.m.base
	p, then := m.pos, b.pos
	plans, before := integer(p.get("planscompleted").given()), integer(then.get("planscompleted").given())
	switch {
	case m.planned():
		return
	case p.hasPercent && then.hasPercent && p.percent < then.percent && m.m == b.m:
		l.field("progress", "progress fell from "+trimFloat(then.percent)+"% to "+trimFloat(p.percent)+"%")
	case plans >= 0 && plans < before:
		l.field("planscompleted", "plans completed fell from "+itoa(before)+" to "+itoa(plans))
	default:
		return
	}
	l.manual("Compute it again", "divide the done tasks by all tasks of all plans")
}

func completionReopened(l *look) {
	m, b := l.m, l.m.base
	if b.s == projectComplete && m.s != unknown && m.s != phaseComplete && !m.s.closed() && !m.planned() {
		l.tell(m.pos.placeOf(m.pos.statusField()), "", "a completed project is "+quote(m.pos.statusText)+" again without a new flight plan")
		l.manual("Plan it", "run /autopilot:flightplan for the new work, or set the status back")
	}
}

func handWentBack(l *look) {
	m, b := l.m, l.m.base
	if b.verdict != handLive || m.hand.phase != b.hand.phase || m.hand.plan != b.hand.plan || m.planned() {
		return
	}
	h, then := m.hand, b.hand
	switch lost := lostRow(h, then); {
	case h.task > 0 && h.task < then.task:
		l.tell(h.at[keyTask], "", "hand-off went from task "+itoa(then.task)+" back to "+itoa(h.task))
	case lost > 0:
		l.tell(h.front, "", "task "+itoa(lost)+" was done in the hand-off and is not any more")
	default:
		return
	}
	if h.doc.Path == then.doc.Path {
		l.offer(sdk.Review, "Bring the earlier hand-off back").restoreHand()
	}
	l.manual("Find out what is done", "look at git log and write the rows that are so")
}

// lostRow is a task that was done and is not, 0 without one.
func lostRow(now, then *hand) int {
	done := map[int]bool{}
	for n := range now.rows {
		done[now.rows[n].n] = done[now.rows[n].n] || now.rows[n].state == taskDone
	}
	for n := range then.rows {
		if r := &then.rows[n]; r.state == taskDone && !done[r.n] {
			return r.n
		}
	}
	return 0
}

func handDropped(l *look) {
	m, b := l.m, l.m.base
	path := handPath
	if b.hand != nil {
		path = b.hand.doc.Path
	}
	if b.verdict != handLive || m.verdict != handNone || m.exists(path) || !m.docs.Known(path) || m.cdoc.Path != b.cdoc.Path || m.cdoc.Digest != b.cdoc.Digest {
		return
	}
	named, ok := m.inside(m.pos.get("resumefile").given())
	if ok && named == path {
		return
	}
	l.tell(sdk.AtLine(m.cdoc.Path, 1), "", "hand-off deleted, but "+m.cdoc.Path+" records no resume")
	l.offer(sdk.Review, "Bring the hand-off back").restoreHand()
}

func handOutlived(l *look) {
	m, b := l.m, l.m.base
	if m.verdict != handLive || b.hand == nil || m.hand.doc.Digest != b.hand.doc.Digest {
		return
	}
	if !b.pos.stamp.before(&m.pos.stamp) || m.pos.get("lastactivity").text() == b.pos.get("lastactivity").text() {
		return
	}
	l.tell(sdk.AtLine(m.hand.doc.Path, 1), "", "a session has passed, the hand-off is unchanged")
	l.offer(sdk.Review, "Move the hand-off to the archive").archiveHand()
	l.manual("Bring it up to date", "write into the hand-off where the flight is now")
}

func waypointThrownAway(l *look) {
	m := l.m
	was := m.base.waypoint
	if was == nil || m.waypoint != nil || m.exists("archive/waypoint.md") || !m.docs.Known(waypointPath) || !m.docs.CompleteBelow("archive") || faulty(was) {
		return
	}
	if len(m.docs.Match("archive/waypoint*.md")) > 0 {
		return
	}
	at := sdk.At(waypointPath)
	if m.cdoc != nil {
		at = sdk.AtLine(m.cdoc.Path, 1)
	}
	l.tell(at, "", "waypoint.md was deleted instead of archived")
	if o := l.offer(sdk.Review, "Put it into the archive"); o != nil {
		o.Edits = append(o.Edits, sdk.Create("archive/waypoint.md", was.Text))
	}
}

// same reports whether two entries of the history say the same, however they are written.
func (e *entry) same(other *entry) bool {
	equal := e.value.raw == other.value.raw || e.value.ok && other.value.ok && e.value.v == other.value.v
	return e.name == other.name && equal && instant.Same(e.atText, other.atText) && instant.Same(e.reset.text, other.reset.text)
}

// advanced reports whether the last reset is later than in the earlier revision.
func (m *model) advanced() bool {
	now, then := &m.ak.reset, &m.base.ak.reset
	return now.text != "" && (then.text == "" || then.before(now))
}

func historyRewritten(l *look) {
	now, then := l.m.ak.history, l.m.base.ak.history
	if len(now) == 0 && l.m.advanced() {
		return
	}
	for n, e := range then {
		if n < len(now) && e.same(now[n]) {
			continue
		}
		l.pointer(acksPath, "/acknowledgment_history", "acknowledgment history lost or changed entry "+itoa(n+1)+" of "+itoa(len(then)))
		l.offer(sdk.Review, "Bring the history back").set(acksPath, "/acknowledgment_history", l.m.joinedHistory())
		return
	}
}

// joinedHistory is the history of the earlier revision with the entries that are
// only here; "" if there are too many to tell, which no offer can set.
func (m *model) joinedHistory(added ...*entry) string {
	if len(m.ak.history)*len(m.base.ak.history) > 4_000_000 {
		return ""
	}
	joined := acknowledgments{history: append([]*entry(nil), m.base.ak.history...), reset: m.ak.reset}
	for _, e := range m.ak.history {
		known := false
		for _, old := range m.base.ak.history {
			known = known || e.same(old)
		}
		if !known {
			joined.history = append(joined.history, e)
		}
	}
	return joined.historyWith(added...)
}

// gone lists the acknowledgments that are neither there nor in the history.
func (m *model) gone() []*entry {
	var list []*entry
	for _, old := range m.base.ak.entries {
		kept := old.atText == ""
		for _, e := range m.ak.entries {
			kept = kept || e.name == old.name || e.kind >= 0 && e.kind == old.kind
		}
		for _, h := range m.ak.history {
			kept = kept || h.is(old)
		}
		if !kept {
			list = append(list, old)
		}
	}
	return list
}

func resetUnrecorded(l *look) {
	m, b := l.m, l.m.base
	if !m.ak.hasHistory && !b.ak.hasHistory || !m.advanced() {
		return
	}
	var lost []*entry
	for _, e := range m.gone() {
		if e.valid() {
			lost = append(lost, e)
		}
	}
	switch {
	case len(lost) > 0:
		l.pointer(acksPath, "/acknowledgment_history", quote(lost[0].name)+" was reset without a history entry")
	case len(b.ak.history) > 0 && len(m.ak.history) == 0:
		l.pointer(acksPath, "/acknowledgment_history", "the acknowledgment history is gone since the last reset")
	default:
		return
	}
	l.offer(sdk.Review, "Record the reset").set(acksPath, "/acknowledgment_history", m.joinedHistory(lost...))
}

func resetWentBack(l *look) {
	m, b := l.m, l.m.base
	now, then := &m.ak.reset, &b.ak.reset
	_, isText := m.ak.doc.Root().Get("last_reset").Text()
	if then.text == "" || now.text == "" && isText || now.text != "" && !now.before(then) {
		return
	}
	l.pointer(acksPath, "/last_reset", "last_reset went back: void acknowledgments count again")
	l.offer(sdk.Review, "Put the last reset back").set(acksPath, "/last_reset", jsonText(then.text))
	l.manual("Find out when it was reset", "look at git log and write the time of the last reset")
}

func ackVanished(l *look) {
	if l.m.advanced() {
		return
	}
	for _, e := range l.m.gone() {
		l.tell(sdk.AtPointer(acksPath, "/acknowledgments"), e.name, quote(e.name)+" acknowledgment disappeared without a reset")
		l.offer(sdk.Review, "Put it back").set(acksPath, e.pointer, e.json.Raw())
	}
}

func ackRewritten(l *look) {
	for _, e := range l.m.ak.entries {
		for _, old := range l.m.base.ak.entries {
			if e.name != old.name {
				continue
			}
			switch {
			case e.at.before(&old.at):
				l.pointer(acksPath, e.pointer, quote(e.name)+" acknowledgment was backdated from "+old.at.text+" to "+e.at.text)
			case e.at.same(&old.at) && e.value.ok && old.value.ok && e.value.v != old.value.v:
				l.pointer(acksPath, e.pointer, quote(e.name)+" acknowledgment has another value: "+clip(e.value.raw, 40)+", it was "+clip(old.value.raw, 40))
			default:
				continue
			}
			l.manual("Find out what was acknowledged", "look at git log and keep what the user acknowledged")
		}
	}
}

func checkWentBack(l *look) {
	now, then := &l.m.th.check, &l.m.base.th.check
	if now.before(then) {
		l.pointer(thresholdsPath, "/last_check", "threshold state is older than before: "+now.text+", it was "+then.text)
		l.manual("Check again", "an older copy overwrote a newer one: run the threshold check again")
	}
}

func triggerDecreased(l *look) {
	m, b := l.m, l.m.base
	if !instant.Same(session(m.triggers), session(b.triggers)) {
		return
	}
	for _, t := range m.triggers {
		for _, old := range b.triggers {
			if t.name == old.name && t.path == old.path && t.counted && old.counted && t.count < old.count {
				l.pointer(t.path, t.pointer+"/count", quote(t.name)+" count fell in one session")
				l.manual("Take the newer copy", "an older copy overwrote a newer one: compare both in git")
			}
		}
	}
}

// session is when the session of the triggers began.
func session(list []*trigger) string {
	for _, t := range list {
		if t.name == "time_elapsed" {
			return t.start
		}
	}
	return ""
}
