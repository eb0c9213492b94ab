package snapshot

import (
	"errors"
	"strings"

	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/yamldoc"
)

// checkYAML converts a YAML document to JSON. An unreadable document has no text.
func (b *Builder) checkYAML(doc *wire.Document, spec *wire.DocumentSpec) {
	read, err := yamldoc.Parse(doc.YAML)
	if err != nil {
		doc.Faults = append(doc.Faults, yamlFault(err, doc.YAML))
		return
	}
	doc.Text = read.JSON
	value, err := jsondoc.Parse(read.JSON)
	if err != nil { // too large for the JSON parser
		doc.Text = ""
		doc.Faults = append(doc.Faults, syntaxFault(err, 0))
		return
	}
	if spec.Schema == "" {
		return
	}
	lines := jsondoc.NewLines(doc.YAML)
	for _, breach := range b.schemas.check(spec.Schema, value) {
		f := breach.DocumentFault
		f.Start, f.End, _ = nearest(read, f.Pointer, breach.key)
		f.Bytes = true
		f.Line, _ = lines.Position(f.Start)
		if doc.Faults = append(doc.Faults, f); len(doc.Faults) == maxBreaches {
			return
		}
	}
}

func yamlFault(err error, text string) wire.DocumentFault {
	f := wire.DocumentFault{Rule: wire.RuleUnreadable, Kind: "syntax", Key: "syntax", Message: err.Error()}
	var fault *yamldoc.Error
	if !errors.As(err, &fault) {
		return f
	}
	f.Kind, f.Key, f.Pointer = fault.Kind, fault.Kind, fault.Pointer
	if f.Start, f.End = fault.Start, fault.End; f.End > 0 {
		f.Bytes = true
		f.Line, _ = jsondoc.Position(text, f.Start)
	}
	if start, end := conflictOf(text); start >= 0 {
		f.Kind, f.Key, f.Message = kindConflict, kindConflict, unresolved(text[start:start+7])
		f.Line, _ = jsondoc.Position(text, start)
		f.Bytes, f.Start, f.End, f.Pointer = true, start, end, ""
	}
	return f
}

// nearest finds the value or key at a pointer, or the key of the nearest parent that has a location, or the first
// byte.
func nearest(p edit.Places, pointer string, wantKey bool) (start, end int, ok bool) {
	for ; pointer != ""; wantKey = true {
		if wantKey {
			if start, end, ok = p.Key(pointer); ok {
				return start, end, true
			}
		}
		if start, end, ok = p.Lookup(pointer); ok {
			return start, end, true
		}
		slash := strings.LastIndexByte(pointer, '/')
		if slash < 0 {
			return 0, 0, false
		}
		pointer = pointer[:slash]
	}
	if start, _, ok = p.Lookup(""); !ok {
		return 0, 0, true
	}
	return start, start + 1, true
}
