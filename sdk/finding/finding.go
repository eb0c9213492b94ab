// The build constraint keeps this package out of guests: importing it there fails to compile.

//go:build !wasip1

// Package finding defines findings with their locations, and the relations between them: which finding hides
// another, and which findings a remedy fixes or causes.
package finding

import (
	"github.com/stategate/stategate/sdk/wire"
)

// A Place is a range resolved for display.
type Place struct {
	Path       string `json:",omitzero"` // as in the range: "" is the root, a directory's path ends in a slash
	Start, End int    `json:",omitzero"` // half-open byte range of the document's text
	// Line and Column locate Start; EndLine and EndColumn locate End. All count from 1; columns count characters
	// (code points). All are 0 if the location is a whole document, a directory, or missing.
	Line, Column       int `json:",omitzero"`
	EndLine, EndColumn int `json:",omitzero"`
	// Excerpt is the raw line that contains Start, without its line ending, or "" if there is none. A long line is
	// cut at MaxExcerpt; if Start is after the cut, Excerpt is empty.
	Excerpt string `json:",omitzero"`
}

// A Finding is a diagnostic of a plugin or of the host, with resolved locations. Its severity is Info, Warning or
// Error.
type Finding struct {
	wire.Diagnostic
	Host          bool    `json:",omitzero"` // the rule is the host's own
	Place         Place   `json:",omitzero"` // location of Diagnostic.Range
	RelatedPlaces []Place `json:",omitzero"` // location of each element in Diagnostic.Related
}
