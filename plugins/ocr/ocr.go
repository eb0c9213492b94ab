// Package ocr supports Open Code Review sessions: review rounds and code-review
// maps, as v1.4.0 of the tool keeps them under .ocr/sessions. It also recognizes
// the sessions of later versions.
//
// A session is a directory. Its state.json claims a phase of the workflow in progress. The files show how far along
// each review round (rounds/round-N) and map run (map/runs/run-N) is. The first row whose file is filled decides:
//
//	round                         shows            run                       shows
//	final.md                      complete         map.md                    complete
//	discourse.md                  synthesis        requirements-mapping.md   synthesis
//	reviews/{type}-{n}.md         reviews          flow-analysis.md          requirements-mapping, or synthesis without requirements.md
//	context.md with guidance      reviews          topology.md               flow-analysis
//	context.md                    analysis         discovered-standards.md   topology
//	discovered-standards.md       change-context
//
// A claim fits if it is the phase that writes the file or the phase after it, because the tool's texts disagree about
// whether the state is written before or after the file; see RATIONALE.md and TestLadder. The directories are
// authoritative for rounds and runs, and state.json for everything that they do not contradict.
package ocr

import (
	ocrschema "github.com/stategate/stategate/schemas/ocr"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// Workflow is the ocr workflow.
var Workflow = &sdk.Workflow{
	Name: "ocr",
	Dropped: []string{"artifact-of-other-session", "derived-data-stored", "final-omits-review",
		"final-without-verdict", "legacy-flat-layout", "noncanonical-value", "phase-alias", "reviewer-name-malformed",
		"reviewer-number-gap", "session-name-nonstandard", "stale-session", "state-has-byte-order-mark",
		"state-kept-elsewhere", "state-superseded", "too-few-reviewers"},
	Version: "1.0.0",
	Doc: "Open Code Review: sessions with review rounds and code-review maps\n\n" +
		"Files are authoritative for rounds and runs; state.json is authoritative for the phase unless files " +
		"contradict it.",
	License:    "Apache-2.0",
	Source:     "https://github.com/stategate/stategate/tree/main/plugins/ocr",
	Homepage:   "https://github.com/stategate/stategate/blob/main/.github/docs/workflows/ocr.md",
	MadeFor:    []sdk.MadeFor{{Tool: "Open Code Review", Versions: "1.2 to 1.5"}},
	Requires:   []string{"base", "clock", "outline", "summary"},
	Roots:      []sdk.Root{{Dir: ".ocr/sessions/*", Markers: markers, Unique: true}},
	Documents:  documents,
	Schemas:    map[string]string{"state": ocrschema.State},
	Lifecycles: []*sdk.Lifecycle{reviewLifecycle, mapLifecycle},
	Rules:      check.Declare(rules, view),
	Identity:   &sdk.Identity{Noun: "session", Of: identity},
	Prepare:    prepare,
	Detect:     detect,
	Recover:    recoveries,
	Resume:     resume,
}

// identity returns the session id in state.json or, if there is none, the name of the directory. It is qualified by
// the location of the .ocr directory, because another package in the repository may have a session with the same id.
func identity(p *sdk.Pass) string {
	m := model(p)
	if id := m.State.Text("session_id"); id != "" && !isPlaceholder(id) {
		return p.Beside(id)
	}
	return p.Beside(m.ID)
}

// markers are the paths that distinguish a session from other directories.
var markers = []string{
	StatePath, "discovered-standards.md", "context.md", "rounds/*/*", "rounds/*/reviews/*",
	"map/runs/*/*",
}

var documents = []sdk.DocumentSpec{
	{Glob: StatePath, Format: sdk.JSON, Need: sdk.Content, Schema: "state", Duplicates: sdk.DuplicatesAllow},
	{Glob: "{discovered-standards,requirements,context}.md", Format: sdk.Markdown, Need: sdk.Content},
	{Glob: "rounds/*/reviews/*.md", Format: sdk.Markdown, Need: sdk.Content},
	{Glob: "rounds/*/final-human.md", Need: sdk.Counted},
	{Glob: "rounds/*/*.md", Format: sdk.Markdown, Need: sdk.Content},
	{Glob: "map/runs/*/{topology,flow-analysis,requirements-mapping,map}.md", Format: sdk.Markdown, Need: sdk.Content},
	{Glob: "{reviews/*,discourse,final}.md", Format: sdk.Markdown, Need: sdk.Summary},
	{Glob: "rounds/*/reviews/*", Need: sdk.Counted},
	{Glob: "{rounds,map/runs}/*/*", Need: sdk.Counted},
	{Glob: "{map,topology,flow-analysis,requirements-mapping}.md", Need: sdk.Counted},
	{Glob: "map/{map,topology,flow-analysis,requirements-mapping}.md", Need: sdk.Counted},
	{Glob: "{round,run}-*/**", Need: sdk.Counted},
	{Glob: "{map,runs}/run-*/**", Need: sdk.Counted},
}
