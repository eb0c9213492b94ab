package legalmemo

import "github.com/stategate/stategate/sdk"

// outputRules check the files that agents write.
var outputRules = []rule{
	{group: "outputs", name: "done-without-evidence", severity: sdk.Error, each: outputMissing,
		needs:    onOutputs | onAll,
		replaces: "output-missing",
		doc:      "A file records work whose output does not exist.",
		fix:      "Restore the output: Restore the output from git, or have the agent write it again.",
		why: "The output is missing or empty although outputs are tracked. The work is lost and would not " +
			"be done again. The review, the coverage analysis and the diagnostic do not need a report.",
		severityIf: "Warning if a section's report lacks a complete subsection's heading."},
	{name: "output-lost-text", severity: sdk.Error, each: outputLostText, needs: onOutputs,
		hides: "output-below-minimum",
		doc:   "An output has less than half of its recorded words.",
		fix:   "Restore the text: Restore the text from git, or rewrite the lost part.",
		why:   "The file was overwritten or truncated: it has less than half of metrics.word_count (shrink.lost)."},
	{name: "output-below-minimum", severity: sdk.Error, all: outputBelowMinimum, needs: onOutputs,
		doc: "An output is shorter than the required minimum.",
		fix: "Write the rest: Continue the text. Never start over.",
		why: "Reports need 3,000 words, the memorandum 50,000, and the summary 2,500, preferably 6,000 (min_words). " +
			"Checked only for finished files, and for a memorandum without a state."},
	{name: "truncated-output", severity: sdk.Error, all: truncatedOutput, needs: onOutputs,
		doc: "An output is cut off.", fix: "Continue the text: Continue from the last complete line.",
		why: "One of the last three lines is an ellipsis or starts with [continue, the last line is a " +
			"heading, or the memorandum does not end with END OF MEMORANDUM.",
		severityIf: "Warning if the agent is still in progress."},
	{name: "output-shorter-than-recorded", severity: sdk.Warning, each: outputShorterThanRecorded, needs: onOutputs,
		doc: "An output is much shorter than recorded.",
		fix: "Find the missing text: Compare the output with an earlier revision.",
		why: "The output has less than three quarters of metrics.word_count (shrink.short), or the memorandum less " +
			"than nine tenths of the words that its unfinished synthesis records (shrink.edited). A part recorded " +
			"as appended is missing."},
	{name: "section-footer-unseen", severity: sdk.Warning, all: sectionFooterUnseen, needs: onOutputs,
		doc: "A section report lacks its footnotes or its end mark.",
		fix: "Complete the report: Write its footnotes, and end it with a rule (---).",
		why: "The report may be truncated: no heading mentions footnotes, and neither the last lines nor " +
			"those before the footnotes are a rule or contain END OF."},
	{name: "summary-without-references", severity: sdk.Warning, each: summaryWithoutReferences, needs: onOutputs,
		of:  1 << execSummary,
		doc: "A finished summary does not refer to any section.",
		fix: "Add references: Add each finding's section to the summary.",
		why: "A summary ends with references to sections. Without them readers cannot find the sources, or the " +
			"summary was truncated."},
	{name: "several-reports-for-section", severity: sdk.Warning, all: severalReportsForSection, needs: onOutputs,
		doc: "A section has two reports.",
		fix: "Keep one report: Compare the reports, and keep the one in the memorandum.",
		why: "Two files in section-reports/ have the same letter. The synthesis would append both, or the wrong one."},
	{name: "output-without-state", severity: sdk.Warning, all: outputWithoutState, needs: onOutputs | onAll,
		replaces:   "section-without-state",
		doc:        "An output exists, but its agent has no state file.",
		fix:        "Restore the state: Restore the state file, or write one that records what the output proves.",
		why:        "After context loss the agent would start over.",
		severityIf: "Info if no agent in that phase keeps a state, or if a later phase has started."},
	{name: "listed-file-missing", severity: sdk.Error, each: listedFileMissing, needs: onAll,
		doc: "A state names a file that does not exist.",
		fix: "Restore the files: Commit the files, restore them from git, or remove them from the list.",
		why: "No document matches a path in output_file, files_created, input_files_read, reports_list or a " +
			"similar list, so the file was deleted or renamed. Inputs are checked only if their directory contains " +
			"files.",
		severityIf: "Warning if the state is finished, or if the base lacks the file too."},
	{name: "section-left-out", severity: sdk.Error, each: sectionLeftOut, needs: onOutputs,
		of: 1<<citation | 1<<execSummary, replaces: "section-without-citations summary-misses-section",
		doc:        "The finished citations or summary lack a section that has a report.",
		fix:        "Process the section: Add the section as pending, reopen the phase, and process the section.",
		why:        "The section's footnotes are in no list, or the summary does not cover the section.",
		severityIf: "Warning if the phase that processes the sections is done, but the file is unfinished."},
	{name: "section-without-report", severity: sdk.Error, each: sectionWithoutReport, needs: onOutputs | onAll,
		of: 1<<citation | 1<<execSummary, replaces: "citations-of-missing-section",
		doc: "Citations or the summary use a section without a report.",
		fix: "Restore the report: Restore or write the report, then process it again. Otherwise, remove the " +
			"section and renumber the footnotes.",
		why: "A complete entry belongs to a section without a report, so its content has no source. Its footnotes " +
			"still count in the running total."},
}
