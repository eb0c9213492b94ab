package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

// field begins a finding at the value of a field, else at the title.
func (m *model) field(r *check.Report, key, message string) *check.Finding {
	return r.At(m.pos.placeOf(m.pos.get(key)), message)
}

// status begins a finding at the status.
func (m *model) status(r *check.Report, message string) *check.Finding {
	return r.At(m.pos.placeOf(m.pos.statusField()), message)
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

// goOn are the edits of a status with the next action that goes with it.
func (m *model) goOn(s status) []sdk.Edit {
	edits := m.set("status", s.title())
	if edits != nil {
		edits = append(edits, m.set("nextaction", m.next(s, m.n))...)
	}
	return edits
}

// setStatus offers a status with its next action.
func (m *model) setStatus(f *check.Finding, s status) {
	f.Offer(sdk.Review, "Set the status to "+s.title(), m.goOn(s)...)
}

// forget makes Resume file none if it names a document.
func (m *model) forget(name string) []sdk.Edit {
	if path, ok := m.inside(m.pos.get("resumefile").given()); ok && path == name {
		return m.pos.get("resumefile").set("None")
	}
	return nil
}

// archiveHand moves the hand-off to the archive.
func (m *model) archiveHand() []sdk.Edit {
	h := m.hand
	name := "archive/holding-pattern"
	if h.phase > 0 && h.plan > 0 {
		name += "-" + itoa(h.phase) + "-" + itoa(h.plan)
	}
	return append([]sdk.Edit{sdk.Move(h.doc.Path, m.free(name+".md"))}, m.forget(h.doc.Path)...)
}

// faulty reports whether the host found something wrong with a document.
func faulty(d *sdk.Document) bool { return d != nil && len(d.Faults) > 0 }
