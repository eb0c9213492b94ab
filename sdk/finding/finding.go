// No guest links this package: without this file it does not compile.

//go:build !wasip1

// Package finding holds findings with their places, and how they relate: which hide others, which a remedy fixes or
// breaks.
package finding

import (
	"github.com/stategate/stategate/sdk/wire"
)

// A Place is a range worked out, to be shown.
type Place struct {
	Path       string `json:",omitzero"` // as in the range: "" is the root, a directory's ends in a slash
	Start, End int    `json:",omitzero"` // half-open bytes of the document's text
	// Line and Column of Start, and EndLine and EndColumn of End, are 1-based;
	// columns count characters (code points). All are 0 where the place is a
	// document as a whole, a directory, or not there.
	Line, Column       int `json:",omitzero"`
	EndLine, EndColumn int `json:",omitzero"`
	// Excerpt is the line of Start, raw, without its ending: "" if there is none.
	// A long one is cut at MaxExcerpt, and left out if the place is behind the cut.
	Excerpt string `json:",omitzero"`
}

// A Finding is a diagnostic of a plugin or of the host, with its places worked
// out. Its severity is Info, Warning or Error.
type Finding struct {
	wire.Diagnostic
	Host          bool    `json:",omitzero"` // the host's own rule
	Place         Place   `json:",omitzero"` // of Diagnostic.Range
	RelatedPlaces []Place `json:",omitzero"` // of Diagnostic.Related, one each
}
