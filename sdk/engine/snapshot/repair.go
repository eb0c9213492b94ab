package snapshot

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// repairs returns the remedies for an unreadable document, unless the plugin recovers it. A person has to resolve a
// merge conflict, because the base has only one of the two sides.
func repairs(doc *wire.Document, fault *wire.DocumentFault, report *wire.Report, before map[string]bool) []wire.Remedy {
	if fault.Kind == kindConflict {
		return []wire.Remedy{resolve(doc, fault)}
	}
	if list := formRepairs(doc, fault); len(list) > 0 {
		return list
	}
	recovers := func(r wire.Remedy) bool {
		return slices.ContainsFunc(r.Edits, func(e wire.Edit) bool { return e.Range.Path == doc.Path })
	}
	if fault.Rule != wire.RuleUnreadable || !before[doc.Path] ||
		slices.ContainsFunc(report.Recoveries, recovers) {
		return nil
	}
	if fault.Kind == "duplicate-key" { // restoring the document would undo all other changes
		return []wire.Remedy{{Title: "Remove one of the two keys", Safety: wire.Manual,
			Fixes: []string{wire.RuleUnreadable},
			Steps: []string{"Decide which value is true, and remove the other key, for example on line " +
				strconv.Itoa(fault.Line) + " of " + doc.Path + "."}}}
	}
	return []wire.Remedy{restored(doc.Path)}
}

// restored returns the remedy that restores a document from the base.
func restored(path string) wire.Remedy {
	return wire.Remedy{Title: "Restore it from the base", Safety: wire.Review, Fixes: []string{wire.RuleUnreadable},
		Edits: []wire.Edit{{Op: wire.Restore, Range: wire.Range{Path: path}}}}
}

// formRepairs returns remedies for a fault that preserve the document's meaning and change only its form.
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
