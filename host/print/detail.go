package print

import (
	"slices"

	"github.com/stategate/stategate/host/result"
)

// A Detail says how much Text shows. The last line counts all findings in any case.
type Detail int

// The details.
const (
	Everything Detail = iota // every finding
	OfChange                 // what closes the gate, and every finding of a run that the change touches
	Closing                  // what closes the gate
)

// silent reports whether there is nothing to show: the gate is open, and the change touches no run.
func (o *Options) silent(r *result.Result) bool {
	if o.Detail == Everything || r.Gate(o.FailOn) != result.Open || len(r.Unlooked) > 0 {
		return false
	}
	return o.Detail == Closing || !slices.ContainsFunc(r.Instances, func(i result.Instance) bool { return i.Touched })
}

// shown lists the findings of an instance that are shown.
func (o *Options) shown(i *result.Instance) []result.Diagnostic {
	if o.Detail == Everything || o.Detail == OfChange && i.Touched {
		return i.Diagnostics
	}
	return slices.DeleteFunc(slices.Clone(i.Diagnostics), func(d result.Diagnostic) bool { return d.Severity < o.FailOn })
}
