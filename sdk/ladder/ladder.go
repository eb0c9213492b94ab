// Package ladder compares what state claims with what the documents prove, phase by phase.
//
// A workflow climbs a ladder: each phase has a proof. An agent writes the state just before or just after the
// document that proves it, so a claim may be one rung off for a moment.
package ladder

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

// A Rung is one phase of a lifecycle.
type Rung struct {
	Proved bool
	Says   string // what proves it: "progress.md records R3_DONE"; shown if the state is behind
	Lacks  string // what is missing if it is not proved: "there is no plan.md"
	Unseen bool   // its proof may be there and was not delivered, see [sdk.Docs.Known]
	// Early says that a claim of this phase fits while the phase before is what is proved, as
	// where the state is written when the work begins.
	Early bool
}

// A Ladder has one rung for every phase of a lifecycle, in its order.
type Ladder struct {
	Life  *sdk.Lifecycle
	Rungs []Rung
}

// Top is the last rung that is proved, -1 if none is.
func (l *Ladder) Top() int {
	top := -1
	for i := range l.Rungs {
		if l.Rungs[i].Proved {
			top = i
		}
	}
	return top
}

// Observed is the phase that is proved, nil for none.
func (l *Ladder) Observed() *sdk.Phase {
	if top := l.Top(); top >= 0 {
		return l.Life.Phases[top]
	}
	return nil
}

// Fit says how a claim, as a place in the lifecycle, relates to what is proved; -1 is an unknown claim.
func (l *Ladder) Fit(claim int) sdk.Fit {
	switch top := l.Top(); {
	case claim < 0:
		return sdk.FitUnknown
	case claim == top, claim == top+1 && l.Rungs[claim].Early:
		return sdk.Consistent
	case claim+1 == top:
		return sdk.JustBehind
	case claim < top:
		return sdk.Behind
	}
	return sdk.Ahead
}

// Behind reports a claim that is two or more rungs below what is proved, and offers what is.
func (l *Ladder) Behind(r *check.Report, at sdk.Range, claim int) {
	if l.Fit(claim) != sdk.Behind {
		return
	}
	top := l.Top()
	says := l.Rungs[top].Says
	if says == "" {
		says = "the documents prove " + l.Life.Phases[top].Name
	}
	l.offer(r.At(at, say.Wrong(last(at), l.Life.Phases[claim].Name, l.Life.Phases[top].Name+": "+says)), at)
}

// Ahead reports a claim that is above what is proved, says what the first rung between lacks, and
// offers what is proved. It finds nothing where a proof between may be unseen.
func (l *Ladder) Ahead(r *check.Report, at sdk.Range, claim int) {
	if l.Fit(claim) != sdk.Ahead {
		return
	}
	lacks := ""
	for i := l.Top() + 1; i <= claim; i++ {
		if l.Rungs[i].Unseen {
			return
		}
		lacks = cmp.Or(lacks, l.Rungs[i].Lacks)
	}
	if lacks == "" {
		lacks = "its proof is missing"
	}
	l.offer(r.At(at, last(at)+" is "+l.Life.Phases[claim].Name+", but "+lacks), at)
}

func (l *Ladder) offer(f *check.Finding, at sdk.Range) {
	if proved := l.Observed(); proved != nil && at.Pointer != "" {
		f.Offer(sdk.Review, "Set "+last(at)+" to "+proved.Name, sdk.SetText(at.Path, at.Pointer, proved.Name))
	}
}

// last is the name of what is at a range.
func last(at sdk.Range) string {
	if name := at.Pointer[strings.LastIndexByte(at.Pointer, '/')+1:]; name != "" {
		return name
	}
	return "the phase"
}

// Names lists the phases of a lifecycle, as a vocabulary.
func Names(life *sdk.Lifecycle) []string {
	names := make([]string, len(life.Phases))
	for i, p := range life.Phases {
		names[i] = p.Name
	}
	return names
}
