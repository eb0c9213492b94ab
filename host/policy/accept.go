package policy

import (
	"fmt"

	"github.com/stategate/stategate/host/policy/baseline"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

func stale(name string, n int) result.Note {
	what, them := "1 entry of this baseline no longer matches a finding", "it"
	if n > 1 {
		what, them = fmt.Sprintf("%d entries of this baseline no longer match a finding", n), "them"
	}
	return result.Note{Kind: result.BaselineStale, Place: result.Place{Path: name},
		Message: what + "; remove " + them + " with `stategate check --write-baseline`"}
}

// maxChanged is the number of changed baseline findings that get their own note.
const maxChanged = 10

// Accept suppresses the findings in a baseline, up to the number recorded for each, and returns the number of
// entries that matched nothing. A finding whose message has changed is also accepted and gets a note, because its
// values may be worse.
func Accept(r *result.Result, b *baseline.Baseline) (missed int) {
	ledger, unread := b.Ledger(), false
	for _, changed := range []bool{false, true} { // exact matches first
		for i := range r.Instances {
			inst := &r.Instances[i]
			kept := inst.Diagnostics[:0]
			for j, d := range inst.Diagnostics {
				if result.Unread(d.Rule) {
					unread = unread || ledger[d.Fingerprint] != nil
					delete(ledger, d.Fingerprint)
					kept = append(kept, d)
					continue
				}
				was, ok := ledger.Take(append([]string{d.Fingerprint}, d.Former...),
					func(message string) bool { return changed || message == d.Message })
				if !ok {
					kept = append(kept, d)
					continue
				}
				if was == d.Message {
					was = "" // unchanged
				}
				inst.Suppressed = append(inst.Suppressed,
					result.Suppressed{Diagnostic: d, Why: result.InBaseline, BaselineMessage: was})
				release(inst, &d, "by the baseline", kept, inst.Diagnostics[j+1:])
			}
			inst.Diagnostics = kept
		}
	}
	r.Notes = append(r.Notes, changed(r, b.Name)...)
	if unread {
		r.Notes = append(r.Notes, result.Note{Kind: result.BaselineStale, Place: result.Place{Path: b.Name},
			Message: "this entry is about state that could not be read, which can never be accepted: repair it, " +
				"then `stategate check --write-baseline`"})
	}
	return ledger.Missed(comparing(r))
}

// changed returns notes about baseline findings whose message has changed.
func changed(r *result.Result, name string) (notes []result.Note) {
	n := 0
	for _, i := range r.Instances {
		for _, d := range i.Suppressed {
			if d.BaselineMessage == "" || result.RuleName(d.Rule) == wire.RuleRunRemoved { // its message names the base
				continue
			}
			if n++; n <= maxChanged {
				notes = append(notes, result.Note{Kind: result.BaselineChanged, Place: d.Place,
					Message: fmt.Sprintf("finding in the baseline changed [%s]: was: %s; is: %s; %s", d.Rule,
						d.BaselineMessage, d.Message, acceptIt)})
			}
		}
	}
	if n > maxChanged {
		notes = append(notes, result.Note{Kind: result.BaselineChanged, Place: result.Place{Path: name},
			Message: fmt.Sprintf("%d more findings in the baseline changed (--format json lists them); %s",
				n-maxChanged, acceptIt)})
	}
	return notes
}

const acceptIt = "accept it with `stategate check --write-baseline`, or restore the old state"
