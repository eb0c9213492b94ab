package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// field adds a finding at a field's value, or at the title.
func (m *model) field(r *check.Report, key, message string) *check.Finding {
	return r.At(m.pos.placeOf(m.pos.get(key)), message)
}

// status adds a finding at the status.
func (m *model) status(r *check.Report, message string) *check.Finding {
	return r.At(m.pos.placeOf(m.pos.statusField), message)
}

// but adds a finding at the status, with the fact that contradicts it.
func (m *model) but(r *check.Report, message string) *check.Finding {
	return m.status(r, "Status is "+quote(m.pos.statusText)+", but "+message)
}

// inJSON adds a finding about a value in a JSON document.
func inJSON(r *check.Report, path, pointer, message string) *check.Finding {
	return r.At(sdk.AtPointer(path, pointer), message).Keyed(say.Clip(pointer))
}

// unless lowers the error for a missing or unreadable value to a warning, unless the value was readable in the base.
// Otherwise, a second mistake, which makes the value unreadable, could hide the first one and open the gate.
func unless(f *check.Finding, readable bool) *check.Finding {
	if readable {
		return f
	}
	return f.As(sdk.Warning)
}

// set returns the edit that changes a position field, or nil if the field has no value.
func (m *model) set(key, value string) []sdk.Edit { return m.pos.get(key).set(value) }

// goOn returns the edits that set a status and its next action. It also corrects Stopped at if that says that the
// phase is over, and sets Plan to 0 if no plan of the phase has been flown yet.
func (m *model) goOn(s status) []sdk.Edit {
	edits, stop := also(m.set("status", s.title()), m.set("nextaction", m.next(s, m.n))...), m.pos.get("stoppedat")
	if over := words.Mentions(stop.value, "complete", "completed", "done", "finished"); over && !s.complete() &&
		words.Mentions(stop.value, "phase", "project") && m.pos.stopPlan.n < 0 && m.n >= 0 {
		edits = also(edits, stop.set("P"+m.where()[1:])...)
	}
	if (s == readyToDiscuss || s == readyToPlan) && m.p > 0 { // no plan of the phase has been flown yet
		edits = also(edits, m.set("plan", count{0, m.t}.String())...)
	}
	return m.stamped(edits)
}

// stamped adds the time of the update to the edits of the position.
func (m *model) stamped(edits []sdk.Edit) []sdk.Edit {
	return also(edits, m.pos.stampField.set(sdk.NowInEdit)...)
}

// also appends more edits, or returns nil if edits is nil.
func also(edits []sdk.Edit, more ...sdk.Edit) []sdk.Edit {
	if edits == nil {
		return nil
	}
	return append(edits, more...)
}

// stopAt returns the edit that sets Stopped at to a hand-off's plan and to one of its tasks.
func (m *model) stopAt(h *hand, task int) []sdk.Edit {
	f, was, of := m.pos.get("stoppedat"), m.pos.stopPlan, m.pos.stopTask
	text := strings.Replace(f.value, itoa(was.n)+"."+itoa(was.of), itoa(h.phase)+"."+itoa(h.plan), 1)
	now := count{task, of.of}
	if of.of > 0 && h.total > 0 {
		now.of = h.total
	}
	if text = strings.Replace(text, of.String(), now.String(), 1); text == f.value || task < 1 || h.plan < 1 {
		return nil
	}
	return f.set(text)
}

// setStatus offers to set a status with its next action.
func (m *model) setStatus(f *check.Finding, s status) {
	f.Offer(sdk.Review, "Set the status to "+s.title(), m.goOn(s)...)
}

// forget returns edits that set Resume file to None if it names the document, and note in Stopped at what happened to
// the hand-off.
func (m *model) forget(name, became string) (edits []sdk.Edit) {
	if m.resumePath == name {
		edits = m.set("resumefile", "None")
	}
	if f := m.pos.get("stoppedat"); became != "" && m.midPlan() && !words.Mentions(f.value, handArchived, handLost) {
		edits = append(edits, f.set(f.value+"; "+became)...)
	}
	return edits
}

// bringBack offers to restore the base's hand-off and to set Resume file, if work could continue from that hand-off in
// the base. An existing hand-off is kept under another name, unless it is only a truncated copy.
func (m *model) bringBack(f *check.Finding, path string) {
	was, file := m.base.hand, m.pos.get("resumefile")
	if m.base.verdict != handLive || was.doc.Path != path || faulty(was.doc) {
		return
	}
	var edits []sdk.Edit
	if d := m.hand.doc; d != nil && !strings.HasPrefix(was.doc.Text, strings.TrimSpace(d.Text)) {
		edits = append(edits, sdk.Aside(d.Path, "lost"))
	}
	edits = append(append(edits, sdk.Restore(path)), m.stopAt(was, was.task)...)
	if none(file.value) {
		edits = append(edits, file.set(".autopilot/"+path)...)
	}
	f.Offer(sdk.Review, "Restore the hand-off", edits...)
}

// retrieve offers to move a hand-off from a phase's directory to .autopilot.
func (m *model) retrieve(f *check.Finding) {
	for _, d := range m.docs.Match("phases/*/" + handPath) {
		f.Message += "; " + d.Path + " exists"
		f.Offer(sdk.Review, "Move "+d.Path+" to "+handName, append(m.set("resumefile", handName),
			sdk.Move(d.Path, handPath))...)
		return
	}
}

// archiveHand returns the edits that move the hand-off to the archive.
func (m *model) archiveHand() []sdk.Edit {
	h := m.hand
	name := "archive/holding-pattern"
	if h.phase > 0 && h.plan > 0 {
		name += "-" + itoa(h.phase) + "-" + itoa(h.plan)
	}
	return append([]sdk.Edit{sdk.Move(h.doc.Path, m.free(name+".md"))}, m.forget(h.doc.Path, handArchived)...)
}

// faulty reports whether the host found a fault in a document.
func faulty(d *sdk.Document) bool { return d != nil && len(d.Faults) > 0 }
