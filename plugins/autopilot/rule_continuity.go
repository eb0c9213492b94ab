package autopilot

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

func timestampMalformed(r *check.Report, m *model) {
	for _, t := range m.moments() {
		if !known(t.at) {
			unless(r.At(t.place, say.Wrong(t.name, quote(t.text),
				"a time such as 2026-01-29T14:30:00Z")).Keyed(say.Clip(cmp.Or(t.place.Pointer, t.name))), t.strict)
		}
	}
}

func timestampInFuture(r *check.Report, m *model) {
	for _, t := range m.moments() {
		if known(t.at) && r.Before(t.at.Earliest().Add(-5*instant.Minute)) {
			r.At(t.place, t.name+" is "+t.at.Text+", which is in the future").
				Keyed(say.Clip(cmp.Or(t.place.Pointer, t.name)))
		}
	}
}

func updatedBeforeActivity(r *check.Report, m *model) {
	p, what := m.pos, ""
	switch {
	case earlier(p.stamp, p.activity, instant.Minute):
		what = "the last activity of " + p.activity.Text
	case earlier(p.stamp, p.session, instant.Minute):
		what = "the last session of " + p.session.Text
	case m.verdict >= handElse && earlier(p.stamp, m.hand.created, instant.Hour):
		what = "the hand-off of " + m.hand.created.Text
	default:
		return
	}
	r.At(p.stampField.at, p.stampField.label+" is "+p.stamp.Text+", before "+what)
}

func tooLong(r *check.Report, m *model) {
	if lines := m.cdoc.Summary.Lines; m.current() && lines >= 100 {
		r.At(sdk.AtLine(m.cdoc.Path, 100), m.cdoc.Path+" has "+itoa(lines)+" lines; expected fewer than 100")
	}
}

func tooManyDecisions(r *check.Report, m *model) {
	if list := m.pos.decisions; len(list) > 5 {
		r.At(list[5].at, "Recent Decisions has "+itoa(len(list))+" items; expected 3 to 5")
	}
}

// vague holds activities that do not say what was done, as markdown.Name returns them.
var vague = strings.Fields("madeprogress someprogress madesomeprogress progress update updates work worked " +
	"workedonit continued continuedwork various misc stuff wip")

func vagueActivity(r *check.Report, m *model) {
	if slices.Contains(vague, markdown.Name(m.pos.activityText)) {
		m.field(r, "lastactivity", say.Wrong("Last Activity", quote(m.pos.activityText),
			`a description of the work, such as "Completed auth API"`))
	}
}

// elsewhere returns the phase that a next action names if it is not that phase's turn. Otherwise, it returns 0.
func (m *model) elsewhere(text string) int {
	n, following := firstPhase(text), m.following()
	switch {
	case n < 1 || m.n < 1 || m.verdict == handElse || contradicts(text, m.s):
	case m.s == phaseComplete && (n < following && m.done(n) || n > following && !m.done(following) ||
		m.m >= 0 && n > max(m.m, m.phases.total)),
		m.s >= readyToDiscuss && m.s <= inProgress && n != m.n && !(n == m.n+1 && m.t > 0 && m.p >= m.t):
		return n
	}
	return 0
}

// takesOff reports whether a next action is only a takeoff command.
func (m *model) takesOff(text string) bool {
	command, rest, _ := strings.Cut(strings.Trim(text, "`"), " ")
	return (command == "/autopilot:takeoff" || command == "/autopilot:build") && strings.Trim(rest,
		"0123456789 -=phase") == ""
}

func nextActionMismatch(r *check.Report, m *model) {
	p, next := m.pos, m.next(m.s, m.n)
	f := p.get("nextaction")
	elsewhere := m.elsewhere(f.given())
	if m.s == phaseComplete {
		next = m.followingStep()
	} else if m.s == projectComplete && elsewhere == 0 {
		next = "None"
	}
	expected := next
	if next == "None" {
		expected = "a step that archives or ships the project"
	}
	switch {
	case elsewhere > 0:
		r.At(f.at, "Next action is "+quote(f.value)+", which is for phase "+itoa(elsewhere)+", but the position is "+
			m.where()+
			", "+quote(p.statusText)+"; expected "+next).
			Offer(sdk.Review, "Set Next action to "+next, f.set(next)...)
	case m.s == blocked && m.takesOff(f.given()):
		r.At(f.at, say.Wrong("Next action", quote(f.value), "a step that resolves the blocker, because Status is "+
			quote(p.statusText)))
	case contradicts(f.given(), m.s):
		r.At(f.at, say.Wrong("Next action", quote(f.value), expected+" for "+quote(p.statusText))).Offer(sdk.Review,
			"Set Next action to "+next, f.set(next)...)
	case m.current() && m.s.unfinished() && !p.hasNext && none(f.value):
		at := p.placeOf(f)
		if h := m.cdoc.Outline().Find("Session Continuity"); f == noField && h.OK() {
			at = place(p.doc.Path, h.Part)
		}
		found := r.At(at, "Status is "+quote(p.statusText)+", but there is no Next action")
		if m.s != blocked { // no command resolves a blocker
			found.Offer(sdk.Review, "Set Next action to the command for the status", f.set(next)...)
		}
	}
}

// resumeFile returns the path in Resume file (for a link, its target) without quotes, brackets and comments, or "" if
// the field contains only words.
func (p *position) resumeFile() string {
	f := p.get("resumefile")
	if f.given() == "" {
		return ""
	}
	text := p.doc.Text[f.at.Start:f.at.End]
	if _, target, ok := strings.Cut(text, "]("); ok {
		text = target
	}
	for _, name := range strings.Fields(text) {
		name = strings.TrimRight(strings.Trim(name, "<>()[]\"'`*,;"), ".:_")
		if name, _, _ = strings.Cut(name, ")"); strings.Contains(name, "/") || strings.HasSuffix(name, ".md") ||
			strings.HasSuffix(name, ".json") {
			return name
		}
	}
	return ""
}

// inside returns the path of a named file within the instance, or "" if the file is elsewhere or its kind cannot be
// checked.
func (m *model) inside(name string) string {
	name = strings.TrimPrefix(name, "./")
	path, ok := strings.CutPrefix(name, ".autopilot/")
	if !ok && m.root != "" && m.root != "." {
		path, ok = strings.CutPrefix(name, m.root+"/")
	}
	if name == handPath || name == waypointPath {
		path, ok = name, true
	}
	state, isState := strings.CutPrefix(path, "state/")
	json := isState && strings.HasSuffix(path, ".json") && !strings.Contains(state, "/")
	if !ok || strings.Contains(path, "..") || strings.ContainsAny(path, " \\:*?\"<>|{}") ||
		strings.Contains(path, "//") || !json && !strings.HasSuffix(path, ".md") {
		return ""
	}
	return path
}

func resumeFileMissing(r *check.Report, m *model) {
	path := m.resumePath
	if path == "" || !m.absent(path) {
		return
	}
	f := m.field(r, "resumefile", "Resume file is "+quote(m.pos.resumeFile())+", which does not exist")
	// a session that changed Stopped at also wrote Resume file
	same := m.pos.get("stoppedat").value == m.base.pos.get("stoppedat").value
	if path == handPath && (m.base.verdict == handLive && same && m.wentOn() ||
		words.Mentions(m.pos.activityText, "resumed", "resume")) {
		f.As(sdk.Warning) // deleted after a resume; the session updates Resume file when it ends
	}
	if path == handPath {
		m.retrieve(f)
	}
	none := func() { f.Offer(sdk.Review, "Set Resume file to None", m.forget(path, handLost)...) }
	if m.base.verdict == handLive && m.wentOn() && (m.moved() != "" || !sameActivity(m.pos, m.base.pos)) {
		none()
		m.bringBack(f, path)
		return
	}
	m.bringBack(f, path)
	if d := m.named(handPath); d != nil {
		f.Offer(sdk.Review, "Set Resume file to the existing hand-off", m.set("resumefile", ".autopilot/"+d.Path)...)
	}
	none()
}

// sameDirectory reports whether two directories of one phase may be the same: their names match, or one of them has
// only a number.
func sameDirectory(a, b string) bool {
	name := func(dir string) string {
		name := strings.TrimSuffix(strings.ToLower(dir), "/")
		return strings.TrimLeft(strings.TrimPrefix(name, "phase"), "0123456789-_. ")
	}
	a, b = strings.TrimSuffix(name(a), ".md"), name(b)
	return a == b || a == "" || b == ""
}

func quickReferenceStale(r *check.Report, m *model) {
	for _, it := range m.pos.references {
		_, name, _ := strings.Cut(it.text, ": ")
		if path := m.inside(strings.TrimSpace(name)); path != "" && m.absent(path) {
			r.At(it.at, "Quick Reference names "+quote(path)+", which does not exist").Keyed(path).As(sdk.Info)
		}
	}
	if len(m.phases.numbered) == 0 || !m.docs.CompleteBelow("phases") || m.s <= readyToDiscuss ||
		m.s > projectComplete {
		return
	}
	for _, f := range m.pos.fields {
		_, dir, ok := strings.Cut(f.value, "phases/")
		dir, _, _ = strings.Cut(dir, "/")
		n, numbered := phaseNumber(dir)
		switch {
		case !ok || f.in != "quickreference" || !numbered:
		case m.phases.at(n) == nothing:
			r.At(f.at, f.label+" is "+quote(f.value)+", which does not exist; the position is "+m.where()).Keyed(f.key)
		case !slices.ContainsFunc(m.phases.at(n).places, func(at string) bool { return sameDirectory(at, dir) }):
			r.At(f.at, f.label+" is "+quote(f.value)+", which does not exist; phase "+itoa(n)+" is in phases/"+
				clip(m.phases.at(n).places[0], 80)).Keyed(f.key)
		case f.key == "currentphase" && m.n >= 1 && n != m.n && !m.s.complete():
			r.At(f.at, f.label+" is "+quote(f.value)+", but the position is "+m.where()).Keyed(f.key)
		}
	}
}

func stoppedElsewhere(r *check.Report, m *model) {
	plan, task, says := m.pos.stopPlan, m.pos.stopTask, ""
	switch h := m.hand; {
	case !m.s.flying():
		return
	case plan.n > m.n && m.n >= 0, plan.n == m.n && m.n >= 0 && m.p >= 0 && plan.of > m.p+1:
		says = "plan " + itoa(plan.n) + "." + itoa(plan.of) + ", but the position is " + m.where()
	case task.n > task.of:
		says = "task " + itoa(task.n) + ", but the plan has " + say.Count(task.of, "task")
	case m.stoppedBefore():
		says = "plan " + itoa(plan.n) + "." + itoa(plan.of) + ", as in the base, but the position is " + m.where()
	case m.verdict == handLive && plan.n > 0 && h.plan > 0 && plan != count{h.phase, h.plan}:
		says = "plan " + itoa(plan.n) + "." + itoa(plan.of) + ", but " + h.doc.Path + " is for " + h.place()
	case m.verdict == handLive && task.n >= 0 && h.task > 0 && h.total > 0 && task != count{h.task, h.total}:
		says = "task " + task.String() + ", but " + h.doc.Path + " has task " + count{h.task, h.total}.String()
	default:
		return
	}
	m.field(r, "stoppedat", "Stopped at names "+says)
}

// stoppedBefore reports whether a session that ended in a later plan kept the previous session's Stopped at although
// it wrote the rest of Session Continuity.
func (m *model) stoppedBefore() bool {
	is, was := m.pos, m.base.pos
	if !was.there() || !is.broken || is.get("stoppedat").value != was.get("stoppedat").value {
		return false
	}
	wrote := slices.ContainsFunc([]string{"lastsession", "resumefile", "nextaction"}, func(key string) bool {
		return is.get(key).value != was.get(key).value
	})
	return wrote && m.n == m.base.n && m.p > m.base.p && is.stopPlan.n == m.n && is.stopPlan.of < m.p
}

// Notes that a remedy adds to Stopped at when it removes the hand-off.
const (
	handArchived = "hand-off archived"
	handLost     = "no hand-off left"
)

func interruptedBare(r *check.Report, m *model) {
	if f := m.pos.get("stoppedat"); m.bare() && m.pos.broken && !words.Mentions(f.value, handArchived, handLost) {
		m.retrieve(r.At(f.at, "Stopped at is "+quote(f.value)+", but there is no holding-pattern.md"))
	}
}

func nextTaskMismatch(r *check.Report, m *model) {
	p := m.pos
	if !p.layoutB || !p.hasNext {
		return
	}
	next := p.next.phase
	done := func(t *task) bool { return t.id == p.next && t.state == taskDone }
	switch {
	case p.hasLast && p.last == p.next, slices.ContainsFunc(m.phases.at(next).tasks, done):
		m.field(r, "nexttask", "Next Task is "+p.next.String()+", which is already done")
	case next > 0 && m.n >= 1 && next != m.n && !(next == m.n+1 && (m.s == phaseComplete || m.done(m.n))):
		m.field(r, "nexttask", "Next Task is "+p.next.String()+", but the position is "+m.where()).As(sdk.Warning)
	}
}

func notMigrated(r *check.Report, m *model) {
	if !m.current() {
		m.migrate(r.At(sdk.AtLine(m.cdoc.Path, 1),
			"the position is in the legacy "+m.cdoc.Path+
				", which current commands do not read; expected TRANSPONDER.md"))
	}
}

// behind reports whether the position precedes the one in a legacy file.
func (m *model) behind(old *position) bool {
	n, over := old.phase.n-m.n, old.status == projectComplete
	ahead := n > 0 || n == 0 && m.p >= 0 && old.plan.n > m.p || over && m.s != projectComplete
	differs := n != 0 || old.plan.n >= 0 && old.plan.n != m.p
	return m.n >= 0 && old.phase.n >= 0 && (ahead || differs && m.pos.stamp.Before(old.stamp, 0))
}

func waypointNotArchived(r *check.Report, m *model) {
	if m.waypoint != nil && m.pos.there() && m.current() {
		edits := append([]sdk.Edit{sdk.Move(waypointPath, m.free("archive/waypoint.md"))},
			m.forget(waypointPath, "")...)
		at, title := sdk.AtLine(waypointPath, 1), "Archive waypoint.md"
		if old := readPosition(m.waypoint); m.behind(old) {
			f := r.At(at, "waypoint.md has "+old.where()+", but "+m.cdoc.Path+" has "+m.pos.where())
			f.Offer(sdk.Review, title+", if "+m.cdoc.Path+" is right", edits...).
				Advise("Copy the position from waypoint.md, if it is right",
					"Write phase, plan, status, progress and next action into "+m.cdoc.Path+
						", then move waypoint.md to archive/")
			if !old.stamp.Before(m.pos.stamp, 0) {
				slices.Reverse(f.Remedies)
			}
		} else {
			r.At(at, "waypoint.md was migrated, but it is not in archive/").Offer(sdk.Safe, title, edits...)
		}
	}
	for _, was := range m.base.docs.Match("archive/waypoint*.md") {
		if m.absent(was.Path) && m.docs.CompleteBelow("archive") && len(m.docs.Match("archive/waypoint*.md")) == 0 {
			r.Whole(was.Path, was.Path+" is missing; the base has it").Keyed(was.Path).
				Offer(sdk.Review, "Restore "+was.Path, sdk.Restore(was.Path))
		}
	}
	if m.base.waypoint == nil || m.waypoint != nil || !m.docs.Known(waypointPath) || !m.docs.CompleteBelow("archive") ||
		faulty(m.base.waypoint) || len(m.docs.Match("archive/waypoint*.md")) > 0 {
		return
	}
	at := sdk.At(waypointPath)
	if m.cdoc != nil {
		at = sdk.AtLine(m.cdoc.Path, 1)
	}
	r.At(at, "waypoint.md was deleted; expected it in archive/").
		Offer(sdk.Review, "Restore waypoint.md into the archive", sdk.Create("archive/waypoint.md",
			sdk.Literal(m.base.waypoint.Text)))
}
