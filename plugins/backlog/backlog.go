// Package backlog implements the Backlog.md workflow: every task is a Markdown file with front matter, in a folder
// that shows whether it is open, finished or archived.
//
//	tasks/task-7 - NAME.md      id, status, dependencies, parent_task_id, milestone; criteria, definition of done
//	drafts/                     ideas, with separate ids: DRAFT-3
//	completed/                  finished tasks moved by backlog cleanup
//	archive/tasks/              archived tasks
//	milestones/ decisions/ docs/
//	config.yml                  the statuses, in order: a task begins with the first; the last means done
//
// Ids are consecutive, so two branches that each create a task use the same id. Ids ignore case and leading zeros. A
// task's status and folder say how far along it is; its checkboxes and subtasks show whether that is true.
//
//	planned      no task has begun
//	underway     work on one task has begun, and at least one is unfinished
//	complete     every task is done
//
// One backlog is one instance. RATIONALE.md explains which faults are errors and how the plugin reads each form.
package backlog

import (
	"path"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/work"
)

// Workflow is the backlog workflow.
var Workflow = &sdk.Workflow{
	Name:    "backlog",
	Version: "1.0.0",
	Doc: "Backlog.md: one file per task, with a status, dependencies and acceptance criteria\n\n" +
		"Ids are unique. A task's status and folder say how far along it is; its checkboxes and subtasks show " +
		"whether that is true.",
	License:  "Apache-2.0",
	Source:   "https://github.com/stategate/stategate/tree/main/plugins/backlog",
	Homepage: "https://github.com/stategate/stategate/blob/main/.github/docs/workflows/backlog.md",
	MadeFor:  []sdk.MadeFor{{Tool: "Backlog.md", Versions: "up to 1.50"}},
	Requires: []string{"base", "paths", "probes", "summary"},
	Roots: []sdk.Root{
		{Dir: "backlog", Markers: []string{"config.{yml,yaml}", "tasks/*-[0-9]*.md"}},
		{Dir: ".backlog", Markers: []string{"config.{yml,yaml}", "tasks/*-[0-9]*.md"}, Unique: true},
		{Dir: "**", Markers: []string{"tasks/[A-Za-z]*-[0-9]* - *.md"}}, // a directory named by backlog.config.yml
	},
	Documents: []sdk.DocumentSpec{
		{Glob: "config.yml", Format: sdk.YAML, Need: sdk.Content, Schema: "config"},
		{Glob: "config.yaml", Format: sdk.YAML, Need: sdk.Content, Schema: "config"},
		{Glob: "{tasks,drafts,completed}/*.md", Need: sdk.Content},
		{Glob: "tasks/*/**/*.md", Need: sdk.Listed},
		{Glob: "archive/{tasks,drafts}/*.md", Need: sdk.Content},
		{Glob: "{milestones,archive/milestones}/*.md", Need: sdk.Listed},
		{Glob: "{docs,decisions}/**/*.md", Need: sdk.Counted,
			Probes: []sdk.Probe{{Name: "id", Line: `^id: *['"]?(doc|DOC|decision|DECISION)-[0-9]+['"]? *$`}}},
	},
	// The configuration may be in the project root.
	AsksFor:    []string{"**/backlog.config.yml"},
	Schemas:    map[string]string{"config": `{"type": ["object", "null"]}`}, // null if empty
	Lifecycles: []*sdk.Lifecycle{life},
	Rules:      check.Declare(rules, view),
	Prepare:    prepare,
	Detect:     detect,
	Resume:     resume,
}

var life = work.Life("backlog", "All tasks in a backlog.", "task")

func prepare(p *sdk.Pass) (any, error) {
	m := look(p.Docs, nil)
	m.rootConfig = path.Join(path.Dir(p.Root), "backlog.config.yml")
	if p.Base.State == sdk.BaseAt {
		m.base = look(p.Base.Docs, m)
	}
	return m, nil
}

func view(r *check.Report) (*model, check.Needs) { return r.Model.(*model), 0 }
