// Package legalmemo supports memoranda that ten kinds of agents write
// together, each with its own JSON state file next to the orchestrator's.
package legalmemo

import (
	schemas "github.com/stategate/stategate/schemas/legal-memo"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// Workflow is the legal-memo workflow.
var Workflow = &sdk.Workflow{
	Name: "legal-memo",
	Dropped: []string{"rerun-behind-later-stage", "unfilled-placeholder", "newer-format-version",
		"unhealthy-environment", "timestamp-in-future", "initialized-with-progress", "several-phases-in-progress",
		"word-figures-differ", "memorandum-under-another-name", "blocked-but-passed", "cycle-file-number-differs",
		"limit-raised", "outputs-not-tracked", "expected-sections-differ", "orchestrator-blocks-differ",
		"report-not-in-inventory", "finished-with-placeholders"},
	Version: "1.0.0",
	Doc: "memoranda written by many agents, each with a JSON state file\n\n" +
		"State files record phases and items. Reports, footnotes and the memorandum prove them.",
	License:    "Apache-2.0",
	Source:     "https://github.com/stategate/stategate/tree/main/plugins/legal-memo",
	Homepage:   "https://github.com/stategate/stategate/blob/main/.github/docs/workflows/legal-memo.md",
	Requires:   []string{"base", "clock", "outline", "probes", "summary"},
	Roots:      []sdk.Root{{Dir: "**", Markers: markers}},
	Documents:  documents,
	Schemas:    schemas.All,
	Options:    schemas.Options,
	Lifecycles: lifecycles,
	Rules:      check.Declare(rows(), view),
	Identity:   &sdk.Identity{Noun: "session", Of: identity},
	Prepare:    prepare,
	Detect:     detect,
	Recover:    recoveries,
	Resume:     resume,
}

// The paths that rules name.
const (
	orchestratorPath = "orchestrator-state.md"
	footnotesPath    = "consolidated-footnotes.md"
	summaryPath      = "executive-summary.md"
	memoPath         = "final-memorandum.md"
	registryPath     = "review-outputs/fact-registry.md"
	riskPath         = "review-outputs/risk-summary.json"
	reportsDir       = "section-reports/"
	specialistsDir   = "specialist-reports/"
)

var markers = []string{
	orchestratorPath,
	"{,review-outputs/,qa-outputs/}{research-review,fact-validator,coverage-gap-analyzer,risk-aggregator," +
		"executive-summary,citation-validator,assembly,synthesis}-state.json",
	"{,review-outputs/,qa-outputs/}section-writer-state-IV*.json",
	"{,review-outputs/,qa-outputs/}qa-diagnostic-state*.json",
}

// places holds the directories that may contain state files, expected or not.
const places = "{,review-outputs/,qa-outputs/}"

var documents = []sdk.DocumentSpec{
	{Glob: orchestratorPath, Format: sdk.Markdown, Need: sdk.Content},
	{Glob: places + "research-review-state.json", Format: sdk.JSON, Need: sdk.Content, Schema: "research-review"},
	{Glob: places + "fact-validator-state.json", Format: sdk.JSON, Need: sdk.Content, Schema: "fact-validator"},
	{Glob: places + "coverage-gap-analyzer-state.json", Format: sdk.JSON, Need: sdk.Content, Schema: "coverage-gap"},
	{Glob: places + "risk-aggregator-state.json", Format: sdk.JSON, Need: sdk.Content, Schema: "risk-aggregator"},
	{Glob: places + "section-writer-state-IV*.json", Format: sdk.JSON, Need: sdk.Content, Schema: "section-writer"},
	{Glob: places + "executive-summary-state.json", Format: sdk.JSON, Need: sdk.Content, Schema: "executive-summary"},
	{Glob: places + "citation-validator-state.json", Format: sdk.JSON, Need: sdk.Content, Schema: "citation-validator"},
	{Glob: places + "assembly-state.json", Format: sdk.JSON, Need: sdk.Content, Schema: "assembly"},
	{Glob: places + "synthesis-state.json", Format: sdk.JSON, Need: sdk.Content, Schema: "synthesis"},
	{Glob: places + "qa-diagnostic-state*.json", Format: sdk.JSON, Need: sdk.Content, Schema: "qa-diagnostic"},
	// The footnotes are read line by line, because their Markdown has no useful structure, and outlines of the
	// tables in a condensed file are expensive.
	{Glob: footnotesPath, Format: sdk.Text, Need: sdk.Content},
	{Glob: "section-IV*-{integrated,pending}.md", Format: sdk.Text, Need: sdk.Listed},
	{Glob: "{section-reports/*,final-memorandum,final-memorandum-*,research-plan}.md", Format: sdk.Markdown,
		Need: sdk.Summary},
	{Glob: summaryPath, Format: sdk.Markdown, Need: sdk.Summary,
		Probes: []sdk.Probe{{Name: "sections", Line: `(?i)\biv[-._ ]?[a-z0-9]+\b|\bsections? [a-z]\b`}}},
	// Only the existence of specialist reports matters. They are a third of all bytes.
	{Glob: "specialist-reports/*.md", Format: sdk.Markdown, Need: sdk.Listed},
	{Glob: "{review-outputs,qa-outputs,remediation-outputs}/*.md", Format: sdk.Markdown, Need: sdk.Summary},
	{Glob: riskPath, Format: sdk.JSON, Need: sdk.Content},
	// For other files that states may name, only their existence matters.
	{Glob: "{,*/}*.md", Format: sdk.Text, Need: sdk.Listed},
	{Glob: "{,scripts/,qa-outputs/,review-outputs/,remediation-outputs/}*.json", Format: sdk.Text, Need: sdk.Listed},
}
