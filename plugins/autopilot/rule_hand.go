package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

func handIsEmpty(r *check.Report, m *model) {
	if m.verdict != handEmpty {
		return
	}
	path, safety := m.hand.doc.Path, sdk.Safe
	f := r.At(m.hand.front, path+" is empty, but agents read it first")
	if m.bringBack(f, path); f.Remedies != nil || m.hand.doc.Summary.Words > 0 {
		safety = sdk.Review
	}
	f.Offer(safety, "Remove "+path, append([]sdk.Edit{sdk.Remove(path)}, m.forget(path, handLost)...)...)
}

func handIncomplete(r *check.Report, m *model) {
	h, was := m.hand, m.base.hand
	var lacks []string
	readable := h.cut && m.base.verdict == handLive && !was.cut
	for n, value := range h.numbers {
		if value < 1 {
			lacks = append(lacks, frontKeys[n])
			readable = readable || was.numbers[n] > 0
		}
	}
	message := "the front matter has no number for " + say.Or(lacks...) + "; expected a line such as phase: 3"
	if h.cut {
		message = "the front matter is not closed; expected a line ---"
	}
	if h.wrong != "" {
		r.At(h.wrongAt, h.wrong).Keyed("twice")
	} else if h.cut || lacks != nil {
		f := unless(r.At(h.front, message), readable)
		if h.cut && !was.cut {
			m.bringBack(f, h.doc.Path)
		}
		if h.cut && lacks == nil && h.headed {
			at := h.fields[len(h.fields)-1].at
			f.Offer(sdk.Review, "Close the front matter",
				sdk.Replace(at, sdk.Literal(h.doc.Text[at.Start:at.End])+"\n---"))
		}
	}
	if h.cut && !h.headed {
		return
	}
	if same := was.phase == h.phase && was.plan == h.plan; same && h.odd && !was.odd {
		r.At(h.textAt[textRemaining],
			"an item under Remaining Work does not name a task; each item in the base does").Keyed(
			"Remaining Work")
	} else if same && h.torn && !was.torn {
		r.At(h.front,
			"a row under Completed Work does not name a task; each row in the base does").Keyed("Completed Work")
	}
	if text := h.texts[textNext]; m.verdict != handStale && (text == "" || placeholder(text)) {
		then := was.texts[textNext]
		unless(r.At(h.textAt[textNext], "the hand-off does not name a first step for the next session").
			Keyed("Next Action"), then != "" && !placeholder(then) && h.created.At == was.created.At)
	}
	if m.verdict >= handElse && (h.createdText == "" || placeholder(h.createdText)) {
		unless(r.At(h.createdAt, "the front matter has no time of creation; expected a line such as "+
			"created: 2026-01-29T14:30:00Z").Keyed("created"), known(was.created))
	}
}

// outOfRange returns a message about an impossible value in the hand-off, and the value's range. The message is "" if
// there is none.
func (m *model) outOfRange() (fault string, at sdk.Range) {
	h := m.hand
	total := ", but total_tasks is " + itoa(h.total)
	switch {
	case h.total > 0 && h.task > h.total:
		return "task is " + itoa(h.task) + total, h.at[keyTask]
	case m.m >= 0 && h.phase > m.m:
		return "phase is " + itoa(h.phase) + ", but the project has " + say.Count(m.m, "phase"), h.at[keyPhase]
	case h.phase > 0 && h.phase == m.n && m.t >= 0 && h.plan > m.t:
		return "plan is " + itoa(h.plan) + ", but the phase has " + say.Count(m.t, "plan"), h.at[keyPlan]
	case h.total < 1:
		return "", at
	}
	if row := find(h.rows, func(t *task) bool { return t.id.n > h.total }); row != nil {
		return "Completed Work has task " + itoa(row.id.n) + total, row.at
	} else if it := find(h.remaining, func(it *item) bool { return it.to > h.total }); it != nil {
		return "Remaining Work has task " + itoa(it.to) + total, it.at
	}
	return "", at
}

// inRange reports whether the hand-off's numbers are usable.
func (m *model) inRange() bool {
	fault, _ := m.outOfRange()
	return fault == "" && min(m.hand.phase, m.hand.plan, m.hand.task, m.hand.total) > 0
}

func handElsewhere(r *check.Report, m *model) {
	h := m.hand
	if fault, at := m.outOfRange(); fault != "" {
		r.At(at, fault)
		return
	} else if m.verdict != handElse {
		return
	}
	key := keyPlan
	if h.phase != m.n {
		key = keyPhase
	}
	f := r.At(h.at[key], "the hand-off is for "+h.place()+", but the position is "+m.where())
	if m.newer() {
		f.Message += ", " + quote(m.pos.statusText) + ", which is older"
	}
	next := h.plan == m.p+1 && m.pos.stamp.Before(h.created, 0) // the session had no time to move the position
	if h.phase == m.n && h.plan >= 1 && h.plan <= m.t && m.s.flying() && (h.plan < m.p || next) {
		f.Offer(sdk.Review, "Copy the plan from the hand-off",
			append(m.stamped(m.set("plan", count{h.plan, m.t}.String())),
				m.stopAt(h, h.task)...)...)
	}
}

// handStaleRule reports a hand-off for finished work, and, as a warning, one that is older than the last session.
func handStaleRule(r *check.Report, m *model) {
	h, was, then := m.hand, m.base.hand, m.base.pos
	if m.openYetOver() {
		status := h.get("status")
		r.At(status.at, "status is "+quote(status.value)+", but Remaining Work has "+quote(h.remaining[0].text)+
			", and Stopped at and Resume file name this hand-off").
			Offer(sdk.Review, "Set status to in_progress", status.set("in_progress")...)
	}
	message := "the hand-off is for " + h.place() + ", but "
	switch {
	case m.verdict == handLive && h.created.Before(m.pos.session, 0) &&
		h.created.At.Add(2*instant.Day).Before(m.pos.session.At):
		message = "the hand-off was created on " + h.created.Text + ", but the last session was on " +
			m.pos.session.Text
	case m.verdict == handLive && m.pos.there() && was.doc != nil && then.there() && h.doc.Digest == was.doc.Digest &&
		then.stamp.Before(m.pos.stamp, 0) && !sameActivity(m.pos, then) && !m.idle():
		message = "the hand-off is unchanged since the base, but Last Activity is now " +
			quote(m.pos.get("lastactivity").value)
	case m.verdict != handStale:
		return
	case m.doubted() > 0 && len(h.remaining) > 0:
		r.At(h.front, message+"the status is "+quote(m.pos.statusText)+", although "+m.stillOpen(m.doubted())).
			Advise("Find out what is done", "If tasks of the hand-off are open, set the status to In progress and the "+
				"position to "+h.place()+". If they are done, tick them and archive the hand-off.")
		return
	case m.s == projectComplete:
		message += "the project is complete"
	case h.over:
		message += "it is marked complete"
	case h.phase == m.n && m.s == phaseComplete:
		message += "the phase is complete"
	case h.plan == m.p:
		message += "Stopped at is " + quote(m.pos.get("stoppedat").value)
	default:
		message += "the position is " + m.where()
	}
	if m.misnumbered() {
		says := "plan is " + itoa(h.plan)
		if was.doc != nil {
			says += "; it was " + itoa(was.plan) + " in the base"
		}
		f := r.At(h.at[keyPlan], says+", but Stopped at and Resume file name this hand-off for "+m.where())
		if m.namesItself() {
			f.Advise("Decide which plan is right", "Current State names plan "+itoa(h.plan)+", and Stopped at plan "+
				itoa(m.p)+". Check git log, and correct the one that is wrong.")
			return
		}
		f.Offer(sdk.Review, "Set plan to "+itoa(m.p), h.get("plan").set(itoa(m.p))...)
		return
	}
	f := r.At(h.front, message)
	if m.verdict == handLive { // its decisions and first step are needed until a session resumes from it
		f.As(sdk.Warning).Advise("Update the hand-off", "Write the work since then into the hand-off: its task, "+
			"Completed Work, Remaining Work and Next Action.")
	} else {
		f.Message += ", so a resume would repeat finished work"
	}
	f.Offer(sdk.Review, "Archive the hand-off", m.archiveHand()...)
}

func handUnreferenced(r *check.Report, m *model) {
	f := m.pos.get("resumefile")
	if m.verdict != handLive && m.verdict != handUnplaced || m.pos.layoutB || !m.s.flying() {
		return
	}
	edits, name := f.set(".autopilot/"+m.hand.doc.Path), m.hand.doc.Path
	if none(f.value) {
		m.field(r, "resumefile", "Resume file does not name "+name).Offer(sdk.Safe, "Set Resume file to the hand-off",
			edits...)
	} else if m.resumePath != "" && !words.Alike(m.resumePath, name) && m.named(m.resumePath) != nil {
		m.field(r, "resumefile", "Resume file is "+quote(f.value)+", but the hand-off is "+name).Offer(sdk.Review,
			"Set Resume file to the hand-off", edits...)
	}
}

func taskMismatch(r *check.Report, m *model) {
	h := m.hand
	if !m.inRange() {
		return
	}
	if n := h.begins(); n > 0 {
		says := ", but the current task is " + itoa(h.task)
		if h.finished()[n] {
			says = ", which is done; expected task " + itoa(h.task)
		}
		r.At(h.textAt[textNext], "Next Action begins with task "+itoa(n)+says).As(sdk.Warning)
	}
	states, twice := map[int]taskState{}, h.twice()
	var bad *task
	says := ""
	for _, row := range h.rows {
		first, seen := states[row.id.n]
		switch {
		case row == twice:
			r.At(row.at, "task "+itoa(row.id.n)+" has two rows with different names")
			return
		case seen && first != row.state:
			r.At(row.at, "task "+itoa(row.id.n)+" has two rows with different statuses")
			return
		case bad != nil:
		case row.id.n == h.task && row.state == taskDone:
			bad, says = row, " is done"
		case row.id.n < h.task && row.state != taskDone && row.state != taskUnknown:
			bad, says = row, " is not done"
		}
		states[row.id.n] = row.state
	}
	if bad == nil {
		return
	}
	n := 1 // the lowest unfinished task; unlisted tasks below the highest done one count as done
	for task, s := range states {
		if s == taskDone {
			n = max(n, task+1)
		}
	}
	for task, s := range states {
		if s != taskDone {
			n = min(n, task)
		}
	}
	f := r.At(bad.at, "task "+itoa(bad.id.n)+says+", but the front matter continues with task "+
		itoa(h.task)).See(h.at[keyTask], "the current task")
	if states[bad.id.n] == taskDone {
		m.offerReopen(f, bad)
	}
	if n > h.total { // the workflow does not say which task is current after the last one
		f.As(sdk.Warning)
	}
	if n <= h.total {
		f.Offer(sdk.Review, "Continue from task "+itoa(n),
			also(h.get("task").set(itoa(n)), m.stopAt(h, n)...)...)
	}
}

// remainingMismatch checks that each task is in exactly one of the hand-off's two lists.
func remainingMismatch(r *check.Report, m *model) {
	h, was, done := m.hand, m.base.hand, m.hand.finished()
	doubtful := map[int]*task{}
	for _, row := range h.rows {
		if row.doubtful {
			doubtful[row.id.n] = row
		}
	}
	for _, it := range h.remaining {
		for n := max(it.from, 1); n <= it.to; n++ {
			if done[n] || doubtful[n] != nil {
				f := r.At(it.at, "task "+itoa(n)+
					" is done above, but is listed as remaining here").Keyed(clip(it.text, 100))
				if row := doubtful[n]; row != nil {
					m.offerReopen(f, row)
				} else if it.from == it.to && it.whole.Path != "" && isCommit(h.row(n).commit) {
					f.Offer(sdk.Review, "Remove the item", it.remove(h.doc.Text))
				}
				break
			}
		}
	}
	if n := m.droppedTask(); n > 0 {
		f := r.At(h.at[keyTotal], say.Was("total_tasks", itoa(h.total), itoa(was.total), say.Line(was.doc,
			was.at[keyTotal].Start))+", where task "+itoa(n)+" remains; the route has not changed").
			Keyed("total_tasks").As(sdk.Warning)
		if kept, all := check.Kept(h.doc, was.doc); kept >= all-1 { // the base has every line except total_tasks
			f.Offer(sdk.Review, "Restore "+h.doc.Path+" from the base",
				append([]sdk.Edit{sdk.Restore(h.doc.Path)}, m.stopAt(was, was.task)...)...)
		}
		f.Advise("List task "+itoa(n), "List task "+itoa(n)+" under Remaining Work and set total_tasks to "+
			itoa(was.total)+", or remove the task from the route.")
	}
	var missing []string
	lost := false
	for _, n := range m.unlisted() {
		missing = append(missing, itoa(n))
		lost = lost || h.row(n) == nil && (was.phase == h.phase && was.plan == h.plan &&
			(was.row(n) != nil || was.remains(n) != nil))
	}
	switch {
	case len(missing) > 0 && len(h.rows) == 0:
		unless(r.At(h.at[keyTask], "task is "+itoa(h.task)+", but Completed Work lists no done task"), lost)
	case len(h.rows) == 0 || h.odd || !m.inRange():
	case len(missing) > 0 && h.twice() != nil: // one of the two rows may be for a missing task
	case len(missing) > 0:
		what, them := say.Are(len(missing))+" neither done nor under Remaining Work, so a resume would skip ", "it"
		if len(missing) > 1 {
			them = "them"
		}
		unless(r.At(h.textAt[textRemaining], tasksOf(missing)+" of "+itoa(h.total)+" "+what+them), lost)
	case len(h.remaining) == 0 && len(done) < h.total:
		r.At(h.textAt[textRemaining], "Remaining Work is empty, but "+itoa(len(done))+" of "+say.Count(h.total, "task")+
			" are done").As(sdk.Warning)
	}
}

// offerReopen offers to set a doubtful row back to in progress, and to continue from its task if that comes before the
// current one.
func (m *model) offerReopen(f *check.Finding, row *task) {
	h, n := m.hand, row.id.n
	if row.doubtful && row.stateAt.End > row.stateAt.Start {
		edits := []sdk.Edit{sdk.Replace(row.stateAt, "🔄 In progress")}
		if n < h.task {
			edits = append(append(edits, h.get("task").set(itoa(n))...), m.stopAt(h, n)...)
		}
		f.Offer(sdk.Review, "Set task "+itoa(n)+" back to in progress", edits...)
	}
}

func taskWithoutCommit(r *check.Report, m *model) {
	some := m.hand.commits()
	for _, row := range m.hand.rows {
		if row.state == taskDone && !isCommit(row.commit) {
			f := r.At(row.commitAt, "task "+itoa(row.id.n)+
				" is done, but has no commit that proves it").Keyed(itoa(row.id.n))
			if !some {
				f.As(sdk.Info)
			}
		}
	}
}
