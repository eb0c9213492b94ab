package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
)

func handIsEmpty(l *look) {
	m := l.m
	if m.verdict != handEmpty {
		return
	}
	path := m.hand.doc.Path
	l.tell(sdk.AtLine(path, 1), "", "empty "+path+" is read before everything else")
	safety := sdk.Review
	if m.hand.doc.Summary.Words == 0 {
		safety = sdk.Safe
	}
	if o := l.offer(safety, "Remove "+path); o != nil {
		o.edit(wire.Remove, path, "", "", "")
		o.forget(path)
	}
}

func handWithoutPosition(l *look) {
	h := l.m.hand
	lacks := ""
	for n, value := range [...]int{h.phase, h.plan, h.task, h.total} {
		if value < 1 {
			lacks += ", " + frontKeys[n]
		}
	}
	if lacks != "" {
		l.tell(h.front, "", "front matter lacks "+lacks[2:])
		l.manual("Complete it", "write phase, plan, task and total_tasks as numbers into the front matter")
	}
}

// outOfRange says what of a hand-off there cannot be and where, "" if nothing.
func (m *model) outOfRange() (fault string, at sdk.Range) {
	h := m.hand
	switch {
	case h.task > 0 && h.total > 0 && h.task > h.total:
		return "task " + count{h.task, h.total}.String(), h.at[keyTask]
	case m.m >= 0 && h.phase > m.m:
		return "phase " + itoa(h.phase) + " of " + itoa(m.m), h.at[keyPhase]
	case h.phase > 0 && h.phase == m.n && m.t >= 0 && h.plan > m.t:
		return "plan " + itoa(h.plan) + " of " + itoa(m.t), h.at[keyPlan]
	}
	for n := range h.rows {
		if row := h.rows[n].n; h.total > 0 && row > h.total {
			return "a row for task " + itoa(row) + " of " + itoa(h.total), h.rows[n].at
		}
	}
	return "", at
}

func handOutOfRange(l *look) {
	if fault, at := l.m.outOfRange(); fault != "" {
		l.tell(at, "", fault)
		l.manual("Correct the hand-off", "hold it against the route of the phase and write what is so")
	}
}

// inRange reports whether the numbers of a hand-off can be worked with.
func (m *model) inRange() bool {
	fault, _ := m.outOfRange()
	return m.hand.readable() && fault == ""
}

func handElsewhere(l *look) {
	m, h := l.m, l.m.hand
	if fault, _ := m.outOfRange(); m.verdict != handAhead || fault != "" {
		return
	}
	at := h.at[keyPlan]
	if h.phase != m.n {
		at = h.at[keyPhase]
	}
	l.tell(at, "", "hand-off is for phase "+itoa(h.phase)+" plan "+itoa(h.plan)+", position is "+m.position())
	if h.phase == m.n && h.plan >= 1 && h.plan <= m.t && m.s.flying() {
		l.offer(sdk.Review, "Take the plan from the hand-off").cell("plan", count{h.plan, m.t}.String())
		return
	}
	l.manual("Decide which holds", "look at git log and the phase documents, and correct the position or the hand-off")
}

// position is "phase 3 plan 2".
func (m *model) position() string {
	s := "phase " + itoa(m.n)
	if m.p >= 0 {
		s += " plan " + itoa(m.p)
	}
	return s
}

func handStaleRule(l *look) {
	m, h := l.m, l.m.hand
	if m.verdict != handStale {
		return
	}
	why := "the position is " + m.position()
	switch {
	case m.s == projectComplete:
		why = "the project is complete"
	case h.over:
		why = "it says that it is over"
	case h.phase == m.n && m.s == phaseComplete:
		why = "the phase is complete"
	}
	at := "phase " + itoa(h.phase)
	if h.plan > 0 {
		at += " plan " + itoa(h.plan)
	}
	l.tell(sdk.AtLine(h.doc.Path, 1), "", "hand-off for "+at+", "+why+": a resume would redo finished work")
	l.offer(sdk.Review, "Move the hand-off to the archive").archiveHand()
}

func statusDeniesHand(l *look) {
	m, h := l.m, l.m.hand
	if m.verdict != handLive || m.s < readyToDiscuss || m.s > readyToExecute {
		return
	}
	at := "a hand-off is there"
	if h.task > 0 && h.total > 0 {
		at = "interrupted at task " + count{h.task, h.total}.String()
	}
	l.tell(m.pos.placeOf(m.pos.statusField()), "", at+", but the status says "+quote(m.pos.statusText))
	if m.flyable(m.n) || len(m.phases.numbered) == 0 {
		if o := l.offer(sdk.Review, "Set the status to In progress"); o != nil {
			o.status(inProgress, "/autopilot:cockpit")
			o.cellIf("resumefile", handName)
		}
	}
	l.offer(sdk.Review, "Move the hand-off to the archive").archiveHand()
}

func handUnreferenced(l *look) {
	m := l.m
	f := m.pos.get("resumefile")
	if m.verdict != handLive && m.verdict != handUnplaced || m.pos.layoutB || !m.s.flying() || f != nil && !none(f.value) {
		return
	}
	l.tell(m.pos.placeOf(f), "", "Resume file does not name "+m.hand.doc.Path)
	if f != nil {
		l.offer(sdk.Safe, "Name the hand-off").cell("resumefile", ".autopilot/"+m.hand.doc.Path)
		return
	}
	l.manual("Name the hand-off", "add a row Resume file with "+handName)
}

func taskMismatch(l *look) {
	m, h := l.m, l.m.hand
	if !m.inRange() {
		return
	}
	states := map[int]taskState{}
	var bad *handRow
	message := ""
	for n := range h.rows {
		row := &h.rows[n]
		first, seen := states[row.n]
		switch {
		case seen && first != row.state:
			l.tell(row.at, "", "task "+itoa(row.n)+" has two different statuses")
			l.manual("Keep one row", "find out how far task "+itoa(row.n)+" is and keep one row for it")
			return
		case bad != nil:
		case row.n == h.task && row.state == taskDone:
			bad, message = row, "task "+itoa(row.n)+" is current and done"
		case row.n < h.task && row.state != taskDone && row.state != taskUnknown:
			bad, message = row, "task "+itoa(h.task)+" is current and the earlier task "+itoa(row.n)+" is not done"
		}
		states[row.n] = row.state
	}
	if bad == nil {
		return
	}
	l.tell(bad.at, "", message)
	if n := m.firstOpen(states); n > 0 && n <= h.total {
		if o := l.offer(sdk.Review, "Go on from task "+itoa(n)); o != nil {
			o.front("task", n)
			return
		}
	}
	l.manual("Find out which tasks are done", "look at git log and correct the rows or the front matter")
}

// firstOpen is the lowest number that is not done; what is not listed counts as done
// below the highest done row.
func (m *model) firstOpen(states map[int]taskState) int {
	highest, open := 0, 0
	for n, s := range states {
		if s == taskDone {
			highest = max(highest, n)
		} else if open == 0 || n < open {
			open = n
		}
	}
	if open == 0 || open > highest+1 {
		open = highest + 1
	}
	return open
}

// front sets a number of the front matter.
func (o *offer) front(key string, n int) {
	for _, f := range o.m.hand.fields {
		if strings.EqualFold(f.Key(), key) {
			e, ok := f.Set(itoa(n))
			o.markdown(o.m.hand.doc.Path, e, ok)
			return
		}
	}
	o.broken = true
}

func finishedRemaining(l *look) {
	h := l.m.hand
	done := map[int]bool{}
	for n := range h.rows {
		done[h.rows[n].n] = done[h.rows[n].n] || h.rows[n].state == taskDone
	}
	for n := range h.remaining {
		it := &h.remaining[n]
		for task := it.from; task <= it.to && task > 0; task++ {
			if !done[task] {
				continue
			}
			l.tell(it.span(), it.text, "task "+itoa(task)+" is done and remaining")
			if o := l.offer(sdk.Review, "Take the item out"); it.from == it.to && o != nil {
				o.removeItem(h.doc.Text, &it.item)
			}
			if it.from != it.to {
				l.manual("Split the item", "take task "+itoa(task)+" out of it")
			}
			break
		}
	}
}

// removeItem takes out an item with the rest of its line.
func (o *offer) removeItem(text string, it *item) {
	end := it.end
	for end < len(text) && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r') {
		end++
	}
	if end < len(text) && text[end] == '\n' {
		end++
	}
	o.replace(it.path, it.start, end, "")
}

func taskUnaccounted(l *look) {
	m, h := l.m, l.m.hand
	if !m.inRange() || h.odd || h.total > 5000 || len(h.rows) == 0 || len(h.remaining) == 0 {
		return
	}
	listed := make([]bool, h.total+1)
	for n := range h.remaining {
		it := &h.remaining[n]
		for task := it.from; task <= min(it.to, h.total); task++ {
			listed[task] = true
		}
	}
	open := map[int]bool{}
	for n := range h.rows {
		row := &h.rows[n]
		if row.n > h.task && row.state != taskDone && !listed[row.n] {
			open[row.n] = true
		}
	}
	for n := range h.rows {
		listed[h.rows[n].n] = true
	}
	missing, found := "", 0
	for n := 1; n <= h.total; n++ {
		if !listed[n] || open[n] {
			if found++; found <= 10 {
				missing += ", " + itoa(n)
			}
		}
	}
	switch {
	case found == 1:
		l.tell(h.remainingAt, "", "task "+missing[2:]+" is in neither list and would be forgotten")
	case found > 1:
		l.tell(h.remainingAt, "", itoa(found)+" tasks are in neither list and would be forgotten: "+missing[2:])
	default:
		return
	}
	l.manual("Account for it", "list it under Remaining Work, or as done with its commit")
}

func taskWithoutCommit(l *look) {
	h := l.m.hand
	for n := range h.rows {
		if row := &h.rows[n]; row.state == taskDone && !isCommit(row.commit) {
			l.tell(row.commitCell, itoa(row.n), "task "+itoa(row.n)+" cannot be verified: no commit")
			l.manual("Name the commit", "find the commit of task "+itoa(row.n)+" in git log")
		}
	}
}

func isCommit(s string) bool {
	for n := range len(s) {
		if c := s[n] | 0x20; !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f') {
			return false
		}
	}
	return len(s) >= 6 && len(s) <= 40
}

func handWithoutNext(l *look) {
	h := l.m.hand
	if text := h.texts[textNext]; l.m.verdict != handStale && (text == "" || placeholder(text)) {
		l.tell(h.nextAt, "", "no first step for the next session")
		l.manual("Name it", "write under Next Action the very first thing to do")
	}
}
