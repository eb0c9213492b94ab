// Package hook is what runs and tests of a workflow do with a pass, and authors have no need to. Package sdk fills it
// in: it cannot be imported from here, so passes, workflows and documents go by any.
package hook

import (
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/wire"
)

// A Pass is an sdk.Pass as who runs it sees it.
type Pass interface {
	// Other makes the *sdk.Pass of another request, whose answers about time hold the verdict, too.
	Other(r *wire.Request) any
	// Aside has rules check for the sake of what they ask: what they report and override is forgotten. It returns how
	// long they would ask the same.
	Aside(check func()) (from, until instant.Time)
	// Answer gives the pass the answers of a request to what it asked for.
	Answer(r *wire.Request)
	// Ask returns the paths whose presence was asked for and is not known, sorted.
	Ask() []string
	// Asked returns the paths and globs that were not found, if the request asks for an audit.
	Asked() []string
	// Overrides returns what the workflow overrides.
	Overrides() []wire.Override
	// Chooses returns the instances that the workflow chooses.
	Chooses() []string
	// Valid returns from when and until when the answers about time hold; a zero time is open.
	Valid() (from, until instant.Time)
}

var (
	// NewPass makes the *sdk.Pass of a request, for an *sdk.Workflow.
	NewPass func(workflow any, r *wire.Request) any
	// Of returns what an *sdk.Pass is to who runs it.
	Of func(pass any) Pass
	// NewDocs makes the sdk.Docs that a request lists.
	NewDocs func(list []wire.Document, unseen []string) any
)
