// Package iterativework supports iterative knowledge work: a task is split into phases. Each
// iteration starts with a fresh context, and works on one phase, confirms it or verifies it. The
// state of a task is in the files of .iterative-work/<slug>.
//
// The documents are state.json (what the main session believes), brief.md (what the user wants), plan.md and its
// parts (the phases), context.md (what an iteration must know), progress.md (the append-only log, which is
// authoritative for what was done), guardrails.md (lessons), and the outputs.
//
// A phase moves from pending to in_progress, confirming, verifying and done. An entry in the log shows
// that it is in progress, and an entry with <id>_DONE that its work is finished. The state or the log
// records the two gates that follow: the confirmation and the verification.
//
// A task moves from discover to plan (it has brief.md), execute (a plan and entries), verify (all phases
// are done), deliver (the review passed) and complete (it is in the archive).
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

// identity returns the slug and the creation time of a task, which show whether it is both archived and active. It
// returns "" for an early task, which has neither.
func identity(p *sdk.Pass) string {
	m := modelOf(p)
	slug, created := m.state.Get("/slug"), m.state.Get("/created")
	if !m.state.OK || slug.Text == "" || !created.OK() {
		return ""
	}
	above, _, _ := strings.Cut("/"+m.root, "/.iterative-work/")
	return strings.TrimPrefix(above+"/"+slug.Text+" of "+created.Moment.At.String(), "/")
}
