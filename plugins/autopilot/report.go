package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// field begins a finding at the value of a field, else at the title.
func (m *model) field(r *check.Report, key, message string) *check.Finding {
	return r.At(m.pos.placeOf(m.pos.get(key)), message)
}

// status begins a finding at the status.
func (m *model) status(r *check.Report, message string) *check.Finding {
	return r.At(m.pos.placeOf(m.pos.statusField), message)
}

// but begins a finding at the status, with what contradicts it.
func (m *model) but(r *check.Report, message string) *check.Finding {
	return m.status(r, "Status is "+quote(m.pos.statusText)+", but "+message)
}

// inJSON begins a finding about a value of a JSON document.
func inJSON(r *check.Report, path, pointer, message string) *check.Finding {
	return r.At(sdk.AtPointer(path, pointer), message).Keyed(say.Clip(pointer))
}

// unless lowers an error to a warning, unless the base had what is missing in a form that could be read:
// a second fault must not open the gate.
func unless(f *check.Finding, readable bool) *check.Finding {
	if readable {
		return f
	}
	return f.As(sdk.Warning)
}

// set is the edit that gives a field of the position another value, none if it has none.
func (m *model) set(key, value string) []sdk.Edit { return m.pos.get(key).set(value) }

// goOn are the edits of a status with the next action that goes with it, with Stopped at if that says that the phase is
// over, and with the plan where none is flown yet.
func (m *model) goOn(s status) []sdk.Edit {
	edits, stop := also(m.set("status", s.title()), m.set("nextaction", m.next(s, m.n))...), m.pos.get("stoppedat")
	if over := words.Mentions(stop.value, "complete", "completed", "done", "finished"); over && !s.complete() &&
		words.Mentions(stop.value, "phase", "project") && m.pos.stopPlan.n < 0 && m.n >= 0 {
		edits = also(edits, stop.set("P"+m.where()[1:])...)
	}
	if (s == readyToDiscuss || s == readyToPlan) && m.p > 0 { // no plan of the phase is flown then
		edits = also(edits, m.set("plan", count{0, m.t}.String())...)
	}
	return m.stamped(edits)
}

// stamped are edits of the position with the time of its update.
func (m *model) stamped(edits []sdk.Edit) []sdk.Edit {
	return also(edits, m.pos.stampField.set(sdk.NowInEdit)...)
}

// also are edits with more, none where there are none.
func also(edits []sdk.Edit, more ...sdk.Edit) []sdk.Edit {
	if edits == nil {
		return nil
	}
	return append(edits, more...)
}

// stopAt is the edit that gives Stopped at the plan and the task of a hand-off.
func (m *model) stopAt(plan count, task int) []sdk.Edit {
	f, was := m.pos.get("stoppedat"), m.pos.stopPlan
	text := strings.Replace(f.value, itoa(was.n)+"."+itoa(was.of), itoa(plan.n)+"."+itoa(plan.of), 1)
	if text = strings.Replace(text, m.pos.stopTask.String(), count{task, m.pos.stopTask.of}.String(),
		1); text == f.value || task < 1 || plan.of < 1 {
		return nil
	}
	return f.set(text)
}

// setStatus offers a status with its next action.
func (m *model) setStatus(f *check.Finding, s status) {
	f.Offer(sdk.Review, "Set the status to "+s.title(), m.goOn(s)...)
}

// forget makes Resume file none if it names a document, and notes at Stopped at what became of the hand-off.
func (m *model) forget(name, became string) (edits []sdk.Edit) {
	if m.resumePath == name {
		edits = m.set("resumefile", "None")
	}
	if f := m.pos.get("stoppedat"); became != "" && m.midPlan() && !words.Mentions(f.value, handArchived, handLost) {
		edits = append(edits, f.set(f.value+"; "+became)...)
	}
	return edits
}

// bringBack offers to restore the hand-off of the base, and to name it, if work could continue from it. An existing
// file is kept, unless it is only a truncated copy.
func (m *model) bringBack(f *check.Finding, path string) {
	was, file := m.base.hand, m.pos.get("resumefile")
	if m.base.verdict != handLive || was.doc.Path != path || faulty(was.doc) {
		return
	}
	var edits []sdk.Edit
	if d := m.hand.doc; d != nil && !strings.HasPrefix(was.doc.Text, strings.TrimSpace(d.Text)) {
		edits = append(edits, sdk.Aside(d.Path, "lost"))
	}
	edits = append(append(edits, sdk.Restore(path)), m.stopAt(count{was.phase, was.plan}, was.task)...)
	if none(file.value) {
		edits = append(edits, file.set(".autopilot/"+path)...)
	}
	f.Offer(sdk.Review, "Restore the hand-off", edits...)
}

// archiveHand moves the hand-off to the archive.
func (m *model) archiveHand() []sdk.Edit {
	h := m.hand
	name := "archive/holding-pattern"
	if h.phase > 0 && h.plan > 0 {
		name += "-" + itoa(h.phase) + "-" + itoa(h.plan)
	}
	return append([]sdk.Edit{sdk.Move(h.doc.Path, m.free(name+".md"))}, m.forget(h.doc.Path, handArchived)...)
}

// faulty reports whether the host found something wrong with a document.
func faulty(d *sdk.Document) bool { return d != nil && len(d.Faults) > 0 }
