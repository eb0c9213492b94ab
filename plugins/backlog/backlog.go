// Package backlog is the workflow of Backlog.md: every task is a Markdown file with front matter, in a folder that says
// whether it is open, finished or put away.
//
// tasks/task-7 - NAME.md      id, status, dependencies, parent_task_id, milestone; criteria, definition of done
//
//	drafts/                     ideas, with ids of their own: DRAFT-3
//	completed/                  finished tasks that were cleaned up
//	archive/tasks/              tasks that were put away
//	milestones/ decisions/ docs/
//	config.yml                  the statuses, in order: the first is where a task begins, the last is done
//
// Ids are given out in turn: two branches that make a task each give it the same one. Letters are the same in either
// case, and zeros in front count for nothing. Status and folder claim how far a task is; its boxes and subtasks prove
// it.
//
//	planned      no task is begun
//	underway     a task is begun or done, and one is left
//	complete     every task is done
//
// One backlog is one instance. RATIONALE.md says what is an error and how forms are read.
package backlog

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// Workflow is the backlog workflow.
var Workflow = &sdk.Workflow{
	Name:    "backlog",
	Version: "1.0.0",
	Doc: "Backlog.md: a file for each task, with a status, dependencies and acceptance criteria\n\n" +
		"Ids are given out once; the status and the folder of a task claim how far it is, its boxes and subtasks " +
		"prove it.",
	License:  "Apache-2.0",
	Source:   "https://github.com/stategate/stategate/tree/main/plugins/backlog",
	Homepage: "https://github.com/stategate/stategate/blob/main/.github/docs/workflows/backlog.md",
	MadeFor:  []sdk.MadeFor{{Tool: "Backlog.md", Versions: "up to 1.50"}},
	Requires: []string{"base", "probes", "summary"},
	Roots: []sdk.Root{
		{Dir: "backlog", Markers: []string{"config.{yml,yaml}", "tasks/*-[0-9]*.md"}},
		{Dir: ".backlog", Markers: []string{"config.{yml,yaml}", "tasks/*-[0-9]*.md"}, Unique: true},
		{Dir: "**", Markers: []string{"tasks/[A-Za-z]*-[0-9]* - *.md"}}, // a directory named by backlog.config.yml
	},
	Documents: []sdk.DocumentSpec{
		{Glob: "config.yml", Format: sdk.YAML, Need: sdk.Content, Schema: "config"},
		{Glob: "config.yaml", Format: sdk.YAML, Need: sdk.Content, Schema: "config"},
		{Glob: "{tasks,drafts,completed}/*.md", Need: sdk.Content},
		{Glob: "archive/{tasks,drafts}/*.md", Need: sdk.Content},
		{Glob: "{milestones,archive/milestones}/*.md", Need: sdk.Listed},
		{Glob: "{docs,decisions}/**/*.md", Need: sdk.Counted,
			Probes: []sdk.Probe{{Name: "id", Line: `^id: *['"]?(doc|DOC|decision|DECISION)-[0-9]+['"]? *$`}}},
	},
	Schemas:    map[string]string{"config": `{"type": ["object", "null"]}`}, // null if empty
	Lifecycles: []*sdk.Lifecycle{life},
	Rules:      check.Declare(rules, view),
	Prepare:    prepare,
	Detect:     detect,
	Resume:     resume,
}

var life = &sdk.Lifecycle{
	Name: "backlog", Doc: "All tasks of a backlog.",
	Phases: []*sdk.Phase{
		{Name: "planned", Number: 1, Doc: "No task is begun."},
		{Name: "underway", Number: 2, Doc: "A task is begun or done, and one is left."},
		{Name: "complete", Number: 3, Doc: "Every task is done."},
	},
	Transitions: []sdk.Transition{
		{From: "planned", To: "underway"}, {From: "underway", To: "complete"}, {From: "planned", To: "complete"},
		{From: "complete", To: "underway"}, {From: "underway", To: "planned"}, {From: "complete", To: "planned"},
	},
}

func prepare(p *sdk.Pass) (any, error) {
	m := look(p.Docs, nil)
	if p.Base.State == sdk.BaseAt {
		m.base = look(p.Base.Docs, m)
	}
	return m, nil
}

func view(r *check.Report) (*model, check.Needs) { return r.Model.(*model), 0 }
