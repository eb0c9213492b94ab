// Package kiro is the plugin for specs of Kiro and cc-sdd. Each directory in .kiro/specs describes a feature, designs
// it, and divides it into tasks.
//
//	requirements.md   ### Requirement 1: NAME, with numbered criteria; for a bug, bugfix.md instead
//	design.md         how it is built
//	tasks.md          - [ ] 2.1 NAME, with details and _Requirements: 1.1, 1.2_ below
//	spec.json         phase and approvals, written by cc-sdd
//	.config.kiro      the kind of spec, written by Kiro
//
// A box is open [ ], queued [~], in progress [-] or done [x]; [ ]* marks an optional task. Tasks 2.1 and 2.2 are
// subtasks of task 2, whether or not they are indented. cc-sdd writes _Depends: 1.1_ below a task, and _Blocked:
// REASON_ when it abandons the task. spec.json claims a phase; without it, only boxes and headings make claims.
// Documents and boxes show the actual phase:
//
//	requirements   only requirements.md exists
//	design         design.md exists
//	tasks          tasks.md exists, and no box is ticked
//	implementing   a task is ticked or in progress
//	done           every required task is ticked; a parent's box may have been forgotten
//
// One directory is one instance. RATIONALE.md explains what is an error and how forms are read.
package kiro

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// Archived specs and specs of spec-workflow-mcp have the same form.
var roots = []sdk.Root{
	{Dir: ".kiro/specs/*", Markers: append(markers[:1:1], "spec.json", ".config.kiro"), Unique: true},
	{Dir: ".kiro/specs/{archive,archived,_archive}/*", Markers: markers, Unique: true},
	{Dir: ".spec-workflow/{specs,archive/specs}/*", Markers: markers, Unique: true},
}

var markers = []string{"{requirements,bugfix,design,tasks}.md"}

// Workflow is the kiro workflow.
var Workflow = &sdk.Workflow{
	Name:    "kiro",
	Version: "1.0.0",
	Dropped: []string{"graph-inconsistent", "requirement-renumbered"},
	Doc: "Kiro and cc-sdd: specs with requirements, a design and tasks\n\n" +
		"Documents, boxes and files must agree with what spec.json and ticks claim about a spec.",
	License:  "Apache-2.0",
	Source:   "https://github.com/stategate/stategate/tree/main/plugins/kiro",
	Homepage: "https://github.com/stategate/stategate/blob/main/.github/docs/workflows/kiro.md",
	MadeFor:  []sdk.MadeFor{{Tool: "Kiro"}, {Tool: "cc-sdd", Versions: "3"}},
	Requires: []string{"base", "outline", "paths", "summary"},
	Roots:    roots,
	Documents: []sdk.DocumentSpec{
		{Glob: "tasks.md", Format: sdk.Markdown, Need: sdk.Content},
		{Glob: "requirements.md", Format: sdk.Markdown, Need: sdk.Content},
		{Glob: "bugfix.md", Format: sdk.Markdown, Need: sdk.Content},
		{Glob: "spec.json", Format: sdk.JSON, Need: sdk.Content},
		{Glob: ".config.kiro", Format: sdk.JSON, Need: sdk.Content, Schema: "object"},
		{Glob: "design.md", Format: sdk.Markdown, Need: sdk.Content},
		// a document of the spec may have been renamed to one of these, or split into them
		{Glob: "{,*/}*{[Tt]ask,TASK,[Dd]esign,DESIGN,[Rr]equirement,REQUIREMENT}*.md",
			Format: sdk.Markdown, Need: sdk.Content},
		{Glob: "*{[Tt]ask,TASK,[Dd]esign,DESIGN,[Rr]equirement,REQUIREMENT}*/*.md",
			Format: sdk.Markdown, Need: sdk.Content},
		{Glob: "*.md", Format: sdk.Markdown, Need: sdk.Counted},
		{Glob: "*/*.md", Format: sdk.Markdown, Need: sdk.Counted},
	},
	AsksFor:    []string{"**"},
	Schemas:    map[string]string{"object": `{"type": "object"}`},
	Lifecycles: []*sdk.Lifecycle{life},
	Rules:      check.Declare(rules, view),
	Prepare:    prepare,
	Detect:     detect,
	Recover:    recoveries,
	Resume:     resume,
}

var life = &sdk.Lifecycle{
	Name: "spec", Doc: "One spec, from its requirements to the last task.",
	Phases: []*sdk.Phase{
		{Name: "requirements", Number: 1, Doc: "The requirements, or the analysis of a bug, are being written."},
		{Name: "design", Number: 2, Doc: "There is a design."},
		{Name: "tasks", Number: 3, Doc: "There are tasks; none has been started."},
		{Name: "implementing", Number: 4, Doc: "A task is ticked or in progress, and another is open."},
		{Name: "done", Number: 5, Doc: "Every required task is ticked."},
	},
	Transitions: []sdk.Transition{
		{From: "requirements", To: "design"}, {From: "design", To: "tasks"}, {From: "requirements", To: "tasks"},
		{From: "tasks", To: "implementing"},
		{From: "tasks", To: "done"}, {From: "implementing", To: "done"}, {From: "done", To: "implementing"},
		{From: "implementing", To: "tasks"},
		{From: "tasks", To: "design"}, {From: "design", To: "requirements"},
	},
}

func prepare(p *sdk.Pass) (any, error) {
	m := look(p.Docs, nil)
	m.archived = inArchive(p.Root)
	for _, d := range p.Docs.All() {
		if d.Need != sdk.Content { // no rule reads this prose
			p.OverrideAll(d, sdk.Warning)
		}
	}
	if p.Base.State == sdk.BaseAt {
		m.base = look(p.Base.Docs, m)
	}
	return m, nil
}

// view returns the model. Every rule can run, so there are no needs to check.
func view(r *check.Report) (*model, check.Needs) { return r.Model.(*model), 0 }
