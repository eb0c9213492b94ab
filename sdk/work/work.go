// Package work finds faults in tasks, stories and phases that workflows share. Each fault has one name and one
// message. Each workflow's rule table says how severe a fault is and why it matters:
//
//	var rules = []check.Rule[*model]{
//		{Name: work.DependencyMissing, Group: "dependencies", Severity: sdk.Error, Find: needMissing,
//			Doc: "A task depends on a task that does not exist.",
//			Why: "It never becomes ready.",
//			Fix: "Correct the dependency, or remove it."},
//	}
//
// A [Kind] describes how the workflow stores its items. The last argument of each rule's function completes a
// finding. It adds keys, related locations and remedies. It also lowers the severity of a fault that is
// harmless in real repositories.
//
//	var shared = work.Kind[*model, *task]{Noun: "task", Part: "subtask", …}
//
//	func needMissing(r *check.Report, m *model) {
//		shared.DependencyMissing(r, m, func(f *work.Found[*task]) {
//			if f.Item.status.Finished() {
//				f.As(sdk.Warning)
//			}
//		})
//	}
package work

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words/status"
)

// These are the names of rules that workflows share. A rule that this package does not implement needs more data
// than an [Item] provides.
const (
	DependencyMissing  = "dependency-missing"    // the item depends on an item that does not exist
	DependencyCircular = "dependency-circular"   // the item depends on itself, directly or through others
	DependencyOpen     = "dependency-open"       // the item is done before a dependency
	DoneWithOpenParts  = "done-with-open-parts"  // the item is done but a part of it is not
	OpenWithDoneParts  = "open-with-done-parts"  // the item is not done but all its parts are
	IDRepeated         = "id-repeated"           // two items have the same id
	TickLost           = "tick-lost"             // the item was done in the base and no longer is
	ItemLost           = "item-lost"             // the item is in the base and is missing
	DoneItemLost       = "done-item-lost"        // the item was done in the base and is missing
	BoxUnreadable      = "box-unreadable"        // the item's box can no longer be read
	DoneNoEvidence     = "done-without-evidence" // the item is done but its files do not exist
)

// An Item is something to do in one revision of a workflow's documents. Items are compared with ==, so a pointer
// type of the workflow is suitable.
type Item interface {
	comparable
	Key() string             // the id in the form that the workflow compares, unique in its list
	Called() string          // its name in messages: task 5.2
	Brief() string           // its form in a list within a message: 5.2 "Write the index"
	Titled() string          // its title, or ""
	Says() string            // the status as written: in-progress
	Is() status.Status       // the meaning of the status
	At() sdk.Range           // the status's location
	Assign(f *check.Finding) // sets a finding's subject and run
}

// A Need is one dependency of an item.
type Need[I Item] struct {
	ID      string // as written
	At      sdk.Range
	On      I
	Exists  bool // On is set
	Unclear bool // the item may or may not exist, so nothing is reported
}

// A Pair is an item in the base and its present version.
type Pair[I Item] struct{ Was, Is I }

// Ticks counts the ticked boxes in an item that has fewer of them than in the base.
type Ticks[I Item] struct {
	Item        I
	Now, Before int
	Boxes       string // the boxes' name, in the plural: acceptance criteria
	At          sdk.Range
}

// A Loss holds the items that disappeared from one list of the base.
type Loss[I Item] struct {
	Items []I
	Of    int       // size of the list in the base, or 0 if that is not meaningful
	At    sdk.Range // the location that they are missing from
	Many  bool      // too many to have been removed one by one
	// Assign sets the subject and run of a finding about many items. If it is nil, they come from the first item.
	Assign func(f *check.Finding)
}

// A Kind describes how a workflow with the model M stores items. The comment on each function names the rules that
// need it.
type Kind[M any, I Item] struct {
	Noun, Part string // such as task and subtask

	Lists  func(M) [][]I        // rules about dependencies and parts
	Needs  func(M, I) []Need[I] // rules about dependencies
	Parts  func(I) []I          // rules about parts and dependencies
	Twice  func(M) []Pair[I]    // IDRepeated: the first item with an id, and another one
	Undone func(M) []Pair[I]    // TickLost: done in the base but not now
	Ticks  func(M) []Ticks[I]   // TickLost; nil if items have no boxes
	Lost   func(M) []Loss[I]    // ItemLost
	Apart  func(I) string       // IDRepeated: distinguishes items with the same id, for example by quoted title or file
}

// A Found is a finding and its items.
type Found[I Item] struct {
	*check.Finding
	Item   I
	Others []I // its dependencies, its open parts, the other items in a circle, or the item with the same id
}

// A Complete function completes one rule's findings; nil leaves them unchanged.
type Complete[I Item] func(*Found[I])

func (c Complete[I]) of(f *Found[I]) {
	if c != nil {
		c(f)
	}
}

// begin begins a finding about an item.
func begin[I Item](r *check.Report, at sdk.Range, message string, item I, others ...I) *Found[I] {
	f := r.At(at, message)
	item.Assign(f)
	return &Found[I]{f, item, others}
}

// left lists the items that are not finished.
func left[I Item](items []I) (list []I) {
	for _, i := range items {
		if i.Is().Left() {
			list = append(list, i)
		}
	}
	return list
}

// Briefs lists items for a message.
func Briefs[I Item](items []I) string {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = item.Brief()
	}
	return say.List(texts)
}

// Habit reports whether nearly all items share a property, which means that an item without it is an oversight
// rather than a style.
func Habit(have, all int) bool { return have >= 4 && 5*have >= 4*all }

// Never reports whether no item has a property, so that another item without the property follows a
// habit.
func Never(have, lack int) bool { return have == 0 && lack >= 4 }
