package literaturereview

import "github.com/stategate/stategate/sdk"

var papersRules = []rule{
	{name: "annotations-without-review", severity: sdk.Error, review: annotationsLost,
		doc: "Papers are annotated, but no text contains the annotations.",
		why: "The annotations are lost, or were never written.",
		fix: "Restore the text: restore Literature_Review.md from git, or set the papers to Included"},
	{name: "paper-left-behind", severity: sdk.Error,
		also: true, from: antagonizing, paper: paperLeftBehind,
		replaces:   "candidate-in-complete-review exemplar-short-of-level-3",
		doc:        "A paper is still unprocessed, or an exemplar is incomplete, although their phase is over.",
		severityIf: "Warning unless a Candidate remains in a finished review.",
		why:        "The paper was found, but whether it counts is undecided.",
		fix:        "Process the paper: triage and annotate it, exclude it, or demote the exemplar"},
	{name: "stale-paper-status", severity: sdk.Warning, paper: stalePaper, replaces: "excluded-paper-with-entry",
		doc:        "A Candidate or Excluded paper has an entry, or an Excluded paper has an evidence row.",
		severityIf: "Info for an Included paper, because its entry is written first.",
		why:        "A session that resumes would annotate it again.",
		fix: "Decide which is right: set the status to what was done, or remove the entry from " +
			"Literature_Review.md"},
	{name: "paper-status-beyond-entry", severity: sdk.Error,
		also: true, needs: allSeen, paper: paperBeyond, replaces: "processed-paper-without-entry",
		doc: "A paper's status claims more than its entry contains.",
		severityIf: "Warning unless its entry contains only a heading. Info in phase 3 for a paper that is not " +
			"Processed and has no entry.",
		why: "The missing work would be skipped.",
		fix: "Finish the entry: write what the entry lacks into Literature_Review.md"},
	{name: "untracked-entry", severity: sdk.Warning, needs: allSeen, entry: untrackedEntry,
		doc: "An entry in the review text is not tracked.",
		why: "Counts and later phases use the table.",
		fix: "Track the paper: add a row for it to Paper Tracking"},
}

var textRules = []rule{
	{name: "missing-evidence-table", severity: sdk.Warning, from: antagonizing, review: missingEvidence,
		doc: "A topic with exemplars or annotated papers has no evidence row.",
		why: "The critique compares the exemplars in this table.",
		fix: "Write the evidence table: add an Evidence Table to the topic, with a row for each exemplar"},
	{name: "unverified-doi", severity: sdk.Warning, from: antagonizing, review: unverifiedDOIs,
		replaces:   "pending-doi",
		doc:        "DOIs were never verified, or their verification failed without a reason.",
		severityIf: "Info in a finished review if other DOIs were verified and these are Pending.",
		why:        "Invented references are the most common fault of generated reviews.",
		fix:        "Verify the DOIs: resolve each DOI and record Yes, or No with the reason"},
	{name: "open-antagonistic-review", severity: sdk.Warning, from: synthesizing, review: openAntagonist,
		replaces: "unticked-antagonistic-check unrecorded-critique",
		doc: "The antagonistic review has open checks, or a narrow review has no critique.\n\nA narrow review has " +
			"fewer checks.",
		why: "The text would be written before its claims are challenged.",
		fix: "Finish the critique: carry out the open checks, tick them, and write the Critique Summary"},
	{name: "output-box-mismatch", severity: sdk.Error, review: outputBoxes,
		replaces:   "ticked-output-missing unticked-output",
		doc:        "An output is ticked, but missing.",
		severityIf: "Info if an output of a finished review exists and is not ticked.",
		why:        "Readers believe that a ticked output exists.",
		fix:        "Correct the checkbox: tick existing outputs, and untick missing ones"},
	{name: "missing-synthesis", severity: sdk.Error, also: true, needs: withLR, from: antagonizing,
		review: missingSynthesis,
		doc:    "A finished review has entries, but no text that brings them together.",
		why:    "The synthesis is the review's result.",
		fix:    "Write the synthesis: write what the papers show together into Literature_Review.md"},
}
