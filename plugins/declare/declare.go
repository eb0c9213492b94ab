// Package declare runs a workflow that a text file describes. One guest serves every such file: the host writes the
// text, as JSON, into the [Slot] of the guest.
//
// A declaration names documents, the items in them, and rules. An item has what the tables of rules need: a key, words,
// what is done, what it depends on. Other rules are expressions: see package expr.
package declare

import (
	"slices"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/words/status"
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
	progress           *kind // whose items are counted; nil: nothing is
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
	id               string // what messages call the key: id
	words            []string
	done, active     []string   // words
	dropped          []string   // words of what need not be done
	doneWhen         *expr.Node // instead of done
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

// knowsDone reports whether an item may be known to be done, and another one not to be.
func (k *kind) knowsDone() bool {
	is := func(want func(status.Status) bool) bool {
		return slices.ContainsFunc(k.words, func(w string) bool { return want(k.means(w)) })
	}
	return k.doneWhen != nil || k.state != nil && len(k.words) == 0 ||
		is(func(s status.Status) bool { return s == status.Done }) && is(status.Status.Left)
}

// A rule is one of the declaration, or of a table of a kind of items.
type rule struct {
	name, doc, why, fix string
	severity            sdk.Severity
	severityIf          string // when it is less severe
	base                bool   // it compares with the base
	find                func(*run, *report)

	scan
	at, key, see *expr.Node
	seeSay       *expr.Template
	fixes        []fix
}

// A scan says something about values: of each item of a kind, of each element of nested lists, or of the whole run.
type scan struct {
	kind *kind
	each []named
	when *expr.Node
	say  *expr.Template
}

// A fix is a remedy: an edit of one value, or steps for a person.
type fix struct {
	title *expr.Template
	set   *expr.Node
	to    *expr.Template
	steps []*expr.Template
}

// A line of the brief.
type line struct {
	list string // next, left, done, know, check
	scan
}
