package legalmemo

import "github.com/stategate/stategate/sdk"

// memorandumRules are about the memorandum and its sections.
var memorandumRules = []rule{
	{group: "memorandum", name: "check-against-figures", severity: sdk.Error, each: checkAgainstFigures,
		of: 1 << synthesis, replaces: "check-passed-against-figures check-failed-against-figures",
		doc: "The result of a check contradicts its figures.",
		fix: "Check again: Run the check, and write its figures.",
		why: "passed is true, but actual does not reach target (of placeholders, and where target is 0, " +
			"exceeds it): the memorandum would be certified on it.",
		severityIf: "Warning if a note or a reason is beside it, and if passed is false although the figures " +
			"are good."},
	{name: "all-passed-beside-failed-check", severity: sdk.Error, each: failedCheck, of: 1 << synthesis,
		replaces:   "finished-with-failed-check",
		doc:        "A check failed, but the file is finished, or says that all passed.",
		fix:        "Repair what failed: Repair what the check found, or write in the check why it does not matter.",
		why:        "The memorandum would be certified on it.",
		severityIf: "Warning if the file is finished and no flag of PHASE_5_QUALITY says that all passed."},
	{name: "input-flag-off-files", severity: sdk.Error, each: inputFlagOffFiles, needs: onOutputs | onAll,
		of: 1 << synthesis, replaces: "verified-input-missing input-marked-absent",
		doc:        "input_files_verified says something else than the files.",
		fix:        "Find the input: Restore the file, or have its agent write it again.",
		why:        "An input is true, but no document has a name like that: the memorandum would lack it.",
		severityIf: "Warning if it is false, but the document exists now."},
	{name: "section-not-in-memorandum", severity: sdk.Error, each: sectionNotInMemorandum, needs: onOutputs,
		of: 1<<synthesis | 1<<assembly, hides: "section-count-off-reports",
		doc: "A section is recorded as appended and is not in the memorandum.",
		fix: "Append the sections: Append the reports to the memorandum, never start over.",
		why: "A section that do_not_repeat or sections_complete lists, or that has a report although all is " +
			"finished, has no heading in final-memorandum.md. It would never be appended. Another memorandum that " +
			"has it is named."},
	{name: "section-count-off-reports", severity: sdk.Error, each: sectionCountOffReports, needs: onOutputs | onAll,
		of:  1 << synthesis,
		doc: "The number of sections is not that of the reports.",
		fix: "Count again: Look which section is missing or was added, and correct the figures.",
		why: "section_reports, section_count or sections_integrated differs from the sections that have " +
			"reports: a section is left out.",
		severityIf: "Warning before the file is finished."},
	{name: "memorandum-under-another-name", severity: sdk.Warning, each: memorandumUnderAnotherName, needs: onOutputs,
		of:  1<<synthesis | 1<<assembly,
		doc: "A fuller memorandum has another name.",
		fix: "Compare the memoranda: Move the better one to final-memorandum.md.",
		why: "A final-memorandum-*.md of full length has more sections than final-memorandum.md, and the synthesis " +
			"is not finished: sections would be appended again."},
	{name: "assembly-complete-with-exit-code", severity: sdk.Error, each: assemblyWithExitCode, of: 1 << assembly,
		doc: "The assembly is called complete although its command failed.",
		fix: "Run the assembly again: Run it from the start, it is all or nothing.",
		why: "cat_exit_code is neither 0 nor null, so the memorandum is not whole."},
	{name: "section-appended-twice", severity: sdk.Warning, all: sectionAppendedTwice, needs: onOutputs,
		doc: "A section is in the memorandum twice.",
		fix: "Remove one: Compare the two, and take out the one that is out of date.",
		why: "final-memorandum.md has the same heading of a section twice, or more headings of it than in the base " +
			"revision: it was appended again after a loss of context."},
	{name: "pending-section-file", severity: sdk.Warning, all: pendingSectionFile,
		doc: "A section is in its own file instead of the memorandum.",
		fix: "Append and remove them: Append each to final-memorandum.md, then remove it.",
		why: "section-IV-X-integrated.md and -pending.md are forbidden: they are forgotten."},
}
