package literaturereview

import "github.com/stategate/stategate/sdk"

var papersRules = []rule{
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
}

var textRules = []rule{
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
}
