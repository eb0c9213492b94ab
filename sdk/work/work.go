// Package work finds the faults that workflows share about things to do: tasks, stories, phases. It gives each fault
// one name and one form of message. Each workflow decides in its table how severe a fault is and why it matters:
//
//	var rules = []check.Rule[*model]{
//		{Name: work.DependencyMissing, Group: "dependencies", Severity: sdk.Error, Find: needMissing,
//			Doc: "A task depends on a task that does not exist.",
//			Why: "It never becomes ready.",
//			Fix: "Correct the dependency, or remove it."},
//	}
//
// A [Kind] says how the workflow keeps its items. The last argument of each of its functions completes a finding: it
// lowers the severity if real repositories show that a fault is harmless, and adds keys, related places and remedies.
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

// Names of rules that workflows share. A rule without a function here needs more data than an [Item] provides.
const (
	DependencyMissing  = "dependency-missing"    // it depends on an item that does not exist
	DependencyCircular = "dependency-circular"   // it depends on itself, by way of others or not
	DependencyOpen     = "dependency-open"       // it is done before what it depends on
	DoneWithOpenParts  = "done-with-open-parts"  // it is done, and a part of it is not
	OpenWithDoneParts  = "open-with-done-parts"  // all its parts are done, and it is not
	IDRepeated         = "id-repeated"           // two have one id
	TickLost           = "tick-lost"             // it was done in the base, and is not
	ItemLost           = "item-lost"             // it was open in the base, and is gone
	ItemsLost          = "items-lost"            // many are gone at once
	DoneItemLost       = "done-item-lost"        // it was done in the base, and is gone
	BoxUnreadable      = "box-unreadable"        // its box can no longer be read
	DoneNoEvidence     = "done-without-evidence" // it is done, and what it makes does not exist
)

// An Item is a thing to do, as one revision of a workflow's documents has it. Items are compared with ==; a workflow's
// own pointer type is one.
type Item interface {
	comparable
	Key() string             // the id as the workflow compares it, unique in its list
	Called() string          // what messages call it: task 5.2
	Brief() string           // how a list in a message has it: 5.2 "Write the index"
	Titled() string          // its title, "" without one
	Says() string            // the status as it is written: in-progress
	Is() status.Status       // what that means
	At() sdk.Range           // the place of the status
	Assign(f *check.Finding) // sets subject and run of a finding
}

// A Need is one thing that an item depends on.
type Need[I Item] struct {
	ID      string // as it is written
	At      sdk.Range
	On      I
	Exists  bool // On is set
	Unclear bool // the item may or may not exist: nothing is reported
}

// A Pair is an item of the base and what it is now.
type Pair[I Item] struct{ Was, Is I }

// Ticks counts the ticked boxes within an item that has fewer of them than in the base.
type Ticks[I Item] struct {
	Item        I
	Now, Before int
	Boxes       string // their name, in the plural: acceptance criteria
	At          sdk.Range
}

// A Loss holds the items that one list of the base lost.
type Loss[I Item] struct {
	Items []I
	Of    int       // how many there were, 0 if that says nothing
	At    sdk.Range // where they are missing
	Many  bool      // too many for decisions about single items
	// Assign sets subject and run of a finding about many items; nil: they are those of the first one.
	Assign func(f *check.Finding)
}

// A Kind says how a workflow with the model M keeps items. A function is needed by the rules that its comment names.
type Kind[M any, I Item] struct {
	Noun, Part string // task, subtask

	Lists  func(M) [][]I        // the rules about dependencies and parts
	Needs  func(M, I) []Need[I] // the rules about dependencies
	Parts  func(I) []I          // the rules about parts and about dependencies
	Twice  func(M) []Pair[I]    // IDRepeated: the first one with an id, and another
	Undone func(M) []Pair[I]    // TickLost: done in the base, and not now
	Ticks  func(M) []Ticks[I]   // TickLost; nil if items have no boxes
	Lost   func(M) []Loss[I]    // ItemLost, ItemsLost
	Apart  func(I) string       // IDRepeated: what tells items with one id apart, such as the quoted title or the file
}

// A Found is a finding and its items.
type Found[I Item] struct {
	*check.Finding
	Item   I
	Others []I // its dependencies, its open parts, the other items of a circle, or the one with the same id
}

// A Complete completes the findings of one rule; nil leaves them as they are.
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

// left lists the items on which something is left to do.
func left[I Item](items []I) (list []I) {
	for _, i := range items {
		if i.Is().Left() {
			list = append(list, i)
		}
	}
	return list
}

// briefs lists items in a message.
func briefs[I Item](items []I) string {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = item.Brief()
	}
	return say.List(texts)
}

// Habit reports whether nearly all items share a property, so that one without it is an oversight, not a style.
func Habit(have, all int) bool { return have >= 4 && 5*have >= 4*all }

// Never reports whether no item shares a property, so that one more without it follows a habit.
func Never(have, lack int) bool { return have == 0 && lack >= 4 }
