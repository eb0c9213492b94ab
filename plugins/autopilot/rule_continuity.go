package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

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
	case "madeprogress", "someprogress", "madesomeprogress", "progress", "update", "updates", "work", "worked", "workedonit", "continued", "continuedwork",
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
