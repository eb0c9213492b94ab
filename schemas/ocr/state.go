// Package ocr contains the JSON Schemas of the ocr workflow.
package ocr

// State is the schema of state.json. It equals state.schema.json, which is not embedded because package embed
// imports package time, which would add 0.3 MB to a guest.
const State = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "State of an Open Code Review session, v1.4.0",
  "type": "object",
  "required": ["current_phase"],
  "additionalProperties": true,
  "properties": {
    "session_id": {"type": ["string", "null"]},
    "workflow_type": {"type": ["string", "null"]},
    "status": {"type": ["string", "null"]},
    "current_phase": {"type": "string", "minLength": 1},
    "phase_number": {"type": ["integer", "null"], "minimum": 1, "maximum": 8},
    "current_round": {"type": ["integer", "null"], "minimum": 1, "maximum": 999999},
    "current_map_run": {"type": ["integer", "null"], "minimum": 1, "maximum": 999999},
    "started_at": {"type": ["string", "null"]},
    "updated_at": {"type": ["string", "null"]},
    "round_started_at": {"type": ["string", "null"]},
    "map_started_at": {"type": ["string", "null"]}
  }
}
`
