package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
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

// where is the position as a message says it.
func (m *model) where() string {
	s := "phase " + count{m.n, m.m}.String()
	if m.p >= 0 {
		s += ", plan " + count{m.p, m.t}.String()
	}
	return s
}
