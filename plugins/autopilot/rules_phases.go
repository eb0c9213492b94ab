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
		Doc: "The phase's documents are ahead of its status.\n\nA phase that is ready to discuss has a " +
			"briefing, one that is ready to plan has a route, one that is ready to execute has finished tasks, or an " +
			"unfinished phase has a logbook.",
		Fix: "Set the status that the documents show, or move the document elsewhere."},
	{Name: "phase-ahead", Severity: sdk.Error, Needs: aPosition, Find: statusAhead,
		Replaces: []string{"briefing-missing", "route-missing", "phase-files-missing", "logbook-missing",
			"status-ahead-of-documents"},
		Advice: "Restore the document",
		Doc:    "The status requires a briefing or a route that the phase lacks.",
		SeverityIf: "Warning if phases/ is empty and was empty in the base, if only the logbook is missing, or if " +
			"only a phase between two others has no route.",
		Fix: "Restore the document from git, write it, or set the status back."},
	{Name: "empty-phase-document", Severity: sdk.Warning, Find: emptyPhaseDocument,
		Advice: "Write or remove the document",
		Doc:    "A briefing, route, logbook or PHASE.md is empty.",
		Fix:    "Write the document, or remove it."},
}
