package ocr

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// stateFields are the fields of state.json that can be salvaged.
var stateFields = []string{
	"session_id", "workflow_type", "status", "current_phase", "phase_number", "current_round", "current_map_run",
	StartedAt, RoundStartedAt, MapStartedAt, UpdatedAt,
}

// salvage reads what an unparsable state.json still says: each side of an unresolved merge, or what
// its keys still have. What it finds is a guess.
func (m *Model) salvage() (list []*State) {
	if m.State.Doc == nil || m.State.Doc.Text == "" {
		return nil
	}
	read := func(text string) {
		if s := readState(&sdk.Document{Path: StatePath, Format: sdk.JSON, Text: text}); s.OK() {
			list = append(list, s)
		}
	}
	if strings.Contains(m.State.Doc.Text, "<<<<<<< ") {
		read(side(m.State.Doc.Text, "<<<<<<< "))
		read(side(m.State.Doc.Text, "======="))
	}
	if len(list) > 0 {
		return list
	}
	var members []string
	for _, key := range stateFields {
		if v, ok := jsondoc.Salvage(m.State.Doc.Text, key); ok {
			members = append(members, quote(key)+":"+v.Raw())
		}
	}
	if len(members) > 0 {
		read("{" + strings.Join(members, ",") + "}")
	}
	return list
}

// side is a text with one side of each unresolved merge: what follows a marker up to the next one.
func side(text, marker string) string {
	var b strings.Builder
	in := true
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, ">>>>>>> "):
			in = true
		case strings.HasPrefix(line, "<<<<<<< "), strings.HasPrefix(line, "||||||| "), strings.TrimRight(line, "\r\n") == "=======":
			in = strings.HasPrefix(line, marker)
		case in:
			b.WriteString(line)
		}
	}
	return b.String()
}

// keptTimes are the times of a rebuilt state.json, as it writes them.
type keptTimes struct {
	started      string
	startUnknown bool
	begun        string // of the round or run; "" if it is left out
}

// keptTimes takes times from the broken text, else from base. Only times that
// are over count; started_at and map_started_at are now if nothing is known.
func (m *Model) keptTimes(p *sdk.Pass, k Kind, sources []*State) keptTimes {
	var t keptTimes
	if m.Base != nil {
		sources = append(sources, m.Base.State)
	}
	started, ok := known(p, sources, StartedAt, instant.Time{})
	t.started, t.startUnknown = started.Text, !ok
	if !ok {
		t.started = sdk.NowInEdit
	}
	begun, isKnown := known(p, sources, k.StartField(), started.At)
	switch {
	case isKnown && ok:
		t.begun = begun.Text
	case k == Map:
		t.begun = sdk.NowInEdit
	}
	return t
}

// known is the first reading of a time field that is valid, not before a time
// and not to come.
func known(p *sdk.Pass, sources []*State, field string, from instant.Time) (Stamp, bool) {
	for _, s := range sources {
		if st := s.Stamp(field); st.OK() && !st.At.Before(from) && !p.Before(st.At) {
			return st, true
		}
	}
	return Stamp{}, false
}
