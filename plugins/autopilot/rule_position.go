package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/wire"
)

// begun is the first document that shows that a flight has begun, "" without one.
func (m *model) begun() string {
	switch {
	case m.docs.Get(handPath) != nil:
		return handPath
	case len(m.phases.numbered) > 0:
		return m.phases.numbered[0].Path
	case m.phases.plan != nil:
		return planPath
	}
	return ""
}

func transponderMissing(l *look) {
	docs := l.m.docs
	if at := l.m.begun(); l.m.cdoc == nil && !l.m.exists(transponderPath) && at != "" && docs.Known(transponderPath) && docs.Known(waypointPath) && docs.Known(statePath) {
		l.tell(sdk.At(at), "", "no TRANSPONDER.md: the run's position is recorded nowhere")
	}
}

// placed reports whether a position says anything.
func (m *model) placed() bool {
	return m.pos != nil && (m.n >= 0 || m.s != unknown || m.pos.hasLast || m.pos.hasNext)
}

func withoutPosition(l *look) {
	if !l.m.placed() {
		l.tell(l.m.pos.placeOf(nil), "", l.m.pos.path+" names neither phase nor status")
	}
}

func conflictMarkers(l *look) {
	hand := l.m.docs.Get(handPath)
	if hand == nil && l.m.cdoc != nil && l.m.cdoc.Path == statePath {
		hand = l.m.docs.Get(oldHandPath)
	}
	for n, d := range [...]*sdk.Document{l.m.cdoc, l.m.waypoint, hand} {
		if d == nil || n == 1 && d == l.m.cdoc {
			continue
		}
		if start, end := conflict(d.Text); start >= 0 && l.m.exists(d.Path) {
			l.tell(sdk.AtBytes(d.Path, start, end), "", "unresolved merge conflict: nothing in "+d.Path+" is read")
			l.manual("Settle the conflict", "keep the side with the later stamp and check it against phases/")
		}
	}
}

func conflictingPositions(l *look) {
	for _, key := range [...]string{"phase", "plan", "status"} {
		var first *field
		for _, f := range l.m.pos.fields {
			if f.key != key || !f.scoped || f.given() == "" {
				continue
			}
			if first == nil {
				first = f
			} else if !sameMeaning(key, first.value, f.value) {
				l.tell(f.at, key, first.label+" is given as "+clip(first.value, 80)+" and as "+clip(f.value, 80))
				l.d.Related = []sdk.Related{{Range: first.at, Message: "the first one"}}
				l.manual("Keep one of them", "keep the newer "+first.label+" and delete the other")
				break
			}
		}
	}
}

func sameMeaning(key, a, b string) bool {
	if key == "status" {
		s, _ := readStatus(a)
		t, _ := readStatus(b)
		return s == t && (s != unknown || markdown.Name(a) == markdown.Name(b))
	}
	c, ok := readCount(a)
	d, also := readCount(b)
	return !ok || !also || c.n == d.n && (c.of == d.of || c.of < 0 || d.of < 0)
}

func unfilledPlaceholder(l *look) {
	var first *field
	more := 0
	for _, f := range l.m.pos.fields {
		if !placeholder(f.value) {
			continue
		}
		if first == nil {
			first = f
		} else {
			more++
		}
	}
	if first == nil {
		return
	}
	message := first.label + " still holds the template's " + clip(first.value, 80)
	if more > 0 {
		message += ", and so do " + plural(more, "more field")
	}
	l.tell(first.at, "", message)
	l.manual("Fill it in", "replace what stands in braces by what is so")
}

func positionUnreadable(l *look) {
	for _, key := range [...]string{"phase", "plan"} {
		if l.m.pos.phaseBad && key == "phase" || l.m.pos.planBad && key == "plan" {
			f := l.m.pos.get(key)
			l.tell(f.at, key, f.label+" "+quote(f.value)+` is not "N of M"`)
			l.manual("Write it as N of M", "write the number of it and the total, such as 3 of 6")
		}
	}
}

func phaseOutOfRange(l *look) {
	m := l.m
	switch {
	case m.n >= 0 && m.m >= 0 && m.n > m.m:
		l.field("phase", "phase "+itoa(m.n)+" is beyond the total of "+itoa(m.m))
	case m.n == 0 && (m.s > readyToExecute || m.s == unknown && m.pos.percent > 0):
		l.field("phase", "phase 0 is none, and the status is "+quote(m.pos.statusText))
	default:
		return
	}
	if total := m.phases.total; m.n >= 1 && m.n <= total && (m.s != projectComplete || m.n == total) {
		l.offer(sdk.Review, "Take the total from flightplan.md").cell("phase", count{m.n, total}.String())
		return
	}
	l.manual("Correct the phase", "count the phases of flightplan.md and write the one that is being flown")
}

func planOutOfRange(l *look) {
	if m := l.m; m.p >= 0 && m.t >= 0 && m.p > m.t {
		l.field("plan", "plan "+itoa(m.p)+" is beyond the phase's "+plural(m.t, "plan"))
		l.manual("Count the plans", "count the plans of phase "+itoa(m.focus)+" in its route and correct Plan")
	}
}

func phaseTotalDisagrees(l *look) {
	m := l.m
	total, last := m.phases.total, m.phases.last()
	if m.m < 0 || total == m.m && last <= m.m || total == 0 && last <= m.m {
		return
	}
	key := "phase"
	if m.pos.get(key) == nil {
		key = "phases"
	}
	if message := "total is " + itoa(m.m) + ", "; total > 0 && total != m.m {
		l.field(key, message+"flightplan.md lists "+plural(total, "phase"))
	} else {
		l.field(key, message+"phases/ has a phase "+itoa(last))
	}
	if total > 0 && key == "phase" && m.n >= 0 && m.n <= total && last <= total && m.s != projectComplete && (m.hand == nil || m.hand.phase <= total) {
		l.offer(sdk.Review, "Take the total from flightplan.md").cell(key, count{m.n, total}.String())
		return
	}
	l.manual("Settle the total", "count the phases, and correct the position or flightplan.md")
}

func unknownStatus(l *look) {
	p := l.m.pos
	f := p.statusField()
	switch {
	case l.m.s != unknown:
		return
	case f.given() != "":
		l.tell(f.at, "", "status "+quote(f.value)+" is none of the seven (Ready to discuss, Ready to plan, Ready to execute, In progress, Blocked, Phase complete, Project complete)")
	case f != nil && placeholder(f.value) || l.m.n < 0:
		return
	default:
		l.tell(p.placeOf(f), "", "the phase is given and no status with it")
	}
	if l.m.observed != unknown && l.m.observed <= readyToExecute && p.get("status") != nil {
		l.offer(sdk.Review, "Set the status to "+l.m.observed.title()).cell("status", l.m.observed.title())
		return
	}
	l.manual("Set the status", "find out where the flight is and write one of the seven")
}

func progressOutOfRange(l *look) {
	if p := l.m.pos; p.hasPercent && (p.percent < 0 || p.percent > 100) {
		l.field("progress", "progress "+trimFloat(p.percent)+"%")
		l.manual("Compute it again", "divide the done tasks by all tasks of all plans")
	}
}

// barOf is the bar of ten cells.
func barOf(percent float64) (bar string, filled int) {
	filled = int(percent / 10)
	return strings.Repeat("█", filled) + strings.Repeat("░", 10-filled), filled
}

func progressBarMismatch(l *look) {
	p := l.m.pos
	if !p.hasPercent || p.percent < 0 || p.percent > 100 || p.bar == "" {
		return
	}
	bar, filled := barOf(p.percent)
	if bar == p.bar {
		return
	}
	found := strings.Count(p.bar, "█")
	l.field("progress", "bar shows "+itoa(found)+" of "+itoa(len(p.bar)/len("█"))+", "+trimFloat(p.percent)+"% makes "+itoa(filled)+" of 10")
	value := p.get("progress").value
	start, end := strings.IndexAny(value, "█░"), max(strings.LastIndex(value, "█"), strings.LastIndex(value, "░"))+len("█")
	if !strings.Contains(value[start:end], "%") {
		l.offer(sdk.Safe, "Draw the bar that the percentage makes").cell("progress", value[:start]+bar+value[end:])
	}
}

func progressContradicts(l *look) {
	m := l.m
	if m.n < 0 || m.m < 0 || m.n > m.m || m.s == projectComplete || !m.pos.hasPercent {
		return
	}
	if m.pos.percent == 100 && m.n < m.m || m.pos.percent == 0 && m.n > 1 {
		l.field("progress", trimFloat(m.pos.percent)+"% with phase "+count{m.n, m.m}.String()+" open")
		l.manual("Compute it again", "divide the done tasks by all tasks of all plans")
	}
}

func completionContradicted(l *look) {
	m := l.m
	partly := m.p >= 1 && m.p < m.t
	switch {
	case m.s == projectComplete && (m.n >= 0 && m.n < m.m || partly || m.pos.hasPercent && m.pos.percent < 100):
	case m.s == phaseComplete && m.p >= 2 && partly:
	default:
		return
	}
	message := "status " + quote(m.pos.statusText)
	if m.n >= 0 {
		message += " at phase " + count{m.n, m.m}.String()
	}
	if m.p >= 0 {
		message += ", plan " + count{m.p, m.t}.String()
	}
	if m.pos.hasPercent {
		message += ", " + trimFloat(m.pos.percent) + "%"
	}
	l.tell(m.pos.placeOf(m.pos.statusField()), "", message)
	if m.observed == projectComplete && m.s == projectComplete {
		if o := l.offer(sdk.Review, "Record that every phase is done"); o != nil {
			if m.m >= 0 {
				o.cellIf("phase", count{m.m, m.m}.String())
			}
			if m.t >= 0 {
				o.cellIf("plan", count{m.t, m.t}.String())
			}
			bar, _ := barOf(100)
			o.cellIf("progress", bar+" 100%")
		}
	}
	if m.verdict == handNone && m.flyable(m.n) {
		if o := l.offer(sdk.Review, "Set the status to In progress"); o != nil {
			o.status(inProgress, "/autopilot:cockpit")
		}
		return
	}
	l.manual("Find out what is done", "check the phases and plans, and correct the status or the position")
}

func tooLong(l *look) {
	d := l.m.cdoc
	if lines := d.Summary.Lines; d.Path == transponderPath && lines >= 100 {
		l.tell(sdk.AtLine(d.Path, 100), "", itoa(lines)+" lines; the limit is 99")
		l.manual("Prune it", "take out old decisions, done todos and old metrics")
	}
}

func tooManyDecisions(l *look) {
	if list := l.m.pos.decisions; len(list) > 5 {
		l.tell(sdk.AtBytes(l.m.pos.path, list[5].own, max(list[5].stop, list[5].own)), "", itoa(len(list))+" recent decisions; keep 3 to 5")
		l.manual("Keep the newest", "move the oldest decisions to learnings.md")
	}
}

func updatedMissing(l *look) {
	p := l.m.pos
	f := p.stampField()
	if l.m.n < 0 && p.get("phases") != nil {
		return // the short form is filed without a stamp
	}
	if p.path == transponderPath && (l.m.n >= 0 || l.m.s != unknown) && none(f.text()) {
		l.tell(p.placeOf(f), "", "no Updated stamp")
		l.manual("Stamp it", "write when the position was last updated")
	}
}

func updatedBeforeActivity(l *look) {
	p := l.m.pos
	what := ""
	session := readStamp(p.get("lastsession").given())
	switch {
	case p.stamp.before(&p.activity):
		what = "last activity " + p.activity.text
	case p.stamp.before(&session):
		what = "last session " + session.text
	case l.m.verdict >= handAhead && p.stamp.beforeBy(&l.m.hand.created, 3600_000_000_000):
		what = "the hand-off of " + l.m.hand.created.text
	default:
		return
	}
	l.tell(p.placeOf(p.stampField()), "", "updated "+p.stamp.text+", "+what)
	l.manual("Bring it up to date", "the file was not written last: read the log again, correct the position and stamp it")
}

func vagueActivity(l *look) {
	switch markdown.Name(l.m.pos.activityText) {
	case "madeprogress", "someprogress", "progress", "update", "updates", "work", "worked", "workedonit", "continued", "continuedwork",
		"various", "misc", "stuff", "wip":
		l.field("lastactivity", quote(l.m.pos.activityText)+" tells the next session nothing")
		l.manual("Say what was done", `write what is different now, such as "Completed auth API"`)
	}
}

// next is the default command of a status, "" without one.
func (m *model) next(s status, n int) string {
	if n < 1 {
		n = m.focus
	}
	number := " " + itoa(n)
	if n < 1 {
		number = ""
	}
	switch s {
	case readyToDiscuss:
		return "/autopilot:preflight" + number
	case readyToPlan:
		return "/autopilot:takeoff" + number + " --plan-only"
	case readyToExecute:
		if n >= 1 {
			return "/autopilot:takeoff --phase=" + itoa(n)
		}
		return "/autopilot:takeoff"
	case inProgress:
		return "/autopilot:cockpit"
	case phaseComplete:
		return "/autopilot:preflight " + itoa(n+1)
	}
	return ""
}

func nextActionMissing(l *look) {
	m, p := l.m, l.m.pos
	f := p.get("nextaction")
	if p.path != transponderPath || !m.s.unfinished() || p.hasNext || f != nil && !none(f.value) {
		return
	}
	at := p.placeOf(f)
	if h := m.cdoc.Outline().Find("Session Continuity"); f == nil && h.OK() {
		at = place(p.path, h.Part)
	}
	l.tell(at, "", "no next action for status "+quote(p.statusText))
	if next := m.next(m.s, m.n); f != nil && next != "" {
		l.offer(sdk.Review, "Write the command of the status").cell("nextaction", next)
		return
	}
	l.manual("Name the next action", "add a row Next action with the command that goes on")
}

func nextActionContradicts(l *look) {
	m := l.m
	if text := m.pos.get("nextaction").given(); contradicts(text, m.s) {
		l.field("nextaction", "next action "+clip(text, 80)+" does not fit "+quote(m.pos.statusText))
		if next := m.next(m.s, m.n); next != "" {
			l.offer(sdk.Review, "Write the command of the status").cell("nextaction", next)
		} else if m.s == projectComplete {
			l.offer(sdk.Review, "Write that nothing is left").cell("nextaction", "None")
		}
	}
}

// inside is where in the instance a name of a file leads; ok is false for what lies
// elsewhere or is of a kind that the instance cannot prove.
func (m *model) inside(name string) (path string, ok bool) {
	name = strings.TrimPrefix(name, "./")
	path, ok = strings.CutPrefix(name, ".autopilot/")
	if !ok && m.root != "" && m.root != "." {
		path, ok = strings.CutPrefix(name, m.root+"/")
	}
	if name == handPath || name == waypointPath {
		path, ok = name, true
	}
	state, isState := strings.CutPrefix(path, "state/")
	json := isState && strings.HasSuffix(path, ".json") && !strings.Contains(state, "/")
	md := strings.HasSuffix(path, ".md")
	if !ok || strings.Contains(path, "..") || strings.ContainsAny(path, " \\:*?\"<>|{}") || strings.Contains(path, "//") || !json && !md {
		return "", false
	}
	return path, true
}

func resumeFileMissing(l *look) {
	m := l.m
	name := m.pos.get("resumefile").given()
	path, ok := m.inside(name)
	if !ok || m.exists(path) || m.docs.Get(path) == nil && !m.docs.Known(path) {
		return
	}
	l.field("resumefile", "resume file "+clip(name, 80)+" does not exist")
	if m.exists(handPath) {
		l.offer(sdk.Review, "Name the hand-off that is there").cell("resumefile", handName)
	}
	safety := sdk.Review
	if m.base != nil && m.base.docs.Get(path) != nil {
		safety = sdk.Safe
	}
	l.offer(safety, "Set Resume file to None").cell("resumefile", "None")
	if m.base != nil && m.base.verdict == handLive && m.base.hand.doc.Path == path {
		l.offer(sdk.Review, "Bring the hand-off back").restoreHand()
	}
}

func stoppedElsewhere(l *look) {
	m, p := l.m, l.m.pos
	plan, task := p.stopPlan, p.stopTask
	if !m.s.flying() {
		return
	}
	switch h := m.hand; {
	case plan.n > m.n && m.n >= 0, plan.n == m.n && m.n >= 0 && m.p >= 0 && plan.of > m.p+1:
		l.field("stoppedat", "stopped at "+itoa(plan.n)+"."+itoa(plan.of)+", position is "+m.where())
	case task.n > task.of:
		l.field("stoppedat", "stopped at task "+task.String())
	case m.verdict == handLive && task.n >= 0 && h.task > 0 && h.total > 0 && task != count{h.task, h.total}:
		l.field("stoppedat", "stopped at task "+task.String()+", "+h.doc.Path+" says task "+count{h.task, h.total}.String())
	default:
		return
	}
	l.manual("Find out where it stopped", "correct Stopped at or the position")
}

// where is the position as a text.
func (m *model) where() string {
	if m.p < 0 {
		return "phase " + itoa(m.n)
	}
	return itoa(m.n) + "." + itoa(m.p)
}

func interruptedBare(l *look) {
	m, p := l.m, l.m.pos
	plan := p.stopPlan
	late := plan.n < 0 || m.n < 0 || plan.n > m.n || plan.n == m.n && plan.of >= m.p
	if m.s != inProgress || p.stopTask.n < 0 || !late || p.get("resumefile").given() != "" {
		return
	}
	if m.hand == nil && !m.exists(handPath) && m.docs.Known(handPath) {
		l.field("stoppedat", "stopped at task "+p.stopTask.String()+", but no hand-off was written")
		l.manual("Write the hand-off", "write holding-pattern.md from git log and the route, or update Stopped at")
	}
}

func notMigrated(l *look) {
	d := l.m.cdoc
	if d.Path == transponderPath || !l.m.exists(d.Path) {
		return
	}
	l.tell(sdk.AtLine(d.Path, 1), "", "position is kept in the old "+d.Path+", which no current command reads")
	l.migrate()
}

func waypointLeftBehind(l *look) {
	if l.m.waypoint == nil || l.m.cdoc == nil || l.m.cdoc.Path != transponderPath || !l.m.exists(waypointPath) {
		return
	}
	l.tell(sdk.AtLine(waypointPath, 1), "", "waypoint.md was migrated but not archived")
	if o := l.offer(sdk.Safe, "Move waypoint.md to the archive"); o != nil {
		o.move(waypointPath, l.m.free("archive/waypoint.md"))
		o.forget(waypointPath)
	}
}

func mojibakeText(l *look) {
	docs := [...]*sdk.Document{l.m.cdoc, l.m.waypoint, nil}
	if l.m.hand != nil {
		docs[2] = l.m.hand.doc
	}
	for n, d := range docs {
		if d == nil || n == 1 && d == docs[0] || !d.Readable() || l.trial != nil {
			continue
		}
		start, end := garbledIn(d.Text)
		if marker, _ := conflict(d.Text); start < 0 || marker >= 0 {
			continue
		}
		l.tell(sdk.AtBytes(d.Path, start, end), "", quote(d.Text[start:end])+" is "+mend(d.Text[start:end])+", decoded with the wrong encoding")
		if o := l.offer(sdk.Review, "Put the characters right"); o != nil {
			rest := d.Text[start:]
			e := o.edit(wire.Replace, d.Path, "", mend(rest), "")
			e.Range.Start, e.Range.End = start, len(d.Text)
		}
	}
}
