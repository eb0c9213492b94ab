// Package ocr holds the JSON Schemas of the ocr workflow.
package ocr

import _ "embed"

// State is the schema of state.json.
//
//go:embed state.schema.json
var State string
