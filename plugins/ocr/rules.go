package ocr

import (
	"github.com/stategate/stategate/sdk"
)

// rules are the rules in the order of the workflow's specification.
var rules = []*sdk.Rule{
	// The state file.
	stateMissing, stateKeptElsewhere, stateSuperseded, stateHasByteOrderMark, duplicateKey,
	stateFieldMissing, unfilledPlaceholder, derivedDataStored, noncanonicalValue, phaseAlias,
	unknownPhase, unknownStatus, unknownWorkflowType, workflowTypeMismatch, workflowTypeMissing,
	phaseNumberMismatch, phaseNumberOffByOne, sessionIDMismatch, sessionNameNonstandard,
	// Phase, status, rounds.
	phaseAheadOfFiles, completeWithoutResult, phaseBehindFiles, phaseLagsFiles,
	closedUnfinished, closedPhaseStale, completeNotClosed, mapSessionClosed,
	roundBeyondFiles, roundBehindFiles, runBeyondFiles, runBehindFiles,
	roundNameMalformed, roundGap, unfinishedLeftBehind, legacyFlatLayout, strayFlatArtifact,
	// Documents.
	conflictMarkers, emptyArtifact, artifactGap, guidanceMissing, tooFewReviewers, resultsWithoutReviews,
	reviewerNameMalformed, reviewerNumberGap, discourseMissing, discourseUnexplained,
	finalWithoutVerdict, verdictUnrecognised, verdictContradictsBlockers,
	finalCitesMissingReview, finalOmitsReview, requirementsUnmapped, mapOmitsFile, artifactOfOtherSession,
	// Times.
	timestampMalformed, timestampNotUTC, timestampCopied, timestampInFuture, timestampsOutOfOrder,
	startDateMismatch, roundStartMissing, mapStartMissing, timestampsTooRound, staleSession,
	// Transitions.
	stateRemoved, startTimeRewritten, roundStartRewritten, workflowStartNotReset, updatedAtNotAdvanced,
	sessionIDChanged, phaseWentBack, sessionReopened, evidenceLost, finishedRoundRewritten,
}

// onSession is the Check of a rule that always looks.
func onSession(check func(*sdk.Pass, *Model)) func(*sdk.Pass) error {
	return func(p *sdk.Pass) error {
		check(p, model(p))
		return nil
	}
}

// onState is the Check of a rule about a readable state.json that is in use:
// the rules that the specification marks ◇.
func onState(check func(*sdk.Pass, *Model)) func(*sdk.Pass) error {
	return onSession(func(p *sdk.Pass, m *Model) {
		if m.State.OK() && m.v14 {
			check(p, m)
		}
	})
}

// onClaim is the Check of a rule about the claim on C. The claim must be a
// phase of its workflow and speak of the round (run) that work is in.
func onClaim(check func(*sdk.Pass, *Model)) func(*sdk.Pass) error {
	return onState(func(p *sdk.Pass, m *Model) {
		if m.C != nil && m.Fit != sdk.FitUnknown && !m.claimsEarlier() && m.sees(m.Series(m.T)) {
			check(p, m)
		}
	})
}

// onDocuments is the Check of a rule about the documents of each live subject.
func onDocuments(check func(*sdk.Pass, *Model, *Subject)) func(*sdk.Pass) error {
	return onSession(func(p *sdk.Pass, m *Model) {
		for _, s := range m.Live {
			check(p, m, s)
		}
	})
}

// onTransition is the Check of a rule that compares with the base revision.
func onTransition(check func(*sdk.Pass, *Model)) func(*sdk.Pass) error {
	return onSession(func(p *sdk.Pass, m *Model) {
		isSeen := m.State.Exists() || m.Known(StatePath)
		if m.Base != nil && isSeen && m.v14 && !m.isFresh() {
			check(p, m)
		}
	})
}

// readV14 reports whether no file shows that a later version keeps the session's
// state elsewhere, and none that cannot be seen might.
func (m *Model) readV14() bool {
	if m.SQLite() {
		return false
	}
	for _, s := range []*Series{&m.Rounds, &m.Runs} {
		for _, n := range append([]int{1}, s.Set...) {
			dir := directory(s.Kind, n)
			if !m.Known(dir+"round-meta.json") || !m.Known(dir+"final-human.md") || !m.Known(dir+"map-meta.json") {
				return false
			}
		}
	}
	return true
}

// claimsEarlier reports whether the state speaks of an earlier round (run) than
// the one that work is in: what it claims is not about C.
func (m *Model) claimsEarlier() bool {
	s := m.Series(m.T)
	return s.Claim > 0 && s.Claim < s.Working
}
