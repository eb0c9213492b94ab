// The build constraint keeps this package out of guests: importing it there fails to compile.

//go:build !wasip1

package vet

import (
	"fmt"
	"slices"

	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// A crowd is the key of a group of remedies with the same rule, title and severity.
type crowd struct {
	rule, title string
	severity    wire.Severity
}

// crowds groups the report's remedies by severity, rule and title if there are too many to try separately. Otherwise
// it returns nil.
func (t *trial) crowds(report *wire.Report) map[wire.Severity][][]wire.Remedy {
	var order []crowd
	alike, n := map[crowd][]wire.Remedy{}, len(report.Recoveries)
	for i := range report.Diagnostics {
		d := &report.Diagnostics[i]
		for _, r := range d.Remedies {
			if r.Safety == wire.Manual || Outside(t.Manifest, t.in.Root, r.Edits) != "" {
				continue
			}
			c := crowd{d.Rule, r.Title, snapshot.SeverityOf(t.Manifest, d)}
			if alike[c] == nil {
				order = append(order, c)
			}
			alike[c], n = append(alike[c], r), n+1
		}
	}
	if n <= MaxTries && n*size(&t.in) <= MaxBytes {
		return nil
	}
	groups := map[wire.Severity][][]wire.Remedy{}
	for _, c := range order {
		if len(alike[c]) > 1 {
			groups[c.severity] = append(groups[c.severity], alike[c])
		}
	}
	return groups
}

// tryTogether tries each group of remedies at once. If the check succeeds for a whole group, all its remedies
// are offered for review; a remedy that is applied alone is checked again. The remedies in other groups are tried
// separately within the budget.
func (t *trial) tryTogether(groups [][]wire.Remedy) {
	for _, alike := range groups {
		var edits []wire.Edit
		for _, r := range alike {
			edits = slices.Concat(edits, r.Edits)
		}
		if o, why := t.try(edits); why == "" && o.why == "" {
			for _, r := range alike {
				t.together[fmt.Sprint(r.Edits)] = o
			}
		}
	}
}
