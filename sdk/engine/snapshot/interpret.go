package snapshot

import (
	"errors"

	"github.com/stategate/stategate/sdk/wire"
)

// outline outlines a Markdown document. Where it exceeds what an outline can
// hold, the document has a fault and no outline.
func outline(doc *wire.Document) {
	m := scratches.Get().(*scratch)
	defer scratches.Put(m)
	o, err := m.outline(doc.Text)
	if err == nil {
		doc.Outline = o.Encode(nil)
		m.nodes = o.Nodes[:0]
		return
	}
	f := wire.DocumentFault{Rule: wire.RuleUnreadable, Kind: "outline", Key: "outline", Message: err.Error()}
	var limit *OutlineError
	if errors.As(err, &limit) {
		f.Line, f.Message = limit.Line, limit.Found
	}
	doc.Faults = append(doc.Faults, f)
}
