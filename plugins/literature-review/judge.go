package literaturereview

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// judge determines the observed phase, and how the claimed phase fits it.
func (r *review) judge() {
	r.organize()
	r.floor, r.proof = r.lowest()
	r.ceiling, r.shut, r.shutIn = r.highest()
	claimed := r.claim.phase
	switch {
	case r.lost:
		if r.observed = r.floor; r.observed < searching {
			r.observed = noPhase
		}
	case claimed < 0:
		if r.observed = r.floor; r.floor == antagonizing && r.isChallenged() {
			r.observed = synthesizing
		}
	case claimed > r.ceiling:
		r.observed, r.fit = r.ceiling, sdk.Ahead
	case claimed == initializing && r.floor == interviewing:
		r.observed, r.fit = interviewing, sdk.JustBehind
	case claimed < r.floor && !(claimed == searching && r.isUnsettled()) &&
		!(claimed == organizing && r.stage != stageDone):
		r.observed, r.fit = r.floor, sdk.Behind
	default:
		r.observed, r.fit = claimed, sdk.Consistent
	}
	if r.fit == sdk.Consistent && r.isWrittenUp() {
		r.observed = complete
	}
	if r.unwritten = r.observed == complete && r.lr.readable() && !r.synthesized(); r.unwritten {
		if r.observed, r.fit = synthesizing, sdk.Ahead; len(r.openChecks()) > 0 {
			r.observed = antagonizing
		}
	}
}

// isWrittenUp reports whether a review whose Status says Phase 5 is finished: the index says so, and the synthesis is
// written. The workflow defines no other Status for the last phase.
func (r *review) isWrittenUp() bool {
	return r.claim.phase == synthesizing && r.ceiling == complete && r.row != nil && r.row.status == rowComplete &&
		r.synthesized()
}

func (r *review) isAntagonized() bool { return len(r.ticked) > 0 || r.critique }

// isChallenged reports whether the antagonistic review is finished: all its checks are ticked and the critique is
// written, or its section says so. No open work of organizing may be left.
func (r *review) isChallenged() bool {
	fields := r.rp.fields(r.rp.heading(antagonistSection).Section())
	says := begins(fold(r.rp.pick(fields, "status").real()), "complete,done,finished") > 0
	return r.critique && len(r.unticked) == 0 && (says || len(r.checks) > 0) && len(r.leftBehind()) == 0
}

func (r *review) hasGoals() bool { return r.goals[0] || r.goals[1] || r.goals[2] }

// lowest returns the earliest phase that the documents allow, and the evidence for it.
func (r *review) lowest() (phase int, proof string) {
	switch s := r.begun(); {
	case r.isAntagonized() && r.hasText():
		return antagonizing, "the antagonistic review is recorded"
	case r.hasEntries:
		return organizing, textName + " has entries"
	case r.annotated() > 0:
		return organizing, "Paper Tracking has " + say.Count(r.annotated(), "annotated paper")
	case s != nil:
		return searching, s.name + " is " + sourceStatuses.name(s.status)
	case r.ran:
		return searching, "queries were executed"
	case r.planned:
		return searching, "queries are planned"
	case len(r.concepts) > 0 || r.hasGoals():
		return interviewing, "goals or concepts are recorded"
	}
	return initializing, ""
}

// highest returns the latest phase that the documents allow: the gates of this phase and of all phases before it are
// open. It never returns a phase before r.floor. It also returns why the next gate is shut, and the section of the
// state file that shows this. A gate whose evidence cannot be seen is not shut.
func (r *review) highest() (phase int, shut, section string) {
	unseen := !r.lr.known || r.lr.opaque
	gates := [...]struct {
		open          bool
		shut, section string
	}{
		{len(r.concepts) > 0 || r.unread[inConcepts] || r.hasRun() || r.planned || !r.sm.known || r.sm.opaque,
			"Core Concepts has no rows", conceptsSection},
		{len(r.papers) > 0 || r.unread[inPapers] || r.cutPapers || r.hasEntries || unseen, "Paper Tracking has no rows",
			papersSection},
		{r.hasText(), r.noEntry(), ""},
		{r.isAntagonized() || r.mode != full, "no antagonistic check is recorded (Full Review)", antagonistSection},
	}
	hidden := r.unread[inSources] || r.unread[inPapers] || r.cutPapers || unseen || !r.sm.known || r.sm.opaque
	if r.claim.phase > searching && r.floor < searching && len(r.papers) == 0 && !hidden {
		if c := first(r.concepts, func(c *concept) bool { return c.lacks != "" }); c != nil {
			return interviewing, "the concept " + say.Quote(c.name) + " has no " + c.lacks, conceptsSection
		} else if len(r.sources) == 0 {
			return interviewing, "Search Status by Source has no rows", sourcesSection
		}
	}
	for i, gate := range gates {
		if !gate.open {
			return max(interviewing+i, r.floor), gate.shut, gate.section
		}
	}
	return complete, "", ""
}

// hasText reports whether the review text has entries, needs none, or cannot be seen.
func (r *review) hasText() bool {
	return r.hasEntries || len(r.papers) > 0 && r.kept() == 0 || !r.lr.known || r.lr.opaque
}

// textGone reports whether papers are annotated, but no text contains their annotations.
func (r *review) textGone() bool {
	isProcessed := some(r.papers, func(p *paper) bool { return p.rank == processed })
	isGone := r.lr.empty() || isProcessed && r.lr.readable() && !r.hasEntries
	return isGone && r.annotated() > 0 && !r.entryFile
}

// noEntry returns a message that no entry was written.
func (r *review) noEntry() string {
	if r.lr.doc == nil && r.lr.known {
		return textName + " does not exist"
	}
	return textName + " has no entry"
}

// untabled returns the topics that have exemplars, but no evidence table. If no topic has either, it returns the whole
// text as one topic. A narrow review may leave the table of the template empty.
func (r *review) untabled() []*topic {
	if !r.identifiable || r.mode == narrow && first(r.lr.heads,
		func(h *head) bool { return kindOf(h.name) == evidence }) != nil {
		return nil
	}
	if !some(r.topics, func(t *topic) bool { return t.exemplars > 0 || t.evidence > 0 }) {
		return r.topics[:1]
	}
	return those(r.topics, func(t *topic) bool {
		return t.exemplars > 0 && t.evidence == 0 &&
			r.topics[0].evidence == 0
	})
}

// stage returns the stage of organizing that a paper is in.
func (p *paper) stage(r *review) int {
	deep := stage3B
	if p.exemplar {
		deep = stage3C
	}
	switch {
	case p.annotated() && r.textGone():
		return deep
	case p.rank == excluded || p.rank == processed && !p.lacksEntry(r):
		return stageDone
	case p.rank == unknownStatus || p.rank == candidate:
		return stage3A
	case p.rank == included:
		return stage3B
	case p.rank == level2 && p.exemplar || p.entry == nil && r.identifiable || p.rank == processed:
		return deep
	}
	return stageDone
}

// lacksEntry reports whether the text has entries, but none for the paper.
func (p *paper) lacksEntry(r *review) bool {
	return p.entry == nil && r.identifiable && p.named()
}
