// Package declare runs a workflow that a text file describes. One guest serves all such files: the host writes the
// declaration, as JSON, into the guest's [Slot].
//
// A declaration lists documents, the items in them, and rules. For items it states what the tables of rules need: the
// key, the words of the status, what is done, and what an item depends on. All other rules are expressions (see
// package expr).
package declare

import (
	"slices"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/words/status"
)

// A Declaration is a workflow that a text describes.
type Declaration struct {
	name, version, doc string
	roots              []sdk.Root
	documents          []*document
	schemas            map[string]string
	defined            map[string]func(*run, *state) *expr.Value // documents, lets and kinds of items
	kinds              []*kind
	progress           *kind // the kind whose items are counted; nil if none are
	rules              []*rule
	read               []string // names of documents
	lines              []line   // of the brief
}

// A document is one file, or all files that a glob matches.
type document struct {
	name  string
	many  bool
	names bool // only the names of the files are needed
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
	word                 string // what messages call the state, such as "status"
	id                   string // what messages call the key, such as "id"
	words                []string
	done, active         []string   // words
	dropped              []string   // words for items that need not be done
	doneWhen             *expr.Node // instead of done
	moves                map[string][]string
	one                  string
	keep                 bool
	same                 *expr.Node // whether the list continues that of the base; nil if always
	frozen               []named
	frozenWhen           *expr.Node
	needs                *expr.Node
	required             bool
	shape                *expr.Shape // of an item
}

// knowsDone reports whether the declaration can distinguish done items from items that are not done.
func (k *kind) knowsDone() bool {
	done, left := false, false
	for _, w := range k.words {
		done, left = done || k.means(w) == status.Done, left || k.means(w).Left()
	}
	return k.doneWhen != nil || k.state != nil && len(k.words) == 0 || done && left
}

// means returns the meaning of a word. If the declaration lists the words for a meaning, no other word has it.
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

// knows reports whether word is listed in words. If nothing is listed, every word is known.
func (k *kind) knows(word string) bool { return len(k.words) == 0 || slices.Contains(k.words, word) }

// A rule is declared by the author, or belongs to a table for a kind of items. Only the latter has Find.
type rule struct {
	check.Rule[*run]
	scan
	at, key, see, seeSay *expr.Node
	fixes                []fix
}

// A scan goes through values: the items of a kind, the elements of nested lists, or the whole run as one.
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

// A line is a line of the brief.
type line struct {
	list string // next, left, done, know, check
	scan
}
