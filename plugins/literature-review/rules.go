package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// A rule is one row of the table. It is data alone: a table that is made when a guest starts would
// make the guest larger.
type rule struct {
	name     string
	severity sdk.Severity
	needs    check.Needs
	from     int // the observed phase from which on it looks at reviews

	review func(*look)
	source func(*look, *source)
	paper  func(*look, *paper)
	entry  func(*look, *entry)
	row    func(*look, *row)
	index  func(*look)

	doc, why, fix   string // fix is the title of the remedy by hand, a colon and its step
	also            bool   // fix is another way beside remedies with edits
	hides, replaces string // names of rules, joined by blanks
}

// A group is a number of rules that are listed together.
type group struct {
	name  string
	rules []rule
}

var groups = [...]group{
	{"state file", []rule{
		{name: "missing-progress", severity: sdk.Error, needs: lossy, review: missingProgress,
			doc: "A review folder holds no REVIEW_PROGRESS.md.",
			why: "Phase, sources and candidates stand there alone: whoever resumes would begin anew.",
			fix: "Recover the state file: choose one of the recoveries: restore, rebuild or start fresh"},
		{name: "unreadable-progress", severity: sdk.Error, needs: lossy, review: unreadableProgress,
			doc: "REVIEW_PROGRESS.md is blank, or has neither a Status nor a section that every state file has.",
			why: "Nothing in it says where the review is.",
			fix: "Recover the state file: choose one of the recoveries: restore, rebuild or start fresh"},
		{name: "unknown-phase", severity: sdk.Error, review: unknownPhase, replaces: "missing-status",
			doc: "The header has no Status, or one that does not name a phase from 0 to 5.",
			why: "A resume reads there where to go on.",
			fix: "Set the Status: write the phase that the review is in into the header"},
		{name: "conflicting-status", severity: sdk.Error, review: conflictingStatus,
			doc: "The header has two Status fields that name different phases.",
			why: "Only one of them can be true, and each reader may take another.",
			fix: "Keep one Status: remove the Status field that is out of date"},
	}},
	{"phase", []rule{
		{name: "phase-beyond-evidence", severity: sdk.Error, also: true, review: phaseBeyond,
			doc: "Status claims a phase whose evidence is missing.",
			why: "A resume would skip work that was never done, or was lost.",
			fix: "Record the missing evidence: if the work was done, record it where it belongs"},
		{name: "phase-behind-evidence", severity: sdk.Error, review: phaseBehind, replaces: "phase-stuck-at-start",
			doc: "Status claims a phase in which nothing is open, and the documents prove a later one; an error " +
				"where it still says Phase 0 or 1 although the search has begun.",
			why: "A resume would do finished work again.",
			fix: "Set the Status: write the phase that the documents prove"},
		{name: "phase-name-mismatch", severity: sdk.Warning, review: phaseNameMismatch,
			doc: "The number of a Status and its words name different phases.",
			why: "The number is used; readers may go by the words.",
			fix: "Correct the Status: write the number and the words of one phase"},
	}},
	{"form", []rule{
		{name: "missing-section", severity: sdk.Warning, review: missingSection,
			doc: "Sections of the state file are missing: it may be cut off.",
			why: "What stood there is lost unless git holds it.",
			fix: "Bring the sections back: copy them from the last commit that has them"},
		{name: "missing-column", severity: sdk.Error, review: missingColumn,
			doc: "The table of sources or of papers lacks a column that it cannot do without.",
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
			doc: "Text is written where no rule reads it: a second table, rows cut off from theirs, an open fence " +
				"or comment; or it ends within a line or a sentence, or says that content was left out.",
			why: "Agents and rules read the first table of a section only.",
			fix: "Make the text readable: join the rows to the first table, close what is open, or bring back what " +
				"is missing"},
		{name: "duplicate-section", severity: sdk.Error, review: duplicateSection, index: duplicateSection,
			doc: "A section, or all below the title, is there twice: a warning; an error where the two contradict " +
				"each other in a status or a tick.",
			why: "The first one is read; whoever works on the second one works in vain.",
			fix: "Keep one: bring what is right together in the first one and remove the second one"},
		{name: "unknown-value", severity: sdk.Error, review: unknownValue, index: unknownValue,
			replaces: "unknown-source-status unknown-paper-status unknown-exemplar-value unknown-index-status " +
				"unknown-index-mode",
			doc: "A status, mode or mark is not one of the known words: a warning; a status that the base could " +
				"read is an error.",
			why: "What it stands for is open, and no conclusion is drawn from it.",
			fix: "Use a known word: write one of the expected words"},
		{name: "impossible-number", severity: sdk.Warning, review: impossibleNumber, index: impossibleNumber,
			doc: "A number is negative, has more than nine digits, or is a share above 100 %.",
			why: "It is not compared with anything.",
			fix: "Correct the number: write the real number, or leave the cell blank"},
		{name: "duplicate-row", severity: sdk.Warning,
			review: duplicateRow, row: duplicateIndexRow,
			replaces: "duplicate-source-row duplicate-index-row duplicate-paper",
			doc: "Two rows of a table, or two entries of the review text, are about the same source, paper or " +
				"review; the first one is used.",
			why: "The two go their own ways as soon as one of them is updated.",
			fix: "Keep one: merge the two into one"},
		{name: "wrong-count", severity: sdk.Warning, review: wrongCount, source: wrongQueryCount,
			row: wrongIndexCount, replaces: "query-count-mismatch index-count-mismatch",
			doc: "A number differs from what it counts: papers below their table or in the index (more than " +
				"anything gives, while the review is under way), queries of a source.",
			why: "Reports quote the number.", fix: "Correct the count: count again and write the number"},
	}},
	{"header", []rule{
		{name: "unfilled-header", severity: sdk.Error, from: searching, review: unfilledHeader,
			doc: "Date, Topic or Mode is not filled in although the search has begun: a warning; for a Mode that " +
				"the base has, an error.",
			why: "The mode decides which sources and checks are needed, date and topic find the row of the index.",
			fix: "Fill in the header: write the missing field"},
		{name: "mode-disagreement", severity: sdk.Warning, review: modeDisagreement, replaces: "mode-not-propagated",
			doc: "The state file says Narrow Search, another document Full Review; an info while an upgrade to Full " +
				"Review has not reached every document.",
			why: "Each document is read by other steps, which then work in different modes.",
			fix: "Make the modes agree: write the mode of the review into every document"},
		{name: "misnamed-review-folder", severity: sdk.Warning, review: misnamedFolder,
			doc: "The folder is not named by date and slug.",
			why: "Rows of the index find their folders by date and topic.",
			fix: "Rename the folder: move it to <date>_<topic-slug>/ and update the Quick Link"},
		{name: "date-mismatch", severity: sdk.Warning, review: dateMismatch,
			doc: "A date does not exist, or is not that of the folder's name.",
			why: "Rows of the index find their folders by date.",
			fix: "Correct the date: write the date of the folder's name"},
		{name: "date-in-future", severity: sdk.Warning, review: dateInFuture, doc: "A review is dated in the future.",
			why: "The date was made up, or a clock is wrong.",
			fix: "Correct the date: set Date to the day on which the review began, and rename the folder"},
	}},
	{"search", []rule{
		{name: "empty-section", severity: sdk.Error, from: searching, review: emptySection,
			replaces: "missing-concepts missing-sources",
			doc:      "Core Concepts or Search Status by Source has no row although the search has begun.",
			why:      "Concepts and sources are what the search rests on.",
			fix:      "Fill in the section: write its rows, or bring them back from git"},
		{name: "incomplete-concept", severity: sdk.Warning, from: searching, review: incompleteConcept,
			doc: "A concept has no search terms or no depth.",
			why: "Queries are generated from both.", fix: "Complete the concept: fill in the missing cell"},
		{name: "search-never-begun", severity: sdk.Error, also: true, from: organizing, review: searchNeverBegun,
			hides: "unsettled-source", doc: "Papers are being organized, and every source is Pending.",
			why: "Either the search was skipped or its record is lost.",
			fix: "Record the search: set each source to what was done: Complete, or Skipped"},
		{name: "unsettled-source", severity: sdk.Warning, from: organizing, source: unsettledSource,
			doc: "A source is still open although papers are being organized.",
			why: "Its papers would be missing from the review.",
			fix: "Settle the source: finish the search, or set it to Skipped"},
		{name: "missing-source-row", severity: sdk.Warning, needs: ofFull, from: searching, review: missingSourceRow,
			doc: "A full review has no row for one of the six sources.",
			why: "It would be left out without a decision.", fix: "Add the row: add a row for the source"},
		{name: "pending-source-with-queries", severity: sdk.Warning, source: pendingWithQueries,
			doc: "A source is Pending although queries of it were executed, or have results.",
			why: "A resume would execute them again.",
			fix: "Correct the status: set the source to In Progress, or to Complete"},
		{name: "missing-search-methods", severity: sdk.Error, also: true, review: missingMethods,
			doc: "Sources were searched, and Search_Methods.md is missing or empty: an error where the base has it, " +
				"or else a warning.",
			why: "Which queries were planned and executed stands there alone.",
			fix: "Restore the plans: bring the text of Search_Methods.md back from git, or write down what was " +
				"searched"},
		{name: "executed-without-plan", severity: sdk.Warning, source: executedWithoutPlan,
			doc: "Queries of a source were executed or have results, and no plan of it can be read.",
			why: "A resume cannot see which queries remain.",
			fix: "List the queries: write the planned queries of the source into Search_Methods.md, with those that " +
				"were executed and those that remain"},
		{name: "unexecuted-planned-query", severity: sdk.Warning, source: unexecutedQuery,
			doc: "A source is Complete although planned queries are not recorded as executed.",
			why: "They were skipped, or their record is missing.",
			fix: "Settle the queries: execute the open queries, or record them as executed"},
		{name: "query-executed-and-remaining", severity: sdk.Warning, review: executedAndRemaining,
			doc: "A query is listed as executed and as remaining.",
			why: "A resume would execute it again.",
			fix: "Remove it from Remaining: remove the query from Remaining, since it was executed"},
		{name: "search-reopened", severity: sdk.Info, review: searchReopened,
			doc: "The search goes on although papers are annotated.",
			why: "It is a targeted extension, or the Status was set by mistake.",
			fix: "Check the Status: leave it if the search is being extended"},
		{name: "budget-exceeded", severity: sdk.Info, review: budgetExceeded, replaces: "round-cap-exceeded",
			doc: "A source found more papers than its budget, or there were more rounds than the cap.",
			why: "The user agreed to the limits.",
			fix: "Ask for an extension: ask the user to extend the limit, or stop here and report it"},
		{name: "converged-but-searching", severity: sdk.Info, from: searching, review: convergedSearching,
			doc: "The latest round found hardly anything new, and sources are still open.",
			why: "The search may end here.",
			fix: "Decide whether to go on: ask the user whether the open sources are to be skipped"},
	}},
	{"papers", []rule{
		{name: "lost-tracking-table", severity: sdk.Error, needs: allSeen, review: lostTable,
			doc: "The review text has entries, and no paper is tracked.",
			why: "Without the table a resume annotates the papers again.",
			fix: "Rebuild the table: write a row for each entry of Literature_Review.md below Paper Tracking"},
		{name: "annotations-without-review", severity: sdk.Error, review: annotationsLost,
			doc: "Papers are annotated, and no text holds the annotations.",
			why: "The annotations are lost, or were never written.",
			fix: "Restore the text: bring Literature_Review.md back from git, or set the papers to Included"},
		{name: "paper-left-behind", severity: sdk.Error,
			also: true, from: antagonizing, paper: paperLeftBehind, replaces: "candidate-in-complete-review",
			doc: "A paper is not processed although the review is being attacked or written: a warning; for a " +
				"Candidate in a finished review, an error.",
			why: "It was found, and it is not decided whether it counts.",
			fix: "Process the paper: triage and annotate it, or exclude it"},
		{name: "stale-paper-status", severity: sdk.Warning, paper: stalePaper, replaces: "excluded-paper-with-entry",
			doc: "A paper has an entry although its status is Candidate or Excluded; an info if it is Included, " +
				"since the entry is written first.",
			why: "A resume would annotate it again.",
			fix: "Settle which is right: set the status to what was done, or remove the entry from " +
				"Literature_Review.md"},
		{name: "paper-status-beyond-entry", severity: sdk.Error,
			also: true, needs: allSeen, paper: paperBeyond, replaces: "processed-paper-without-entry",
			doc: "A paper's status claims more than its entry holds; an error if there is nothing below the heading " +
				"of the entry, or else a warning.",
			why: "The work would be skipped.",
			fix: "Finish the entry: write what the entry lacks into Literature_Review.md"},
		{name: "untracked-entry", severity: sdk.Warning, needs: allSeen, entry: untrackedEntry,
			doc: "An entry of the review text is not tracked.",
			why: "Counts and later phases go by the table.",
			fix: "Track the paper: add a row for it to Paper Tracking"},
		{name: "conflicting-doi", severity: sdk.Warning, paper: conflictingDOI,
			doc: "The row of a paper and its entry have different DOIs.",
			why: "One of them is wrong, or the row and the entry are about two papers.",
			fix: "Find the right DOI: resolve both, and correct the row or the entry"},
		{name: "exemplar-short-of-level-3", severity: sdk.Warning, from: antagonizing, paper: shortExemplar,
			doc: "An exemplar stopped at Level-2-Complete.",
			why: "Exemplars are what the review argues from.",
			fix: "Finish the entry: write the relevance, the key methods and why it is an exemplar, or demote it"},
		{name: "demoted-exemplar-still-marked", severity: sdk.Warning, paper: demotedMarked,
			doc: "An exemplar is demoted in the text and still marked in the table.",
			why: "Evidence tables are made from the marks.", fix: "Unmark it: set Exemplar? to No"},
	}},
	{"text", []rule{
		{name: "missing-evidence-table", severity: sdk.Warning, from: antagonizing, review: missingEvidence,
			doc: "A topic has exemplars and no evidence row.",
			why: "The critique compares the exemplars there.",
			fix: "Write the evidence table: give the topic an Evidence Table with a row for each exemplar"},
		{name: "unverified-doi", severity: sdk.Warning, from: antagonizing, review: unverifiedDOIs,
			replaces: "pending-doi",
			doc: "DOIs were never verified, or failed without a reason; an info in a finished review where " +
				"others were verified and these are Pending.",
			why: "Made-up references are the most common fault of generated reviews.",
			fix: "Verify the DOIs: resolve each DOI and record Yes, or No with the reason"},
		{name: "open-antagonistic-review", severity: sdk.Warning, from: synthesizing, review: openAntagonist,
			replaces: "unticked-antagonistic-check unrecorded-critique",
			doc: "Some checks of the antagonistic review are open, or a narrow review, which abbreviates it, " +
				"records no critique.",
			why: "The text is written before its claims were attacked.",
			fix: "Finish the critique: carry out the open checks, tick them, and write the Critique Summary"},
		{name: "output-box-mismatch", severity: sdk.Error, review: outputBoxes,
			replaces: "ticked-output-missing unticked-output",
			doc: "An output is ticked and missing; an info if an output of a finished review is there and not " +
				"ticked.",
			why: "A ticked output is believed to be there.",
			fix: "Correct the box: tick what is there, and untick what is missing"},
		{name: "unfilled-placeholder", severity: sdk.Warning, needs: withLR, from: complete,
			review: unfilledPlaceholder, doc: "A finished review text holds placeholders or sections to be written.",
			why: "The text is handed over as it is.",
			fix: "Fill in the placeholders: write what each placeholder asks for, or remove it"},
		{name: "missing-synthesis", severity: sdk.Error, also: true, needs: withLR, from: complete,
			review: missingSynthesis, doc: "A finished review has entries, and no text that brings them together.",
			why: "The synthesis is the result of the review.",
			fix: "Write the synthesis: write what the papers show together into Literature_Review.md"},
	}},
	{"index", []rule{
		{name: "missing-index", severity: sdk.Error, index: missingIndex,
			doc: "There is no INDEX.md, and reviews are under way or the base lists them.",
			why: "A session begins with the index: without it, it sees a new project.",
			fix: "Write the index: write INDEX.md with a row for each review folder"},
		{name: "unreadable-index", severity: sdk.Error, index: unreadableIndex,
			doc: "INDEX.md has no usable table of reviews, and reviews are under way or the base lists them.",
			why: "A session begins with the index: without the table, it sees a new project.",
			fix: "Write the table: give INDEX.md a table with Date, Topic, Mode, Status, Papers and Key Finding"},
		{name: "foreign-index", severity: sdk.Error, index: foreignIndex,
			doc: "INDEX.md belongs to another tool: a warning; an error where the base has our index, and reviews " +
				"are under way or it lists them.",
			why: "The reviews beside it are not listed.",
			fix: "Append a Reviews section: add a table with Date, Topic, Mode and Status, and a row for each review"},
		{name: "unlisted-review", severity: sdk.Error, index: unlistedReviews, replaces: "row-not-yet-added",
			doc: "A review under way is not in the index; an info for a review that has not begun to search.",
			why: "A session finds reviews by the index alone.",
			fix: "Add the row: add a row for the folder to the index"},
		{name: "row-without-folder", severity: sdk.Error, also: true, needs: indexed, row: rowWithoutFolder,
			doc: "The index holds a review in progress that has no folder; of a complete one it is a warning.",
			why: "The work is lost, or is somewhere else.",
			fix: "Restore the folder: bring the folder of this review back from git or a backup"},
		{name: "ambiguous-index-row", severity: sdk.Warning, row: ambiguousRow,
			doc: "A row of the index may mean more than one folder.",
			why: "A session would resume a review that was not meant.",
			fix: "Link the row to its folder: add a Quick Links row that names the folder of this review"},
		{name: "index-status-mismatch", severity: sdk.Error, also: true, row: indexStatus,
			replaces: "index-ahead-of-review index-status-lag",
			doc: "The index says Complete and the review is not: an error; a warning where only the last step " +
				"is missing, in the index or in the review.",
			why: "A review that is called complete is not resumed.",
			fix: "Finish the review: do what is left and set both statuses"},
		{name: "missing-key-finding", severity: sdk.Warning, needs: indexed, row: missingFinding,
			doc: "The row of a finished review has no key finding.",
			why: "Whoever reads the index does not learn what was found.",
			fix: "Write the key finding: sum the main finding up in one line"},
		{name: "several-in-progress", severity: sdk.Info, needs: indexed, index: severalInProgress,
			doc: "Several reviews are in progress; the user is asked which to go on with.",
			why: "A session must not choose by itself.",
			fix: "Ask the user: ask which review to continue, or whether to start a new one"},
	}},
	{"history", []rule{
		{name: "mode-downgraded", severity: sdk.Error, also: true, needs: onBase, review: modeDowngraded,
			doc: "A full review became narrow after its search had begun.",
			why: "Sources and checks that were promised would be dropped.",
			fix: "Start a narrow review: set Mode back, or abandon this review and start a narrow one"},
		{name: "tracking-table-emptied", severity: sdk.Error, needs: onBase, review: tableEmptied,
			doc: "The papers that were tracked are gone.",
			why: "Candidates and exclusions stand there alone.",
			fix: "Put back the table: copy Paper Tracking from the base revision"},
		{name: "annotation-lost", severity: sdk.Error,
			needs: onBase, review: annotationLost, replaces: "deep-extraction-dropped",
			doc: "An entry is gone or empty while its paper is still tracked, or the whole text is; a warning if it " +
				"lost a part of its text, such as its deep extraction.",
			why: "The annotation is the work of the review.",
			fix: "Bring the text back: copy the entry from the base revision; a demotion keeps it"},
		{name: "search-plan-lost", severity: sdk.Error, needs: onBase, review: planLost,
			doc: "The plan of a source is gone, or can no longer be read.",
			why: "A resume would plan and search again.",
			fix: "Bring the plan back: copy the queries of the source from the base revision of Search_Methods.md"},
		{name: "query-lost", severity: sdk.Warning, needs: onBase, review: queryLost,
			replaces: "executed-query-lost planned-query-dropped",
			doc: "A query was executed in the base and no longer is, or left the plan of a source that was " +
				"being searched.",
			why: "It would be executed again, or never.", fix: "Put it back: write the query where it was"},
		{name: "completed-source-reset", severity: sdk.Warning, also: true, needs: onBase, source: sourceReset,
			doc: "A source went back to a status that it cannot return to.",
			why: "Its search would be done again, or left out.",
			fix: "Set it back: set the source to what it was, or to In Progress if it is to be searched again"},
		{name: "search-count-dropped", severity: sdk.Warning, needs: onBase, source: countDropped,
			doc: "A counter of a source is lower than in the base.",
			why: "Counters of a search only rise.", fix: "Set it back: write the number of the base, or a higher one"},
		{name: "phase-moved-back", severity: sdk.Warning, needs: onBase, review: phaseMovedBack,
			doc: "The phase went back where that needs an upgrade.",
			why: "A finished review is extended by an upgrade to Full Review only.",
			fix: "Set the Status back: set Status and the index to what they were, or start a new review"},
		{name: "paper-status-regressed", severity: sdk.Warning, needs: onBase, paper: paperRegressed,
			doc: "The status of a paper is lower than in the base; one step is an info, since a user may set a " +
				"paper back.",
			why: "The paper would be annotated again.",
			fix: "Set it back: set the status to what it was, or exclude the paper"},
		{name: "user-exemplar-demoted", severity: sdk.Info, needs: onBase, paper: exemplarDemoted,
			doc: "An exemplar that the user designated is no longer marked.",
			why: "Only the user may demote it.",
			fix: "Ask the user: set Exemplar? to User-Designated unless the user demoted the paper"},
		{name: "row-removed", severity: sdk.Warning,
			needs: onBase, review: rowRemoved, replaces: "paper-row-removed concept-dropped",
			doc: "Papers or concepts that the search rests on are gone from their tables: an info, since a user may " +
				"remove them; a settled source: a warning.",
			why: "Exclusions are recorded, and not deleted.",
			fix: "Bring the rows back: copy them from the base revision unless they were removed on purpose"},
		{name: "recorded-text-lost", severity: sdk.Warning, needs: onBase, review: textLost,
			doc: "Goals, rounds of the search, ticked checks, the critique or a section of the review text are " +
				"blank now.",
			why: "They were written, and nothing says why they are gone.",
			fix: "Bring it back: copy it from the base revision, or say in the session notes why it is gone"},
		{name: "review-removed", severity: sdk.Error, also: true, index: reviewRemoved,
			doc: "A review folder is gone: a warning; an error where its row has a blank or unreadable Status.",
			why: "A review that is given up keeps its folder, as a record of what was searched.",
			fix: "Restore the folder: restore it and its row from git; a review that is given up is Abandoned in " +
				"INDEX.md"},
	}},
}

// rows makes the table of the sdk.
func rows() []check.Rule[*model] {
	var list []check.Rule[*model]
	for i := range groups {
		for j := range groups[i].rules {
			r := &groups[i].rules[j]
			_, step, _ := strings.Cut(r.fix, ": ")
			list = append(list, check.Rule[*model]{Name: r.name, Group: groups[i].name, Severity: r.severity,
				Doc: r.doc, Why: r.why, Fix: capital(step) + ".",
				Hides: strings.Fields(r.hides), Replaces: strings.Fields(r.replaces), Find: r.find})
		}
	}
	return list
}

func view(r *check.Report) (*model, check.Needs) { return modelOf(r.Pass), 0 }
