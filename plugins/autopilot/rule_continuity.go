package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

func tooLong(l *finder) {
	if lines := l.m.cdoc.Summary.Lines; l.m.current() && lines >= 100 {
		l.At(sdk.AtLine(l.m.cdoc.Path, 100), l.m.cdoc.Path+" has "+itoa(lines)+" lines; expected fewer than 100").
			Advise("Prune it", "take out old decisions, done todos and old metrics")
	}
}

func tooManyDecisions(l *finder) {
	if list := l.m.pos.decisions; len(list) > 5 {
		l.At(list[5].span(), "there are "+itoa(len(list))+" recent decisions; expected 3 to 5").
			Advise("Keep the newest", "move the oldest decisions to learnings.md")
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

func nextActionMissing(l *finder) {
	m, p := l.m, l.m.pos
	f := p.get("nextaction")
	if !m.current() || !m.s.unfinished() || p.hasNext || f != nil && !none(f.value) {
		return
	}
	at := p.placeOf(f)
	if h := m.cdoc.Outline().Find("Session Continuity"); f == nil && h.OK() {
		at = place(p.doc.Path, h.Part)
	}
	found := l.At(at, "Status is "+quote(p.statusText)+", but there is no Next action")
	if edits := f.set(m.next(m.s, m.n)); edits != nil {
		found.Offer(sdk.Review, "Write the command of the status", edits...)
		return
	}
	found.Advise("Name the next action", "add a row Next action with the command that goes on")
}

func nextActionContradicts(l *finder) {
	m := l.m
	text := m.pos.get("nextaction").given()
	if !contradicts(text, m.s) {
		return
	}
	next := m.next(m.s, m.n)
	if m.s == projectComplete {
		next = "None"
	}
	message := "Next action is " + quote(text) + ", but Status is " + quote(m.pos.statusText)
	if next != "" {
		message = say.Wrong("Next action", quote(text), next+" for "+quote(m.pos.statusText))
	}
	l.field("nextaction", message).Offer(sdk.Review, "Write "+next, m.cells("nextaction", next)...)
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

func resumeFileMissing(l *finder) {
	m := l.m
	name := m.pos.get("resumefile").given()
	path, ok := m.inside(name)
	if !ok || !m.absent(path) {
		return
	}
	f := l.field("resumefile", "Resume file is "+quote(name)+", which does not exist")
	if m.base != nil && m.base.verdict == handLive && m.base.hand.doc.Path == path {
		f.Offer(sdk.Review, "Bring the hand-off back", restore(path)...)
	}
	if d := m.named(handPath); d != nil {
		f.Offer(sdk.Review, "Name the hand-off that is there", m.cells("resumefile", ".autopilot/"+d.Path)...)
	}
	f.Offer(sdk.Review, "Set Resume file to None", m.cells("resumefile", "None")...)
}

func quickReferenceStale(l *finder) {
	m := l.m
	if len(m.phases.numbered) == 0 || !m.docs.CompleteBelow("phases") || m.s <= readyToDiscuss || m.s > projectComplete {
		return
	}
	for _, f := range m.pos.fields {
		_, dir, ok := strings.Cut(f.value, "phases/")
		if dir, _, _ = strings.Cut(dir, "/"); f.in != "quickreference" || !ok || placeholder(dir) || dir == "" {
			continue
		}
		if n, numbered := phaseNumber(dir); numbered && m.phases.at(n) == nil {
			l.At(f.at, f.label+" is "+quote(f.value)+", which does not exist").Keyed(f.key).
				Advise("Name the phase", "write the directory of phase "+itoa(m.focus)+" under Quick Reference")
		}
	}
}

func stoppedElsewhere(l *finder) {
	m, p := l.m, l.m.pos
	plan, task := p.stopPlan, p.stopTask
	if !m.s.flying() {
		return
	}
	message := ""
	switch h := m.hand; {
	case plan.n > m.n && m.n >= 0, plan.n == m.n && m.n >= 0 && m.p >= 0 && plan.of > m.p+1:
		message = "plan " + itoa(plan.n) + "." + itoa(plan.of) + ", but the position is " + m.where()
	case task.n > task.of:
		message = "task " + itoa(task.n) + ", but the plan has " + say.Count(task.of, "task")
	case m.verdict == handLive && task.n >= 0 && h.task > 0 && h.total > 0 && task != count{h.task, h.total}:
		message = "task " + task.String() + ", but " + h.doc.Path + " has task " + count{h.task, h.total}.String()
	default:
		return
	}
	l.field("stoppedat", "Stopped at names "+message).
		Advise("Find out where it stopped", "correct Stopped at or the position")
}

// bare reports whether the session stopped within a plan and left no hand-off.
func (m *model) bare() bool {
	p := m.pos
	if p == nil || m.s != inProgress || p.stopTask.n < 0 || p.get("resumefile").given() != "" {
		return false
	}
	plan := p.stopPlan
	late := plan.n < 0 || m.n < 0 || plan.n > m.n || plan.n == m.n && plan.of >= m.p
	return late && m.hand == nil && m.absent(handPath)
}

func interruptedBare(l *finder) {
	if l.m.bare() {
		l.field("stoppedat", "the session stopped at task "+l.m.pos.stopTask.String()+", but there is no holding-pattern.md").
			Advise("Write the hand-off", "write holding-pattern.md from git log and the route, or update Stopped at")
	}
}

func blockedWithoutBlocker(l *finder) {
	m := l.m
	if m.s != blocked || len(m.pos.blockers) > 0 || m.pos.reason != "" || m.hand != nil && !none(m.hand.texts[textBlockers]) {
		return
	}
	l.status("Status is Blocked, but no blocker is listed").
		Advise("Name the blocker", `add an item under Blockers, such as "Phase 3: waiting for API keys"`)
}

func blockerButFlying(l *finder) {
	m := l.m
	if list := m.pos.blockers; len(list) > 0 && m.s != unknown && m.s < blocked && len(m.leftBlockers()) == 0 {
		l.At(list[0].span(), say.Count(len(list), "blocker")+" listed, but Status is "+quote(m.pos.statusText)).
			Advise("Settle it", "set the status to Blocked, or take out the blocker if it is resolved")
	}
}

// phase is the number of the phase that a blocker begins with.
func (it *item) phase() (n int, ok bool) {
	text := strings.TrimLeftFunc(it.text, markdown.Symbol)
	bare := after(text, "Phase ")
	if bare == text && len(text) > 1 && (text[0] == 'P' || text[0] == 'p') {
		bare = text[1:]
	}
	n, rest := leading(bare)
	return n, n >= 0 && (rest == "" || rest[0] < '0' || rest[0] > '9')
}

// leftBlockers lists the blockers of what is complete.
func (m *model) leftBlockers() []*item {
	var list []*item
	for n := range m.pos.blockers {
		it := &m.pos.blockers[n]
		phase, ok := it.phase()
		if m.s == projectComplete || m.s == phaseComplete && ok && phase == m.n {
			list = append(list, it)
		}
	}
	return list
}

func blockerAfterCompletion(l *finder) {
	m := l.m
	list := m.leftBlockers()
	if len(list) == 0 {
		return
	}
	var edits []sdk.Edit
	for n, it := range list {
		switch {
		case n == 0 && len(list) == len(m.pos.blockers):
			edits = append(edits, sdk.Replace(sdk.AtBytes(it.path, it.start, it.end), "- None"))
		case n < 50:
			edits = append(edits, it.remove(m.cdoc.Text))
		}
	}
	l.At(list[0].span(), "Status is "+quote(m.pos.statusText)+", but the blocker "+quote(list[0].text)+" is still listed").
		Offer(sdk.Review, "Take out what no longer blocks", edits...)
}

func blockerWithoutPhase(l *finder) {
	m := l.m
	for n := range m.pos.blockers {
		it := &m.pos.blockers[n]
		if _, ok := it.phase(); ok {
			continue
		}
		f := l.At(it.span(), "the blocker "+quote(it.text)+" names no phase").Keyed(clip(it.text, 100))
		if m.focus > 0 && it.stop > it.own {
			number := "Phase " + itoa(m.focus) + ": "
			f.Offer(sdk.Review, "Name phase "+itoa(m.focus), sdk.Replace(it.span(), number+m.cdoc.Text[it.own:it.stop]))
		}
	}
}

// taskOf returns a task of the phase documents, nil if it is not there.
func (m *model) taskOf(id taskID) *task {
	if p := m.phases.at(id.phase); p != nil {
		for n := range p.tasks {
			if p.tasks[n].id == id {
				return &p.tasks[n]
			}
		}
	}
	return nil
}

func nextTaskDone(l *finder) {
	p := l.m.pos
	if !p.layoutB || !p.hasNext {
		return
	}
	if t := l.m.taskOf(p.next); p.hasLast && p.last == p.next || t != nil && t.state == taskDone {
		l.field("nexttask", "Next Task is "+p.next.String()+", which is completed").
			Advise("Find the next task", "look up in the route which task is open and correct Next Task")
	}
}

func nextTaskElsewhere(l *finder) {
	m, p := l.m, l.m.pos
	if !p.layoutB || !p.hasNext {
		return
	}
	next := p.next.phase
	if next > 0 && m.n >= 1 && next != m.n && !(next == m.n+1 && (m.s == phaseComplete || m.done(m.n))) {
		l.field("nexttask", "Next Task is "+p.next.String()+", but the position is "+m.where()).
			Advise("Settle it", "correct Next Task or Phase")
		return
	}
	for _, id := range p.arguments {
		if id != p.next {
			l.field("nexttask", "Next Task is "+p.next.String()+", but the resume instructions have --task="+id.String()).
				Advise("Settle it", "name the same task in Next Task and in the commands")
			return
		}
	}
}

func notMigrated(l *finder) {
	if !l.m.current() {
		d := l.m.cdoc
		l.migrate(l.At(head(d.Path), "the position is in the old "+d.Path+", which no current command reads; expected TRANSPONDER.md"))
	}
}

func waypointLeftBehind(l *finder) {
	m := l.m
	if m.waypoint == nil || !m.current() {
		return
	}
	edits := append([]sdk.Edit{sdk.Move(waypointPath, m.free("archive/waypoint.md"))}, m.forget(waypointPath)...)
	l.At(head(waypointPath), "waypoint.md was migrated, but it is not in archive/").
		Offer(sdk.Safe, "Move waypoint.md to the archive", edits...)
}

func mojibakeText(l *finder) {
	docs := [...]*sdk.Document{l.m.cdoc, l.m.waypoint, nil}
	if l.m.hand != nil {
		docs[2] = l.m.hand.doc
	}
	for n, d := range docs {
		if d == nil || n == 1 && d == docs[0] || !d.Readable() {
			continue
		}
		start, end := garbledIn(d.Text)
		if marker, _ := conflict(d.Text); start >= 0 && marker < 0 {
			l.At(sdk.AtBytes(d.Path, start, end), quote(d.Text[start:end])+" is "+mend(d.Text[start:end])+", decoded with the wrong encoding").
				Offer(sdk.Review, "Put the characters right", sdk.Replace(sdk.AtBytes(d.Path, start, len(d.Text)), mend(d.Text[start:])))
		}
	}
}
