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
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/words/status"
)

// A Declaration is a workflow as a text describes it.
type Declaration struct {
	name, version, doc string
	roots              []sdk.Root
	documents          []*document
	schemas            map[string]string
	defined            map[string]func(*run, *state) *expr.Value // documents, lets and kinds of items
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
	name, plural         string
	each, key, title, at *expr.Node
	state                *expr.Node
	word                 string // what messages call the state: status
	id                   string // what messages call the key: id
	words                []string
	done, active         []string   // words
	dropped              []string   // words of what need not be done
	doneWhen             *expr.Node // instead of done
	moves                map[string][]string
	one                  string
	keep                 bool
	same                 *expr.Node // whether the list is that of the base, and not a new one in its place; nil: it is
	frozen               []named
	frozenWhen           *expr.Node
	needs                *expr.Node
	required             bool
	shape                *expr.Shape // of an item
}

// knowsDone reports whether an item may be known to be done, and another one not to be.
func (k *kind) knowsDone() bool {
	done, left := false, false
	for _, w := range k.words {
		done, left = done || k.means(w) == status.Done, left || k.means(w).Left()
	}
	return k.doneWhen != nil || k.state != nil && len(k.words) == 0 || done && left
}

// means returns what a word says. Where the declaration lists the words of a meaning, no other has it.
func (k *kind) means(word string) status.Status {
	switch {
	case slices.Contains(k.done, word):
		return status.Done
	case slices.Contains(k.dropped, word):
		return status.Cancelled
	case word == k.one && word != "" || slices.Contains(k.active, word):
		return status.InProgress
	case !k.knows(word):
		return status.Unknown
	}
	is := status.Of(word)
	if is == status.Done && (len(k.done) > 0 || k.doneWhen != nil) {
		is = status.Review
	}
	if is == status.Cancelled && len(k.dropped) > 0 || is.Started() && len(k.active) > 0 ||
		is == status.Unknown && len(k.words) > 0 {
		return status.Open
	}
	return is
}

// knows reports whether a word is one of words, if there are any: others are status-unknown.
func (k *kind) knows(word string) bool { return len(k.words) == 0 || slices.Contains(k.words, word) }

// A rule is one of the declaration, or of a table of a kind of items, which has Find.
type rule struct {
	check.Rule[*run]
	scan
	at, key, see, seeSay *expr.Node
	fixes                []fix
}

// A scan says something about values: of each item of a kind, of each element of nested lists, or of the whole run.
type scan struct {
	kind *kind
	each []named
	when *expr.Node
	say  *expr.Node
}

// A fix is a remedy: an edit of one value, or steps for a person.
type fix struct {
	title, set, to *expr.Node
	steps          []*expr.Node
}

// A line of the brief.
type line struct {
	list string // next, left, done, know, check
	scan
}
