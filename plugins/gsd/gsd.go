// Package gsd is the plugin for get-shit-done (GSD) and its successor gsd-core. An agent plans and executes a project
// phase by phase, and keeps its state in .planning/.
//
//	STATE.md             the current position: phase, plan, status; counters in the front matter
//	ROADMAP.md           the phases: a list with boxes, a section for each with its plans, a progress table
//	REQUIREMENTS.md      requirements with boxes, and a table that maps each to a phase
//	phases/NN-name/      NN-MM-PLAN.md (work to do), NN-MM-SUMMARY.md (the same work, done), NN-VERIFICATION.md
//	                     (was the goal reached?), NN-UAT.md (a person's tests), NN-CONTEXT.md, NN-RESEARCH.md
//	milestones/vX-*      shipped and archived milestones; MILESTONES.md lists them
//	quick/N-name/        small tasks outside the phases: a PLAN and a SUMMARY
//	workstreams/NAME/    the same files for parallel work, as a separate instance
//	active-workstream    the NAME of the current workstream
//	config.json          the tool's settings
//
// A phase moves through the stages below. Five sources record its stage: its files, its box in the ROADMAP.md list,
// the boxes of its plans, its row in the table, and STATE.md. The files decide:
//
//	listed      ROADMAP.md names the phase
//	discussed   a CONTEXT exists
//	planned     a PLAN exists
//	executing   a PLAN has its SUMMARY
//	executed    every PLAN has its SUMMARY
//	verified    the VERIFICATION status is passed
//	complete    ROADMAP.md ticks the phase
//
// A claim that the files refute is an error; an outdated claim is a warning. Phases of shipped milestones are history:
// their boxes are not compared with files, which may be archived or removed. See RATIONALE.md.
package gsd

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// Workflow is the gsd workflow.
var Workflow = &sdk.Workflow{
	Name:    "gsd",
	Version: "1.0.0",
	Dropped: []string{"dependency-elsewhere", "plan-rewritten"},
	Doc: "get-shit-done: a roadmap of phases, with plans, summaries and requirements\n\n" +
		"Plans with summaries prove how far along a phase is; STATE.md and ROADMAP.md must not claim more.",
	License:  "Apache-2.0",
	Source:   "https://github.com/stategate/stategate/tree/main/plugins/gsd",
	Homepage: "https://github.com/stategate/stategate/blob/main/.github/docs/workflows/gsd.md",
	MadeFor:  []sdk.MadeFor{{Tool: "get-shit-done"}, {Tool: "gsd-core"}},
	Requires: []string{"base", "outline", "paths", "summary"},
	Roots: []sdk.Root{
		{Dir: planning, Markers: append(markers[:len(markers):len(markers)], activePath), Unique: true},
		{Dir: ".planning/workstreams/*", Markers: markers, Unique: true},
	},
	Documents:  documents,
	Schemas:    map[string]string{"config": config},
	AsksFor:    []string{"**"},
	Lifecycles: []*sdk.Lifecycle{lifecycle},
	Rules:      check.Declare(rules, view),
	Prepare:    prepare,
	Detect:     detect,
	Recover:    recoveries,
	Resume:     resume,
}

var markers = []string{statePath, roadmapPath, "phases/*/*-PLAN.md"}

const (
	statePath        = "STATE.md"
	roadmapPath      = "ROADMAP.md"
	requirementsPath = "REQUIREMENTS.md"
	configPath       = "config.json"
	activePath       = "active-workstream" // names a directory in workstreams/
	planning         = ".planning"
)

// Plans and summaries are long and numerous, so the host sends them as text without an outline, and this package parses
// their front matter. Most archived files only need to exist; the headings of an archived roadmap name its phases.
var documents = []sdk.DocumentSpec{
	{Glob: statePath, Format: sdk.Markdown, Need: sdk.Content},
	{Glob: roadmapPath, Format: sdk.Markdown, Need: sdk.Content},
	{Glob: requirementsPath, Format: sdk.Markdown, Need: sdk.Content},
	{Glob: configPath, Format: sdk.JSON, Need: sdk.Content, Schema: "config", Duplicates: sdk.DuplicatesAllow},
	{Glob: activePath, Need: sdk.Content},
	{Glob: "{MILESTONES,PROJECT}.md", Format: sdk.Markdown, Need: sdk.Summary},
	{Glob: "{.continue-here.md,HANDOFF.json}", Format: sdk.Text, Need: sdk.Content},
	{Glob: "phases/*/{,plans/}*PLAN*.md", Format: sdk.Text, Need: sdk.Content},
	{Glob: "phases/*/*-P[0-9]*.md", Format: sdk.Text, Need: sdk.Content},
	{Glob: "phases/*/{,plans/}*SUMMARY*.md", Format: sdk.Text, Need: sdk.Content},
	{Glob: "phases/*/*{VERIFICATION,UAT}*.md", Format: sdk.Text, Need: sdk.Content},
	{Glob: "phases/*/.continue-here.md", Format: sdk.Text, Need: sdk.Content},
	{Glob: "phases/*/{,.}*.md", Need: sdk.Listed},
	{Glob: "phases/*/", Need: sdk.Listed},
	{Glob: "{milestones,archive,phases/*}/**/*{SUMMARY,PLAN}*.md", Need: sdk.Listed},
	{Glob: "{milestones,archive}/**/*ROADMAP*.md", Format: sdk.Markdown, Need: sdk.Summary},
	{Glob: "{milestones,archive}/**/*REQUIREMENTS*.md", Need: sdk.Listed},
	{Glob: "workstreams/*/*.md", Need: sdk.Listed},
	{Glob: "quick/*/*{PLAN,SUMMARY}*.md", Need: sdk.Listed},
}

const config = `{
  "type": "object",
  "properties": {
    "mode": {"enum": ["interactive", "yolo", "custom"]},
    "depth": {"enum": ["quick", "standard", "comprehensive"]},
    "granularity": {"enum": ["coarse", "standard", "fine"]},
    "branching_strategy": {"enum": ["none", "phase", "milestone"]},
    "commit_docs": {"type": "boolean"},
    "context_window": {"type": "integer", "minimum": 1},
    "phase_branch_template": {"type": "string", "pattern": "[{]phase[}]"},
    "milestone_branch_template": {"type": "string", "pattern": "[{]milestone[}]"},
    "parallelization": {"type": ["boolean", "object"]},
    "workflow": {"type": "object"}
  }
}`
