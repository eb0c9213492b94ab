package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// begun is the first document that shows that a flight has begun, "" without one.
func (m *model) begun() string {
	switch {
	case m.named(handPath) != nil:
		return m.named(handPath).Path
	case len(m.phases.numbered) > 0:
		return m.phases.numbered[0].Path
	case m.phases.plan != nil:
		return planPath
	}
	return ""
}

func transponderMissing(l *finder) {
	m := l.m
	if d := m.cdoc; d != nil && !m.current() && m.base != nil && m.base.current() && m.absent(transponderPath) {
		l.Whole(d.Path, "there is no TRANSPONDER.md; it was in the base, and "+d.Path+" is older").
			Offer(sdk.Review, "Bring it back", restore(m.base.cdoc.Path)...)
	}
	if at := m.begun(); m.cdoc == nil && at != "" && m.absent(transponderPath) && m.docs.Known(waypointPath) && m.docs.Known(statePath) {
		l.Whole(at, "there is no TRANSPONDER.md: the position of the run is recorded nowhere")
	}
}

// placed reports whether a position says anything.
func (m *model) placed() bool {
	return m.pos != nil && (m.n >= 0 || m.s != unknown || m.pos.hasLast || m.pos.hasNext)
}

func withoutPosition(l *finder) {
	if p := l.m.pos; !l.m.placed() {
		l.At(p.titleAt, p.doc.Path+` has no phase and no status that can be read; expected rows such as "Phase | 3 of 6" and "Status | In progress"`)
	}
}

func conflictMarkers(l *finder) {
	hand := l.m.named(handPath)
	if hand == nil && l.m.cdoc != nil && l.m.cdoc.Path == statePath {
		hand = l.m.docs.Get(oldHandPath)
	}
	for n, d := range [...]*sdk.Document{l.m.cdoc, l.m.waypoint, hand} {
		if d == nil || n == 1 && d == l.m.cdoc {
			continue
		}
		if start, end := conflict(d.Text); start >= 0 {
			l.At(sdk.AtBytes(d.Path, start, end), "unresolved merge conflict: nothing in "+d.Path+" is read").
				Advise("Settle the conflict", "keep the side with the later stamp and check it against phases/")
		}
	}
}

func conflictingPositions(l *finder) {
	for _, key := range [...]string{"phase", "plan", "status"} {
		var first *field
		for _, f := range l.m.pos.fields {
			if f.key != key || !f.scoped || f.given() == "" {
				continue
			}
			if first == nil {
				first = f
			} else if contradict(key, first.value, f.value) {
				l.At(f.at, first.label+" is given as "+quote(f.value)+" here and as "+quote(first.value)+" above").Keyed(key).
					See(first.at, "the first one").
					Advise("Keep one of them", "keep the newer "+first.label+" and delete the other")
				break
			}
		}
	}
}

// contradict reports whether two values can be read and mean something else.
func contradict(key, a, b string) bool {
	if key == "status" {
		s, _ := readStatus(a)
		t, _ := readStatus(b)
		return s != t && s != unknown && t != unknown
	}
	c, ok := readCount(a, key == "plan")
	d, also := readCount(b, key == "plan")
	return ok && also && (c.n != d.n || c.of != d.of && c.of >= 0 && d.of >= 0)
}

func unfilledPlaceholder(l *finder) {
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
	message := first.label + " is still the template's " + quote(first.value)
	if more > 0 {
		message += ", and so are " + say.Count(more, "more value")
	}
	l.At(first.at, message).Advise("Fill it in", "replace what stands in braces by what is so")
}

// was is the position of the base, an empty one without a base.
//
//go:noinline
func (m *model) was() *position {
	if m.base == nil || m.base.pos == nil {
		return &position{phase: count{-1, -1}, plan: count{-1, -1}}
	}
	return m.base.pos
}

func positionUnreadable(l *finder) {
	m, p, was := l.m, l.m.pos, l.m.was()
	bad := func(key, expected string, readable bool) {
		f := p.get(key)
		unless(l.At(f.at, say.Wrong(f.label, quote(f.value), expected)).Keyed(key), readable).
			Advise("Write it as "+expected, "find out what is so and write "+f.label+" as "+expected)
	}
	if p.phaseBad {
		bad("phase", "N of M, such as 3 of 6", was.phase.n >= 0)
	} else if m.n >= 0 && m.m < 0 && m.current() && !p.layoutB && p.get("phases") == nil && m.s.unfinished() {
		bad("phase", "N of M, such as "+itoa(m.n)+" of "+itoa(max(m.n, m.phases.total)), was.phase.of >= 0)
	}
	if p.planBad {
		bad("plan", "N of M, such as 2 of 4", was.plan.n >= 0)
	}
	if !p.layoutB && !p.hasPercent && p.get("progress").given() != "" {
		bad("progress", "a bar and a percentage, such as ████░░░░░░ 42%", was.hasPercent)
	}
	if now := p.get("resumefile").given(); now != "" && was.get("resumefile") != nil && !strings.ContainsAny(now, "/.") {
		if then := was.get("resumefile").given(); then == "" || strings.ContainsAny(then, "/.") {
			bad("resumefile", "a path, or None", true)
		}
	}
}

func positionIncomplete(l *finder) {
	m, p, was := l.m, l.m.pos, l.m.was()
	if !m.current() || p.layoutB || p.get("phases") != nil || m.n < 0 && !m.placed() {
		return
	}
	lacks := func(key string, readable bool) {
		unless(l.At(p.placeOf(p.statusField()), "Status is "+quote(p.statusText)+", but "+p.doc.Path+" has no "+key).Keyed(key), readable).
			Advise("Add "+key, `add a row `+key+` of the form "N of M"`)
	}
	if p.get("resumefile") == nil && p.get("nextaction") == nil && was.get("resumefile") != nil && was.get("nextaction") != nil {
		l.At(p.titleAt, p.doc.Path+" has no Resume file and no Next action; the base had both"+say.Line(was.doc, was.get("resumefile").start)).Keyed("Session Continuity").
			Advise("Add them", "write under Session Continuity where the session stopped, which file to resume from, and what to do next")
	}
	at, _, named := readTask(p.get("stoppedat").given()) // where tasks are counted through a phase there are no plans
	switch f := p.get("phase"); {
	case (m.s.unfinished() || was.phase.n >= 0 && m.s != abandoned) && f.given() == "" && !placeholder(f.text()) && m.n < 0:
		lacks("Phase", was.phase.n >= 0)
	case m.s == inProgress && m.p < 0 && !p.planBad && !(named && at.phase > 0) && !placeholder(p.get("plan").text()) && m.n >= 0:
		lacks("Plan", was.plan.n >= 0 && m.was().status == inProgress)
	}
}

func phaseOutOfRange(l *finder) {
	m := l.m
	message := ""
	switch {
	case m.n >= 0 && m.m >= 0 && m.n > m.m:
		message = "Phase is " + itoa(m.n) + ", beyond the total of " + itoa(m.m)
	case m.n == 0 && (m.s > readyToExecute || m.s == unknown && m.pos.percent > 0):
		message = "Phase is 0, but Status is " + quote(m.pos.statusText) + "; phases begin at 1"
	default:
		return
	}
	f := l.field("phase", message)
	if total := m.phases.total; m.n >= 1 && m.n <= total && (m.s != projectComplete || m.n == total) {
		f.Offer(sdk.Review, "Take the total from flightplan.md", m.cells("phase", count{m.n, total}.String())...)
		return
	}
	f.Advise("Correct the phase", "count the phases of flightplan.md and write the one that is being flown")
}

func planOutOfRange(l *finder) {
	if m := l.m; m.p >= 0 && m.t >= 0 && m.p > m.t {
		l.field("plan", "Plan is "+itoa(m.p)+", but the phase has "+say.Count(m.t, "plan")).
			Advise("Count the plans", "count the plans of phase "+itoa(m.focus)+" in its route and correct Plan")
	}
}

func phaseTotalDisagrees(l *finder) {
	m := l.m
	total, last := m.phases.total, m.phases.last()
	if m.m < 0 || total == m.m && last <= m.m || total == 0 && last <= m.m {
		return
	}
	key := "phase"
	if m.pos.get(key) == nil {
		key = "phases"
	}
	message := "the total of phases is " + itoa(m.m) + ", but "
	if total > 0 && total != m.m {
		message += "flightplan.md lists " + itoa(total)
	} else {
		message += "phases/ has a phase " + itoa(last)
	}
	f := l.field(key, message)
	if total > 0 && key == "phase" && m.n >= 0 && m.n <= total && last <= total && m.s != projectComplete && (m.hand == nil || m.hand.phase <= total) {
		f.Offer(sdk.Review, "Take the total from flightplan.md", m.cells(key, count{m.n, total}.String())...)
		return
	}
	f.Advise("Settle the total", "count the phases, and correct the position or flightplan.md")
}

func unknownStatus(l *finder) {
	m, p := l.m, l.m.pos
	f := p.statusField()
	message := ""
	switch {
	case m.s != unknown:
		return
	case f.given() != "":
		message = say.Wrong("Status", quote(f.value), "Ready to discuss, Ready to plan, Ready to execute, In progress, Blocked, Phase complete or Project complete")
	case f != nil && placeholder(f.value), m.n < 0:
		return
	default:
		message = "Phase is given, but no Status"
	}
	found := unless(l.status(message), m.was().status != unknown)
	if m.observed != unknown && m.observed <= readyToExecute {
		if edits := m.cells("status", m.observed.title()); edits != nil {
			found.Offer(sdk.Review, "Set the status to "+m.observed.title(), edits...)
			return
		}
	}
	found.Advise("Set the status", "find out where the flight is and write one of the seven")
}

func progressOutOfRange(l *finder) {
	if p := l.m.pos; p.hasPercent && (p.percent < 0 || p.percent > 100) {
		l.field("progress", "Progress is "+trimFloat(p.percent)+"%; expected 0 to 100").
			Advise("Compute it again", "divide the done tasks by all tasks of all plans")
	}
}

// barOf is the bar of ten cells.
func barOf(percent float64) (bar string, filled int) {
	filled = int(percent / 10)
	return strings.Repeat("█", filled) + strings.Repeat("░", 10-filled), filled
}

func progressBarMismatch(l *finder) {
	p := l.m.pos
	if !p.hasPercent || p.percent < 0 || p.percent > 100 || p.bar == "" {
		return
	}
	bar, filled := barOf(p.percent)
	if bar == p.bar {
		return
	}
	found := strings.Count(p.bar, "█")
	f := l.field("progress", "the bar shows "+itoa(found)+" of "+itoa(len(p.bar)/len("█"))+"; expected "+itoa(filled)+" of 10 for "+trimFloat(p.percent)+"%")
	value := p.get("progress").value
	start, end := strings.IndexAny(value, "█░"), max(strings.LastIndex(value, "█"), strings.LastIndex(value, "░"))+len("█")
	if !strings.Contains(value[start:end], "%") {
		f.Offer(sdk.Safe, "Draw the bar of the percentage", l.m.cells("progress", value[:start]+bar+value[end:])...)
	}
}

func progressContradicts(l *finder) {
	m := l.m
	if m.n < 0 || m.m < 0 || m.n > m.m || m.s == projectComplete || !m.pos.hasPercent {
		return
	}
	if m.pos.percent == 100 && m.n < m.m || m.pos.percent == 0 && m.n > 1 {
		l.field("progress", "Progress is "+trimFloat(m.pos.percent)+"%, but the position is phase "+count{m.n, m.m}.String()).
			Advise("Compute it again", "divide the done tasks by all tasks of all plans")
	}
}

// where is the position as a message says it.
func (m *model) where() string {
	s := "phase " + count{m.n, m.m}.String()
	if m.p >= 0 {
		s += ", plan " + count{m.p, m.t}.String()
	}
	return s
}

func completionContradicted(l *finder) {
	m := l.m
	partly := m.p >= 1 && m.p < m.t
	switch {
	case m.s == projectComplete && (m.n >= 0 && m.n < m.m || partly || m.pos.hasPercent && m.pos.percent < 100):
	case m.s == phaseComplete && m.p >= 2 && partly:
	default:
		return
	}
	message := "Status is " + quote(m.pos.statusText) + ", but the position is " + m.where()
	if m.n < 0 {
		message = "Status is " + quote(m.pos.statusText) + ", but not everything is done"
	}
	if m.pos.hasPercent {
		message += " (" + trimFloat(m.pos.percent) + "%)"
	}
	f := l.status(message)
	if m.observed == projectComplete && m.s == projectComplete {
		bar, _ := barOf(100)
		edits := m.pos.get("progress").set(bar + " 100%")
		if m.m >= 0 {
			edits = append(edits, m.pos.get("phase").set(count{m.m, m.m}.String())...)
		}
		if m.t >= 0 {
			edits = append(edits, m.pos.get("plan").set(count{m.t, m.t}.String())...)
		}
		f.Offer(sdk.Review, "Record that every phase is done", edits...)
	}
	if edits := m.goOn(inProgress); m.verdict == handNone && m.flyable(m.n) && edits != nil {
		f.Offer(sdk.Review, "Set the status to In progress", edits...)
		return
	}
	f.Advise("Find out what is done", "check the phases and plans, and correct the status or the position")
}

// finishing is the phase that "Phase complete" tells of: the one before where the counter was advanced and
// its plans begin anew.
func (m *model) finishing() int {
	if m.p == 0 || m.p == 1 && m.t > 1 {
		return m.n - 1
	}
	return m.n
}

func completeButOpen(l *finder) {
	m := l.m
	if m.n < 1 || m.s != phaseComplete && m.s != projectComplete {
		return
	}
	first, last := m.finishing(), m.finishing()
	kept := false // the flight plan is ticked as phases are done
	for n := range m.phases.names {
		kept = kept || m.phases.ticked[n]
	}
	if m.s == projectComplete {
		first, last = 1, min(max(m.n, m.phases.total), mostPhases)
	}
	for n := first; n <= last; n++ {
		message := ""
		if _, listed := m.phases.names[n]; kept && listed && !m.phases.ticked[n] {
			message = "flightplan.md has phase " + itoa(n) + " open"
		} else if p := m.phases.at(n); p != nil && p.ticked > 0 && p.open > 0 {
			message = p.route.Path + " has " + say.Count(p.open, "open box")
			if p.open > 1 {
				message = p.route.Path + " has " + itoa(p.open) + " open boxes"
			}
		}
		if message != "" {
			l.status("Status is "+quote(m.pos.statusText)+", but "+message).
				Advise("Find out what is done", "tick what is done, or set the status back to In progress")
			return
		}
	}
}

func updatedMissing(l *finder) {
	m, p := l.m, l.m.pos
	f := p.stampField()
	if m.n < 0 && p.get("phases") != nil && !known(m.was().stamp) {
		return // the short form is filed without a stamp
	}
	if m.current() && (m.n >= 0 || m.s != unknown) && none(f.text()) {
		unless(l.At(p.placeOf(f), p.doc.Path+" does not say when it was updated"), known(m.was().stamp)).
			Advise("Stamp it", "write **Updated:** with the time, such as 2026-01-29T14:30:00Z")
	}
}

// moments lists the times that a session writes, by name.
func (m *model) moments() []moment {
	var list []moment
	if p := m.pos; p != nil {
		if f := p.stampField(); f.given() != "" {
			list = append(list, moment{f.label, f.value, f.at, readStamp(f.value), known(m.was().stamp)})
		}
	}
	if h := m.hand; h != nil && m.holds() && known(h.created) {
		list = append(list, moment{"created", h.created.Text, h.front, h.created, false})
	}
	at := func(path, pointer string) sdk.Range { return sdk.AtPointer(path, pointer) }
	for _, f := range m.th.times {
		list = append(list, moment{f.name, f.text, at(f.path, f.pointer), f.at, true})
	}
	for _, f := range m.ak.times {
		list = append(list, moment{f.name, f.text, at(f.path, f.pointer), f.at, true})
	}
	return list
}

type moment struct {
	name, text string
	place      sdk.Range
	at         instant.Moment
	strict     bool // it is an error if it cannot be read: a program wrote it, or the base had it
}

func timestampMalformed(l *finder) {
	for _, t := range l.m.moments() {
		if !known(t.at) {
			unless(l.At(t.place, t.name+" is "+quote(t.text)+"; expected a time such as 2026-01-29T14:30:00Z").Keyed(clip(t.place.Pointer, 100)), t.strict).
				Advise("Write a time", "find out from git log when it was and write it such as 2026-01-29T14:30:00Z")
		}
	}
}

func timestampInFuture(l *finder) {
	for _, t := range l.m.moments() {
		if known(t.at) && l.Before(t.at.Earliest().Add(-5*instant.Minute)) {
			l.At(t.place, t.name+" is "+t.at.Text+", which is in the future").Keyed(clip(t.place.Pointer, 100)).
				Advise("Correct the time", "correct "+t.name+", or the clock of the machine that wrote it")
		}
	}
}

func updatedBeforeActivity(l *finder) {
	p := l.m.pos
	what := ""
	switch {
	case earlier(p.stamp, p.activity, instant.Minute):
		what = "the last activity of " + p.activity.Text
	case earlier(p.stamp, p.session, instant.Minute):
		what = "the last session of " + p.session.Text
	case l.m.verdict >= handAhead && earlier(p.stamp, l.m.hand.created, instant.Hour):
		what = "the hand-off of " + l.m.hand.created.Text
	default:
		return
	}
	f := p.stampField()
	l.At(p.placeOf(f), f.label+" is "+p.stamp.Text+", before "+what).
		Advise("Bring it up to date", "the file was not written last: read the log again, correct the position and stamp it")
}

func vagueActivity(l *finder) {
	switch markdown.Name(l.m.pos.activityText) {
	case "madeprogress", "someprogress", "madesomeprogress", "progress", "update", "updates", "work", "worked", "workedonit", "continued", "continuedwork",
		"various", "misc", "stuff", "wip":
		l.field("lastactivity", "Last Activity is "+quote(l.m.pos.activityText)+`; expected what was done, such as "Completed auth API"`).
			Advise("Say what was done", `write what is different now, such as "Completed auth API"`)
	}
}
