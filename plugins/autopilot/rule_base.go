package autopilot

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
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

func stateGone(l *finder) {
	m, b := l.m, l.m.base
	gone := func(path string, was *sdk.Document, read bool) *check.Finding {
		if !read || m.docs.Get(path) != nil || !m.docs.Known(path) || m.pos == nil || b.pos != nil && m.planned() {
			return nil
		}
		return l.Whole(path, path+" is gone; it was in the base").Offer(sdk.Review, "Bring it back", restore(path)...)
	}
	gone(acksPath, b.docs.Get(acksPath), len(b.ak.entries)+len(b.ak.history) > 0)
	if f := gone(thresholdsPath, b.docs.Get(thresholdsPath), b.th.doc != nil); f != nil {
		f.As(sdk.Warning)
	}
}

// same reports whether two entries of the history say the same.
func (e *entry) same(other *entry) bool {
	return e.alike(other) && e.when(other, "acknowledged_at") && e.when(other, "reset_at") && e.value.ok == other.value.ok && e.value.v == other.value.v
}

// advanced reports whether the last reset is later than in the earlier revision.
func (m *model) advanced() bool {
	now, then := m.ak.reset, m.base.ak.reset
	return known(now) && (!known(then) || then.Before(now, 0))
}

// lineOf says where the base has an entry.
func (l *finder) lineOf(e *entry) string {
	return say.Line(l.m.base.docs.Get(acksPath), e.json.Start())
}

func historyRewritten(l *finder) {
	now, then := l.m.ak.history, l.m.base.ak.history
	if len(now) == 0 && l.m.advanced() || len(now)*len(then) > 4_000_000 {
		return
	}
	for _, e := range then {
		if slices.ContainsFunc(now, e.same) {
			continue
		}
		f := l.pointer(acksPath, "/acknowledgment_history", "the history has no entry of "+quote(e.name)+" acknowledged at "+e.text("acknowledged_at")+"; it was in the base"+l.lineOf(e))
		for _, n := range now {
			if !n.is(e) && !(n.alike(e) && n.when(e, "reset_at")) || slices.ContainsFunc(then, n.same) {
				continue
			}
			key := "value"
			for _, at := range [...]string{"acknowledged_at", "reset_at"} {
				if !n.when(e, at) {
					key = at
				}
			}
			f.Range = sdk.AtPointer(acksPath, n.pointer)
			f.Message = say.Was(key+" of "+quote(e.name), say.Clip(n.json.Get(key).Raw()), say.Clip(e.json.Get(key).Raw()), l.lineOf(e))
		}
		f.Offer(sdk.Review, "Bring the history back", set(acksPath, "/acknowledgment_history", l.m.joinedHistory())...)
		return
	}
}

func (e *entry) text(key string) string {
	text, _ := e.json.Get(key).Text()
	return say.Clip(text)
}

// joinedHistory is the history of the base with the entries that are only here. An entry that was
// changed is taken from the base.
func (m *model) joinedHistory(added ...*entry) string {
	joined := acknowledgments{history: slices.Clone(m.base.ak.history), reset: m.ak.reset}
	for _, e := range m.ak.history {
		known := func(old *entry) bool { return e.same(old) || e.is(old) || e.alike(old) && e.when(old, "reset_at") }
		if !slices.ContainsFunc(m.base.ak.history, known) {
			joined.history = append(joined.history, e)
		}
	}
	return joined.historyWith(added...)
}

// vanished lists the acknowledgments that are neither there nor in the history.
func (m *model) vanished() []*entry {
	var list []*entry
	for _, old := range m.base.ak.entries {
		was := func(h *entry) bool { return h.is(old) }
		if known(old.at) && !slices.ContainsFunc(m.ak.entries, old.alike) && !slices.ContainsFunc(m.ak.history, was) {
			list = append(list, old)
		}
	}
	return list
}

func resetUnrecorded(l *finder) {
	m, b := l.m, l.m.base
	if !m.ak.hasHistory && !b.ak.hasHistory || !m.advanced() {
		return
	}
	var lost []*entry
	for _, e := range m.vanished() {
		if e.valid() {
			lost = append(lost, e)
		}
	}
	message := "the history is empty; it had " + say.Count(len(b.ak.history), "entry") + " in the base"
	switch {
	case len(lost) > 0:
		message = quote(lost[0].name) + " was reset, but the history has no entry of it; it was acknowledged in the base" + l.lineOf(lost[0])
	case len(b.ak.history) == 0 || len(m.ak.history) > 0:
		return
	}
	l.pointer(acksPath, "/acknowledgment_history", message).
		Offer(sdk.Review, "Record the reset", set(acksPath, "/acknowledgment_history", m.joinedHistory(lost...))...)
}

func resetWentBack(l *finder) {
	m, b := l.m, l.m.base
	now, then := m.ak.reset, b.ak.reset
	if raw := m.ak.doc.Root().Get("last_reset"); !known(then) || !known(now) && raw.Kind() == jsondoc.String || known(now) && !now.Before(then, 0) {
		return
	}
	is := "null"
	if known(now) {
		is = now.Text
	}
	was := b.ak.doc.Root().Get("last_reset")
	l.pointer(acksPath, "/last_reset", say.Was("last_reset", is, then.Text, say.Line(b.docs.Get(acksPath), was.Start()))+": what was reset then would count again").
		Offer(sdk.Review, "Put the last reset back", set(acksPath, "/last_reset", was.Raw())...).
		Advise("Find out when it was reset", "look at git log and write the time of the last reset")
}

func ackVanished(l *finder) {
	if l.m.advanced() {
		return
	}
	for _, e := range l.m.vanished() {
		l.At(sdk.AtPointer(acksPath, "/acknowledgments"), "the acknowledgment of "+quote(e.name)+" is gone without a reset; it was in the base"+l.lineOf(e)).Keyed(clip(e.name, 100)).
			Offer(sdk.Review, "Put it back", set(acksPath, e.pointer, e.json.Raw())...)
	}
}

func ackRewritten(l *finder) {
	for _, e := range l.m.ak.entries {
		for _, old := range l.m.base.ak.entries {
			if e.name != old.name {
				continue
			}
			message := ""
			switch {
			case e.at.Before(old.at, 0):
				message = say.Was("acknowledged_at of "+quote(e.name), e.at.Text, old.at.Text, l.lineOf(old))
			case stays(e.at, old.at) && e.value.ok && old.value.ok && e.value.v != old.value.v:
				message = say.Was("the value of "+quote(e.name), say.Clip(e.value.json.Raw()), say.Clip(old.value.json.Raw()), l.lineOf(old))
			default:
				continue
			}
			l.pointer(acksPath, e.pointer, message).
				Advise("Find out what was acknowledged", "look at git log and keep what the user acknowledged")
		}
	}
}

func checkWentBack(l *finder) {
	m, b := l.m.th, l.m.base.th
	line := say.Line(l.m.base.docs.Get(thresholdsPath), 0)
	if b.doc != nil {
		line = say.Line(l.m.base.docs.Get(thresholdsPath), b.doc.Root().Get("last_check").Start())
	}
	switch {
	case m.check.Before(b.check, 0):
		l.pointer(thresholdsPath, "/last_check", say.Was("last_check", m.check.Text, b.check.Text, line)).
			Advise("Check again", "an older copy overwrote a newer one: run the threshold check again")
	case stays(m.check, b.check):
		for k := range kinds {
			if now, was := m.value(k), b.value(k); now.ok != was.ok || now.v != was.v || m.levels[k].n != b.levels[k].n {
				l.pointer(thresholdsPath, "/last_check", "the value or level of "+kindNames[k]+" changed, but last_check is still "+m.check.Text).
					Advise("Check again", "run the threshold check again: it writes values, levels and last_check together")
				return
			}
		}
	}
}

func triggerDecreased(l *finder) {
	m, b := l.m, l.m.base
	if start := session(m.triggers); start != session(b.triggers) && !instant.Same(start, session(b.triggers)) {
		return
	}
	for _, t := range m.triggers {
		for _, old := range b.triggers {
			if t.name == old.name && t.path == old.path && t.counted && old.counted && t.count < old.count {
				l.pointer(t.path, t.pointer+"/count", say.Was("count of "+quote(t.name), itoa(int(t.count)), itoa(int(old.count)), "")+", in the same session").
					Advise("Take the newer copy", "an older copy overwrote a newer one: compare both in git")
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
