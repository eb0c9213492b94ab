// Package taskmaster implements the Task Master workflow: a list of tasks with subtasks and dependencies, in one JSON
// file.
//
//	tasks/tasks.json     {"master": {"tasks": […], "metadata": {…}}}, a list per tag; or {"tasks": […]}, no tags
//	tasks/task_001.txt   a task as printed by a tool
//	state.json           currentTag
//
// A task has an id, a status, dependencies and subtasks, which have the same fields. A status is pending, in-progress,
// review, done, deferred or cancelled. A dependency is a task id; 5.2 is subtask 2 of task 5; in a subtask, a plain
// number is a subtask of the same task. A task's status is a claim; the statuses of its subtasks and dependencies show
// whether it is true.
//
//	planned     no task has begun
//	underway    a task has begun, and at least one is unfinished
//	complete    every task is done or abandoned
//
// Before version 0.16, tasks/tasks.json and .taskmasterconfig were in the project root, without a state.json. One
// .taskmaster directory, or one such project, is one instance; each tag is a subject. RATIONALE.md explains which
// faults are errors and how the plugin reads each form.
package taskmaster

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/work"
)

// Workflow is the taskmaster workflow.
var Workflow = &sdk.Workflow{
	Name:    "taskmaster",
	Version: "1.0.0",
	Doc: "Task Master: tasks with subtasks and dependencies, in one list per tag\n\n" +
		"A task's status says how far along it is; its subtasks and dependencies show whether that is true.",
	License:  "Apache-2.0",
	Source:   "https://github.com/stategate/stategate/tree/main/plugins/taskmaster",
	Homepage: "https://github.com/stategate/stategate/blob/main/.github/docs/workflows/taskmaster.md",
	MadeFor:  []sdk.MadeFor{{Tool: "Task Master", Versions: "up to 0.43"}},
	Requires: []string{"base", "probes", "summary"},
	Roots: []sdk.Root{
		{Dir: home, Markers: []string{"tasks/*.json"}, Unique: true},
		{Dir: "**", Markers: []string{tasksPath}}, // before version 0.16
	},
	Documents: []sdk.DocumentSpec{
		{Glob: tasksPath, Format: sdk.JSON, Need: sdk.Content, Schema: "object",
			Probes: []sdk.Probe{{Name: "subtasks", Literal: `"subtasks"`}}}, // counted if the file is too large
		{Glob: home + "/" + tasksPath, Need: sdk.Listed},
		{Glob: ".taskmasterconfig", Need: sdk.Listed},
		{Glob: statePath, Format: sdk.JSON, Need: sdk.Content, Schema: "object"},
		{Glob: "tasks/*.json", Need: sdk.Listed},
		{Glob: taskFiles, Need: sdk.Counted, Probes: []sdk.Probe{{Name: "status", Line: `^# Status: `}}},
	},
	Schemas:    map[string]string{"object": `{"type": "object"}`},
	Lifecycles: []*sdk.Lifecycle{life},
	Rules:      check.Declare(rules, view),
	Prepare:    prepare,
	Detect:     detect,
	Resume:     resume,
}

const (
	tasksPath = "tasks/tasks.json"
	taskFiles = "tasks/task_*.{txt,md}"
	statePath = "state.json"
	home      = ".taskmaster"
)

var life = work.Life("list", "The tasks under one tag.", "task")

func prepare(p *sdk.Pass) (any, error) {
	m := look(p.Docs, p.Name == home)
	if p.Base.State == sdk.BaseAt {
		m.base = look(p.Base.Docs, p.Base.Root == home || strings.HasSuffix(p.Base.Root, "/"+home))
	}
	return m, nil
}

// Conditions that rules need.
const (
	twoLists check.Needs = 1 // tasks.json is readable, here and in the base
	onBase               = check.OnBase | twoLists
)

func view(r *check.Report) (*model, check.Needs) {
	m := r.Model.(*model)
	if m.base != nil && m.base.read && m.read {
		return m, twoLists
	}
	return m, 0
}
