package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

// begun is the first document that shows that a flight has begun, "" without one.
func (m *model) begun() string {
	switch {
	case m.exists(handPath):
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
