package legalmemo

import "github.com/stategate/stategate/sdk"

// figureRules are about the figures of a state file.
var figureRules = []rule{
	{group: "figures", name: "counter-beyond-total", severity: sdk.Error, each: counterBeyondTotal,
		hides: "counter-beside-items", replaces: "score-beyond-max weighted-beyond-gross",
		doc: "A figure is above the one that bounds it.",
		fix: "Count again: Count the items, and correct the counter or the total.",
		why: "A counter is above its total, so that one of the two is wrong.",
		severityIf: "Warning for a score above its maximum, of a weighted exposure above the gross one, and " +
			"of the synthesis, since front and back matter may be counted."},
	{name: "counter-below-total", severity: sdk.Error, each: counterBelowTotal,
		replaces: "finished-below-total phase-done-below-total",
		doc:      "Work is called done although its counter does not reach the total.",
		fix:      "Finish the rest: Set the phase open and work through what is left, or correct the counter.",
		why: "What is left would not be done; nor what the phase itself says is not made, such as the title page, " +
			"or the mapping of a section (a warning). What was left out on purpose is counted with *_excluded, " +
			"*_skipped, *_deferred or *_failed."},
	{name: "counter-beside-items", severity: sdk.Error, each: counterBesideItems,
		doc: "A counter differs from the number of complete items.",
		fix: "Count again: Count the complete items, and correct the counter or the list.",
		why: "sections_read, dimensions_scored, sections_processed or sections_appended is not the number of " +
			"complete items, so that work is left out or done again.",
		severityIf: "Warning for sections_appended."},
	{name: "footnotes-do-not-add-up", severity: sdk.Error, each: footnotesDoNotAddUp, of: 1 << citation,
		hides: "counter-beside-phase footnote-guard-off-count footnote-file-off-count global-number-off-running-total",
		doc:   "The footnotes of the sections do not make up the total.",
		fix:   "Count again: Count the footnotes of every section.",
		why: "The sum of footnotes_extracted is not footnotes_collected, from which the next number is taken. " +
			"Numbers would be given twice or left out."},
	{name: "counter-beside-phase", severity: sdk.Error, each: counterBesidePhase, of: 1<<citation | 1<<research,
		doc: "A metric differs from the figure of its phase.",
		fix: "Count again: Count, and correct the figure that is wrong.",
		why: "footnotes_collected (error) or high_findings_count (warning) of metrics differs from the figure in " +
			"the phase: a resume goes by one of the two."},
	{name: "global-number-off-running-total", severity: sdk.Error, each: numberOffRunningTotal, of: 1 << citation,
		doc: "The last number of a section is not the running total.",
		fix: "Number again: Number the footnotes from 1 in the order of the sections.",
		why: "In the order of the letters last_global_number, or the end of global_range, is the sum of the " +
			"footnotes so far. References would point at other footnotes. Entries without a letter may be counted " +
			"first or not at all."},
	{name: "footnote-guard-off-count", severity: sdk.Error, each: footnoteGuardOffCount, of: 1 << citation,
		doc: "do_not_repeat_footnotes does not end at the number of footnotes.",
		fix: "Correct the guard: Write 1-N with N from footnotes_collected.",
		why: "do_not_repeat_footnotes is 1-N with N from footnotes_collected. Footnotes would be extracted twice, " +
			"or left out."},
	{name: "footnote-file-off-count", severity: sdk.Error, each: footnoteFileOffCount, of: 1 << citation,
		doc: "The file of footnotes holds another number than is recorded.",
		fix: "Find the difference: Find the section whose notes the state does not count, or restore or extract " +
			"again what the file lacks.",
		why: "Of a file in which every footnote has a line [n] and the numbers run from 1 without a gap, or that " +
			"does not exist although footnotes are recorded. The file is right: a footnote was written and the " +
			"state was not, or the reverse."},
	{name: "duplicate-footnote-number", severity: sdk.Error, all: duplicateFootnoteNumber, needs: onOutputs,
		hides: "footnote-file-off-count",
		doc:   "A footnote number is on two lines.",
		fix:   "Number again: Renumber the footnotes from the first repeated one.",
		why:   "Numbers were taken from a state that lagged behind: a reference is to two footnotes."},
	{name: "footnote-number-gap", severity: sdk.Warning, all: footnoteNumberGap, needs: onOutputs,
		replaces: "elided-footnotes",
		doc:      "Footnotes are missing from the file.",
		fix:      "Write the missing footnotes: Write them, or renumber the footnotes after the gap.",
		why: "A number below the highest is missing, or a line such as [Footnotes 40-80 …] or [Due to length …] is " +
			"in place of footnotes. The next number would be wrong, and no later step adds them."},
	{name: "parts-beside-whole", severity: sdk.Warning, each: partsBesideWhole,
		replaces: "list-beside-counter facts-do-not-add-up issue-count-off-list specialist-count-off-reports",
		doc:      "Parts do not make up their whole.",
		fix:      "Count again: Count, and correct the list or the figure that is wrong.",
		why: "Figures of one file that have to add up do not, or a list has another length than its counter. " +
			"Of an unfinished file mostly a longer list alone counts, and lists with an ellipsis are excerpts.",
		severityIf: "Info if the two may be counted in different ways."},
	{name: "finished-with-placeholders", severity: sdk.Warning, each: finishedWithPlaceholders, of: 1 << citation,
		doc: "Citations are finished, and placeholders are left.",
		fix: "Fill them in: Replace the placeholders by citations, and count again.",
		why: "placeholders_found is above zero in a finished validation of citations: the memorandum would have them."},
	{name: "counted-differently", severity: sdk.Warning, all: countedDifferently,
		replaces: "footnote-totals-differ footnotes-counted-differently cycle-counters-differ",
		doc:      "Two files have different figures of one thing.",
		fix:      "Count again: Count, and correct the figure that is wrong.",
		why: "The memorandum and the validator count other footnotes, or the orchestrator and the diagnostic other " +
			"cycles or another limit: one of them lags behind. What a section's writer counts is not compared."},
	{name: "word-figures-differ", severity: sdk.Warning, each: wordFiguresDiffer, of: 1 << synthesis,
		doc: "The figures of words differ.",
		fix: "Count again: Count the words of the memorandum, and correct the figures.",
		why: "The figures of words in the file differ by more than 5 %, so that one of them was not updated. Zeros " +
			"are not compared."},
	{name: "memorandum-size-differs", severity: sdk.Warning, all: memorandumSizeDiffers,
		doc: "The memorandum has another size than is recorded.",
		fix: "Compare the memorandum: Compare it with the record, and record its size again.",
		why: "line_count, or file_size_kb of the assembly, is more than 5 % off the memorandum, or word_count of A1 " +
			"more than 25 %: it changed after it was recorded."},
}
