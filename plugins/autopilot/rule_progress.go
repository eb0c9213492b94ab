package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
)

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
