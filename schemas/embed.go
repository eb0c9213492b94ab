// Package schemas holds the JSON Schemas (2020-12) of what stategate reads and
// writes: the ABI between host and plugins, the configuration and the JSON
// output. The schemas of a workflow's own state files lie in a package beside it.
package schemas

import _ "embed" // for the texts

// The ABI between host and plugins. Package wire of the sdk is the same in Go;
// a test there keeps the two equal.
var (
	// Manifest is the schema of what describe returns.
	//
	//go:embed abi/manifest.schema.json
	Manifest string

	// Request is the schema of the header of what examine is called with.
	//
	//go:embed abi/request.schema.json
	Request string

	// Report is the schema of what examine returns.
	//
	//go:embed abi/report.schema.json
	Report string
)

// Output is the schema of what check and status print with
// --format json.
//
//go:embed output.schema.json
var Output string

// Recover is the schema of what recover prints with --format json.
//
//go:embed recover.schema.json
var Recover string

// Resume is the schema of what resume prints with --format json.
//
//go:embed resume.schema.json
var Resume string

// Config is the schema of .stategate.yaml.
//
//go:embed config.schema.json
var Config string

// Declare is the schema of a workflow that a text file describes.
//
//go:embed declare.schema.json
var Declare string

// Baseline is the schema of what check --write-baseline writes.
//
//go:embed baseline.schema.json
var Baseline string
