// Package speckit implements the Spec Kit workflow: a feature is specified, planned, split into tasks and implemented,
// and each step leaves a document in the feature's directory.
//
//	specs/001-name/spec.md          # Feature Specification, **Status**, stories, FR-001, [NEEDS CLARIFICATION: …]
//	specs/001-name/plan.md          # Implementation Plan
//	specs/001-name/tasks.md         # Tasks, ## Phase 1: Setup, - [ ] T001 [P] [US1] Create src/a.py (depends on T000)
//	specs/001-name/checklists/*.md  checkboxes that a reviewer ticks
//	.specify/feature.json           {"feature_directory": "specs/001-name"}: the current feature
//	.specify/memory/constitution.md the project's principles
//	specs/001-name/research.md, data-model.md, quickstart.md, contracts/   further reading
//
// No file records a feature's phase. Its documents and the checkboxes in tasks.md show it:
//
//	specified      spec.md
//	planned        plan.md
//	tasked         tasks.md, without a tick
//	implementing   a task is ticked
//	done           every task is ticked
//
// Each directory specs/NAME is one instance, and so is .specify, which has no run. A directory counts only if one of
// its documents is from Spec Kit, because other tools also keep specs there. A task is a checkbox with an id. If no
// checkbox has an id, a task is a heading with one, such as "## ✅ T1. Parse"; if no heading has one either, every
// checkbox is a task. Tasks name files, so the plugin compares newly ticked tasks with the repository. RATIONALE.md
// explains which findings are errors.
package speckit

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// Workflow is the spec-kit workflow.
var Workflow = &sdk.Workflow{
	Name: "spec-kit",
	Dropped: []string{"done-with-open-parts", "subtask-open", "checklist-open", "story-missing",
		"document-of-another-feature"},
	Version: "1.0.0",
	Doc: "Spec Kit: features with a spec, a plan and tasks\n\n" +
		"Documents and ticked tasks show how far along a feature is; the repository shows whether a ticked task's " +
		"files exist.",
	License:  "Apache-2.0",
	Source:   "https://github.com/stategate/stategate/tree/main/plugins/spec-kit",
	Homepage: "https://github.com/stategate/stategate/blob/main/.github/docs/workflows/spec-kit.md",
	MadeFor:  []sdk.MadeFor{{Tool: "Spec Kit"}},
	Requires: []string{"base", "outline", "paths", "probes", "summary"},
	Roots: []sdk.Root{
		{Dir: "specs/*", Markers: []string{"spec.md", "plan.md", "tasks.md"}, Except: notOurs},
		{Dir: featuresDir, Markers: []string{"[0-9][0-9][0-9]-*/spec.md"}, Except: notOurs},
		// Without the template as a marker, a .specify whose constitution was deleted would not be found.
		{Dir: pointerDir, Markers: []string{pointerPath, constitutionPath, "templates/spec-template.md"}},
	},
	Documents: []sdk.DocumentSpec{
		{Glob: "{spec,plan,tasks}.md", Format: sdk.Markdown, Need: sdk.Content},
		{Glob: "checklists/*.md", Format: sdk.Markdown, Need: sdk.Counted, Probes: []sdk.Probe{
			{Name: "open", Line: `^\s*([-*+]|\d{1,9}[.)])\s*\[\s*\]`},
			{Name: "done", Line: `^\s*([-*+]|\d{1,9}[.)])\s*\[\s*[xX]\s*\]`},
			{Name: "no-marks", Line: `^\s*[-*+]\s*\[[xX]\]\s*(CHK\d+\s*[-:]?\s*)?No \[NEEDS CLARIFICATION\] markers ` +
				`remain[ .]*$`},
		}},
		{Glob: constitutionPath, Format: sdk.Markdown, Need: sdk.Content},
		{Glob: pointerPath, Format: sdk.JSON, Need: sdk.Content, Schema: "object"},
		{Glob: "{*.md,*/spec.md,*/plan.md,*/tasks.md}", Need: sdk.Listed},
		{Glob: "contracts/**/*.{md,yaml,yml,json,ts,proto,graphql}", Need: sdk.Listed},
	},
	AsksFor:    []string{"**"},
	Schemas:    map[string]string{"object": `{"type": "object"}`},
	Lifecycles: []*sdk.Lifecycle{life},
	Rules:      check.Declare(rules, view),
	Prepare:    prepare,
	Detect:     detect,
	Resume:     resume,
}

// notOurs lists the directories of other tools, and of extensions, that have the same file names.
var notOurs = []string{".kiro/**", ".spec-workflow/**", "openspec/**", "_bmad-output/**", "templates/**",
	".specify/extensions/**", "specs/_template", "specs/_templates"}

var life = &sdk.Lifecycle{
	Name: "feature", Doc: "One feature, from its specification to its last task.",
	Phases: []*sdk.Phase{
		{Name: "specified", Number: 1, Doc: "spec.md describes the feature; there is no plan."},
		{Name: "planned", Number: 2, Doc: "plan.md describes how to build it; there are no tasks."},
		{Name: "tasked", Number: 3, Doc: "tasks.md lists the tasks; none is ticked."},
		{Name: "implementing", Number: 4, Doc: "Some tasks are ticked, but not all."},
		{Name: "done", Number: 5, Doc: "Every task is ticked."},
	},
	Transitions: []sdk.Transition{
		{From: "specified", To: "planned"}, {From: "specified", To: "tasked"}, {From: "planned", To: "tasked"},
		{From: "tasked", To: "implementing"}, {From: "tasked", To: "done"},
		{From: "implementing", To: "done"}, {From: "done", To: "implementing", Doc: "Tasks are added."},
		{From: "implementing", To: "tasked"}, {From: "tasked", To: "planned"}, {From: "planned", To: "specified"},
	},
}

func prepare(p *sdk.Pass) (any, error) {
	var base *model
	if p.Base.State == sdk.BaseAt {
		base = look(p.Base.Docs, nil)
	}
	m := look(p.Docs, base)
	m.anchors = anchors(p.Root)
	for _, d := range p.Docs.All() {
		if d.Need != sdk.Content || d.Path == constitutionPath { // no rule reads this prose
			p.OverrideAll(d, sdk.Warning)
		}
	}
	return m, nil
}

// Conditions that rules need.
const (
	onBase  = check.OnBase
	onTasks = check.Needs(1) // tasks.md is readable, and its checkboxes are tasks
	onTicks = check.Needs(2) // the same, or headings with ids are tasks and there is something to tick
)

func view(r *check.Report) (m *model, hold check.Needs) {
	m = r.Model.(*model)
	if m.form == boxes {
		hold |= onTasks | onTicks
	} else if m.form == headings && m.ticked() {
		hold |= onTicks
	}
	return m, hold
}
