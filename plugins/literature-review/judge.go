package literaturereview

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// judge finds the observed phase.
func (r *review) judge() {
	r.stage = r.stages()
	r.floor = r.lowest()
	r.ceiling = r.highest()
	r.fit = sdk.FitUnknown
	claimed := r.claim.phase
	switch {
	case r.lost:
		r.observed = noPhase
		if r.hasEntries {
			r.observed = organizing
		} else if r.ran || r.planned {
			r.observed = searching
		}
	case claimed < 0:
		r.observed = r.floor
	case claimed > r.ceiling:
		r.observed, r.fit = r.ceiling, sdk.Ahead
	case claimed == initializing && r.floor == interviewing:
		r.observed, r.fit = interviewing, sdk.Lags
	case claimed < r.floor && !(claimed == searching && r.isUnsettled()) && !(claimed == organizing && r.stage != stageDone):
		r.observed, r.fit = r.floor, sdk.Behind
	default:
		r.observed, r.fit = claimed, sdk.Fits
	}
}

func (r *review) isAntagonized() bool { return r.ticked > 0 || r.critique }

func (r *review) hasGoals() bool { return r.goals[0] || r.goals[1] || r.goals[2] }

// lowest is the phase that the documents prove at least.
func (r *review) lowest() int {
	switch {
	case r.isAntagonized():
		return antagonizing
	case r.hasEntries || r.annotated() > 0:
		return organizing
	case r.hasRun() || r.planned:
		return searching
	case len(r.concepts) > 0 || r.hasGoals() || r.artifact:
		return interviewing
	}
	return initializing
}

// proof says what puts the floor where it is.
func (r *review) proof() string {
	switch {
	case r.isAntagonized():
		return "the antagonistic review is recorded"
	case r.hasEntries:
		return textName + " has entries"
	case r.floor == organizing:
		return "Paper Tracking has " + say.Count(r.annotated(), "annotated paper")
	case r.begun() != nil:
		return r.begun().name + " is " + statusOf(r.begun().status)
	case r.ran:
		return "queries were executed"
	case r.planned:
		return "queries are planned"
	}
	return "goals or concepts are recorded"
}

// highest is the last phase whose gate, and all before it, hold. What cannot be
// seen holds no gate shut.
func (r *review) highest() int {
	top := interviewing
	for phase := searching; phase <= complete && r.gate(phase); phase++ {
		top = phase
	}
	return max(top, r.floor)
}

// gate reports whether what a phase needs is there.
func (r *review) gate(phase int) bool {
	unseen := !r.lr.known || r.lr.opaque
	switch phase {
	case searching:
		return len(r.concepts) > 0 || r.unread[inConcepts] || r.hasRun() || r.planned || !r.sm.known || r.sm.opaque
	case organizing:
		return len(r.papers) > 0 || r.unread[inPapers] || r.cutPapers || r.hasEntries || unseen
	case antagonizing:
		return r.hasEntries || len(r.papers) > 0 && r.kept() == 0 || unseen
	}
	return r.isAntagonized() || r.mode != full
}

// shut says why the gate behind the ceiling is shut, and in which
// section of the state file that would be seen.
func (r *review) shut() (why, section string) {
	switch r.ceiling + 1 {
	case searching:
		return "Core Concepts has no row", conceptsSection
	case organizing:
		return "Paper Tracking has no row", papersSection
	case antagonizing:
		return textName + " has no entry", papersSection
	}
	return "no antagonistic check is recorded (Full Review)", antagonistSection
}

// stages finds what each paper needs, and the first stage with anything open.
func (r *review) stages() int {
	first := stageDone
	for _, p := range r.papers {
		p.stage = p.stageOf(r)
		first = min(first, p.stage)
	}
	if len(r.untabled()) > 0 {
		first = min(first, stage3D)
	}
	for _, e := range r.entries {
		if e.unverified(r) {
			first = min(first, stage3E)
		}
	}
	return first
}

// untabled lists the topics that lack their evidence table: those with exemplars, or the whole text if it has neither. A
// narrow review may leave that of the template empty.
func (r *review) untabled() []*topic {
	var list []*topic
	if !r.identifiable {
		return nil
	}
	for i := range r.lr.heads {
		if r.mode == narrow && kindOf(r.lr.heads[i].name) == evidence {
			return nil
		}
	}
	any := r.mode == narrow
	for _, t := range r.topics {
		any = any || t.exemplars > 0 || t.evidence > 0
		if t.exemplars > 0 && t.evidence == 0 && r.topics[0].evidence == 0 {
			list = append(list, t)
		}
	}
	if !any {
		return r.topics[:1]
	}
	return list
}

func (p *paper) stageOf(r *review) int {
	deep := stage3B
	if p.exemplar {
		deep = stage3C
	}
	switch {
	case p.rank == excluded || p.rank == processed:
		return stageDone
	case p.rank == unknownStatus || p.rank == candidate:
		return stage3A
	case p.rank == included || p.rank == level2 && p.exemplar || p.entry == nil && r.identifiable:
		return deep
	}
	return stageDone
}

// phaseTitle names a phase as the Status line does: "3 (Organizing)".
func phaseTitle(phase int) string {
	p := lifecycle.Phases[phase]
	return say.Int(p.Number) + " (" + p.Title + ")"
}
