package snapshot

import (
	"fmt"
	"slices"

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

// restores are the remedies of a text that cannot be read, but could be in the base. Of an unresolved merge the base has
// one side only: a person comes first.
func restores(doc *wire.Document, fault *wire.DocumentFault, before bool) (list []wire.Remedy) {
	if at, _ := conflictOf(doc.Text); at >= 0 || fault.Kind == kindConflict {
		list = append(list, wire.Remedy{Title: "Resolve the conflict", Safety: wire.Manual,
			Steps: []string{"Keep one side or both in " + doc.Path + ", and remove the markers."}})
	}
	if before && slices.Contains([]string{kindConflict, "syntax", "encoding"}, fault.Kind) {
		list = append(list, restore(doc.Path))
	}
	return list
}

// restore is the remedy that gives up what became of a document since the base.
func restore(path string) wire.Remedy {
	return wire.Remedy{Title: "Restore " + path + " from the base", Safety: wire.Review,
		Fixes: []string{wire.RuleUnreadable},
		Edits: []wire.Edit{{Op: wire.Restore, Range: wire.Range{Path: path}}}}
}
