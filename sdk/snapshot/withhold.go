//go:build !wasip1

package snapshot

import (
	"slices"

	"github.com/stategate/stategate/sdk/wire"
)

// withhold takes out of a report the remedies that would change a document
// whose name is not UTF-8: the plugin knows it by another name, under which
// nothing lies, and cannot tell. Its findings stay, and so does the host's own,
// which says to rename the file.
func withhold(request *wire.Request, report *wire.Report) {
	unnamed := map[string]bool{}
	for i := range request.Documents {
		doc := &request.Documents[i]
		if slices.ContainsFunc(doc.Faults, func(f wire.DocumentFault) bool { return f.Kind == faultName }) {
			unnamed[doc.Path] = true
		}
	}
	if len(unnamed) == 0 {
		return
	}
	changes := func(r wire.Remedy) bool {
		return slices.ContainsFunc(r.Edits, func(e wire.Edit) bool { return unnamed[e.Range.Path] })
	}
	for i := range report.Diagnostics {
		d := &report.Diagnostics[i]
		d.Remedies = slices.DeleteFunc(d.Remedies, changes)
	}
	report.Recoveries = slices.DeleteFunc(report.Recoveries, changes)
}

// faultName is the kind of fault of a document whose name is not UTF-8.
const faultName = "name"
