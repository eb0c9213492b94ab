// Package hook gives the code that runs and tests workflows access to a pass's internals, which plugin authors do
// not need. Package sdk sets its variables. Importing sdk here would be a cycle, so passes, workflows and documents
// have type any.
package hook

import (
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/wire"
)

// A Pass is the internal view of an sdk.Pass.
type Pass interface {
	// Other creates the *sdk.Pass of another request. Its answers about time also limit this pass's validity.
	Other(r *wire.Request) any
	// Aside runs rules only to record their questions, and discards their findings and overrides. It returns the
	// interval in which they would ask the same questions.
	Aside(check func()) (from, until instant.Time)
	// Answer provides the answers to the pass's questions.
	Answer(r *wire.Request)
	// Ask returns the paths whose presence was asked for and is unknown, sorted.
	Ask() []string
	// Asked returns the paths and globs that were not found, if the request sets Audit.
	Asked() []string
	// Overrides returns the workflow's overrides.
	Overrides() []wire.Override
	// Chooses returns the instances that the workflow chose.
	Chooses() []string
	// Valid returns the interval in which the answers about time hold; a zero time means that the end is open.
	Valid() (from, until instant.Time)
}

var (
	// NewPass creates the *sdk.Pass of a request for an *sdk.Workflow.
	NewPass func(workflow any, r *wire.Request) any
	// Of returns the internal view of an *sdk.Pass.
	Of func(pass any) Pass
	// NewDocs creates the sdk.Docs that a request lists.
	NewDocs func(list []wire.Document, unseen []string) any
)
