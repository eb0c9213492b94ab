// Package declare runs a workflow that a text file describes. One guest serves every such file: the host writes the
// text, as JSON, into the [Slot] of the guest.
//
// A declaration names documents, the items in them, and rules. An item has what the tables of rules need: a key, words,
// what is done, what it depends on. Other rules are expressions: see package expr.
package declare

import (
	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/sdk"
)

// Language is the version of the language that declarations are written in.
const Language = 1

// A Declaration is a workflow as a text describes it.
type Declaration struct {
	name, version, doc string
	roots              []sdk.Root
	documents          []*document
	schemas            map[string]string
	lets               []named
	kinds              []*kind
	phases             []phase
	progress           *progress
	rules              []*rule
	read               []string // names of documents
	lines              []line   // of the brief
}

// A document is a file, or the files that a glob matches.
type document struct {
	name  string
	many  bool
	names bool // only their names are needed
	spec  sdk.DocumentSpec
	shape *expr.Shape
}

// named is an expression with a name.
type named struct {
	name string
	expr *expr.Node
}

// A kind is one kind of items.
type kind struct {
	name, plural     string
	each, key, title *expr.Node
	at               *expr.Node
	state            *expr.Node
	word             string // what messages call the state: status
	words, done      []string
	doneWhen         *expr.Node // instead of words
	moves            map[string][]string
	one              string
	keep             bool
	same             *expr.Node // whether the list is that of the base, and not a new one in its place; nil: it is
	frozen           []named
	frozenWhen       *expr.Node
	needs            *expr.Node
	required         bool
	shape            *expr.Shape // of an item
}

// knowsDone reports whether an item may be known to be done.
func (k *kind) knowsDone() bool { return k.state != nil || k.doneWhen != nil }

type phase struct {
	name, doc string
	when      *expr.Node
}

// progress counts what is done of a list.
type progress struct {
	kind       *kind // whose items are counted, or
	each, done *expr.Node
	unit       string
}

// A rule is one of the declaration, or of a table of a kind of items.
type rule struct {
	name, doc, why, fix string
	severity            sdk.Severity
	base                bool // it compares with the base
	find                func(*run, *report)

	kind        *kind // whose items it looks at
	each        []named
	when        *expr.Node
	at, key     *expr.Node
	see         *expr.Node
	as          *expr.Node // a lower severity
	say, seeSay *expr.Template
	fixes       []fix
}

// A fix is a remedy: an edit of one value, or steps for a person.
type fix struct {
	title *expr.Template
	set   *expr.Node
	to    *expr.Template
	value *expr.Node // instead of to
	steps []*expr.Template
}

// A line of the brief.
type line struct {
	list string // next, left, done, know, check
	kind *kind
	each *expr.Node
	when *expr.Node
	say  *expr.Template
}
