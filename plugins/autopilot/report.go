package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// A finder is a run of a rule over a model.
type finder struct {
	*check.Report
	m *model
}

// field makes a finding at the value of a field, else at the title.
//
//go:noinline
func (l *finder) field(key, message string) *check.Finding {
	return l.At(l.m.pos.placeOf(l.m.pos.get(key)), message)
}

// status makes a finding at the status.
//
//go:noinline
func (l *finder) status(message string) *check.Finding {
	return l.At(l.m.pos.placeOf(l.m.pos.statusField()), message)
}

// pointer makes a finding about a value of a JSON document.
//
//go:noinline
func (l *finder) pointer(path, pointer, message string) *check.Finding {
	return l.At(sdk.AtPointer(path, pointer), message).Keyed(clip(pointer, 100))
}

// unless lowers an error to a warning, unless the base had what is missing in a form that could be read:
// a second fault must not open the gate.
//
//go:noinline
func unless(f *check.Finding, readable bool) *check.Finding {
	if readable {
		return f
	}
	return f.As(sdk.Warning)
}

// cells are the edits that give fields other values; none if one is not there.
func (m *model) cells(pairs ...string) []sdk.Edit {
	var edits []sdk.Edit
	for i := 0; i < len(pairs); i += 2 {
		e := m.pos.get(pairs[i]).set(pairs[i+1])
		if e == nil {
			return nil
		}
		edits = append(edits, e...)
	}
	return edits
}

// goOn are the edits of a status with the next action that goes with it.
//
//go:noinline
func (m *model) goOn(s status) []sdk.Edit {
	edits := m.cells("status", s.title())
	if edits == nil {
		return nil
	}
	return append(edits, m.pos.get("nextaction").set(m.next(s, m.n))...)
}

// forget makes Resume file none if it names a document.
func (m *model) forget(name string) []sdk.Edit {
	if m.pos == nil {
		return nil
	}
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

// set is the edit that sets a value of a JSON document.
//
//go:noinline
func set(path, pointer, json string) []sdk.Edit { return []sdk.Edit{sdk.Set(path, pointer, json)} }

// restore is the edit that brings a document of the base back.
//
//go:noinline
func restore(path string) []sdk.Edit { return []sdk.Edit{sdk.Restore(path)} }

// head is the first line of a document.
//
//go:noinline
func head(path string) sdk.Range { return sdk.AtLine(path, 1) }
