package literaturereview

import (
	"github.com/stategate/stategate/sdk"
)

// judge finds the observed phase.
func (r *review) judge() {
	r.stage = r.stages()
	r.floor = r.lowest()
	r.ceiling = r.highest()
	for _, s := range r.sources {
		if r.unsettled(s) && r.reopened == nil {
			r.reopened = s
		}
		s.settled = s.class == classComplete || s.class == classSkipped
	}
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

// begun reports whether a source was begun.
//
//go:noinline
func (r *review) begun() *source {
	for _, s := range r.sources {
		if s.class == classRunning || s.class == classComplete {
			return s
		}
	}
	return nil
}

func (r *review) hasRun() bool { return r.ran || r.begun() != nil }

// isUnsettled reports whether a source is open; in a full review a missing row
// is, too.
func (r *review) isUnsettled() bool {
	has := 0
	for _, s := range r.sources {
		if r.unsettled(s) {
			return true
		}
		if s.id < extraSource && s.twin == nil {
			has++
		}
	}
	return r.mode == full && !r.ownSources && has < extraSource
}

//go:noinline
func (r *review) isAntagonized() bool { return r.ticked > 0 || r.critique }

// annotated counts the papers that were annotated.
func (r *review) annotated() int {
	n := 0
	for _, p := range r.papers {
		if p.rank >= level2 && p.rank <= processed {
			n++
		}
	}
	return n
}

// kept counts the papers that are not excluded.
//
//go:noinline
func (r *review) kept() int {
	n := 0
	for _, p := range r.papers {
		if p.rank != excluded {
			n++
		}
	}
	return n
}

// lowest is the phase that the documents prove at least.
func (r *review) lowest() int {
	isGoal := r.goals[0] || r.goals[1] || r.goals[2] || r.artifact
	switch {
	case r.isAntagonized():
		return antagonizing
	case r.hasEntries || r.annotated() > 0:
		return organizing
	case r.hasRun() || r.planned:
		return searching
	case len(r.concepts) > 0 || isGoal:
		return interviewing
	}
	return initializing
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
		return len(r.concepts) > 0 || r.unread[unreadConcepts] || r.hasRun() || r.planned || !r.sm.known || r.sm.opaque
	case organizing:
		return len(r.papers) > 0 || r.unread[unreadPapers] || r.papersCut || r.hasEntries || unseen
	case antagonizing:
		return r.hasEntries || len(r.papers) > 0 && r.kept() == 0 || unseen
	}
	return r.isAntagonized() || r.mode != full
}

// stages finds what each paper needs, and the first stage with anything open.
func (r *review) stages() int {
	first := stageDone
	for _, p := range r.papers {
		p.stage = p.stageOf(r)
		first = min(first, p.stage)
	}
	for _, t := range r.topics {
		if r.untabled(t) {
			first = min(first, stage3D)
		}
	}
	for _, e := range r.entries {
		if e.unverified(r) {
			first = min(first, stage3E)
		}
	}
	return first
}

// untabled reports whether a topic lacks its evidence table.
func (r *review) untabled(t *topic) bool {
	return r.mode != narrow && r.identifiable && t.exemplars > 0 && t.evidence == 0 && r.topics[0].evidence == 0
}

func (p *paper) stageOf(r *review) int {
	hasEntry := p.entry != nil || !r.identifiable
	deep := stage3B
	if p.exemplar {
		deep = stage3C
	}
	switch {
	case p.rank == excluded || p.rank == processed:
		return stageDone
	case p.rank == unknownStatus || p.rank == candidate:
		return stage3A
	case p.rank == included || p.rank == level2 && p.exemplar:
		return deep
	case hasEntry:
		return stageDone
	}
	return deep
}

// phaseTitle names a phase as the Status line does: "3 (Organizing)".
func phaseTitle(phase int) string {
	p := lifecycle.Phases[phase]
	return itoa(p.Number) + " (" + p.Title + ")"
}
