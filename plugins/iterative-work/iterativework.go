// Package iterativework implements the workflow of iterative knowledge work: a task is
// split into phases, and iterations, each with a fresh context, work on one phase,
// confirm it and verify it. The state is in the files of .iterative-work/<slug>.
//
// Documents: state.json (what the main session believes), brief.md (what the user wants), plan.md and its
// parts (the phases), context.md (what an iteration must know), progress.md (the append-only log, which is
// authoritative for what was done), guardrails.md (lessons), and the outputs.
//
// Ladder of a phase: pending → in_progress (an entry) → confirming (an entry with <id>_DONE) →
// verifying (confirmed once more) → done (verified). The log proves the work; the state or the log
// records the two gates after it. Ladder of a task: discover → plan (brief.md) → execute (plan and
// entries) → verify (all phases done) → deliver (the review passed) → complete (in the archive).
package iterativework

import (
	"strings"

	schema "github.com/stategate/stategate/schemas/iterative-work"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// Workflow is the iterative-work workflow.
var Workflow = &sdk.Workflow{
	Name: "iterative-work",
	Dropped: []string{"domain-changed", "domain-mismatch", "guardrails-missing", "malformed-guardrail",
		"max-lowered-below-used", "too-many-phases-in-one-plan", "two-phases-in-progress", "unfilled-placeholder",
		"unknown-domain", "unknown-signal", "verification-cycles-exceeded"},
	Version: "1.0.0",
	Doc: "knowledge work in iterations with fresh contexts\n\n" +
		"progress.md is authoritative for what was done; state.json records what the main session believes.",
	License:  "Apache-2.0",
	Source:   "https://github.com/stategate/stategate/tree/main/plugins/iterative-work",
	Homepage: "https://github.com/stategate/stategate/blob/main/.github/docs/workflows/iterative-work.md",
	Requires: []string{"base", "clock", "outline", "summary"},
	Roots: []sdk.Root{
		{Dir: ".iterative-work/*", Markers: markers, Unique: true},
		{Dir: ".iterative-work/archive/*", Markers: markers, Unique: true},
	},
	Documents: []sdk.DocumentSpec{
		{Glob: statePath, Format: sdk.JSON, Need: sdk.Content, Schema: "state"},
		{Glob: briefPath, Format: sdk.Markdown, Need: sdk.Content},
		{Glob: planPath, Format: sdk.Markdown, Need: sdk.Content},
		{Glob: "plan-part*.md", Format: sdk.Markdown, Need: sdk.Content},
		{Glob: contextPath, Format: sdk.Markdown, Need: sdk.Content},
		{Glob: logPath, Format: sdk.Markdown, Need: sdk.Content},
		{Glob: lessonsPath, Format: sdk.Markdown, Need: sdk.Content},
		{Glob: outputDirs + "/**/*.{md,txt}", Need: sdk.Counted},
		{Glob: outputDirs + "/**", Need: sdk.Listed},
	},
	Schemas:    map[string]string{"state": schema.State},
	Lifecycles: []*sdk.Lifecycle{taskLifecycle, phaseLifecycle},
	Rules:      check.Declare(rows(), view),
	Identity:   &sdk.Identity{Noun: "task", Of: identity},
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

// identity returns the slug with the creation time, which shows whether a task is both archived and active. An early
// task has neither.
func identity(p *sdk.Pass) string {
	m := modelOf(p)
	slug, created := m.state.Get("/slug"), m.state.Get("/created")
	if !m.state.OK || slug.Text == "" || !created.OK() {
		return ""
	}
	above, _, _ := strings.Cut("/"+m.root, "/.iterative-work/")
	return strings.TrimPrefix(above+"/"+slug.Text+" of "+created.Moment.At.String(), "/")
}
