package literaturereview

import "github.com/stategate/stategate/sdk"

var stateRules = []rule{
	{name: "state-missing", severity: sdk.Error, needs: lossy, review: missingProgress,
		replaces: "missing-progress",
		doc:      "A review folder has no REVIEW_PROGRESS.md.",
		why:      "Phase, sources and candidates are recorded nowhere else, so the next session would start over.",
		fix:      "Recover the state file: choose a recovery option: restore, rebuild or start fresh"},
	{name: "state-unreadable", severity: sdk.Error, needs: lossy, review: unreadableProgress,
		replaces: "unreadable-progress",
		doc:      "REVIEW_PROGRESS.md is blank, or lacks the Status and every required section.",
		why:      "It does not record where the review is.",
		fix:      "Recover the state file: choose a recovery option: restore, rebuild or start fresh"},
	{name: "phase-unknown", severity: sdk.Error, review: unknownPhase, replaces: "missing-status unknown-phase",
		doc: "The header's Status is missing, or does not name a phase from 0 to 5.",
		why: "A session that resumes continues with this phase.",
		fix: "Set the Status: write the review's phase into the header"},
	{name: "state-contradicts", severity: sdk.Error, review: conflictingStatus,
		replaces: "conflicting-status",
		doc:      "The header has two Status fields that name different phases.",
		why:      "Only one of them can be true, and different readers may use different ones.",
		fix:      "Keep one Status: remove the outdated Status field"},
}

var phaseRules = []rule{
	{name: "phase-ahead", severity: sdk.Error, also: true, review: phaseBeyond,
		replaces: "phase-beyond-evidence",
		doc:      "Status claims a phase whose evidence is missing.",
		why:      "A session that resumes would skip work that was never done or was lost.",
		fix:      "Record the missing evidence: if the work was done, record it where it belongs"},
	{name: "phase-behind", severity: sdk.Error, review: phaseBehind,
		replaces: "phase-stuck-at-start phase-behind-evidence",
		doc:      "Status is behind the phase that the documents show.",
		severityIf: "Warning unless Status is Phase 0 or 1 although the search has begun; info for Phase 0 with " +
			"concepts.",
		why: "A session that resumes would repeat finished work.",
		fix: "Set the Status: write the phase that the documents show"},
}
