// Package iterativework contains the JSON Schemas of the iterative-work workflow.
package iterativework

// State is the schema of state.json. It equals state.schema.json, which is not embedded because package embed
// imports package time, which would add 0.3 MB to a guest.
const State = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "State of a task of iterative work, partial early forms included",
  "type": "object",
  "required": ["phase"],
  "additionalProperties": true,
  "properties": {
    "task": {"type": ["string", "null"]},
    "slug": {"type": ["string", "null"]},
    "domain": {"type": ["string", "array", "null"], "items": {"type": "string"}},
    "created": {"type": ["string", "null"]},
    "updated": {"type": ["string", "null"]},
    "phase": {"type": "string"},
    "current_phase": {"type": ["string", "null"]},
    "current": {"type": ["string", "null"]},
    "current_iteration": {"$ref": "#/$defs/count"},
    "iteration": {"$ref": "#/$defs/count"},
    "current_part": {"type": ["string", "null"]},
    "phases": {"type": ["object", "null"], "additionalProperties": {"$ref": "#/$defs/phase"}},
    "blocked": true
  },
  "$defs": {
    "count": {"type": ["integer", "null"], "minimum": 0, "maximum": 9999},
    "phase": {
      "type": ["object", "null"],
      "additionalProperties": true,
      "properties": {
        "status": {"type": ["string", "null"]},
        "iterations_used": {"$ref": "#/$defs/count"},
        "confirmations_used": {"$ref": "#/$defs/count"},
        "max_iterations": {"type": ["integer", "null"], "minimum": 1, "maximum": 9999},
        "verification_passed": {"type": ["boolean", "null"]},
        "started_at": {"type": ["string", "null"]},
        "completed_at": {"type": ["string", "null"]}
      }
    }
  }
}
`
