package legalmemo

import "github.com/stategate/stategate/sdk"

// figureRules check the figures in a state file.
var figureRules = []rule{
	{group: "figures", name: "counter-beyond-total", severity: sdk.Error, each: counterBeyondTotal,
		hides: "counter-beside-items", replaces: "score-beyond-max weighted-beyond-gross",
		doc: "A figure exceeds its upper bound.",
		fix: "Recount the items: Count the items, and correct the counter or the total.",
		why: "A counter exceeds its total, so one of the two is wrong.",
		severityIf: "Warning for a score above its maximum, for a weighted exposure above the gross exposure, and " +
			"for the synthesis, which may count front and back matter."},
	{name: "counter-below-total", severity: sdk.Error, each: counterBelowTotal,
		replaces: "finished-below-total phase-done-below-total",
		doc:      "Work is marked done, but its counter is below the total.",
		fix:      "Finish the remaining work: Reopen the phase and finish the remaining work, or correct the counter.",
		why: "No agent would do the remaining work. This includes parts that the phase itself records as " +
			"missing, such as the title page or a section's mapping (a warning)."},
	{name: "counter-beside-items", severity: sdk.Error, each: counterBesideItems,
		doc: "A counter differs from the number of complete items.",
		fix: "Recount the items: Count the complete items, and correct the counter or the list.",
		why: "sections_read, dimensions_scored, sections_processed or sections_appended differs from the " +
			"number of complete items, so an agent skips or repeats work.",
		severityIf: "Warning for a total such as sections_total."},
	{name: "footnotes-do-not-add-up", severity: sdk.Error, each: footnotesDoNotAddUp, of: 1 << citation,
		replaces: "counter-beside-phase footnote-guard-off-count",
		doc:      "The sections' footnotes do not add up to the total.",
		fix:      "Recount the footnotes: Count the footnotes in every section.",
		why: "The sum of footnotes_extracted, the figure of the phase or the end of do_not_repeat_footnotes differs " +
			"from footnotes_collected, which sets the next number. Footnote numbers would be repeated or skipped."},
	{name: "global-number-off-running-total", severity: sdk.Error, each: numberOffRunningTotal, of: 1 << citation,
		doc: "A section's last footnote number differs from the running total.",
		fix: "Renumber the footnotes: Number the footnotes from 1 in section order.",
		why: "In letter order, last_global_number (or the end of global_range) must equal the number of footnotes " +
			"so far. Otherwise references point to the wrong footnotes. Entries without a letter may come first or " +
			"not count."},
	{name: "footnote-file-off-count", severity: sdk.Error, each: footnoteFileOffCount, of: 1 << citation,
		doc: "The footnote file and the state record different footnote counts.",
		fix: "Find the difference: Find the section whose footnotes the state does not count, or restore or " +
			"extract the missing footnotes.",
		why: "An agent wrote a footnote but not the state, or the reverse. The file is right. Checked if each " +
			"footnote has a line [n] and the numbers run from 1 without a gap, or if the file is missing although " +
			"footnotes are recorded."},
	{name: "duplicate-footnote-number", severity: sdk.Error, all: duplicateFootnoteNumber, needs: onOutputs,
		hides: "footnote-file-off-count",
		doc:   "A footnote number appears on two lines.",
		fix:   "Renumber the footnotes: Renumber the footnotes from the first duplicate on.",
		why:   "The numbers came from an outdated state, so one reference points to two footnotes."},
	{name: "footnote-number-gap", severity: sdk.Warning, all: footnoteNumberGap, needs: onOutputs,
		replaces: "elided-footnotes",
		doc:      "Footnotes are missing from the file.",
		fix:      "Write the missing footnotes: Write the footnotes, or renumber those after the gap.",
		why: "A number below the highest is missing, or a line such as [Footnotes 40-80 …] or [Due to length " +
			"…] replaces footnotes. The next number would be wrong, and no later step adds the footnotes."},
	{name: "parts-beside-whole", severity: sdk.Warning, each: partsBesideWhole,
		replaces: "list-beside-counter facts-do-not-add-up issue-count-off-list specialist-count-off-reports",
		doc:      "The parts of a figure do not add up to it.",
		fix:      "Recount the items: Count the items, and correct the wrong list or figure.",
		why: "Figures in one file do not add up, or a list's length differs from its counter. In an " +
			"unfinished file, usually only a longer list is reported. Lists with an ellipsis are excerpts."},
	{name: "counted-differently", severity: sdk.Warning, all: countedDifferently,
		replaces: "footnote-totals-differ footnotes-counted-differently cycle-counters-differ",
		doc:      "Two files record different figures for the same thing.",
		fix:      "Recount the items: Count the items, and correct the wrong figure.",
		why: "The memorandum and the validator differ in footnotes, or the orchestrator and the diagnostic " +
			"differ in cycles or limits, so one of them is outdated. Counts by section writers are not compared."},
	{name: "memorandum-size-differs", severity: sdk.Warning, all: memorandumSizeDiffers,
		doc: "The memorandum's size differs from the recorded size.",
		fix: "Check the memorandum: Compare the memorandum with the record, and record its size again.",
		why: "The assembly's line_count or file_size_kb differs from the memorandum by more than 5%, or A1's " +
			"word_count by more than 25%. The memorandum changed after its size was recorded."},
}
