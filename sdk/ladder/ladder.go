// Package ladder compares the phase that the state claims with the phase that the documents prove.
//
// A workflow climbs a ladder: each phase has a proof. An agent writes the state just before or just after the
// document that proves the phase, so a claim may briefly be one rung off.
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
	Says   string // the proof: "progress.md records R3_DONE"; shown if the state is behind
	Lacks  string // what is missing if the phase is not proved: "there is no plan.md"
	Unseen bool   // its proof may exist although the host did not provide it; see [sdk.Docs.Known]
	// Early means that claiming this phase is consistent as soon as the previous phase is proved, because the state
	// is written when the work begins.
	Early bool
}

// A Ladder has one rung for each phase of a lifecycle, in order.
type Ladder struct {
	Life  *sdk.Lifecycle
	Rungs []Rung
}

// Top returns the index of the last proved rung, or -1 if there is none.
func (l *Ladder) Top() int {
	top := -1
	for i := range l.Rungs {
		if l.Rungs[i].Proved {
			top = i
		}
	}
	return top
}

// Observed returns the proved phase, or nil if there is none.
func (l *Ladder) Observed() *sdk.Phase {
	if top := l.Top(); top >= 0 {
		return l.Life.Phases[top]
	}
	return nil
}

// Fit compares a claim, as an index in the lifecycle, with the proved phase. An unknown claim is -1.
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

// Behind reports a claim that is two or more rungs below the proved phase, and offers to set the proved phase.
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

// Ahead reports a claim above the proved phase. The message says what the first rung above that phase lacks, and the
// remedy sets the proved phase. Ahead reports nothing if a rung up to the claim is Unseen.
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

// last returns the name of the field at a range.
func last(at sdk.Range) string {
	if name := at.Pointer[strings.LastIndexByte(at.Pointer, '/')+1:]; name != "" {
		return name
	}
	return "the phase"
}

// Names returns the names of a lifecycle's phases, as a vocabulary.
func Names(life *sdk.Lifecycle) []string {
	names := make([]string, len(life.Phases))
	for i, p := range life.Phases {
		names[i] = p.Name
	}
	return names
}
