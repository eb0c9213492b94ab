package ocr

import (
	"strings"

	"github.com/stategate/stategate/sdk"
)

var stateFieldMissing = &sdk.Rule{
	Name: "state-field-missing", Severity: sdk.Warning,
	Doc: "state.json lacks fields that every session has.\n\n" +
		"Other readers fall back to guesses for them. Those that the directory's name and the files prove can be added as they are; times cannot be proved and must come from a person.",
	Check: onState(checkStateFieldMissing),
}

func checkStateFieldMissing(p *sdk.Pass, m *Model) {
	var missing, provable, times []string
	var edits []sdk.Edit
	for _, key := range m.requiredFields() {
		if m.State.Has(key) {
			continue
		}
		missing = append(missing, key)
		edit, ok := m.proveField(key)
		switch {
		case ok:
			edits, provable = append(edits, edit), append(provable, key)
		default:
			times = append(times, key)
		}
	}
	if len(missing) == 0 {
		return
	}
	d := sdk.Diagnostic{Key: strings.Join(missing, " "), Range: sdk.At(StatePath), Message: "missing: " + strings.Join(missing, ", ")}
	var offers []sdk.Remedy
	if len(edits) > 0 {
		offers = append(offers, safely("Add "+strings.Join(provable, ", "), edits...))
	}
	if len(times) > 0 {
		offers = append(offers, manually("Fill in what nothing proves", "Add "+strings.Join(times, ", ")+" to state.json; take times from a clock command."))
	}
	tell(p, m, d, offers...)
}

func (m *Model) requiredFields() []string {
	list := []string{"session_id"}
	if m.Era != EraLegacy {
		list = append(list, "status")
	}
	list = append(list, "phase_number")
	if m.T == Map || m.Era != EraLegacy {
		list = append(list, m.T.NumberField())
	}
	return append(list, StartedAt, UpdatedAt)
}

// proveField sets a missing field to what name and files prove.
func (m *Model) proveField(key string) (sdk.Edit, bool) {
	switch key {
	case "session_id":
		return setText(key, m.ID), true
	case "status":
		if m.T == Review && m.Phase() == "complete" && m.C.FIN.Filled() {
			return setText(key, "closed"), true
		}
		return setText(key, "active"), true
	case "phase_number":
		return setInt(key, m.Index()), m.phaseInType()
	case "current_round", "current_map_run":
		return setInt(key, m.Series(m.T).Working), true
	}
	return sdk.Edit{}, false
}

// phaseInType reports whether the claimed phase is one of the workflow's own.
func (m *Model) phaseInType() bool {
	return m.Index() > 0 && (m.State.OnlyIn == None || m.State.OnlyIn == m.T)
}

var unfilledPlaceholder = &sdk.Rule{
	Name: "unfilled-placeholder", Severity: sdk.Error,
	Doc: "A field of state.json still holds the template's placeholder.\n\n" +
		"The sample was copied and the value never filled in, so the field says nothing. Write the real value: the session's own name, or a time from a clock command.",
	Check: onState(checkUnfilledPlaceholder),
}

func checkUnfilledPlaceholder(p *sdk.Pass, m *Model) {
	for _, member := range m.State.Root.Members() {
		key := member.Key
		isLast := m.State.Root.Get(key) == member.Value
		if !isLast || !m.State.Placeholder(key) || m.State.Rejected(key) {
			continue
		}
		d := m.onField(key, short(key)+" is the unfilled placeholder "+shown(m.State.Text(key)))
		d.Key = short(key)
		tell(p, m, d, m.fillIn(p, key)...)
	}
}

func (m *Model) fillIn(p *sdk.Pass, key string) []sdk.Remedy {
	step := "Write the value of " + short(key) + " that the session has."
	switch key {
	case "session_id":
		return []sdk.Remedy{safely("Set session_id to "+short(m.ID), setText(key, m.ID))}
	case StartedAt, RoundStartedAt, MapStartedAt, UpdatedAt:
		return m.mendTime(p, key)
	}
	var offers []sdk.Remedy
	if edits := m.baseWord(key); edits != nil {
		offers = append(offers, reviewed("Set "+key+" to that of base", edits...))
	}
	return append(offers, manually("Fill in "+short(key), step))
}

// baseWord sets a field to what base has, if that is a word the workflow knows.
func (m *Model) baseWord(key string) []sdk.Edit {
	if m.Base == nil || !m.Base.State.OK() {
		return nil
	}
	b := m.Base.State
	switch {
	case key == "status" && isStatus(b.Status) && b.Has(key):
		return []sdk.Edit{setText(key, b.Status)}
	case key == "workflow_type" && b.Type != None:
		return []sdk.Edit{setText(key, string(b.Type))}
	case key == "current_phase" && m.Base.phaseInType() && m.Base.T == m.T:
		return phaseEdits(m.T, b.Phase)
	}
	return nil
}

var sessionIDMismatch = &sdk.Rule{
	Name: "session-id-mismatch", Severity: sdk.Warning,
	Doc: "session_id is not the name of the session's directory.\n\n" +
		"The directory is the session: whoever looks it up by session_id ends up elsewhere. It happens when a directory is copied or renamed. Set session_id to the directory's name.",
	Check: onState(checkSessionIDMismatch),
}

func checkSessionIDMismatch(p *sdk.Pass, m *Model) {
	if !m.State.Judged("session_id") || m.State.Text("session_id") == m.ID {
		return
	}
	d := m.onField("session_id", "session_id is "+shown(m.State.Verbatim("session_id"))+" in directory "+shown(m.ID))
	tell(p, m, d, reviewed("Set session_id to "+short(m.ID), setText("session_id", m.ID)))
}

var sessionNameNonstandard = &sdk.Rule{
	Name: "session-name-nonstandard", Severity: sdk.Info,
	Doc: "The session's directory is not named date-branch.\n\n" +
		"`ocr progress` picks the session whose name sorts last, which is the newest only if names begin with the date.",
	Check: onSession(checkSessionName),
}

func checkSessionName(p *sdk.Pass, m *Model) {
	if _, ok := sessionDate(m.ID); ok {
		return
	}
	tell(p, m, sdk.Diagnostic{Range: sdk.At(""),
		Message: shown(m.ID) + " does not start with a date and a hyphen, so `ocr progress` cannot order it"})
}
