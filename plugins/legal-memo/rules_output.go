package legalmemo

import "github.com/stategate/stategate/sdk"

// outputRules are about the files that agents write.
var outputRules = []rule{
	{group: "outputs", name: "done-without-evidence", severity: sdk.Error, each: outputMissing,
		needs:    onOutputs | onAll,
		replaces: "output-missing",
		doc:      "A file claims work whose output does not exist.",
		fix:      "Look for the output: Restore it from the repository, or let the agent write it again.",
		why: "Its output is absent or empty, where outputs are tracked: the work is lost, and would not be " +
			"done again. The review, the coverage analysis and the diagnostic need no report.",
		severityIf: "Warning if the report of a section has no heading of a complete subsection."},
	{name: "output-lost-text", severity: sdk.Error, each: outputLostText, needs: onOutputs,
		hides: "output-below-minimum",
		doc:   "An output has less than half of the recorded words.",
		fix:   "Restore the text: Restore it from the repository, or rewrite the lost part.",
		why: "It has less than half of the words that metrics.word_count records (shrink.lost): the file was " +
			"overwritten or cut."},
	{name: "output-below-minimum", severity: sdk.Error, all: outputBelowMinimum, needs: onOutputs,
		doc: "An output is shorter than it has to be.", fix: "Write the rest: Continue the text, never start over.",
		why: "Reports need 3,000 words, the memorandum 50,000, the summary 2,500 and better 6,000 (min_words). Only " +
			"of finished files, and of a memorandum without a state."},
	{name: "truncated-output", severity: sdk.Error, all: truncatedOutput, needs: onOutputs,
		doc: "An output breaks off.", fix: "Continue the text: Continue from the last complete line.",
		why: "One of the last three lines is an ellipsis or begins with [continue, the last line is a " +
			"heading, or the memorandum does not end with END OF MEMORANDUM.",
		severityIf: "Warning while the agent is at work."},
	{name: "output-shorter-than-recorded", severity: sdk.Warning, each: outputShorterThanRecorded, needs: onOutputs,
		doc: "An output is clearly shorter than recorded.",
		fix: "Find the missing text: Compare it with an earlier revision.",
		why: "It has less than three quarters of the words that metrics.word_count records (shrink.short), or the " +
			"memorandum less than nine tenths of those that its unfinished synthesis records (shrink.edited): a part " +
			"that is recorded as appended is not there."},
	{name: "section-footer-unseen", severity: sdk.Warning, all: sectionFooterUnseen, needs: onOutputs,
		doc: "A section report does not end as they do.",
		fix: "Complete the report: Write its footnotes, and end it with a rule.",
		why: "No heading names footnotes, and neither the last lines nor those above the footnotes are a rule or " +
			"have END OF: the report may have been cut.",
		severityIf: "Info while the section is being written."},
	{name: "summary-without-references", severity: sdk.Warning, each: summaryWithoutReferences, needs: onOutputs,
		of:  1 << execSummary,
		doc: "A finished summary refers to no section.",
		fix: "Refer to the sections: Add to each finding the section that it comes from.",
		why: "The summary ends with references to sections. Without any, the reader cannot find what it sums up, or " +
			"it was cut."},
	{name: "several-reports-for-section", severity: sdk.Warning, all: severalReportsForSection, needs: onOutputs,
		doc: "A section has two reports.",
		fix: "Keep one report: Compare them, and keep the one that the memorandum has.",
		why: "Two files of section-reports/ are of one letter. The synthesis would append both or the wrong one."},
	{name: "output-without-state", severity: sdk.Warning, all: outputWithoutState, needs: onOutputs | onAll,
		replaces:   "section-without-state",
		doc:        "An output exists, but its agent has no state file.",
		fix:        "Create the state: Rebuild it from the output with stategate recover.",
		why:        "After a loss of context its agent would start over.",
		severityIf: "Info if no agent of that phase keeps a state, or a later phase has begun."},
	{name: "listed-file-missing", severity: sdk.Error, each: listedFileMissing, needs: onAll,
		doc: "A file that a state names does not exist.",
		fix: "Look for the files: Commit them if git does not have them, restore them, or take them off the list.",
		why: "No document has the name of a path in output_file, files_created, input_files_read, reports_list and " +
			"the like: it was lost or renamed. Inputs count only if their folder has files.",
		severityIf: "Warning if the file is finished, and unless the base revision has what is missing."},
	{name: "report-not-in-inventory", severity: sdk.Warning, each: reportNotInInventory, of: 1 << research,
		doc: "The inventory of the review lacks a specialist report.",
		fix: "Review the reports: Add them to the inventory, and review them.",
		why: "reports_list of PHASE_1_REPORT_INVENTORY lacks a report of specialist-reports/: it was not reviewed."},
	{name: "outputs-not-tracked", severity: sdk.Info, all: outputsNotTracked, needs: onAll,
		doc: "Outputs are not among the documents.", fix: "Set the option: Set outputs to tracked or untracked.",
		why: "Projects may keep the states and ignore the megabytes of reports. Then nothing proves what the states " +
			"claim. The option outputs says which of it is meant. Said only where a state claims one."},
	{name: "section-left-out", severity: sdk.Error, each: sectionLeftOut, needs: onOutputs,
		of: 1<<citation | 1<<execSummary, replaces: "section-without-citations summary-misses-section",
		doc:        "Citations or summary are finished without a section that has a report.",
		fix:        "Work through the section: Add it as pending, reopen the phase, and work through it.",
		why:        "Its footnotes are in no list, or the summary does not have it.",
		severityIf: "Warning while the phase that works through the sections is done and the file is not finished."},
	{name: "section-without-report", severity: sdk.Error, each: sectionWithoutReport, needs: onOutputs | onAll,
		of: 1<<citation | 1<<execSummary, replaces: "citations-of-missing-section",
		doc: "Citations or summary are taken from a section without a report.",
		fix: "Find the report: Restore it, or remove the section and renumber the footnotes.",
		why: "A complete entry is for a section without a report, so its content has no source; its footnotes " +
			"count in the running total."},
}
