package literaturereview

import "github.com/stategate/stategate/sdk"

var formRules = []rule{
	{name: "missing-section", severity: sdk.Warning, review: missingSection,
		doc: "Sections of the state file are missing: it may be cut off.",
		why: "What stood there is lost unless git holds it.",
		fix: "Bring the sections back: copy them from the last commit that has them"},
	{name: "missing-column", severity: sdk.Error, review: missingColumn,
		doc: "The table of sources or papers lacks a required column.",
		why: "Its rows cannot be read without it.",
		fix: "Add the column: add it to the header and fill it in for every row"},
	{name: "unreadable-section", severity: sdk.Error, review: unreadableSection,
		doc: "A section that needs a table holds other text; an error where the base could be read, or else a " +
			"warning.",
		why: "No rule concludes anything from it, so faults in it stay unseen.",
		fix: "Write it as a table: write the section as a table with a row for each"},
	{name: "misaligned-row", severity: sdk.Warning, review: misalignedRow, index: misalignedRow,
		doc: "A row has more cells than its table has headings; most often a bare pipe in a text.",
		why: "Which cell belongs to which column cannot be decided, so none is read.",
		fix: `Escape the pipe: write \| for each | that is part of a text`},
	{name: "unread-text", severity: sdk.Warning, review: unreadText,
		doc: "Text is written where no rule reads it.\n\nIt is a second table, rows cut off from theirs, an open " +
			"fence or comment; or it ends within a line or a sentence, or says that content was left out.",
		why: "Agents and rules read the first table of a section only.",
		fix: "Make the text readable: join the rows to the first table, close what is open, or bring back what " +
			"is missing"},
	{name: "duplicate-section", severity: sdk.Error, review: duplicateSection, index: duplicateSection,
		doc: "A section, or everything under the title, is duplicated.\n\nIt is a warning, and an error if the " +
			"two contradict each other in a status or a tick.",
		why: "The first one is read; whoever works on the second one works in vain.",
		fix: "Keep one: bring what is right together in the first one and remove the second one"},
	{name: "unknown-value", severity: sdk.Error, review: unknownValue, index: unknownValue,
		replaces: "unknown-source-status unknown-paper-status unknown-exemplar-value unknown-index-status " +
			"unknown-index-mode",
		doc: "A status, mode or mark is not one of the known words: a warning; a status that the base could " +
			"read is an error.",
		severityIf: "Info if it says in other words whether a paper is an exemplar.",
		why:        "What it stands for is open, and no conclusion is drawn from it.",
		fix:        "Use a known word: write one of the expected words"},
	{name: "impossible-number", severity: sdk.Warning, review: impossibleNumber, index: impossibleNumber,
		doc: "A number is negative, too long, or a share above 100 %.\n\nNumbers have nine digits at most.",
		why: "It is not compared with anything.",
		fix: "Correct the number: write the real number, or leave the cell blank"},
	{name: "duplicate-row", severity: sdk.Warning,
		review: duplicateRow, row: duplicateIndexRow,
		replaces: "duplicate-source-row duplicate-index-row duplicate-paper",
		doc:      "Two rows or entries are about the same source, paper or review.\n\nThe first one is used.",
		why:      "The two go their own ways as soon as one of them is updated.",
		fix:      "Keep one: merge the two into one"},
	{name: "wrong-count", severity: sdk.Warning, review: wrongCount, source: wrongQueryCount,
		row: wrongIndexCount, replaces: "query-count-mismatch index-count-mismatch",
		doc: "A number differs from what it counts: papers below their table or in the index (more than " +
			"anything gives, while the review is under way), queries and papers of a source.",
		why: "Reports quote the number.", fix: "Correct the count: count again and write the number"},
}

var headerRules = []rule{
	{name: "unfilled-header", severity: sdk.Error, from: searching, review: unfilledHeader,
		doc:        "The search has begun, but Mode, Date or Topic is not filled in.",
		severityIf: "Warning unless the base has a Mode and it is gone.",
		why:        "The mode decides which sources and checks are needed, date and topic find the row of the index.",
		fix:        "Fill in the header: write the missing field"},
	{name: "mode-disagreement", severity: sdk.Warning, review: modeDisagreement, replaces: "mode-not-propagated",
		doc:        "The state file says Narrow Search, another document Full Review.",
		severityIf: "Info while an upgrade to Full Review has not reached every document.",
		why:        "Each document is read by other steps, which then work in different modes.",
		fix:        "Make the modes agree: write the mode of the review into every document"},
	{name: "misnamed-review-folder", severity: sdk.Warning, review: misnamedFolder,
		doc: "The folder is not named by date and slug.",
		why: "Rows of the index find their folders by date and topic.",
		fix: "Rename the folder: move it to <date>_<topic-slug>/ and update the Quick Link"},
	{name: "date-mismatch", severity: sdk.Warning, review: dateMismatch,
		doc: "A date does not exist, or differs from the folder's name.",
		why: "Rows of the index find their folders by date.",
		fix: "Correct the date: write the date of the folder's name"},
	{name: "date-in-future", severity: sdk.Warning, review: dateInFuture, doc: "A review is dated in the future.",
		why: "The date was made up, or a clock is wrong.",
		fix: "Correct the date: set Date to the day on which the review began, and rename the folder"},
}
