package ocr

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/wire"
)

// mendings is one remedy that sets every field which the schema refuses to what
// files, name and base prove, or a word to a person if one of them cannot be proved.
func (m *Model) mendings() []sdk.Remedy {
	keys := m.refusedFields()
	var edits []sdk.Edit
	var unknown []string
	for _, key := range keys {
		if keys[0] == "current_phase" && (key == "phase_number" || key == UpdatedAt) {
			continue // set together with the phase
		}
		more := m.mending(key)
		if more == nil {
			unknown = append(unknown, key)
		}
		edits = append(edits, more...)
	}
	if len(unknown) > 0 {
		return []sdk.Remedy{{Title: "Find out " + say.And(unknown...), Safety: sdk.Manual,
			Steps: []string{"Look in the history of the files for " + say.And(unknown...) + ", and write what was there; a time as YYYY-MM-DDTHH:MM:SSZ."}}}
	}
	if len(edits) == 0 {
		return nil
	}
	title := "Set " + strings.Join(keys, ", ") + " to what is known otherwise"
	return []sdk.Remedy{{Title: title, Edits: edits}}
}

// refusedFields lists the fields that the schema refuses, current_phase first.
func (m *Model) refusedFields() []string {
	var first, rest []string
	for _, f := range m.State.Doc.Faults {
		if f.Rule != wire.RuleSchema {
			continue
		}
		// The one field that must be there is current_phase.
		key := "current_phase"
		if tokens, err := jsondoc.Tokens(f.Pointer); err == nil && len(tokens) > 0 {
			key = tokens[0]
		}
		switch {
		case key == "current_phase":
			first = []string{key}
		case len(rest) == 0 || rest[len(rest)-1] != key:
			rest = append(rest, key)
		}
	}
	return append(first, rest...)
}

// mending sets one field to what is known otherwise.
func (m *Model) mending(key string) []sdk.Edit {
	switch key {
	case "current_phase": // what the files prove; a session that is not over is open
		return m.phaseTo(m.C.Ladder.Canonical)
	case "status":
		return setStatus("active")
	case "workflow_type":
		return []sdk.Edit{setText(key, string(m.T)), setNow(UpdatedAt)}
	case UpdatedAt:
		return []sdk.Edit{setNow(key)}
	case Review.NumberField():
		return []sdk.Edit{setInt(key, m.Rounds.Working)}
	case Map.NumberField():
		return []sdk.Edit{setInt(key, m.Runs.Working)}
	}
	if m.Base != nil && m.Base.State.Stamp(key).OK() {
		return []sdk.Edit{setText(key, m.Base.State.Stamp(key).Text)}
	}
	if edit, ok := m.proveField(key); ok && (key != "phase_number" || m.Index() > 0) {
		return []sdk.Edit{edit}
	}
	return nil
}
