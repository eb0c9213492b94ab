// Package iterativework is the workflow of iterative knowledge work: a task is
// decomposed into phases, and iterations with a fresh context each work on one of them,
// confirm it and verify it. The state lies in the files of .iterative-work/<slug>.
//
// Small functions that many rules call are marked noinline: a copy of each at every call
// would make the guest larger by 0.13 MB, measured.
package iterativework

import (
	schema "github.com/stategate/stategate/schemas/iterative-work"
	"github.com/stategate/stategate/sdk"
)

// Workflow is the iterative-work workflow.
var Workflow = &sdk.Workflow{
	Name:    "iterative-work",
	Version: "1.0.0",
	Doc: "knowledge work done by fresh-context iterations, state in files\n\n" +
		"progress.md is the truth for what was done; state.json says what the main session believes.",
	Requires: []string{"base", "clock", "outline", "summary"},
	Roots: []sdk.Root{
		{Dir: ".iterative-work/*", Markers: markers},
		{Dir: ".iterative-work/archive/*", Markers: markers},
	},
	Documents: []sdk.DocumentSpec{
		{Glob: statePath, Format: sdk.JSON, Schema: "state"},
		{Glob: briefPath, Format: sdk.Markdown},
		{Glob: planPath, Format: sdk.Markdown},
		{Glob: "plan-part*.md", Format: sdk.Markdown},
		{Glob: contextPath, Format: sdk.Markdown},
		{Glob: logPath, Format: sdk.Markdown},
		{Glob: lessonsPath, Format: sdk.Markdown},
		{Glob: outputDirs + "/**/*.{md,txt}", Need: sdk.Summary},
		{Glob: outputDirs + "/**", Need: sdk.Listed},
	},
	Schemas:    map[string]string{"state": schema.State},
	Lifecycles: []*sdk.Lifecycle{taskLifecycle, phaseLifecycle},
	Rules:      declared(),
	Prepare:    prepare,
	Detect:     detect,
	Recover:    recoveries,
	Resume:     resume,
}

// The documents of a task.
const (
	statePath   = "state.json"
	briefPath   = "brief.md"
	planPath    = "plan.md"
	contextPath = "context.md"
	logPath     = "progress.md"
	lessonsPath = "guardrails.md"
	outputDirs  = "{sources,outputs,analysis,drafts,data,planning}"
)

var markers = []string{statePath, planPath, logPath, briefPath}
