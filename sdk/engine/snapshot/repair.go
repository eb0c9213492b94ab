package snapshot

import (
	"fmt"

	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// formRepairs are the remedies of a fault that keep the meaning of a document and
// change no more than its form.
func formRepairs(doc *wire.Document, fault *wire.DocumentFault) []wire.Remedy {
	if fault.Kind != "syntax" || doc.Need != wire.Content {
		return nil
	}
	offsets, ok := jsondoc.TrailingCommas(doc.Text)
	if !ok {
		return nil
	}
	r := wire.Remedy{Title: "Remove the trailing comma", Safety: wire.Safe, Fixes: []string{wire.RuleUnreadable}}
	if len(offsets) > 1 {
		r.Title = fmt.Sprintf("Remove the %d trailing commas", len(offsets))
	}
	for _, at := range offsets {
		r.Edits = append(r.Edits, wire.Edit{Op: wire.Replace,
			Range: wire.Range{Path: doc.Path, Bytes: true, Start: at, End: at + 1}})
	}
	return []wire.Remedy{r}
}
