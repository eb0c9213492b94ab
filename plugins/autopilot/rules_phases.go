package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

var phasesRules = []check.Rule[*model]{
	{Name: "phase-behind", Severity: sdk.Warning, Needs: aPosition, Find: statusBehind,
		Replaces: []string{"briefing-already-written", "route-already-written", "logbook-without-completion",
			"status-behind-documents"},
		Advice: "Find out what is done",
		Doc: "The documents of the phase are further than its status.\n\nIt is ready to discuss and has a " +
			"briefing, ready to plan and has a route, ready to execute and has tasks done, or has a logbook and " +
			"is not complete.",
		Fix: "Set the status that the documents prove, or move the document away."},
	{Name: "phase-ahead", Severity: sdk.Error, Needs: aPosition, Find: statusAhead,
		Replaces: []string{"briefing-missing", "route-missing", "phase-files-missing", "logbook-missing",
			"status-ahead-of-documents"},
		Advice: "Find the document",
		Doc:    "The phase is ready to plan without a briefing, or executed without a route.",
		SeverityIf: "Warning if phases/ has nothing at all, nor had in the base, if only the logbook is missing, " +
			"or if it is a phase between others.",
		Fix: "Restore what is missing from git, write it, or set the status back."},
	{Name: "empty-phase-document", Severity: sdk.Warning, Find: emptyPhaseDocument,
		Advice: "Write it or remove it",
		Doc:    "A briefing, route, logbook or PHASE.md is empty.",
		Fix:    "Write what belongs into the document, or remove it."},
	{Name: "phase-directory-repeated", Severity: sdk.Warning, Find: phaseForked,
		Replaces: []string{"phase-directory-forked"},
		Advice:   "Merge them",
		Doc:      "Two directories or files have the number of one phase.",
		Fix:      "Keep one of them and move what the other holds into it."},
}
