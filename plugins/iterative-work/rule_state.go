package iterativework

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
)

func stateMissing(l *look) {
	m := l.m
	if m.state.doc != nil || !m.docs.Known(statePath) {
		return
	}
	says := "the documents show the task in " + m.observed.String()
	if ph := m.current; ph != nil && len(ph.trail.entries) > 0 {
		says = "progress.md shows " + ph.id + " in " + ph.observed.String()
	}
	l.whole(statePath, "no state.json; "+says)
	if len(m.plan.docs) == 0 && m.log.doc == nil {
		l.lower()
	}
	if l.trial == nil {
		l.offers = m.rebuilds()
	}
}

func unknownTaskPhase(l *look) {
	s := l.m.state
	if !s.claimed || s.phase > 0 {
		return
	}
	l.state("/phase", "", "", "phase "+quote(short(s.phaseText))+" is none of discover, plan, execute, verify, deliver, complete")
	l.setTask(l.m.observed)
}

// setTask offers another phase for the task.
//
//go:noinline
func (l *look) setTask(s step) {
	l.fix(sdk.Review, "Set the phase of the task to "+s.String(), "/phase", quote(s.String()))
}

func noncanonicalValue(l *look) {
	s := l.m.state
	l.canonical("/phase", "", s.phaseText, s.phase.String())
	for _, r := range s.records {
		l.canonical("/phases/"+r.id+"/status", r.id, r.text, r.status.String())
	}
}

//go:noinline
func (l *look) canonical(pointer, subject, text, name string) {
	if name == "" || text == name {
		return
	}
	l.state(pointer, subject, pointer, quote(text)+" is read as "+name)
	l.fix(sdk.Safe, "Write "+name, pointer, quote(name))
}

func unknownPhaseStatus(l *look, ph *phase) {
	if ph.rec == nil || !ph.rec.claimed || ph.status > 0 {
		return
	}
	l.state("/phases/"+ph.id+"/status", ph.id, "", ph.id+" status "+quote(short(ph.rec.text))+
		" is none of pending, in_progress, confirming, verifying, done, blocked, timeout")
	l.setStatus(ph, ph.observed)
}

func slugMismatch(l *look) {
	if s := l.m.state.slug; s != "" && l.m.name != "" && s != l.m.name {
		l.state("/slug", "", "", "slug "+quote(short(s))+" in directory "+quote(short(l.m.name)))
		l.fix(sdk.Review, "Set slug to the name of the directory", "/slug", quote(l.m.name))
	}
}

func updatedBeforeCreated(l *look) {
	s := l.m.state
	if s.updated.before(&s.created.stamp, 0) {
		l.state("/updated", "", "", "updated "+s.updated.text+" is before created "+s.created.text)
		l.updateNow()
	}
}

// updateNow offers to set updated to the time of applying, if that is not
// before created.
//
//go:noinline
func (l *look) updateNow() {
	if l.trial == nil && l.nowIsAfter(&l.m.state.created.stamp) {
		l.fix(sdk.Review, "Set updated to now", "/updated", nowText)
	}
}

// moments calls f with every time of the state that is there.
func (s *state) moments(f func(m *moment, subject, pointer string)) {
	if s.created.set {
		f(&s.created, "", "/created")
	}
	if s.updated.set {
		f(&s.updated, "", "/updated")
	}
	for _, r := range s.records {
		if r.completed.set {
			f(&r.completed, r.id, "/phases/"+r.id+"/completed_at")
		}
	}
}

func timestampMalformed(l *look) {
	l.m.state.moments(func(t *moment, subject, pointer string) {
		if t.kind == 0 {
			l.state(pointer, subject, pointer, quote(short(t.raw))+" is no time, expected one like 2026-01-16T10:00:00Z")
			l.manual("Write the time", "write the time in "+pointer+" as YYYY-MM-DDTHH:MM:SSZ")
		}
	})
}

func timestampInFuture(l *look) {
	const ahead = 5 * instant.Minute
	l.m.state.moments(func(t *moment, subject, pointer string) {
		if t.kind == 0 || !l.p.Before(t.earliest().Add(-ahead)) {
			return
		}
		l.state(pointer, subject, pointer, t.text+" is in the future")
		if pointer == "/updated" {
			l.updateNow()
			return
		}
		l.manual("Correct the time", "correct the time in "+pointer+", or the clock of the machine")
	})
}

func earlyFormOutgrown(l *look) {
	m := l.m
	if m.state.phased {
		return
	}
	n := 0
	for _, ph := range m.phases {
		if ph.trail.works > 0 {
			n++
		}
	}
	if n < 2 {
		return
	}
	l.whole(statePath, "state.json is still the early form; progress.md has work on "+itoa(n)+" phases")
	if l.trial == nil {
		l.fix(sdk.Review, "Fill in the phases from progress.md", "/phases", m.rebuiltPhases(nil).Compact())
	}
}

func currentMissing(l *look) {
	m := l.m
	if id, _ := m.state.named(); m.state.phase != execute || !m.state.phased || id != "" {
		return
	}
	for _, ph := range m.phases {
		if ph.item != nil && !ph.done {
			l.whole(statePath, "current_phase is missing and "+ph.id+" is not done")
			l.setCurrent(currentKeys[0])
			return
		}
	}
}

// setCurrent offers the phase where work goes on as the current one.
//
//go:noinline
func (l *look) setCurrent(key string) {
	if c := l.m.current; c != nil {
		l.fix(sdk.Review, "Set "+key+" to "+c.id, "/"+key, quote(c.id))
	} else if o := l.offer(sdk.Review, "Remove "+key); o != nil {
		o.unset("/" + key)
	}
}

func unknownCurrentPhase(l *look) {
	m := l.m
	id, key := m.state.named()
	if id == "" || m.state.phase != plan && m.state.phase != execute || len(m.plan.items)+len(m.state.records)+len(m.state.odd) == 0 {
		return
	}
	if ph := m.byID[id]; ph != nil && ph.known() || has(m.state.odd, id) {
		return
	}
	l.state("/"+key, "", "", key+" "+quote(short(id))+" is neither in the plan nor in phases")
	l.setCurrent(key)
}

func currentPhaseDone(l *look) {
	m := l.m
	id, key := m.state.named()
	if ph := m.byID[id]; m.state.phase != execute || ph == nil || ph.status != done {
		return
	}
	for _, ph := range m.phases {
		if ph.status.working() && !ph.done {
			l.state("/"+key, "", "", key+" "+id+" is done; "+ph.id+" is "+ph.status.String())
			l.setCurrent(key)
			return
		}
	}
}

func archivedNotComplete(l *look) {
	s := l.m.state
	if !l.m.archived || s.phase == 0 || s.phase == complete {
		return
	}
	l.state("/phase", "", "", "phase is "+s.phase.String()+" although the task lies in the archive")
	if s.phase == deliver {
		l.lower()
	}
	l.setTask(complete)
	l.manual("Move the task out of the archive", "move the directory back to .iterative-work/"+l.m.name)
}

func completeNotArchived(l *look) {
	if l.m.state.phase == complete {
		l.state("/phase", "", "", "phase is complete and the task does not lie in the archive")
		l.manual("Archive the task", "move the directory to .iterative-work/archive/"+l.m.name)
	}
}

func taskBehind(l *look) {
	m := l.m
	if m.state.phase > 0 && m.state.phase+1 < m.observed {
		l.state("/phase", "", "", "phase is "+m.state.phase.String()+" but the documents show "+m.observed.String())
		l.setTask(m.observed)
	}
}

func taskAhead(l *look) {
	if open := l.m.overtaken(); open != nil {
		l.state("/phase", "", "", "phase is "+l.m.state.phase.String()+" but "+list(open))
		l.setTask(execute)
	}
}

func taskLeftComplete(l *look) {
	if s := l.m.state; l.m.base.state.phase == complete && s.phase != complete {
		l.state("/phase", "", "", "the task was complete and is "+quote(short(s.phaseText))+"; a new task is a new directory")
		l.setTask(complete)
	}
}

func createdChanged(l *look) {
	was, is := &l.m.base.state.created, &l.m.state.created
	if !was.set || !is.set || was.raw == is.raw {
		return
	}
	if was.kind > 0 && is.kind > 0 && !was.before(&is.stamp, 0) && !is.before(&was.stamp, 0) {
		return
	}
	l.state("/created", "", "", "created was "+short(was.raw)+" and is "+short(is.raw))
	l.fix(sdk.Review, "Set created back to "+short(was.raw), "/created", quote(was.raw))
}

func updatedNotAdvanced(l *look) {
	was, is := l.m.base.state, l.m.state
	if was.updated.kind == 0 || is.updated.kind == 0 {
		return
	}
	sure := is.updated.before(&was.updated.stamp, 0)
	exact := was.updated.kind == is.updated.kind && is.updated.kind != bareDate
	if !sure && !(exact && !was.updated.before(&is.updated.stamp, 0)) || !changed(was.root, is.root) {
		return
	}
	l.state("/updated", "", "", "the state changed and updated is "+is.updated.text+", not later than "+was.updated.text)
	if l.trial == nil && !l.p.Before(was.updated.earliest().Seconds().Add(instant.Second)) {
		l.updateNow()
	}
}

// changed reports whether two states differ in more than updated.
func changed(was, is jsondoc.Value) bool {
	a, b := was.Members(), is.Members()
	n := 0
	for i := range b {
		if b[i].Key == "updated" {
			continue
		}
		n++
		if i < len(a) && a[i].Key == b[i].Key {
			if !same(a[i].Value, b[i].Value) {
				return true
			}
		} else if !same(was.Get(b[i].Key), b[i].Value) {
			return true
		}
	}
	for i := range a {
		if a[i].Key != "updated" {
			n--
		}
	}
	return n != 0
}

// same compares values as they are written, but for white space and the order
// of members.
func same(a, b jsondoc.Value) bool {
	if a.Kind() != b.Kind() || a.Len() != b.Len() {
		return false
	}
	switch a.Kind() {
	case jsondoc.Object:
		return !changed(a, b)
	case jsondoc.Array:
		x, y := a.Elements(), b.Elements()
		for i := range x {
			if !same(x[i], y[i]) {
				return false
			}
		}
		return true
	}
	return a.Raw() == b.Raw()
}
