// Package autopilot supports Project Autopilot, which works through a flight plan phase by phase. Its directory
// .autopilot holds the position, an interrupted session's hand-off, the documents of every phase, and the state of the
// thresholds.
package autopilot

import (
	schema "github.com/stategate/stategate/schemas/autopilot"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// Workflow is the autopilot workflow.
var Workflow = &sdk.Workflow{
	Name: "autopilot",
	Dropped: []string{"mojibake-text", "phase-directory-forked", "phase-directory-repeated",
		"threshold-row-contradiction", "threshold-value-forked", "trigger-count-decreased",
		"trigger-count-without-time"},
	Version: "1.0.0",
	Doc: "Project Autopilot: the position, the hand-off and the phases of a flight plan\n\n" +
		"TRANSPONDER.md records the position, holding-pattern.md is an interrupted session's hand-off, and phases/ " +
		"holds the phase documents.",
	License:  "Apache-2.0",
	Source:   "https://github.com/stategate/stategate/tree/main/plugins/autopilot",
	Homepage: "https://github.com/stategate/stategate/blob/main/.github/docs/workflows/autopilot.md",
	MadeFor:  []sdk.MadeFor{{Tool: "Project Autopilot"}},
	Requires: []string{"base", "clock", "outline", "summary"},
	Roots:    []sdk.Root{{Dir: ".autopilot", Markers: markers, Unique: true}},
	Documents: []sdk.DocumentSpec{
		{Glob: "{TRANSPONDER,transponder}.md", Format: sdk.Markdown, Need: sdk.Content},
		{Glob: handPath, Format: sdk.Markdown, Need: sdk.Content},
		{Glob: "phases/*/" + handPath, Format: sdk.Markdown, Need: sdk.Content},
		{Glob: waypointPath, Format: sdk.Markdown, Need: sdk.Content},
		{Glob: planPath, Format: sdk.Markdown, Need: sdk.Content},
		{Glob: "phases/*/*{PLAN,PHASE,plan,phase}*.md", Format: sdk.Markdown, Need: sdk.Content},
		{Glob: "phases/*/**/*{ROUTE,route}*.md", Format: sdk.Markdown, Need: sdk.Content},
		{Glob: "phases/*.md", Format: sdk.Markdown, Need: sdk.Content},
		{Glob: "phases/*/*{BRIEFING,CONTEXT,LOGBOOK,SUMMARY,briefing,context,logbook,summary}*.md",
			Format: sdk.Markdown, Need: sdk.Content},
		{Glob: "phases/*/", Need: sdk.Listed},
		{Glob: thresholdsPath, Format: sdk.JSON, Need: sdk.Content, Schema: "thresholds"},
		{Glob: acksPath, Format: sdk.JSON, Need: sdk.Content, Schema: "acknowledgments"},
		{Glob: "state/*trigger*.json", Format: sdk.JSON, Need: sdk.Content, Schema: "triggers"},
		{Glob: "clearance.md", Format: sdk.Markdown, Need: sdk.Summary},
		{Glob: "state/*.json", Need: sdk.Listed},
		{Glob: "waypoints/*.json", Need: sdk.Listed},
		{Glob: "**/*.md", Need: sdk.Listed},
	},
	Schemas: map[string]string{
		"thresholds":      schema.Thresholds,
		"acknowledgments": schema.Acknowledgments,
		"triggers":        schema.Triggers,
	},
	Options:    schema.Options,
	Lifecycles: []*sdk.Lifecycle{flight},
	Rules:      check.Declare(rules, view),
	Prepare:    prepare,
	Detect:     detect,
	Recover:    recoveries,
	Resume:     resume,
}

// The paths of a flight's documents.
const (
	transponderPath = "TRANSPONDER.md"
	handPath        = "holding-pattern.md"
	handName        = ".autopilot/" + handPath // as written in documents
	waypointPath    = "waypoint.md"
	planPath        = "flightplan.md"
	thresholdsPath  = "state/thresholds.json"
	acksPath        = "state/acknowledgments.json"
)

var markers = []string{
	transponderPath, "transponder.md", handPath, waypointPath, planPath, "clearance.md", thresholdsPath, acksPath,
	"phases/*/{PHASE,ROUTE,BRIEFING,LOGBOOK,phase,route,briefing,logbook}.md",
}
