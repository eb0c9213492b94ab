package work

import (
	"strings"

	"github.com/stategate/stategate/sdk/say"
)

// The functions below write the messages of shared faults for workflows that need more data than an [Item]
// provides.

// SayMissing writes that an item depends on ids that do not exist.
func SayMissing(item string, ids ...string) string {
	return item + " depends on " + say.And(ids...) + ", which " + say.Verb(len(ids), "does", "do") + " not exist"
}

// SayCircle writes that items depend on each other. The first and last items of a circle are the same.
func SayCircle(noun string, circle []string) string {
	if len(circle) == 2 {
		return noun + " " + circle[0] + " depends on itself"
	}
	return say.Plural(noun) + " depend on each other in a circle: " + strings.Join(circle, " → ")
}

// SayOpen writes that an item is in a state, such as ticked, although its dependency is not. The
// dependency's location may be empty.
func SayOpen(item, state, need, place string) string {
	return item + " is " + state + ", but depends on " + need + ", which is not" + place
}

// SayUnticked writes that a box lost its tick. The location is the one in the base.
func SayUnticked(item, place string) string {
	return item + " is not ticked, but was in the base" + place
}

// SayGone writes that a number of items are missing. The state, such as open, is the one in the
// base.
func SayGone(n int, noun, state string) string {
	return say.Count(n, noun) + " that " + say.Were(n) + " " + state + " in the base " + say.Are(n) + " missing"
}

// SayAll writes all parts of an item as the subject of a sentence: "all 3 of its steps are", "its only step is".
func SayAll(n int, noun string) string {
	if n == 1 {
		return "its only " + noun + " is"
	}
	return "all " + say.Int(n) + " of its " + say.Plural(noun) + " are"
}

// SayTicked counts the ticked boxes of an item: "2 of its 3 tasks are ticked", "none of its 3 tasks is ticked".
func SayTicked(n, all int, noun string) string {
	switch {
	case all == 1 && n == 0:
		return "its only " + noun + " is not ticked"
	case n == 0:
		return "none of its " + say.Count(all, noun) + " is ticked"
	}
	return say.Int(n) + " of its " + say.Count(all, noun) + " " + say.Are(n) + " ticked"
}

// SayCopies writes what remedies call the copies of one or more items, and the items as the subject of a sentence:
// "copy" and "T005 is", "copies" and "the 3 tasks are".
func SayCopies(n int, id, noun string) (copies, items string) {
	if n == 1 {
		return "copy", id + " is"
	}
	return "copies", "the " + say.Count(n, noun) + " are"
}
