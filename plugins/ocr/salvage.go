package ocr

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// salvage reads what an unparsable state.json still says: each side of an unresolved merge, or what
// its keys still have. What it finds is a guess.
func (m *Model) salvage() (list []*State) {
	text := m.State.Doc.Text
	read := func(text string) {
		if s := readState(&sdk.Document{Path: StatePath, Format: sdk.JSON, Text: text}); s.OK() {
			list = append(list, s)
		}
	}
	if strings.Contains(text, "<<<<<<< ") {
		read(side(text, "<<<<<<< "))
		read(side(text, "======="))
	}
	if len(list) > 0 {
		return list
	}
	var members []string
	keys := []string{"session_id", "workflow_type", "status", "current_phase", "phase_number", Review.Number, Map.Number}
	for _, key := range append(keys, TimeFields...) {
		if v, ok := jsondoc.Salvage(text, key); ok {
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
