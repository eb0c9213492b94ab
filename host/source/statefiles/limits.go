package statefiles

import (
	"github.com/stategate/stategate/host/limits"
)

// Limits bounds what is read of one instance. Sizes are in bytes.
type Limits struct {
	Entries  int   // names listed below the root
	Depth    int   // directories inside each other
	Document int64 // one content document; a larger one is read all the same, for a summary
	Summary  int64 // one document of any kind; a larger one is not read
	Content  int64 // all content documents
	Total    int64 // all documents
}

// DefaultLimits returns the limits that hold when nobody asks for less. Document and Content are those of l.
func DefaultLimits(l limits.Limits) Limits {
	return Limits{Entries: 100_000, Depth: 64, Document: l.Document, Summary: 64 << 20, Content: l.Content, Total: 128 << 20}
}
