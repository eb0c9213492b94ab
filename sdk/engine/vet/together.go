// The build constraint keeps this package out of guests: importing it there fails to compile.

//go:build !wasip1

package vet

import (
	"fmt"
	"slices"

	"github.com/stategate/stategate/sdk/wire"
)

// tryTogether tries remedies with the same rule and title together if there are too many to try separately. If the
// check succeeds for all of them, they are offered for review; applying one alone checks it again. The others are
// tried separately within the budget.
func (t *trial) tryTogether(report *wire.Report) {
	type kind struct{ rule, title string }
	var kinds []kind
	alike, n := map[kind][]wire.Remedy{}, len(report.Recoveries)
	for i := range report.Diagnostics {
		d := &report.Diagnostics[i]
		for _, r := range d.Remedies {
			if r.Safety == wire.Manual || Outside(t.Manifest, t.in.Root, r.Edits) != "" {
				continue
			}
			k := kind{d.Rule, r.Title}
			if alike[k] == nil {
				kinds = append(kinds, k)
			}
			alike[k], n = append(alike[k], r), n+1
		}
	}
	if n <= MaxTries && n*size(&t.in) <= MaxBytes {
		return
	}
	t.together = map[string]*outcome{}
	for _, k := range kinds {
		var edits []wire.Edit
		for _, r := range alike[k] {
			edits = slices.Concat(edits, r.Edits)
		}
		if len(alike[k]) < 2 {
			continue
		}
		if o, why := t.try(edits); why == "" && o.why == "" {
			for _, r := range alike[k] {
				t.together[fmt.Sprint(r.Edits)] = o
			}
		}
	}
}
