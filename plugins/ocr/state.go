package ocr

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/words"
)

// The state file, and its time fields.
const (
	StatePath      = "state.json"
	StartedAt      = "started_at"
	RoundStartedAt = "round_started_at"
	MapStartedAt   = "map_started_at"
	UpdatedAt      = "updated_at"
)

// TimeFields lists the time fields in the order of the file.
var TimeFields = []string{StartedAt, RoundStartedAt, MapStartedAt, UpdatedAt}

// A State is the content of state.json. A null field counts as absent.
type State struct {
	Doc    *sdk.Document
	Root   jsondoc.Value // the root object (S); absent if the file is missing, unreadable or not an object
	Phase  string        // current_phase, or "complete" for "map-complete"; "" if there is none; may be unknown
	Status string        // "active" if absent; "" if it is not a string
	Type   *Kind         // the kind that workflow_type names; None if it names neither
	OnlyIn *Kind         // the only workflow that has Phase; None if both or neither have it
	stamps []Stamp       // of TimeFields, in order; nil if the object cannot be read

	IsMapComplete bool // current_phase is "map-complete", which the tool's texts use for a map's "complete"
}

func readState(doc *sdk.Document) *State {
	s := &State{Doc: doc, Status: "active", Type: None, OnlyIn: None}
	if !doc.Readable() {
		return s
	}
	parsed, err := jsondoc.Parse(doc.Text)
	if err != nil || parsed.Root().Kind() != jsondoc.Object {
		return s
	}
	s.Root = parsed.Root()
	s.Phase = s.Text("current_phase")
	for _, k := range kinds {
		if k.Name == s.Text("workflow_type") {
			s.Type = k
		}
		if k.Index(s.Phase) > 0 && k.Other().Index(s.Phase) == 0 {
			s.OnlyIn = k
		}
	}
	if s.IsMapComplete = s.Phase == "map-complete"; s.IsMapComplete {
		s.Phase, s.OnlyIn = "complete", Map
	}
	if s.Has("status") {
		s.Status = s.Text("status")
	}
	for _, key := range TimeFields {
		st := Stamp{Field: key, Text: s.Text(key)}
		if s.Judged(key) && s.Value(key).Kind() == jsondoc.String && !isPlaceholder(st.Text) {
			st.read()
		}
		s.stamps = append(s.stamps, st)
	}
	return s
}

// isPhase reports whether the claimed phase is a phase of either workflow.
func (s *State) isPhase() bool { return s.OnlyIn != None || Review.Index(s.Phase) > 0 }

// Exists reports whether there is a state.json, readable or not.
func (s *State) Exists() bool { return s.Doc != nil }

// OK reports whether state.json contains an object that can be read (S ≠ ∅).
func (s *State) OK() bool { return s.Root.Exists() }

// Broken reports whether state.json exists but cannot be read as an object.
func (s *State) Broken() bool { return s.Exists() && !s.OK() }

// Value returns the value of a field; it is absent if the field is missing or null.
func (s *State) Value(key string) jsondoc.Value {
	if v := s.Root.Get(key); v.Kind() != jsondoc.Null {
		return v
	}
	return jsondoc.Value{}
}

// Has reports whether the field exists and is not null.
func (s *State) Has(key string) bool { return s.Value(key).Exists() }

// Verbatim returns the string of a field as written, or "" if it has none.
func (s *State) Verbatim(key string) string {
	text, _ := s.Value(key).Text()
	return text
}

// Text returns the trimmed string of a field, or "" if it has none (str).
func (s *State) Text(key string) string { return strings.TrimSpace(s.Verbatim(key)) }

// Int returns the value of an integer, or of a string of digits (int).
func (s *State) Int(key string) (int, bool) {
	if n, ok := s.Value(key).Int(); ok {
		return int(n), true
	}
	n, rest := words.Leading(s.Text(key))
	return n, n >= 0 && rest == ""
}

// Rejected reports whether the schema rejects a field. The host reports that, so this plugin's rules skip the field.
func (s *State) Rejected(key string) bool {
	pointer := jsondoc.Pointer(key)
	return s.Doc != nil && slices.ContainsFunc(s.Doc.Faults, func(f wire.DocumentFault) bool {
		return f.Rule == wire.RuleSchema && (f.Pointer == pointer || strings.HasPrefix(f.Pointer, pointer+"/"))
	})
}

// Judged reports whether rules may check a field's value: it exists, is not null, and the schema accepts it.
func (s *State) Judged(key string) bool { return s.Has(key) && !s.Rejected(key) }

// At returns the location of a field's value.
func (s *State) At(key string) sdk.Range { return sdk.AtPointer(StatePath, jsondoc.Pointer(key)) }

// numberOnlyIn implements the third rule of readType: it returns the workflow in which the phase has the recorded
// number, or None.
func (s *State) numberOnlyIn() *Kind {
	if n, ok := s.Int("phase_number"); ok && (s.Phase == "synthesis" || s.Phase == "complete") {
		for _, k := range kinds {
			if k.Index(s.Phase) == n {
				return k
			}
		}
	}
	return None
}

// A Stamp is the content of a time field.
type Stamp struct {
	Field     string
	Text      string // trimmed
	Malformed bool   // unreadable, but neither a placeholder nor rejected by the schema
	OK        bool   // it has an instant, so rules compare it with other times
	At        instant.Time
	Fault     string // if OK: why it is not in the UTC form that the tool writes, as words that follow the field
	Zoneless  bool   // it has no zone and is read as UTC
}

// Stamp returns the content of a time field.
func (s *State) Stamp(key string) Stamp {
	for _, st := range s.stamps {
		if st.Field == key {
			return st
		}
	}
	return Stamp{Field: key}
}

func (s *Stamp) read() {
	m, why := instant.Loose(s.Text)
	if why != "" || m.Precision == instant.Date || s.Text[4] != '-' {
		s.Malformed = true
		return
	}
	s.OK, s.At, s.Zoneless = true, m.At, m.Precision == instant.Local
	utc := []string{"Z", "z", "+00:00", "-00:00", "+0000", "-0000", "+00"}
	switch {
	case s.Zoneless:
		s.Fault = " has no zone"
	case !slices.ContainsFunc(utc, func(zone string) bool { return strings.HasSuffix(s.Text, zone) }):
		s.Fault = " is not in UTC"
	}
}

// isAhead reports whether the time is in the future, allowing for clocks that differ.
func (s Stamp) isAhead(p *sdk.Pass) bool { return s.OK && p.Before(s.At.Add(-clockError)) }

// printedTimes are the example times in the tool's own texts.
var printedTimes = []string{
	"2026-01-27T09:45:00Z", "2026-01-29T22:00:00Z", "2026-01-29T13:45:22Z",
	"2026-01-26T17:00:00Z", "2026-01-26T17:05:00Z", "2026-01-26T17:30:00Z",
}

// isRound reports whether the time is on a whole minute.
func (s Stamp) isRound() bool {
	_, _, second := s.At.Clock()
	return second == 0 && s.At.Fraction() == 0
}

func (s Stamp) isCopied() bool { return s.OK && slices.Contains(printedTimes, s.At.String()) }

// isPlaceholder reports whether a string consists of {…}, <…>, or a shell expansion: $NAME, ${…}, $(…).
func isPlaceholder(s string) bool {
	s = strings.TrimSpace(s)
	if len(s) < 2 {
		return false
	}
	switch s[:1] + s[len(s)-1:] {
	case "{}", "<>":
		return true
	case "$}", "$)":
		return s[1] == '{' || s[1] == '('
	}
	return s[0] == '$' && (s[1] == '_' || isLetter(s[1]))
}
