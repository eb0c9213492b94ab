package policy

import (
	"fmt"
	"slices"

	"github.com/stategate/stategate/host/policy/baseline"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// maxChanged is how many known findings that have changed get a note of their own.
const maxChanged = 10

// Accept suppresses the findings of a baseline, as many of each as it knows, and returns how many of its entries were not
// met. A finding whose message is another one than the baseline's is accepted as well, but noted: the fault is
// the same, its values may be worse.
func Accept(r *result.Result, b *baseline.Baseline) (missed int) {
	left := b.Ledger()
	for _, changed := range []bool{false, true} { // exact matches go first
		suppress(r, func(d *result.Diagnostic) (string, bool) {
			return left.Take(d.Fingerprint, func(message string) bool { return changed || message == d.Message })
		})
	}
	r.Notes = append(r.Notes, changed(r, b.Name)...)
	return left.Missed()
}

// suppress suppresses the findings that are known.
func suppress(r *result.Result, known func(*result.Diagnostic) (was string, ok bool)) {
	for i := range r.Instances {
		inst := &r.Instances[i]
		inst.Diagnostics = slices.DeleteFunc(inst.Diagnostics, func(d result.Diagnostic) bool {
			was, ok := known(&d)
			if was == d.Message {
				was = "" // unchanged
			}
			if ok {
				inst.Suppressed = append(inst.Suppressed, result.Suppressed{Diagnostic: d, Why: result.Known, Was: was})
			}
			return ok
		})
	}
}

// changed notes the known findings whose message is another one now.
func changed(r *result.Result, name string) (notes []result.Note) {
	n := 0
	for _, i := range r.Instances {
		for _, d := range i.Suppressed {
			if d.Was == "" || result.RuleName(d.Rule) == wire.RuleRunRemoved { // which names the base
				continue
			}
			if n++; n <= maxChanged {
				notes = append(notes, result.Note{Kind: result.BaselineChanged, Place: d.Place, Message: fmt.Sprintf("known finding changed [%s]: was: %s; is: %s; %s", d.Rule, d.Was, d.Message, acceptIt)})
			}
		}
	}
	if n > maxChanged {
		notes = append(notes, result.Note{Kind: result.BaselineChanged, Place: result.Place{Path: name}, Message: fmt.Sprintf("%d more known findings have changed (--format json lists them); %s", n-maxChanged, acceptIt)})
	}
	return notes
}

const acceptIt = "accept it with `stategate check --write-baseline`, or restore what it was"
