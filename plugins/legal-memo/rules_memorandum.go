package legalmemo

import "github.com/stategate/stategate/sdk"

// memorandumRules check the memorandum and its sections.
var memorandumRules = []rule{
	{group: "memorandum", name: "check-against-figures", severity: sdk.Error, each: checkAgainstFigures,
		of: 1 << synthesis, replaces: "check-passed-against-figures check-failed-against-figures",
		doc: "A check's result contradicts its figures.",
		fix: "Run the check again: Run the check, and record its figures.",
		why: "passed is true, but actual is below target (or above it for placeholders and for a target of " +
			"0). The memorandum would be certified on a wrong result.",
		severityIf: "Warning if the check has a note or a reason, or if passed is false although the figures are " +
			"good."},
	{name: "all-passed-beside-failed-check", severity: sdk.Error, each: failedCheck, of: 1 << synthesis,
		replaces: "finished-with-failed-check",
		doc:      "A check failed, but the file is finished or records success.",
		fix: "Fix the failure: Fix the problem that the check found, or note in the check why it does not " +
			"matter.",
		why:        "The memorandum would be certified on a wrong result.",
		severityIf: "Warning if the file is finished but no PHASE_5_QUALITY flag says that all checks passed."},
	{name: "input-flag-off-files", severity: sdk.Error, each: inputFlagOffFiles, needs: onOutputs | onAll,
		of: 1 << synthesis, replaces: "verified-input-missing input-marked-absent",
		doc:        "input_files_verified does not match the existing files.",
		fix:        "Restore the input: Restore the file, or have its agent write it again.",
		why:        "An input is true, but no document has a matching name, so the memorandum would lack it.",
		severityIf: "Warning if the input is false, but the document exists now."},
	{name: "section-not-in-memorandum", severity: sdk.Error, each: sectionNotInMemorandum, needs: onOutputs,
		of: 1<<synthesis | 1<<assembly, hides: "section-count-off-reports",
		doc: "A section is recorded as appended, but the memorandum lacks it.",
		fix: "Append the sections: Append the reports to the memorandum. Never start over.",
		why: "A section that do_not_repeat or sections_complete lists, or that has a report in a finished session, " +
			"has no heading in final-memorandum.md. It would never be appended. The finding names another " +
			"memorandum that contains it."},
	{name: "section-count-off-reports", severity: sdk.Error, each: sectionCountOffReports, needs: onOutputs | onAll,
		of:  1 << synthesis,
		doc: "The number of sections differs from the number of reports.",
		fix: "Recount the sections: Find the missing or added section, and correct the figures.",
		why: "section_reports, section_count or sections_integrated differs from the number of sections " +
			"with reports, so a section is left out.",
		severityIf: "Warning if the file is unfinished."},
	{name: "assembly-complete-with-exit-code", severity: sdk.Error, each: assemblyWithExitCode, of: 1 << assembly,
		doc: "The assembly is marked complete, but its command failed.",
		fix: "Rerun the assembly: Run the assembly from the start, because it is all or nothing.",
		why: "cat_exit_code is neither 0 nor null, so the memorandum is incomplete."},
	{name: "section-appended-twice", severity: sdk.Warning, all: sectionAppendedTwice, needs: onOutputs,
		doc: "The memorandum contains a section twice.",
		fix: "Remove one copy: Compare the two copies, and remove the outdated one.",
		why: "final-memorandum.md has a section's heading twice. The section was appended again after context " +
			"loss."},
	{name: "pending-section-file", severity: sdk.Warning, all: pendingSectionFile,
		doc: "A section is in a separate file instead of the memorandum.",
		fix: "Append the sections: Append each section to final-memorandum.md, then remove its file.",
		why: "The workflow forbids section-IV-X-integrated.md and -pending.md, because agents forget them."},
}
