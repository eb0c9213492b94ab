package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/say"
)

func handIsEmpty(l *finder) {
	m := l.m
	if m.verdict != handEmpty {
		return
	}
	path := m.hand.doc.Path
	safety := sdk.Review
	if m.hand.doc.Summary.Words == 0 {
		safety = sdk.Safe
	}
	f := l.At(head(path), path+" is empty, and it is read before everything else")
	if b := m.base; b != nil && b.verdict == handLive && b.hand.doc.Path == path && !faulty(b.hand.doc) {
		f.Offer(sdk.Review, "Bring the hand-off back", restore(path)...)
		safety = sdk.Review
	}
	f.Offer(safety, "Remove "+path, append([]sdk.Edit{sdk.Remove(path)}, m.forget(path)...)...)
}

func handWithoutPosition(l *finder) {
	h := l.m.hand
	var lacks []string
	readable := false
	for n, value := range h.numbers {
		if value < 1 {
			lacks = append(lacks, frontKeys[n])
			readable = readable || l.m.base != nil && l.m.base.hand != nil && l.m.base.hand.numbers[n] > 0
		}
	}
	if b := l.m.base; b != nil && b.hand != nil && h.odd && !b.hand.odd && b.hand.phase == h.phase && b.hand.plan == h.plan {
		l.At(h.remainingAt, "an item of Remaining Work names no task; each did in the base").Keyed("Remaining Work").
			Advise("Name its task", "begin each item with its task, such as Task 3: the component")
	}
	if lacks != nil {
		unless(l.At(h.front, "the front matter has no "+say.Or(lacks...)+" that is a number; expected such as phase: 3"), readable).
			Advise("Complete it", "write phase, plan, task and total_tasks as numbers into the front matter")
	}
}

// outOfRange says what of a hand-off cannot be and where, "" if nothing.
func (m *model) outOfRange() (fault string, at sdk.Range) {
	h := m.hand
	switch {
	case h.task > 0 && h.total > 0 && h.task > h.total:
		return "task is " + itoa(h.task) + ", but total_tasks is " + itoa(h.total), h.at[keyTask]
	case m.m >= 0 && h.phase > m.m:
		return "phase is " + itoa(h.phase) + ", but the project has " + say.Count(m.m, "phase"), h.at[keyPhase]
	case h.phase > 0 && h.phase == m.n && m.t >= 0 && h.plan > m.t:
		return "plan is " + itoa(h.plan) + ", but the phase has " + say.Count(m.t, "plan"), h.at[keyPlan]
	}
	for n := range h.rows {
		if row := h.rows[n].n; h.total > 0 && row > h.total {
			return "there is a row for task " + itoa(row) + ", but total_tasks is " + itoa(h.total), h.rows[n].at
		}
	}
	for n := range h.remaining {
		if it := &h.remaining[n]; h.total > 0 && it.to > h.total {
			return "task " + itoa(it.to) + " remains, but total_tasks is " + itoa(h.total), it.span()
		}
	}
	return "", at
}

func handOutOfRange(l *finder) {
	if fault, at := l.m.outOfRange(); fault != "" {
		l.At(at, fault).Advise("Correct the hand-off", "hold it against the route of the phase and write what is so")
	}
}

// inRange reports whether the numbers of a hand-off can be worked with.
func (m *model) inRange() bool {
	fault, _ := m.outOfRange()
	return m.hand.readable() && fault == ""
}

// at is where a hand-off is for, as a message says it.
//
//go:noinline
func (h *hand) place() string {
	s := "phase " + itoa(h.phase)
	if h.plan > 0 {
		s += ", plan " + itoa(h.plan)
	}
	return s
}

func handElsewhere(l *finder) {
	m, h := l.m, l.m.hand
	if fault, _ := m.outOfRange(); m.verdict != handAhead || fault != "" {
		return
	}
	at := h.at[keyPlan]
	if h.phase != m.n {
		at = h.at[keyPhase]
	}
	f := l.At(at, "the hand-off is for "+h.place()+", but the position is "+m.where())
	if h.phase == m.n && h.plan >= 1 && h.plan <= m.t && m.s.flying() {
		f.Offer(sdk.Review, "Take the plan from the hand-off", m.cells("plan", count{h.plan, m.t}.String())...)
		return
	}
	f.Advise("Decide which holds", "look at git log and the phase documents, and correct the position or the hand-off")
}

func handStaleRule(l *finder) {
	m, h := l.m, l.m.hand
	if m.verdict != handStale {
		return
	}
	why := "the position is " + m.where()
	switch {
	case m.s == projectComplete:
		why = "the project is complete"
	case h.over:
		why = "it is marked complete"
	case h.phase == m.n && m.s == phaseComplete:
		why = "the phase is complete"
	}
	l.At(head(h.doc.Path), "the hand-off is for "+h.place()+", but "+why+": a resume would redo finished work").
		Offer(sdk.Review, "Move the hand-off to the archive", m.archiveHand()...)
}

func statusDeniesHand(l *finder) {
	m, h := l.m, l.m.hand
	if m.verdict != handLive || m.s < readyToDiscuss || m.s > readyToExecute {
		return
	}
	at := h.doc.Path + " is there"
	if h.task > 0 && h.total > 0 {
		at = h.doc.Path + " stopped at task " + count{h.task, h.total}.String()
	}
	f := l.but(at)
	if edits := m.goOn(inProgress); edits != nil && (m.flyable(m.n) || len(m.phases.numbered) == 0) {
		f.Offer(sdk.Review, "Set the status to In progress", append(edits, m.pos.get("resumefile").set(handName)...)...)
	}
	f.Offer(sdk.Review, "Move the hand-off to the archive", m.archiveHand()...)
}

func handUnreferenced(l *finder) {
	m := l.m
	f := m.pos.get("resumefile")
	if m.verdict != handLive && m.verdict != handUnplaced || m.pos.layoutB || !m.s.flying() || f != nil && !none(f.value) {
		return
	}
	found := l.At(m.pos.placeOf(f), "Resume file does not name "+m.hand.doc.Path)
	if edits := f.set(".autopilot/" + m.hand.doc.Path); edits != nil {
		found.Offer(sdk.Safe, "Name the hand-off", edits...)
		return
	}
	found.Advise("Name the hand-off", "add a row Resume file with "+handName)
}

func handWithoutNext(l *finder) {
	h := l.m.hand
	if text := h.texts[textNext]; l.m.verdict != handStale && (text == "" || placeholder(text)) {
		l.At(h.nextAt, "the hand-off names no first step for the next session").
			Advise("Name it", "write under Next Action the very first thing to do")
	}
}

func handOutlived(l *finder) {
	m, h := l.m, l.m.hand
	if m.verdict != handLive {
		return
	}
	message := ""
	if m.pos != nil && h.created.Before(m.pos.session, 0) && h.created.At.Add(2*instant.Day).Before(m.pos.session.At) {
		message = "the hand-off is of " + h.created.Text + ", but the last session was on " + m.pos.session.Text
	} else if b := m.base; b != nil && b.hand != nil && b.pos != nil && m.pos != nil && h.doc.Digest == b.hand.doc.Digest &&
		b.pos.stamp.Before(m.pos.stamp, 0) && !sameActivity(m.pos, b.pos) {
		message = "the hand-off is as it was in the base, but " + m.pos.get("lastactivity").text() + " was done since"
	} else {
		return
	}
	l.At(head(h.doc.Path), message).
		Offer(sdk.Review, "Move the hand-off to the archive", m.archiveHand()...).
		Advise("Bring it up to date", "write into the hand-off where the flight is now")
}

// sameActivity reports whether two positions tell of the same activity.
func sameActivity(p, q *position) bool {
	return p.activityText == q.activityText && p.activity.At == q.activity.At
}
