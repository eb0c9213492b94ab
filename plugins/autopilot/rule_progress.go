package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

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
