// Package schemas contains the JSON Schemas (2020-12) of the formats that stategate reads and writes: the ABI
// between host and plugins, the configuration and the JSON output. The schemas of each workflow's own state files
// are in a subdirectory.
package schemas

import _ "embed" // for the schemas

// The ABI between host and plugins. Package wire in the sdk is the equivalent in Go; a test there checks that they
// agree.
var (
	// Manifest is the schema of the output of describe.
	//
	//go:embed abi/manifest.schema.json
	Manifest string

	// Request is the schema of the header in the input of examine.
	//
	//go:embed abi/request.schema.json
	Request string

	// Report is the schema of the output of examine.
	//
	//go:embed abi/report.schema.json
	Report string
)

// Output is the schema of the output of check and status with --format json.
//
//go:embed output.schema.json
var Output string

// Recover is the schema of the output of recover with --format json.
//
//go:embed recover.schema.json
var Recover string

// Resume is the schema of the output of resume with --format json.
//
//go:embed resume.schema.json
var Resume string

// Config is the schema of .stategate.yaml.
//
//go:embed config.schema.json
var Config string

// Declare is the schema of a workflow that is declared in a text file.
//
//go:embed declare.schema.json
var Declare string

// Baseline is the schema of the file that check --write-baseline writes.
//
//go:embed baseline.schema.json
var Baseline string
