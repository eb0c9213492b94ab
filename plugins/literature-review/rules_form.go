package literaturereview

import "github.com/stategate/stategate/sdk"

var formRules = []rule{
	{name: "missing-section", severity: sdk.Warning, review: missingSection,
		doc: "The state file lacks sections, so it may be truncated.",
		why: "Their content is lost unless git has it.",
		fix: "Restore the sections: copy them from the last commit that has them, or rebuild them from other files"},
	{name: "unreadable-section", severity: sdk.Error, review: unreadableSection, replaces: "missing-column",
		doc:        "A section that needs a table contains other text, or its table lacks a required column.",
		severityIf: "Warning for other text unless the base has the section in a readable form.",
		why:        "No rule can read it, so errors in it go unnoticed.",
		fix:        "Write it as a table: write the section as a table with these columns"},
	{name: "unread-text", severity: sdk.Warning, review: unreadText, index: misalignedRow, replaces: "misaligned-row",
		doc: "No rule reads some of the text.\n\nIt is a row with more cells than its table has columns, a " +
			"second table, rows separated from their table, or an unclosed fence or comment; or the text ends in " +
			"the middle of a line, or says that content was omitted.",
		why: "Agents and rules read only a section's first table.",
		fix: "Make the text readable: move the rows to the first table, write \\| for each | in a cell, close the " +
			"fence or comment, or restore the missing text"},
	{name: "duplicate-section", severity: sdk.Error, review: duplicateSection, index: duplicateSection,
		doc:        "A section, or everything under the title, is duplicated.",
		severityIf: "Warning unless the second one has a row or a checkbox that the first one lacks.",
		why:        "Only the first copy is read; edits to the second copy have no effect.",
		fix:        "Merge the sections: move the correct content to the first copy and remove the second copy"},
	{name: "unknown-value", severity: sdk.Error, review: unknownValue, index: unknownValue,
		replaces: "unknown-source-status unknown-paper-status unknown-exemplar-value unknown-index-status " +
			"unknown-index-mode",
		doc:        "A status, mode or mark is not one of the known words.",
		severityIf: "Warning unless the base has a readable status in its place.",
		why:        "Its meaning is unknown, so stategate draws no conclusion from it.",
		fix:        "Use a known word: write one of the expected words"},
	{name: "duplicate-row", severity: sdk.Warning,
		review: duplicateRow, row: duplicateIndexRow,
		replaces: "duplicate-source-row duplicate-index-row duplicate-paper",
		doc:      "Two rows or entries are about the same source, paper or review.\n\nThe first one is used.",
		why:      "The two diverge as soon as one of them is updated.",
		fix:      "Keep one: merge the two into one"},
	{name: "wrong-count", severity: sdk.Warning, review: wrongCount, source: wrongQueryCount,
		row: wrongIndexCount, replaces: "query-count-mismatch index-count-mismatch",
		doc: "The number of papers, in the index or the state file, or of queries is " +
			"wrong.\n\nWhile a review is in progress, the index may count fewer papers than its state file, but " +
			"not more.",
		why: "Reports quote the number.", fix: "Correct the count: count again and write the number"},
}

var headerRules = []rule{
	{name: "unfilled-header", severity: sdk.Error, from: searching, review: unfilledHeader,
		doc:        "The search has begun, but Mode is not filled in.",
		severityIf: "Warning unless the base has a Mode that is now missing.",
		why:        "The mode decides which sources and checks are needed.",
		fix:        "Fill in the header: write Narrow Search or Full Review"},
	{name: "mode-disagreement", severity: sdk.Warning, review: modeDisagreement, replaces: "mode-not-propagated",
		doc:        "The state file says Narrow Search, but another document says Full Review.",
		severityIf: "Info while an upgrade to Full Review has not reached every document.",
		why:        "Different steps read different documents, so they would work in different modes.",
		fix:        "Make the modes agree: write the review's mode into every document"},
	{name: "date-mismatch", severity: sdk.Warning, review: dateMismatch, replaces: "misnamed-review-folder",
		doc: "A date is invalid or differs from the folder's, or the folder's name is malformed.",
		why: "Index rows find their folders by date.",
		fix: "Correct the date: write the date in the folder's name, or rename the folder to <date>_<topic-slug>"},
}
