// Package bmad implements the workflow of the BMAD method: epics are split into stories, a tracker has each story's
// status, and a story gets a file before it is built.
//
//	sprint-status.yaml   development_status: epic-1, 1-2-name and epic-1-retrospective, each with a status
//	1-2-name.md          the story: Status, acceptance criteria, tasks with checkboxes, review follow-ups; also
//	                     story-1-2-name.md, 1.2.name.md, and spec-1-2-name.md, from which bmad-build works
//	epic-1-retro-*.md    an epic's retrospective
//
// A story goes from backlog to ready-for-dev (its file is written), in-progress, review and done; an epic goes from
// backlog to in-progress and done. A retrospective is optional or done. Trackers for other sprints are in the same
// directory, as sprint-status-NAME.yaml. A story's file also has a status, which must agree with the tracker's; the
// checkboxes show which of the two is right.
//
//	planned      no story has begun
//	underway     a story has begun, and at least one is not done
//	complete     every story is done or abandoned
//
// One directory with a tracker is one instance; each epic is a subject. RATIONALE.md explains which faults are errors
// and how the plugin reads each form.
package bmad

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/work"
)

// Workflow is the bmad workflow.
var Workflow = &sdk.Workflow{
	Name:    "bmad",
	Version: "1.0.0",
	Doc: "BMAD method: a sprint tracker with epics and stories, and a file for each story\n\n" +
		"The tracker says how far along each story is; the story's file and checkboxes show whether that is true.",
	License:  "Apache-2.0",
	Source:   "https://github.com/stategate/stategate/tree/main/plugins/bmad",
	Homepage: "https://github.com/stategate/stategate/blob/main/.github/docs/workflows/bmad.md",
	MadeFor:  []sdk.MadeFor{{Tool: "BMAD-METHOD", Versions: "up to 6.11"}},
	Requires: []string{"base", "paths"},
	Roots: []sdk.Root{
		{Dir: "implementation-artifacts", Markers: []string{trackers, storyFiles}},
		{Dir: "sprint-artifacts", Markers: []string{trackers, storyFiles}},
		{Dir: "_bmad-output", Markers: []string{trackers}, Unique: true},
		{Dir: "docs/stories", Markers: []string{trackers, storyFiles}},
		{Dir: "**", Markers: []string{"sprint-status.{yaml,yml}"}}, // any directory that config.yaml may name
	},
	Documents: []sdk.DocumentSpec{
		{Glob: "sprint-status*.yaml", Format: sdk.YAML, Need: sdk.Content, Schema: "tracker"},
		{Glob: "sprint-status*.yml", Format: sdk.YAML, Need: sdk.Content, Schema: "tracker"},
		{Glob: "**/{[0-9],story-[0-9],spec-[0-9]}*{-,.}[0-9]*.md", Need: sdk.Content}, // or story_location
		{Glob: "{tech-spec,spec,quick-spec,review,epic,deferred,retro}-*.md", Need: sdk.Listed},
		{Glob: "*.md", Need: sdk.Content},
		{Glob: "{stories,done,archive,archived,completed,epic-*}/*.md", Need: sdk.Content},
		{Glob: "**/*.md", Need: sdk.Listed}, // a story may have been moved there
	},
	AsksFor:    []string{"**/sprint-status.{yaml,yml}", "**/epics.md"},       // a tracker above story folders; plans
	Schemas:    map[string]string{"tracker": `{"type": ["object", "null"]}`}, // null if empty
	Lifecycles: []*sdk.Lifecycle{sprint, epicLife},
	Rules:      check.Declare(rules, view),
	Prepare:    prepare,
	Detect:     detect,
	Resume:     resume,
}

const (
	trackers   = "sprint-status*.{yaml,yml}"
	storyFiles = "[0-9]*{-,.}[0-9]*.md"
)

var sprint = work.Life("sprint", "All epics in a tracker.", "story")

var epicLife = &sdk.Lifecycle{
	Name: "epic", Doc: "One epic in the sprint.",
	Unit: sdk.Part,
	Phases: []*sdk.Phase{
		{Name: "backlog", Number: 1, Doc: "None of its stories has begun."},
		{Name: "in-progress", Number: 2, Doc: "One of its stories has begun, and at least one is not done."},
		{Name: "done", Number: 3, Doc: "All of its stories are done or abandoned."},
	},
	Transitions: work.Moves("backlog", "in-progress", "done"),
}

func prepare(p *sdk.Pass) (any, error) {
	var base *model
	if p.Base.State == sdk.BaseAt {
		base = look(p.Base.Docs, nil)
	}
	m := look(p.Docs, base)
	m.base = base
	m.findPlans(p)
	return m, nil
}

func view(r *check.Report) (*model, check.Needs) { return r.Model.(*model), 0 }
