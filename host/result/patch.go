package result

import (
	"strings"

	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// Patch returns the text that a remedy puts in the place of its finding, if that is
// all it does: then an editor can do the same.
func (d *Diagnostic) Patch(r *Remedy) (text string, ok bool) {
	if d.Found == nil || len(r.Edits) != 1 || d.Place.Line == 0 || strings.Contains(r.Edits[0].New, "${now}") {
		return "", false
	}
	e, at := &r.Edits[0], d.Found.Range
	switch {
	case e.Range.Path != at.Path || e.Range.Key || at.Key:
		return "", false
	case e.Op == wire.Replace:
		return e.New, at.End > 0 && e.Range.Start == at.Start && e.Range.End == at.End
	case e.Op == wire.Set && at.Pointer != "" && e.Range.Pointer == at.Pointer:
		doc, err := jsondoc.Parse(e.New)
		return e.New, err == nil && doc.Root().Len() == 0
	}
	return "", false
}
