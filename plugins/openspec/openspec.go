// Package openspec implements the OpenSpec workflow: specs state what a system does, and every change to them is
// proposed, built and archived in its own directory.
//
//	specs/CAPABILITY/spec.md             ## Purpose, ## Requirements, ### Requirement: NAME, #### Scenario: NAME
//	changes/NAME/proposal.md, design.md  why and how
//	changes/NAME/tasks.md                tasks with checkboxes
//	changes/NAME/specs/CAPABILITY/spec.md   the delta: ## ADDED, MODIFIED, REMOVED, RENAMED Requirements
//	changes/NAME/.openspec.yaml          schema, and skip_specs: true for a change without deltas or with abandoned ones
//	changes/archive/DATE-NAME            a finished change; its delta is folded into the specs
//	project.md, AGENTS.md, config.yaml   read first by a session
//
// No file records a change's phase. The change's location and checkboxes show it, and the specs show whether its delta
// was folded in:
//
//	proposed      no task is ticked
//	in-progress   a task is ticked
//	complete      every task is ticked
//	archived      it is in changes/archive, and every task is ticked
//
// A whole openspec directory is one instance, because a delta is checked against the spec that it changes. The plugin
// reads headings as OpenSpec v1.13 does. RATIONALE.md lists the errors of OpenSpec's validator that the rules treat
// differently or do not report.
package openspec

import (
	"path"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// Workflow is the openspec workflow.
var Workflow = &sdk.Workflow{
	Name:    "openspec",
	Dropped: []string{"done-with-open-parts", "subtask-open", "number-in-other-group"},
	Version: "1.0.0",
	Doc: "OpenSpec: specs, and changes to them with tasks and deltas\n\n" +
		"Checkboxes show how far along a change is; specs show whether an archived change was folded in.",
	License:  "Apache-2.0",
	Source:   "https://github.com/stategate/stategate/tree/main/plugins/openspec",
	Homepage: "https://github.com/stategate/stategate/blob/main/.github/docs/workflows/openspec.md",
	MadeFor:  []sdk.MadeFor{{Tool: "OpenSpec", Versions: "up to 1.13"}},
	Requires: []string{"base", "outline", "paths", "probes", "summary"},
	Roots: []sdk.Root{{Dir: "openspec", Unique: true, Markers: []string{
		"changes/*/{proposal,tasks,design}.md", "changes/*/specs/**/spec.md",
		"changes/archive/*/{proposal,tasks,design}.md",
		"specs/**/spec.md", "project.md", "AGENTS.md", "config.{yaml,yml}",
	}}},
	Documents: []sdk.DocumentSpec{
		{Glob: "specs/**/spec.md", Format: sdk.Markdown, Need: sdk.Content, FollowsLinks: true},
		{Glob: "specs/*.md", Format: sdk.Markdown, Need: sdk.Summary},
		{Glob: "changes/archive/*/tasks.md", Format: sdk.Markdown, Need: sdk.Counted, Probes: []sdk.Probe{
			{Name: "open", Line: `^\s*([-*+]|\d{1,9}[.)])\s*\**\[\s*\]`},
			{Name: "done", Line: `^\s*([-*+]|\d{1,9}[.)])\s*\**\[\s*[xX]\s*\]`},
			{Name: "marked", Line: `^\s*([-*+]|\d{1,9}[.)])\s*\**\[[-~/>!?]\]`},
		}},
		{Glob: "changes/archive/*/specs/**/*.md", Format: sdk.Markdown, Need: sdk.Summary},
		{Glob: "changes/archive/*/*.md", Need: sdk.Listed},
		{Glob: "archive/*/*.md", Need: sdk.Listed},
		{Glob: "changes/{archived,archives,completed,done,rejected,abandoned}/*/*.md", Need: sdk.Listed},
		{Glob: "changes/*/tasks.md", Format: sdk.Markdown, Need: sdk.Content},
		{Glob: "changes/*/specs/**/*.md", Format: sdk.Markdown, Need: sdk.Content},
		{Glob: "changes/*/{proposal,design}.md", Format: sdk.Markdown, Need: sdk.Content},
		{Glob: "changes/{*,archive/*}/.openspec.yaml", Format: sdk.YAML, Need: sdk.Content, Schema: "metadata"},
		{Glob: "changes/*/*.md", Format: sdk.Markdown, Need: sdk.Counted},
		{Glob: "schemas/*/schema.yaml", Need: sdk.Listed},
		{Glob: "*.md", Need: sdk.Listed},
		{Glob: "config.{yaml,yml}", Need: sdk.Listed},
	},
	AsksFor:    []string{"**"},
	Schemas:    map[string]string{"metadata": `{"type": ["object", "null"]}`}, // null if empty
	Lifecycles: []*sdk.Lifecycle{life},
	Rules:      check.Declare(rules, view),
	Prepare:    prepare,
	Detect:     detect,
	Resume:     resume,
}

var life = &sdk.Lifecycle{
	Name: "change", Doc: "One change to the specs, from proposal to archive.",
	Phases: []*sdk.Phase{
		{Name: "proposed", Number: 1, Doc: "The change is described, but no task in tasks.md is ticked."},
		{Name: "in-progress", Number: 2, Doc: "Some tasks in tasks.md are ticked, but not all."},
		{Name: "complete", Number: 3, Doc: "Every task in tasks.md is ticked; the change is ready for `openspec " +
			"archive`."},
		{Name: "archived", Number: 4, Doc: "The change is in changes/archive, and its delta is folded into the specs."},
	},
	Transitions: []sdk.Transition{
		{From: "proposed", To: "in-progress"}, {From: "proposed", To: "complete"},
		{From: "in-progress", To: "complete"}, {From: "complete", To: "archived"},
		{From: "in-progress", To: "proposed"}, {From: "complete", To: "in-progress"},
	},
}

func prepare(p *sdk.Pass) (any, error) {
	m := look(p.Docs, nil)
	for _, d := range p.Docs.All() {
		// No rule reads prose except document-cut-short, which compares a document's end with the base.
		if name := path.Base(d.Path); d.Need != sdk.Content || name == "proposal.md" || name == "design.md" {
			p.OverrideAll(d, sdk.Warning)
		}
	}
	if p.Base.State == sdk.BaseAt {
		m.base = look(p.Base.Docs, m)
	}
	return m, nil
}

func view(r *check.Report) (*model, check.Needs) { return r.Model.(*model), 0 }
