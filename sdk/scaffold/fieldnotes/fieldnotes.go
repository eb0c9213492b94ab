// Package fieldnotes is the fieldnotes workflow: an investigation that an agent
// carries out over several sessions, one directory .fieldnotes/<name>/ each.
//
//	state.json   what the agent says: the phase, and when it last wrote
//	plan.md      the questions, as a task list
//	notes/*.md   what was found
//	report.md    the report, with a section "Findings"
//
// The phases are plan, collect, report and done. What the files prove is
// observed; what state.json says is claimed; most faults are their disagreement.
package fieldnotes

import (
	"github.com/stategate/stategate/sdk"
)

// Workflow is the fieldnotes workflow.
var Workflow = &sdk.Workflow{
	Name: "fieldnotes", Version: "0.1.0",
	Doc:      "Field notes: an investigation in one directory.\n\nAn agent plans questions, collects notes and writes a report.",
	Requires: []string{"base", "clock", "outline", "summary"},
	Roots:    []sdk.Root{{Dir: ".fieldnotes/*", Markers: []string{"state.json", "plan.md", "report.md"}}},
	Documents: []sdk.DocumentSpec{
		{Glob: "state.json", Format: sdk.JSON, Schema: "state"},
		{Glob: "plan.md", Format: sdk.Markdown},
		{Glob: "report.md", Format: sdk.Markdown},
		{Glob: "notes/*.md", Format: sdk.Markdown, Need: sdk.Summary}, // sizes and words will do: long notes never enter the sandbox
	},
	Schemas:    map[string]string{"state": stateSchema},
	Options:    optionsSchema,
	Lifecycles: []*sdk.Lifecycle{investigation},
	Rules:      []*sdk.Rule{stateMissing, phaseBeyondFiles, questionOpen, timestampMalformed, stateStale, phaseWentBack},
	Prepare:    prepare,
	Detect:     detect,
	Recover:    recoverState,
	Resume:     resume,
}

// The phases, in their order.
var (
	plan    = &sdk.Phase{Name: "plan", Number: 1, Title: "Plan", Doc: "The questions are being written down."}
	collect = &sdk.Phase{Name: "collect", Number: 2, Title: "Collect", Doc: "plan.md asks questions; notes answer them."}
	report  = &sdk.Phase{Name: "report", Number: 3, Title: "Report", Doc: "There are notes and every question is ticked."}
	done    = &sdk.Phase{Name: "done", Number: 4, Title: "Done", Doc: "report.md has findings."}

	investigation = &sdk.Lifecycle{
		Name: "investigation", Doc: "One investigation, from its questions to its report.",
		Phases: []*sdk.Phase{plan, collect, report, done},
		Transitions: []sdk.Transition{
			{From: "plan", To: "collect"}, {From: "collect", To: "report"}, {From: "report", To: "done"},
			{From: "report", To: "collect", Doc: "A question turned up while writing."},
		},
	}
)

// stateSchema says what state.json may hold. Breaches become findings of the
// host; keys that it does not name are life, not faults.
const stateSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "required": ["phase"],
  "properties": {
    "phase": {"enum": ["plan", "collect", "report", "done"]},
    "updated_at": {"type": "string"}
  }
}`

// optionsSchema says what the options of this plugin may hold, under
// options: fieldnotes: in .stategate.yaml.
const optionsSchema = `{
  "type": "object",
  "properties": {"stale_days": {"type": "integer", "minimum": 1}},
  "additionalProperties": false
}`
