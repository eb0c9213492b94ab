// Package literaturereview implements the workflow of literature reviews that are kept as Markdown: a master index and
// one folder per review below Literature/.
package literaturereview

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

// Workflow is the literature-review workflow.
var Workflow = &sdk.Workflow{
	Name: "literature-review",
	Dropped: []string{"budget-exceeded", "conflicting-doi", "converged-but-searching", "date-in-future",
		"demoted-exemplar-still-marked", "impossible-number", "phase-name-mismatch", "round-cap-exceeded",
		"search-reopened", "unfilled-placeholder", "user-exemplar-demoted"},
	Version: "1.0.0",
	Doc: "literature reviews kept as Markdown (an index and one folder per review)\n\n" +
		"REVIEW_PROGRESS.md claims the phase; tables, plans, entries and checkboxes prove it.",
	License:  "Apache-2.0",
	Source:   "https://github.com/stategate/stategate/tree/main/plugins/literature-review",
	Homepage: "https://github.com/stategate/stategate/blob/main/.github/docs/workflows/literature-review.md",
	Requires: []string{"base", "clock", "outline", "summary"},
	Roots: []sdk.Root{{Dir: "Literature", Markers: []string{indexPath, "*/" + progressName, "*/" + methodsName,
		"*/" + textName}}},
	Documents:  documents,
	Lifecycles: []*sdk.Lifecycle{lifecycle},
	Rules:      check.Declare(rows(), view),
	Prepare:    prepare,
	Detect:     detect,
	Recover:    recoveries,
	Resume:     resume,
}

// The documents of a review, and the index above them.
const (
	indexPath    = "INDEX.md"
	progressName = "REVIEW_PROGRESS.md"
	methodsName  = "Search_Methods.md"
	textName     = "Literature_Review.md"
)

var documents = []sdk.DocumentSpec{
	{Glob: indexPath, Format: sdk.Markdown, Need: sdk.Content},
	{Glob: "[Ii][Nn][Dd][Ee][Xx].[Mm][Dd]", Format: sdk.Markdown, Need: sdk.Content}, // the host reports the wrong case
	{Glob: "*/" + progressName, Format: sdk.Markdown, Need: sdk.Content},
	{Glob: "*/" + methodsName, Format: sdk.Markdown, Need: sdk.Content},
	{Glob: "*/" + textName, Format: sdk.Markdown, Need: sdk.Content},
	{Glob: "*/Paper_Entry*.md", Format: sdk.Markdown, Need: sdk.Summary},
}

// The phases of a review, as indexes into lifecycle.Phases.
const (
	noPhase = iota - 1
	initializing
	interviewing
	searching
	organizing
	antagonizing
	synthesizing
	complete
)

var lifecycle = &sdk.Lifecycle{
	Name: "review",
	Doc:  "One literature review: a folder in Literature/.",
	Unit: sdk.Run,
	Phases: []*sdk.Phase{
		{Name: "initializing", Number: 0, Title: "Initializing",
			Doc: "folder and state file exist, but no concept or goal is recorded"},
		{Name: "interviewing", Number: 1, Title: "Interview",
			Doc: "goals or concepts are being recorded, but no source has begun; Status still says Phase 0"},
		{Name: "searching", Number: 2, Title: "Searching",
			Doc: "sources are worked through in a fixed order, each from a written plan (Search_Methods.md)"},
		{Name: "organizing", Number: 3, Title: "Organizing",
			Doc: "papers are triaged (3A), summarized (3B), extracted (3C), tabled (3D) and verified (3E)"},
		{Name: "antagonizing", Number: 4, Title: "Antagonizing",
			Doc: "the review text is challenged with six checks (three in a narrow search)"},
		{Name: "synthesizing", Number: 5, Title: "Synthesizing",
			Doc: "the critique is recorded; the final text is being written"},
		{Name: "complete", Number: 5, Title: "Complete", Doc: "the review is finished"},
	},
	Transitions: []sdk.Transition{
		{From: "initializing", To: "interviewing"},
		{From: "interviewing", To: "searching"},
		{From: "searching", To: "organizing"},
		{From: "organizing", To: "antagonizing"},
		{From: "antagonizing", To: "synthesizing"},
		{From: "synthesizing", To: "complete"},
		{From: "organizing", To: "searching", Doc: "targeted extension"},
		{From: "antagonizing", To: "searching", Doc: "targeted extension"},
		{From: "antagonizing", To: "organizing", Doc: "promotion"},
		{From: "synthesizing", To: "searching", Doc: "targeted extension"},
		{From: "synthesizing", To: "organizing", Doc: "iteration"},
		{From: "synthesizing", To: "antagonizing", Doc: "iteration"},
		{From: "complete", To: "searching", Doc: "only with an upgrade to Full Review"},
	},
}

// statusLine returns the Status of a phase, such as "Phase 3 -- Organizing".
func statusLine(phase int) string {
	return "Phase " + say.Int(lifecycle.Phases[phase].Number) + " -- " + lifecycle.Phases[phase].Title
}

// phaseTitle returns the number and the title of a phase, such as "3 (Organizing)".
func phaseTitle(phase int) string {
	return say.Int(lifecycle.Phases[phase].Number) + " (" + lifecycle.Phases[phase].Title + ")"
}
