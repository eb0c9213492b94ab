package work

import (
	"iter"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/words/status"
)

// Life returns the lifecycle of a list of items: planned, underway or complete. The name of an item, such as task,
// appears in the descriptions. A list returns to an earlier phase if items are added or reopened.
func Life(name, doc, item string) *sdk.Lifecycle {
	return &sdk.Lifecycle{Name: name, Doc: doc, Transitions: Moves("planned", "underway", "complete"),
		Phases: []*sdk.Phase{
			{Name: "planned", Number: 1, Doc: "No " + item + " has begun."},
			{Name: "underway", Number: 2, Doc: "Work on one " + item + " has begun, and at least one is unfinished."},
			{Name: "complete", Number: 3, Doc: "Every " + item + " is done or abandoned."},
		}}
}

// Moves returns all transitions between three phases.
func Moves(a, b, c string) []sdk.Transition {
	return []sdk.Transition{{From: a, To: b}, {From: b, To: c}, {From: a, To: c}, {From: c, To: b}, {From: b, To: a},
		{From: c, To: a}}
}

// Observe sets the phase and the progress of a list from the statuses of its items. Cancelled items do not count.
func Observe(d *sdk.Detection, unit string, statuses iter.Seq[status.Status]) {
	done, off, total := 0, 0, 0
	d.Observed = d.Lifecycle.Phases[0]
	for s := range statuses {
		total++
		switch s {
		case status.Done:
			done++
		case status.Cancelled:
			off++
		}
		if s == status.Done || s.Started() {
			d.Observed = d.Lifecycle.Phases[1]
		}
	}
	if total > 0 && done+off == total {
		d.Observed = d.Lifecycle.Phases[2]
	}
	d.Progress = sdk.Progress{Done: done, Total: total - off, Unit: unit}
}

// Grouped groups items by a word, such as an unknown status, in the order of the first items. It skips items
// without a word.
func Grouped[I any](items []I, word func(I) string) (groups [][]I) {
	at := map[string]int{}
	for _, i := range items {
		w := word(i)
		if n, known := at[w]; known {
			groups[n] = append(groups[n], i)
		} else if w != "" {
			at[w] = len(groups)
			groups = append(groups, []I{i})
		}
	}
	return groups
}
